"""What can be drawn of a derivation or a training, one file for each picture."""
