"""`python3 -m tools.peers`."""

from .page import main

main()
