"""What measures how far an output is from its target."""
