"""The worked examples that come with the package, one TOML file each."""
