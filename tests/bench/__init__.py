"""The comparison with other libraries: the same bodies for everyone, answers checked, times kept apart."""
