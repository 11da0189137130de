"""Which targets and PTX versions take wmma.load and wmma.store, written with .aligned.

From what the assemblers of CUDA 12.9, 13.0 and 13.5 accept, and the "PTX ISA Notes" and "Target
ISA Notes" of PTX "wmma.load".
"""

from ..legality import PTX_VERSIONS, TARGETS, Version, target_exists, version
from .forms import SHAPES_K16, WmmaForm, exists


def _floor(form: WmmaForm) -> tuple[Version, int]:
    """First PTX version and first target.

    .aligned itself is of PTX 6.3. Types and shapes of sm_80 are of PTX 7.0.
    """
    if form["type"] in ("bf16", "tf32", "f64") or form["shape"] == "m16n16k8":
        return (7, 0), 80
    if form["shape"] not in SHAPES_K16:
        return (6, 3), 75
    return (6, 3), 70 if form["type"] in ("f16", "f32") else 72


def legal(form: WmmaForm, space: str, target: str, ptx_version: str) -> bool:
    """Whether the assembler takes the form; .shared::cta needs PTX 7.8 besides."""
    if not exists(**form) or not target_exists(target, ptx_version):
        return False
    first_version, first_target = _floor(form)
    if space == "shared::cta":
        first_version = max(first_version, (7, 8))
    number = int(target.removeprefix("sm_").rstrip("af"))
    return version(ptx_version) >= first_version and number >= first_target


def min_ptx_version(form: WmmaForm, space: str, target: str) -> str | None:
    """The lowest PTX version at which the target takes the form; None: never."""
    taken = (v for v in PTX_VERSIONS if legal(form, space, target, v))
    return next(taken, None)


def targets(form: WmmaForm, space: str) -> tuple[str, ...]:
    """All targets that take the form at some PTX version."""
    return tuple(t for t in TARGETS if min_ptx_version(form, space, t) is not None)
