"""Whole PTX files against the rules."""
