"""PostgreSQL and Valkey from their wheels, and the processes around them, for whoever has only Python."""
