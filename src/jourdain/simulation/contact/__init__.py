"""Rigid contact with friction: forces while bodies touch, impulses when they strike."""
