"""The explorer: one page that computes with the core in a browser, and the links that open it.

All that the page shows is in the fragment of its address, "#v=1&op=...": words of a state, as a
form encodes them. A key that is left out has its default.
"""

from .link import DEFAULTS, ROOT, VERSION, ExplorerFrame, fragment, home, page
from .state import state_of

__all__ = ["DEFAULTS", "ROOT", "VERSION", "ExplorerFrame", "fragment", "home", "page", "state_of"]
