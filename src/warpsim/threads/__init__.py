"""What the package needs where a process has several threads, or forks."""
