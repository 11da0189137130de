"""What is released: the sdist is the tree, the wheel is what its users need, and both repeat."""

import email
import io
import json
import re
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from configparser import ConfigParser
from email.message import Message
from pathlib import Path

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import ROOT
from tests.support.process import BIN, run
from tools import distributions
from tools.distributions import EXTENSIONS, Built

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not (ROOT / ".git").exists(), reason="needs a checkout of git")]

#: folder of the tree -> where its files are in the wheel
PLACES = {"src/warpsim/": "warpsim/", "csrc/include/": "warpsim/include/"}

#: what belongs to building the extension, and is of no use to those who have it
SOURCES = re.compile(r"src/warpsim/(.+\.pyx|.+\.pxi|_core/c/[^/]+\.h)")

#: what the build adds
MADE = {
    *EXTENSIONS,
    "warpsim/lib/cmake/warpsim/warpsimCompiled.cmake",
    "warpsim/lib/cmake/warpsim/warpsimConfig.cmake",
    "warpsim/lib/cmake/warpsim/warpsimConfigVersion.cmake",
    "warpsim/lib/cmake/warpsim/warpsimTargets.cmake",
    "warpsim/lib/pkgconfig/warpsim.pc",
}
INFO = f"warpsim-{ws.__version__}.dist-info"
INFO_FILES = ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")

#: what must be there, whatever the rules above say
NEEDED = {
    *("warpsim/py.typed", "warpsim/_core/core.pyi", "warpsim/_core/core.pxd"),
    "warpsim/data/completion/zsh",
    *("warpsim/include/warpsim/warpsim.h", "warpsim/include/warpsim/simd/level.h"),
    *("warpsim/include/warpsim/warpsim.c", "warpsim/include/warpsim/warpsim.hpp"),
    "warpsim/include/warpsim/cpp/layout.hpp",
}
ENTRY_POINTS = {
    "console_scripts": {"warpsim": "warpsim.cli:main"},
    "cmake.root": {"warpsim": "warpsim"},
    "pkg_config": {"warpsim": "warpsim.lib.pkgconfig"},
}
MOST_BYTES = {"wheel": 3_000_000, "extension": 3_000_000, "sdist": 12_000_000}  # symbols for debugging are more
OLDEST_GLIBC = 28  # manylinux_2_28, what cibuildwheel builds for


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Where the installed package has the same extensions, byte for byte, it is the other build of them: pip's."""
    return distributions.build_twice(tmp_path_factory.mktemp("distributions"), with_installed=True)


@pytest.fixture
def wheel(built: Built) -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(built.wheels[0]) as archive:
        yield archive


def test_distributions_of_two_builds_are_the_same_bytes(built: Built) -> None:
    for first, second in (built.sdists, built.wheels):
        assert first.name == second.name
        assert first.read_bytes() == second.read_bytes(), first.name


def test_wheel_holds_what_the_table_says(wheel: zipfile.ZipFile) -> None:
    expected = MADE | {f"{INFO}/{name}" for name in INFO_FILES}
    for name in distributions.tracked():
        for place, inside in PLACES.items():
            if name.startswith(place) and not SOURCES.fullmatch(name):
                expected.add(inside + name.removeprefix(place))
    names = wheel.namelist()
    assert len(names) == len(set(names))
    assert set(names) == expected
    assert expected >= NEEDED
    compared("files of the wheel", len(names), at_least=150)


def test_wheel_names_no_place_where_it_was_built(wheel: zipfile.ZipFile, built: Built) -> None:
    places = {*map(str, built.folders), str(ROOT), str(Path.home()), sys.prefix}
    places |= {f"{tempfile.gettempdir()}/"}
    words = [place.encode() for place in places if place != "/"]
    assert len(words) >= 5
    for name in wheel.namelist():
        contents = wheel.read(name)
        assert not [word for word in words if word in contents], name


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_extension_is_stripped_and_small(wheel: zipfile.ZipFile, built: Built, extension: str) -> None:
    contents = wheel.read(extension)
    from elftools.elf.elffile import ELFFile

    elf = ELFFile(io.BytesIO(contents))
    sections = {section.name for section in elf.iter_sections()}
    assert ".dynsym" in sections
    assert not [name for name in sections if name == ".symtab" or name.startswith(".debug")]
    sizes = {"extension": len(contents), "wheel": built.wheels[0].stat().st_size}
    sizes["sdist"] = built.sdists[0].stat().st_size
    assert not {name: size for name, size in sizes.items() if size > MOST_BYTES[name]}


def metadata(wheel: zipfile.ZipFile) -> Message:
    return email.message_from_bytes(wheel.read(f"{INFO}/METADATA"))


def test_metadata_says_what_is_true(wheel: zipfile.ZipFile, built: Built) -> None:
    stated = metadata(wheel)
    assert stated["Name"] == "warpsim"
    assert stated["Version"] == ws.__version__
    assert stated["Requires-Python"] == ">=3.11"
    assert stated["License-Expression"] == "Apache-2.0"
    needed = [text for text in stated.get_all("Requires-Dist", []) if "extra" not in text]
    assert needed == ["numpy>=2"]
    described = stated.get_payload(decode=True)
    assert isinstance(described, bytes)
    assert described.decode().strip() == (ROOT / "README.md").read_text().strip()
    run(BIN / "twine", "check", "--strict", built.sdists[0], built.wheels[0])


def test_extension_takes_the_oldest_numpy_that_the_metadata_names() -> None:
    header = (ROOT / "src" / "warpsim" / "_core" / "c" / "numpy_array.h").read_text()
    assert "#define NPY_TARGET_VERSION NPY_2_0_API_VERSION" in header


def test_entry_points_are_those_of_the_table(wheel: zipfile.ZipFile) -> None:
    parser = ConfigParser(delimiters=("=",))
    parser.read_string(wheel.read(f"{INFO}/entry_points.txt").decode())
    assert {name: dict(parser[name]) for name in parser.sections()} == ENTRY_POINTS


def test_extension_uses_the_stable_abi_alone(built: Built) -> None:
    report = json.loads(run(BIN / "abi3audit", "--strict", "--report", built.wheels[0]))
    ((_, found),) = report["specs"].items()
    assert sorted(each["name"] for each in found["wheel"]) == [Path(name).name for name in EXTENSIONS]
    for extension in found["wheel"]:
        assert extension["result"]["is_abi3"]
        assert extension["result"]["baseline"] == "3.11"
        assert extension["result"]["non_abi3_symbols"] == []
    assert built.wheels[0].name.startswith(f"warpsim-{ws.__version__}-cp311-abi3-")


@pytest.mark.skipif(sys.platform != "linux", reason="auditwheel is for Linux")
def test_extension_needs_no_newer_glibc_than_the_tag_promises(built: Built) -> None:
    shown = " ".join(run(BIN / "auditwheel", "show", built.wheels[0]).split())
    tag = re.search(r'following platform tag: "manylinux_2_(\d+)_', shown)
    assert tag, shown
    assert int(tag[1]) <= OLDEST_GLIBC


def test_sdist_is_the_tree(built: Built) -> None:
    with tarfile.open(built.sdists[0]) as archive:
        names = {member.name.split("/", 1)[1] for member in archive if member.isfile()}
    assert names == {"PKG-INFO", *distributions.tracked()}
    compared("files of the sdist", len(names), at_least=400)


def test_sdist_leaves_stray_files_out(tmp_path: Path) -> None:
    distributions.copy_tree(tmp_path, distributions.tracked())
    for command in (("init", "-q"), ("add", "-A")):
        run("git", *command, cwd=tmp_path)
    run(BIN / "check-sdist", "--no-isolation", "--inject-junk", cwd=tmp_path)
