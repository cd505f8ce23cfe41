"""How the admin writes what it shows, by language; Django looks for it here."""
