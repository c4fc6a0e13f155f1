"""The modules of PyTorch that are read as specifications, one file each."""
