"""The rules of the games: pure Python, importing neither Django, nor random, nor the clock."""
