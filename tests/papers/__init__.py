"""The papers' printed results, held against independent derivations."""
