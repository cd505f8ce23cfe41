"""The verifiers that share no code with the server: what they find, and what they can't."""
