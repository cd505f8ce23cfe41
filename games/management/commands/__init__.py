"""Commands of the games, for manage.py."""
