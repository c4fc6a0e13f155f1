"""What LaTeX pages are made of: text, how wide a formula prints, displays that fit, labels."""
