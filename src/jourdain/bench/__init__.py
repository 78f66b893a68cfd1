"""Jourdain beside other libraries: the same mechanism, the same states, the same machine, the same minute."""
