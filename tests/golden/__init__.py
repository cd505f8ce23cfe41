"""Golden records: whole games as they were once played, one a line, and in how many ways they can begin."""
