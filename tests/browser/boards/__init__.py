"""The boards of the page, each alone in a bare page, at positions of games that the server's rules played."""
