"""The parts a model is built of, one file each."""
