"""The gallery's mechanisms, held against independent models of the same."""
