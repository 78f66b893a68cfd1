"""Which vertices, edges and faces of two polyhedra face each other, by numbers."""
