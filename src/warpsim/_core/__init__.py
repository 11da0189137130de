"""The door to the C core."""

from .core import *  # noqa: F403
