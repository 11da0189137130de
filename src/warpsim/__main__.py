"""`python -m warpsim`: the command line, and the paths for C and C++ builds."""

from __future__ import annotations

import sys

from . import cli, paths
from .cli import output

PATHS = {
    "--includes": lambda: f"-I{paths.includes()}",
    "--cmake-dir": lambda: str(paths.cmake_dir()),
    "--pkgconfig-dir": lambda: str(paths.pkgconfig_dir()),
}


def main() -> int:
    """The exit status."""
    if len(sys.argv) == 2 and sys.argv[1] in PATHS:
        return output.show(PATHS[sys.argv[1]]())
    return cli.main()


if __name__ == "__main__":
    sys.exit(main())
