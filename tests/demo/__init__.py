"""`jourdain demo`, chapter by chapter and as a whole."""
