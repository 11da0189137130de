"""Damaged and hostile files of every kind that is read (`python3 -m tools.hostile_files`).

Each file is a good one that chance has changed; it must be read, or refused with an error that names it, soon.
What a changed checkpoint gives must be what the good one has.
"""

import argparse
import json
import random
import sqlite3
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import warpsim as ws
from tests.support.paths import TRUTH
from tools import records
from warpsim.cli.files import read_file
from warpsim.sweep.checkpoint import Checkpoint
from warpsim.sweep.rows import key_of

PIECES = (
    b'\x00', b'\xff\xfe', b'\xed\xa0\x80', b'\x1b[2J', b'nan', b'inf', b'-inf', b'1e999', b'9' * 400, b'0x' + b'f' * 99,
    b'[' * 300, b'{' * 300, b'"""', b"'''", b'/*', b'*/', b'//', b';', b'\r', b'\n', b'[constants]', b'[[constants]]',
    b'target = 5', b'target = "sm_90"', b'banks = 33', b'a.b.c = 1', b'load_latency = true',
    b'load_latency = 1979-05-27', b'load_latency = {a = 1}', b'= =', b'<script>',
    b'ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1', b'.target sm_90a', b'.version 99.9', b'.reg .b32 %r<9>;',
    b'{"float":"nan"}', b'{"float":1}', b'NaN', b'"a":', b'null', b'[]', b'{}', b'CREATE TRIGGER', b'..', b'\xc3',
)  # fmt: skip
LONGEST_SECONDS = 5.0
ROWS = {key_of({"x": x}): {"result": 1.5 * x, "name": f"a{x}", "inf": float("inf")} for x in range(90, 110)}

Kind = tuple[bytes, Callable[[Path], object]]


def profile(folder: Path) -> bytes:
    path = folder / "sm.toml"
    ws.arch("sm_90").to_file(path)
    return path.read_bytes()


def checkpoint(folder: Path) -> bytes:
    path = folder / "good"
    with Checkpoint(path, "tests.f") as file:
        file.put(list(ROWS), list(ROWS.values()))
    found = sqlite3.connect(path)
    found.execute("PRAGMA journal_mode=DELETE")
    found.execute("VACUUM")
    found.close()
    return path.read_bytes()


def load(path: Path) -> object:
    with Checkpoint(path, "tests.f") as file:
        rows = file.load(ROWS)
    wrong = {key: row for key, row in rows.items() if row != ROWS[key]}
    assert not wrong, wrong
    return rows


def kinds(folder: Path) -> dict[str, Kind]:
    """What is read: a good file of it, and what reads it."""
    ptx = (TRUTH / "real_ptx" / "wmma_tile_sm80.ptx").read_bytes()[:6000]
    return {
        "profile": (profile(folder), ws.Arch.from_file),
        "checkpoint": (checkpoint(folder), load),
        "ptx": (ptx, lambda path: ws.lint(read_file(str(path))).to_dict()),
    }


def changed(data: bytes, chance: random.Random) -> bytes:
    """The file with a few changes: bytes, pieces put in, taken out, doubled, cut off."""
    found = bytearray(data)
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        at = chance.randrange(len(found) + 1)
        size = chance.choice((1, 2, 8, 50, 400))
        match chance.randrange(6):
            case 0 if found:
                found[min(at, len(found) - 1)] = chance.randrange(256)
            case 1:
                found[at:at] = chance.choice(PIECES)
            case 2:
                found[at : at + size] = b""
            case 3:
                found[at:at] = found[at : at + size]
            case 4:
                found[at : at + size] = chance.choice(PIECES)
            case _:
                found[at : at + size] = chance.randbytes(min(size, 60))
    return bytes(found[: chance.randrange(len(found) + 1)] if chance.random() < 0.05 else found)


def tried(kind: str, count: int, seed: int) -> Counter[str]:
    """Reads `count` changed files; how many were read, and refused."""
    chance = random.Random(seed)
    outcome: Counter[str] = Counter()
    shared = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=shared if shared.is_dir() else None) as folder:
        good, read = kinds(Path(folder))[kind]
        read(_written(Path(folder) / "whole", good))
        for number in range(count):
            data = changed(good, chance)
            path = _written(Path(folder) / "file", data)
            begin = time.process_time()
            try:
                read(path)
                outcome["read"] += 1
            except (ValueError, OSError) as error:
                assert str(path) in str(error), f"{kind} {seed}/{number}: {error}"
                outcome["refused"] += 1
                assert kind != "checkpoint" or path.read_bytes() == data, f"{number}: changed"
            took = time.process_time() - begin
            assert took < LONGEST_SECONDS, f"{kind} {seed}/{number}: {took} s"
            for rest in Path(folder).glob("file*"):
                rest.unlink()
    return outcome


def _written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=100_000, help="files of each kind")
    parser.add_argument("--seed", type=int, default=1)
    words = parser.parse_args()
    figures: dict[str, int | float | str] = {}
    with tempfile.TemporaryDirectory() as folder:
        names = list(kinds(Path(folder)))
    for kind in names:
        found = tried(kind, words.count, words.seed)
        print(f"{kind}: {json.dumps(found)}", flush=True)
        figures[f"{kind}_inputs"] = sum(found.values())
        figures[f"{kind}_refused"] = found["refused"]
    records.tell(figures)


if __name__ == "__main__":
    main()
