"""Every row brought to one scale: its mean, its spread, and what is made of them."""
