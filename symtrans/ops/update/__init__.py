"""What changes a quantity by its gradient."""
