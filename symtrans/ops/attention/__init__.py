"""What turns scores into attention weights."""
