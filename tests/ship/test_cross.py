"""The C core under qemu-user, big-endian and on 32 bits: the short form of tools/cross.py."""

import itertools
from pathlib import Path

import pytest

from tests.support.evidence import compared
from tools import cross

pytestmark = pytest.mark.slow

#: one target of each byte order and size that this machine has not
SHORT = ("s390x", "powerpc")
#: the C tests of what touches the user's bytes
UNITS = ("test_memory.c", "test_decompress.c")


def test_targets_are_every_byte_order_and_size() -> None:
    found = {target.what for target in cross.TARGETS.values()}
    assert found == {f"{order}-endian, {bits} bits" for order, bits in itertools.product(("big", "little"), (32, 64))}


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("here")


@pytest.mark.parametrize("name", SHORT)
def test_every_instruction_gives_the_same_there(name: str, here: Path, tmp_path: Path) -> None:
    lines = cross.agrees(cross.TARGETS[name], cross.DIGEST, (tmp_path, here), cross.instructions())
    compared(f"instructions executed on {name} and here", lines, at_least=600)


@pytest.mark.parametrize("name", SHORT)
def test_c_tests_pass_there(name: str, tmp_path: Path) -> None:
    units = [unit for unit in cross.PROGRAMS if unit.name in UNITS]
    assert len(units) == len(UNITS)
    checks = cross.passes(cross.TARGETS[name], units, tmp_path)
    compared(f"checks of C tests on {name}", checks, at_least=50_000)
