"""Matrices in memory: layouts, the tiles that warps fill and read, and the search for the best."""
