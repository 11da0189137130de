"""Memory images, and how much memory a call may take."""

# pickles of 0.1.0 find these here
from .memory import AddressSpace, GlobalMemory, SharedMemory, _made_again

__all__ = ["AddressSpace", "GlobalMemory", "SharedMemory", "_made_again"]
