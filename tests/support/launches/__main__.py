"""`python3 -m tests.support.launches ROUNDS`: threads launch kernels, for ThreadSanitizer to watch."""

import sys

from tests.support import sharing

print(sharing.launched(int(sys.argv[1])), "launches")
