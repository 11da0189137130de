"""The inputs that the fuzzers begin from.

corpus/NAME.corpus holds many, each a length of 4 bytes, low first, and that many bytes: what
libFuzzer kept because it covers something, and for every form of the reference a few that begin
with its number. found/NAME_* are inputs that once found something, a file each.
"""

import struct
from pathlib import Path
from random import Random

from tests.support.paths import TESTS

FOLDER = TESTS / "fuzz"
#: fuzzers whose inputs begin with the number of a form, and how many there are
FORMS_FIRST = ("parse", "execute", "count", "legality", "lint")
FORMS = 855
RARE_FORMS = range(90, 95)  # movmatrix and cp.async


def unpacked(name: str) -> list[bytes]:
    """The inputs of a corpus: each a length of 4 bytes, low first, and its bytes."""
    packed = FOLDER / "corpus" / f"{name}.corpus"
    data, at, inputs = packed.read_bytes() if packed.exists() else b"", 0, []
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        inputs.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return inputs


def pack(name: str, inputs: list[bytes]) -> None:
    packed = FOLDER / "corpus" / f"{name}.corpus"
    packed.parent.mkdir(exist_ok=True)
    ordered = sorted(set(inputs), key=lambda one: (len(one), one))
    packed.write_bytes(b"".join(struct.pack("<I", len(one)) + one for one in ordered))


def defined(random: Random) -> bytes:
    """What follows the number of a form in a legal input: decode.h says what each byte is."""
    memory = [0, 1, random.choice((0, 2)), 1, 0, 0, random.randrange(256)]
    issue = [0, random.choice((0, 2)), 0, random.choice((0, 3))]
    places = [random.randrange(192), 0, random.randrange(8), 0, *random.randbytes(2)]
    others = [random.choice((2, 10, 18, 33)), 0, random.randrange(8), 0, *random.randbytes(2)]
    return bytes([8, *memory, *issue, *places, *others])


def systematic(name: str) -> list[bytes]:
    """Inputs that begin with the number of every form, the same each time; [] where none does."""
    if name not in FORMS_FIRST:
        return []
    random = Random(name)
    seeds = []
    for form in range(FORMS):
        head = struct.pack("<H", form)
        if name == "parse":  # a form written down: as it is, in another order, with a word missing
            written = [bytes([0, random.choice((0, 1, 4, 5, random.randrange(256)))]) for _ in range(2)]
            more = [bytes([0, 4])] * (9 if form in RARE_FORMS else 0)
            seeds += [how + head + random.randbytes(20) for how in written + more]
            continue
        if name == "lint":  # a file of one statement: at an old version and target, and at any
            old = bytes([0, 0, 0, 3 + random.randrange(4), 1, random.randrange(6)])
            any_place = bytes([0, 0, 0, random.randrange(34), 1, random.randrange(36)])
            seeds += [place + head + random.randbytes(2) for place in (old, any_place)]
            continue
        seeds += [head + defined(random) for _ in range(2)]
        seeds += [head + random.randbytes(48) for _ in range(40 if form in RARE_FORMS else 1)]
    return seeds


def kept(name: str) -> list[bytes]:
    """What every change replays: the corpus and all that was ever found."""
    return unpacked(name) + [path.read_bytes() for path in FOLDER.glob(f"found/{name}_*")]


def write(folder: Path, inputs: list[bytes]) -> int:
    """A file for each input; how many."""
    folder.mkdir(parents=True, exist_ok=True)
    for i, one in enumerate(inputs):
        (folder / f"{i:05}").write_bytes(one)
    return len(inputs)


def write_inputs(name: str, folder: Path) -> int:
    """What is kept, and an input for every form."""
    return write(folder, kept(name) + systematic(name))
