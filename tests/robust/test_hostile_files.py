"""Foreign and damaged files: an error that names them, and nothing else."""

import os
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.sweep import workers
from tools import hostile_files
from warpsim import cli
from warpsim.files import MIB, toml
from warpsim.kernel.budget import Budget
from warpsim.testing.files import read as read_launches

SOON_SECONDS = 20.0


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "count"), [("profile", 400), ("checkpoint", 1500), ("ptx", 400)])
def test_changed_files_are_read_or_refused_by_name(kind: str, count: int) -> None:
    found = hostile_files.tried(kind, count, seed=2026)
    compared(f"changed files: {kind}", sum(found.values()), at_least=count)
    assert found["read"] and (found["refused"] or kind == "ptx")


def dotted(parts: int) -> str:
    return "a." * (parts - 1) + "b"


#: texts with a place for a key, where it may stand
KEYED = ("{} = 1", "[{}]", "[[{}]]", "x = {{ {} = 1 }}", "y = [1.5, {{ {} = 1 }}]", '"#".\'"\' . {} = 1')


@pytest.mark.parametrize("text", KEYED)
def test_keys_of_toml_have_at_most_256_parts(text: str) -> None:
    before = '# comment\nz = """\n"""\n'
    own = text.count(" . ") * 2
    assert toml(before + text.format(dotted(256 - own)))
    with pytest.raises(ValueError, match=r"line 4: expected a key of at most 256 parts, got 257: write fewer dots"):
        toml(before + text.format(dotted(257 - own)))


def test_dots_of_other_pieces_of_toml_are_no_keys() -> None:
    dots = dotted(1000)
    for value in (f'"{dots}"', f"'{dots}'", f'"""{dots}\n\\"""{dots}"""', f"'''{dots}\n\\'''", f"1 # {dots}"):
        assert dots in f"{toml(f'k = {value}')}{value}", value
    assert len(toml("k = [" + "1.5, " * 1000 + "]")["k"]) == 1000
    compared("values with dots", 1001, at_least=1000)


@pytest.mark.parametrize(
    "piece", ["a.", "a . ", '"."', '"a".', "'a'.", '"""', '"""\\', "'''", "#", "a ", "   ", "\\", "a.\n"]
)
def test_a_megabyte_of_toml_is_refused_soon(tmp_path: Path, piece: str) -> None:
    (tmp_path / "a.toml").write_text(piece * (MIB // len(piece)))
    begin = time.monotonic()
    with pytest.raises(ValueError, match=r"a\.toml: (not TOML: |expected target)"):
        ws.Arch.from_file(tmp_path / "a.toml")
    assert time.monotonic() - begin < SOON_SECONDS


def test_every_door_refuses_a_deep_key(tmp_path: Path) -> None:
    text = dotted(50_000) + " = 1"
    (tmp_path / "a.warpsim.toml").write_text(text)
    for read in (lambda: read_launches(tmp_path / "a.warpsim.toml"), lambda: Budget.from_toml(text)):
        with pytest.raises(ValueError, match=r"not TOML: line 1: expected a key of at most 256 parts, got 50,000"):
            read()


PROFILES = {
    "": "target",
    "target = 5": "target",
    'target = "sm_1"': "sm_1",
    'target = "sm_90"\nfoo = 1': "target",
    'target = "sm_90"\nconstants = 1': "constants",
    'target = "sm_90"\n[constants]\nbanks = 16': "banks",
    'target = "sm_90"\n[constants]\nload_latency = "21"': "load_latency",
    'target = "sm_90"\n[constants]\nload_latency = nan': "load_latency",
    'target = "sm_90"\n[constants]\nload_latency = inf': "load_latency",
    'target = "sm_90"\n[constants]\nload_latency = -1': "load_latency",
    'target = "sm_90"\n[constants]\nload_latency = true': "load_latency",
    'target = "sm_90"\n[constants]\nload_latency = [[]]': "load_latency",
    'target = "sm_90"\n[constants]\nload_latency = {}': "load_latency",
    'target = "sm_90"\n[constants]\nload_latency = 1979-05-27': "load_latency",
    f'target = "sm_90"\n[constants]\nload_latency = {"9" * 4000}': "load_latency",
    f'target = "sm_90"\n[constants]\nload_latency = {"9" * 9000}': "not TOML",
    'target = "sm_90"\n[constants]\n"<b>" = 1': "<b>",
    'target = "sm_90"\n[constants]\nload_latency = 1\nload_latency = 2': "not TOML",
    "a = " + "[" * 5000: "not TOML",
    "a = " + "{a = " * 5000: "not TOML",
    "x." * 5000 + "x = 1": "",
}


@pytest.mark.parametrize("text", PROFILES, ids=range(len(PROFILES)))
def test_profile_with_a_wrong_key_is_refused_by_name(text: str, tmp_path: Path) -> None:
    path = tmp_path / "sm.toml"
    path.write_text(text)
    with pytest.raises(ValueError) as caught:
        ws.Arch.from_file(path)
    words = str(caught.value)
    assert words.startswith(f"{path}: ") and PROFILES[text] in words and len(words) < 2000


def test_profile_of_other_bytes_or_too_many_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "sm.toml"
    for data in (b"\xff\xfe", b"\x00", os.urandom(4096), b"#" * (MIB + 1)):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"sm\.toml: "):
            ws.Arch.from_file(path)
    path.write_bytes(b'target = "sm_90"\n' + b"#" * (MIB - 17))
    assert ws.Arch.from_file(path) == ws.Arch("sm_90")


@pytest.mark.skipif(sys.platform == "win32", reason="no such devices")
def test_devices_pipes_and_folders_are_no_files(tmp_path: Path) -> None:
    pipe, link, loop = tmp_path / "pipe", tmp_path / "link", tmp_path / "loop"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    loop.symlink_to(loop)
    for path in (Path("/dev/zero"), Path("/dev/random"), pipe, link, loop, tmp_path):
        with pytest.raises((ValueError, OSError), match=str(path)):
            ws.Arch.from_file(path)
        with pytest.raises((ValueError, OSError), match=str(path)):
            ws.sweep(workers.echo, {"x": [1]}, checkpoint=path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["link", "loop", "pipe"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such device")
def test_lint_of_an_endless_file_ends(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warpsim.cli.files.MOST_BYTES", 2**22)
    assert cli.main(["lint", "/dev/zero"]) == 2
    assert capsys.readouterr().err == "warpsim: FILE: '/dev/zero' has more than 4 MiB\n"


def with_statement(*statements: str) -> Callable[[Path], None]:
    def change(file: Path) -> None:
        with sqlite3.connect(file) as connection:
            for statement in statements:
                connection.execute(statement)
        connection.close()

    return change


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
CHECKPOINTS: dict[str, Callable[[Path], None]] = {
    "a trigger": with_statement(
        "CREATE TRIGGER t BEFORE INSERT ON points BEGIN DELETE FROM points; END"
    ),
    "a view that never ends": with_statement(
        "DROP TABLE points",
        f"CREATE VIEW points AS {ENDLESS} SELECT i AS point, i AS result FROM n",
    ),
    "a name that is not a text": with_statement(
        "PRAGMA writable_schema=ON",
        "UPDATE sqlite_master SET name = CAST(x'b7ff' AS TEXT) WHERE name = 'sweep'",
    ),
    "a table more": with_statement("CREATE TABLE more (a)"),
    "an index": with_statement("CREATE INDEX i ON points (result)"),
    "another column": with_statement("ALTER TABLE points ADD COLUMN c DEFAULT (1)"),
    "a generated column": with_statement(
        "DROP TABLE points",
        "CREATE TABLE points (point TEXT PRIMARY KEY, result TEXT AS (point))",
    ),
    "no sweep": with_statement("DELETE FROM sweep", "INSERT INTO sweep VALUES (1, 2, 3)"),
    **{
        f"the result {text[:30]}": with_statement(f"UPDATE points SET result = '{text}'")
        for text in (
            "", "[]", "1", "null", '{"x":[1]}', '{"x":{}}', '{"x":{"float":"1e5"}}', '{"x":NaN}',
            '{"x":{"float":["inf"]}}', '{"x":Infinity}', '{"x":{"float":"inf","more":1}}',
            f'{{"x":{"9" * 5000}}}', "[" * 100_000, '{"a":' * 50_000,
        )
    },
    "a result of bytes": with_statement("UPDATE points SET result = x'00ff'"),
    "no result": with_statement("UPDATE points SET result = NULL"),
    "a giant result": with_statement("UPDATE points SET result = zeroblob(20000000)"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_hostile_checkpoint_is_refused_and_left_alone(name: str, tmp_path: Path) -> None:
    file = tmp_path / "done"
    ws.sweep(workers.echo, {"x": range(3)}, checkpoint=file)
    CHECKPOINTS[name](file)
    before, begin = file.read_bytes(), time.process_time()
    with pytest.raises((ValueError, OSError), match=r"checkpoint: expected .*done"):
        ws.sweep(workers.echo, {"x": range(3)}, checkpoint=file)
    assert time.process_time() - begin < SOON_SECONDS
    assert file.read_bytes() == before and [*tmp_path.iterdir()] == [file]


def test_a_file_that_is_replaced_meanwhile_is_one_or_the_other(tmp_path: Path) -> None:
    path, other = tmp_path / "sm.toml", tmp_path / "other.toml"
    ws.Arch("sm_90").to_file(path)
    ws.Arch("sm_80", {"load_latency": 5}).to_file(other)
    with path.open("rb"):
        os.replace(other, path)
        assert ws.Arch.from_file(path).target == "sm_80"


def test_only_the_file_that_is_named_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    outside, inside = tmp_path / "outside.ptx", tmp_path / "inside"
    inside.mkdir()
    (inside / "outside").symlink_to(tmp_path)
    monkeypatch.chdir(inside)
    text = '.version 8.0\n.target sm_80\n.file 1 "../outside.ptx"\n.loc 1 1 1\nldmatrix.foo x;\n'
    Path("kernel.ptx").write_text(text)
    assert cli.main(["lint", "kernel.ptx", "-o", "log.sarif"]) == 1
    assert "../" not in Path("log.sarif").read_text()
    assert cli.main(["lint", "."]) == 2  # a folder is not a file
    assert "FILE: cannot read '.'" in capsys.readouterr().err
    assert not outside.exists()
    names = sorted(path.name for path in inside.iterdir())
    assert names == ["kernel.ptx", "log.sarif", "outside"]


HOSTILE_NAMES: list[Any] = ["a\0b", "", 5, None, b"\xff", object()]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_what_is_no_path_is_an_error_in_words(name: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ValueError, TypeError, OSError)):
        ws.Arch.from_file(name)
    if name is not None:
        with pytest.raises((ValueError, TypeError, OSError)):
            ws.sweep(workers.echo, {"x": [1]}, checkpoint=name)
    assert not [*tmp_path.iterdir()]
