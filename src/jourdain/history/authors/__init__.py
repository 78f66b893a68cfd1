"""Inverse dynamics of a chain as each author wrote it, one file an author; each is a function of a `Moment`."""
