"""Numbers: decimals as written, exact values, rigorous enclosures and certified roundings."""
