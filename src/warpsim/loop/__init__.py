"""Main loops of a matrix product."""
