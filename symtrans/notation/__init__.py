"""Mathematics as written: names, trees, and LaTeX in both directions."""
