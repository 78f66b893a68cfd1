"""Other programs as witnesses: the same mechanism, the same answer."""
