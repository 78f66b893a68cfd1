"""Tests of the readers of other programs' files."""
