"""Readers of other programs' model files; each gives a `System`."""
