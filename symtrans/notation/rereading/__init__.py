"""The parts of the second reader: what it may be asked, what it is given, its engine, its answer's value."""
