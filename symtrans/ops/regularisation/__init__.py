"""What is switched off at random in training, with the choice given."""
