"""Words: names of concepts, phrases that pages write and cues that documents carry, one TOML file a language."""
