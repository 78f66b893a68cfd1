"""What is shown to a reader."""
