"""What instructions and programs cost in cycles, and the constants that say so."""
