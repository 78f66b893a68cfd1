"""Targets: what a program is written in. One folder each."""
