"""Launches of a program on a GPU, written to a file there and run again here."""
