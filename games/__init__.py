"""The games: their rules, their bots, and the tables at which they are played."""
