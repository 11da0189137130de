"""Which targets and PTX versions take a form.

From what the assemblers of CUDA 12.9, 13.0 and 13.5 accept, and for ld, st and cp.async from the
"PTX ISA Notes" and "Target ISA Notes" of their sections.
"""

from functools import cache

from .forms import S4, Form, forms_of

Version = tuple[int, int]

PTX_VERSIONS = tuple(
    f"{major}.{minor}" for major, last in ((6, 5), (7, 8), (8, 8), (9, 5)) for minor in range(last + 1)
)

# Target: first PTX version. Ascending; within a number: plain, a, f.
FIRST_PTX_VERSION = {
    "sm_60": "6.0", "sm_61": "6.0", "sm_62": "6.0", "sm_70": "6.0", "sm_72": "6.1", "sm_75": "6.3", "sm_80": "7.0",
    "sm_86": "7.1", "sm_87": "7.4", "sm_88": "9.0", "sm_89": "7.8", "sm_90": "7.8", "sm_90a": "8.0", "sm_100": "8.6",
    "sm_100a": "8.6", "sm_100f": "8.8", "sm_101": "8.6", "sm_101a": "8.6", "sm_101f": "8.8", "sm_103": "8.8",
    "sm_103a": "8.8", "sm_103f": "8.8", "sm_107": "9.4", "sm_107a": "9.4", "sm_107f": "9.4", "sm_110": "9.0",
    "sm_110a": "9.0", "sm_110f": "9.0", "sm_120": "8.7", "sm_120a": "8.7", "sm_120f": "8.8", "sm_121": "8.8",
    "sm_121a": "8.8", "sm_121f": "8.8",
}  # fmt: skip

TARGETS = tuple(FIRST_PTX_VERSION)


@cache
def version(text: str) -> Version:
    """The text of a version, such as 8.6, as numbers that compare."""
    major, minor = text.split(".")
    return int(major), int(minor)


@cache
def target_exists(target: str, ptx_version: str) -> bool:
    """From its first PTX version on; sm_101 was renamed to sm_110 in PTX 9.0."""
    if target.startswith("sm_101") and version(ptx_version) >= (9, 0):
        return False
    return version(ptx_version) >= version(FIRST_PTX_VERSION[target])


def _number(target: str) -> int:
    return int(target.removeprefix("sm_").rstrip("af"))


def _architecture_specific(target: str) -> bool:
    """A target with suffix a or f, sm_100 or later."""
    return _number(target) >= 100 and target[-1] in "af"


def exists(mnemonic: str, form: Form) -> bool:
    """Whether the combination of qualifiers is legal anywhere ("Legal combinations")."""
    return form in forms_of(mnemonic)


def _floor(mnemonic: str, form: Form) -> tuple[Version, int | str]:
    """First PTX version of a form, and the first target that takes it, or the rule for targets.

    "Legal combinations"; .s8.s4 is of PTX 9.4, on sm_90a too; cp.async: PTX 7.0, sm_80.
    """
    if mnemonic == "ldmatrix":
        if form["type"] == S4:
            return (9, 4), "sm_90a and architecture-specific"
        if form["shape"] != "m8n8":
            return (8, 6), "architecture-specific"
        return (6, 5), 75
    if mnemonic == "stmatrix":
        if form["shape"] != "m8n8":
            return (8, 6), "architecture-specific"
        return (7, 8), 90
    if mnemonic == "movmatrix":
        return (7, 8), 75
    if mnemonic == "cp.async":
        return (7, 0), 80
    return (1, 0), 0


def legal(mnemonic: str, form: Form, space: str, target: str, ptx_version: str) -> bool:
    """Whether the assembler takes the form; .shared::cta needs PTX 7.8 besides."""
    if not exists(mnemonic, form) or not target_exists(target, ptx_version):
        return False
    first, targets = _floor(mnemonic, form)
    if version(ptx_version) < first:
        return False
    if space == "shared::cta" and version(ptx_version) < (7, 8):
        return False
    if isinstance(targets, int):
        return _number(target) >= targets
    if target == "sm_90a":
        return targets.startswith("sm_90a")
    return _architecture_specific(target)


def min_ptx_version(mnemonic: str, form: Form, space: str, target: str) -> str | None:
    """The lowest PTX version at which the target takes the form; None: never."""
    for ptx_version in PTX_VERSIONS:
        if legal(mnemonic, form, space, target, ptx_version):
            return ptx_version
    return None


def targets(mnemonic: str, form: Form, space: str) -> tuple[str, ...]:
    """All targets that take the form at some PTX version."""
    return tuple(t for t in TARGETS if min_ptx_version(mnemonic, form, space, t) is not None)
