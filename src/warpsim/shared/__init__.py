"""Arrays in shared memory as launches use them: recorded accesses, tiles, better layouts."""
