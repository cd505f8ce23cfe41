"""Everything again through a pgbouncer in transaction mode: `make test-pooler`."""
