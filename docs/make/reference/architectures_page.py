"""docs/reference/architectures.md, from the constants of every target."""

from collections.abc import Iterator

import warpsim as ws
from docs.make.markdown import table
from warpsim import _core

HEAD = """# Architectures

The constants of the cost model, as returned by `ws.arch(target)`. `Arch.to_file` writes them as TOML, which you can edit for your own device, and
`ws.arch("my_gpu.toml")` reads them back. [`warpsim calibrate`](../howto/calibrate.md) measures those of your own GPU.

*Basis* says where a value comes from: *measured* on one H200; *specified* by NVIDIA; *published* for that architecture
([see the records](../explain/published.md)); *fitted* to whole loops, because it cannot be measured in isolation; *assumed* to be the same as on sm_90. *Error* is relative to the
measurements that the source names; an empty cell means that it is unknown. How the constants become cycles: [what things cost in time](../explain/cost.md).
"""

MEASURED = "sm_90"
ASSUMED = f"assumed from {MEASURED}"


def cells(c: ws.Constant) -> tuple[str, ...]:
    error = "" if c.error is None else f"{100 * c.error:g}\u00a0%"
    return f"`{c.name}`", f"{c.value:g} {c.unit}", c.meaning, c.basis, error, c.source


def groups() -> list[list[str]]:
    """Targets with the same constants."""
    found: dict[tuple[ws.Constant, ...], list[str]] = {}
    for target in _core.TARGETS:
        found.setdefault(tuple(ws.arch(target).constants.values()), []).append(target)
    return list(found.values())


def lines() -> Iterator[str]:
    yield HEAD
    for targets in sorted(groups(), key=lambda targets: MEASURED not in targets):
        yield f"## {', '.join(targets)}\n"
        constants = list(ws.arch(targets[0]).constants.values())
        own = [c for c in constants if c.basis != ASSUMED]
        left = len(constants) - len(own)
        if left:
            yield f"{left} more are {ASSUMED}.\n"
        yield from table("constant | value | meaning | basis | error | source", map(cells, own))
        yield ""


def page() -> str:
    return "\n".join(lines()).rstrip() + "\n"
