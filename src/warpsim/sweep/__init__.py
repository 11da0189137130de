"""A function over a grid of points, on any executor."""
