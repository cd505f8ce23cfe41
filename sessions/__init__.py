"""Who is here: names held by secrets for a while."""
