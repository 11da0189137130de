"""Kernels that other people wrote, run from where they are installed: `python3 -m tools.peers` writes the page."""
