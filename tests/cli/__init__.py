"""The command `jourdain`, called in process and as a program of its own."""
