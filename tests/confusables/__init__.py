"""Makes the table of characters that look alike; see `tests.confusables.__main__`."""
