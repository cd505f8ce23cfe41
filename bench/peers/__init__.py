"""The same dice game on other game servers, beside ours: same database, same clients, one run."""
