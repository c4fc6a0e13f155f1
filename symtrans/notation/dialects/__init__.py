"""How formulas are spelled, one TOML file a dialect."""
