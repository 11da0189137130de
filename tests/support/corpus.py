"""The PTX of truth/corpus/files.tar.xz, and how truth/corpus/verdicts.csv.xz changes it."""

import csv
import io
import lzma
import re
import tarfile
from functools import cache

from tests.support.evidence import TRUTH


@cache
def files() -> dict[str, str]:
    """Name -> text of every member."""
    with tarfile.open(TRUTH / "corpus" / "files.tar.xz") as archive:
        found = {member.name: archive.extractfile(member) for member in archive.getmembers()}
        return {name: file.read().decode() for name, file in found.items() if file is not None}


def kernels(text: str) -> list[tuple[int, int, str]]:
    """Where kernels begin and end, and their names; a kernel ends at a brace alone on its line."""
    entry = r"^(?:\.visible |\.weak )?\.entry (\w+)\s*\((?:.*\n)*?\}\n(?!\s*// end inline asm)"
    return [(m.start(), m.end(), m[1]) for m in re.finditer(entry, text, re.MULTILINE)]


@cache
def one_kernel(name: str, kernel: str) -> str:
    """A file without its other kernels; the whole where none is named."""
    text = files()[name]
    for begin, end, found in reversed(kernels(text) if kernel else []):
        if found != kernel:
            text = text[:begin] + text[end:]
    return text


def placed(text: str, version: str, target: str) -> str:
    """The text at this version and target."""
    text = re.sub(r"^\.version .*", f".version {version}", text, count=1, flags=re.MULTILINE)
    return re.sub(r"^\.target sm_\w+", f".target {target}", text, count=1, flags=re.MULTILINE)


def changed(row: dict[str, str]) -> str:
    """The text that a verdict is about."""
    text = placed(one_kernel(row["file"], row["kernel"]), row["ptx_version"], row["target"])
    if row["line"] != "0":
        lines = text.split("\n")
        lines[int(row["line"]) - 1] = row["text"]
        text = "\n".join(lines)
    return text


def verdicts() -> list[dict[str, str]]:
    """The rows of corpus_verdicts.csv.xz."""
    data = lzma.decompress((TRUTH / "corpus" / "verdicts.csv.xz").read_bytes()).decode()
    return list(csv.DictReader(io.StringIO(data)))
