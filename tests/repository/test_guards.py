"""What no part of the house may do, of every room; and each guard sees it where it is planted."""

import ast
import re
from collections.abc import Iterable, Mapping
from fnmatch import fnmatch
from pathlib import Path

from tests.support.evidence import compared
from tests.support.paths import HEADERS, PACKAGE, ROOT, syntax

LINES = {
    ".h": 250, ".hpp": 250, ".c": 300, ".js": 300, ".pyx": 420, ".pxi": 300, ".pxd": 330, ".pyi": 300, ".py": 300,
}  # fmt: skip
#: files that are longer, and how long they may be: one line a name, lists of meanings, one loop of many turns
LONGER = {"core.pyi": 350, "core.pxd": 350, "atomic.h": 255, "exchange.h": 255}
#: the other rooms -> how long their programs may be, outside of tables
BESIDE = {"tests": 560, "tools": 380, "docs/make": 380, "benchmarks": 380, "examples": 380}
Texts = Mapping[str, str]  # by path, from the root


def texts_of(paths: Iterable[Path]) -> dict[str, str]:
    return {str(path.relative_to(ROOT)): path.read_text() for path in paths}


def sources() -> dict[str, str]:
    """The core, the package, the page."""
    paths = [*HEADERS.rglob("*.h"), *HEADERS.rglob("*.hpp"), *PACKAGE.rglob("*.p*"), *(ROOT / "web").rglob("*")]
    return texts_of(path for path in paths if path.suffix in LINES)


def programs() -> dict[str, str]:
    """What is beside the core, the package and the page."""
    paths = [path for room in BESIDE for path in (ROOT / room).rglob("*")]
    return texts_of(path for path in paths if path.suffix in (".py", ".c", ".h", ".cpp", ".cu", ".js"))


def renderers() -> dict[str, str]:
    return texts_of((PACKAGE / "render").rglob("*.py"))


def doors() -> dict[str, str]:
    """The Cython of both doors."""
    paths = [path for room in ("_core", "_engine") for path in (PACKAGE / room).glob("*.p[yx][xi]")]
    return texts_of(path for path in paths if path.suffix != ".pyi")


def with_numpy(texts: Texts) -> list[str]:
    """Those that import NumPy: a renderer computes nothing."""
    found = []
    for path, text in texts.items():
        for node in ast.walk(syntax(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found += [path for name in names if name.split(".")[0] == "numpy"]
    return found


def too_long(texts: Texts) -> dict[str, int]:
    lengths = {path: len(text.splitlines()) for path, text in texts.items()}
    most = {path: max(LINES[Path(path).suffix], LONGER.get(Path(path).name, 0)) for path in texts}
    return {path: lines for path, lines in lengths.items() if lines > most[path]}


def outside_of_tables(path: str, text: str) -> int:
    """Lines, where a table at the top of a file counts as one: whoever reads the program need not read its rows."""
    lines = len(text.splitlines())
    if path.endswith(".py"):
        tables = [node for node in syntax(text).body if isinstance(node, ast.Assign | ast.AnnAssign)]
        return lines - sum((node.end_lineno or node.lineno) - node.lineno for node in tables)
    tables_of_c = re.findall(r"^[\w ]+\w(?:\[\w*\])+ = \{\n(?:[ #].*\n|\n)*\};$", text, re.MULTILINE)
    return lines - sum(table.count("\n") for table in tables_of_c)


def too_long_beside(texts: Texts) -> dict[str, int]:
    lengths = {path: outside_of_tables(path, text) for path, text in texts.items()}
    most = {path: next(most for room, most in BESIDE.items() if path.startswith(f"{room}/")) for path in texts}
    return {path: lines for path, lines in lengths.items() if lines > most[path]}


def new_objects_by_comprehension(texts: Texts) -> list[str]:
    """Cython 3.3.1 frees an item twice where the list cannot grow; borrowed objects are safe."""
    return [
        f"{path}: {line.strip()}"
        for path, text in texts.items()
        for line in text.splitlines()
        if re.search(r"(?<![\w\])])\[[^\"#]*\bfor \w+(, \w+)* in\b", line) and "[<object> args[i] for" not in line
    ]


def without_sentence(readme: str, headers: Iterable[str]) -> list[str]:
    """Folders of the core that have no question or no list in csrc/README.md, and headers that it does not name."""
    questions = set(re.findall(r"^\| `(\w+)` \| .+ \|$", readme, re.MULTILINE))
    lists = set(re.findall(r"^\| \*\*(\w+)\*\* \|", readme, re.MULTILINE))
    cells = re.findall(r"^\| (`.+?`) \|", readme, re.MULTILINE)
    named = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    found = []
    for header in headers:
        folder, _, name = header.rpartition("/")
        if folder and not {folder} <= questions & lists:
            found.append(folder)
        if not any(fnmatch(name, pattern) for pattern in named):
            found.append(header)
    return sorted(set(found))


#: who may use regular expressions, and what they read: no PTX
PATTERNS_OF = {
    "arguments that users write": (
        "calibrate/calibration.py", "capture/archive.py", "cli/run.py", "gpus.py", "instruction/product_text.py",
        "kernel/specs.py", "notation/cute.py", "notation/triton.py", "targets.py", "time/gpu.py", "time/throughput.py",
        "words.py",
    ),
    "machine code and what its tools print": ("loop/assembled.py", "machine/sass.py"),
    "CUDA, its compilers' options and what they print": (
        "compile/compiled.py", "compile/cuda.py", "compile/log.py", "compile/nvcc.py", "compile/options.py",
        "compile/source.py", "errors.py", "shared/declared.py",
    ),
    "formats of printf": ("kernel/printing.py",),
    "TOML": ("files.py",),
}  # fmt: skip
#: who takes opcodes apart: of machine code, of a table of first versions
OPCODES_OF = ("instruction/refusals.py", "machine/assembled.py", "machine/sass.py", "loop/assembled.py")
TEXT_METHODS = ("startswith", "endswith", "split", "partition", "rpartition", "find", "index", "removeprefix")


def with_patterns(texts: Texts) -> list[str]:
    """Those that use regular expressions and are not in the table: whoever reads PTX asks the core."""
    allowed = {f"src/warpsim/{name}" for names in PATTERNS_OF.values() for name in names}
    found = []
    for path, text in texts.items():
        for node in ast.walk(syntax(text)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and not node.level else []
            found += [path for name in names if name == "re" and path not in allowed]
    return found


def _is_opcode(node: ast.AST) -> bool:
    return (isinstance(node, ast.Name) and node.id == "opcode") or (
        isinstance(node, ast.Attribute) and node.attr == "opcode"
    )


def opcodes_taken_apart(texts: Texts) -> list[str]:
    """Questions to the text of an opcode: what a statement is, its row says (statement.Row)."""
    allowed = {f"src/warpsim/{name}" for name in OPCODES_OF}
    found = []
    for path, text in texts.items():
        for node in ast.walk(syntax(text)) if path not in allowed else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                is_asked = node.func.attr in TEXT_METHODS and _is_opcode(node.func.value)
                found += [f"{path}: {ast.unparse(node)}"] * is_asked
            if isinstance(node, ast.Compare) and any(isinstance(one, ast.In | ast.NotIn) for one in node.ops):
                found += [f"{path}: {ast.unparse(node)}"] * any(map(_is_opcode, node.comparators))
    return found


def headers() -> list[str]:
    paths = [*HEADERS.rglob("*.h"), *HEADERS.rglob("*.hpp")]
    return [path.relative_to(HEADERS).as_posix() for path in paths]


def readme() -> str:
    return (ROOT / "csrc" / "README.md").read_text()


def test_no_renderer_computes_with_numpy() -> None:
    found = renderers()
    assert with_numpy(found) == []
    compared("renderers without NumPy", len(found), at_least=30)
    for line in ("import numpy as np", "from numpy import sum", "import numpy.linalg"):
        planted = {**found, "src/warpsim/render/launch/texts.py": f"def f():\n    {line}\n"}
        assert with_numpy(planted) == ["src/warpsim/render/launch/texts.py"]


def test_no_file_is_longer_than_it_may_be() -> None:
    found = sources()
    assert too_long(found) == {}, "begin another file, and name a header in csrc/README.md: " + ", ".join(
        f"{ending} has at most {most} lines" for ending, most in LINES.items()
    )
    compared("files that are short enough", len(found), at_least=500)
    assert too_long({**found, "csrc/include/warpsim/run/new.h": "\n" * 250}) == {}
    assert too_long({**found, "csrc/include/warpsim/run/new.h": "\n" * 251}) == {"csrc/include/warpsim/run/new.h": 251}


def test_no_program_of_another_room_is_longer_than_it_may_be() -> None:
    found = programs()
    assert too_long_beside(found) == {}
    compared("programs of other rooms that are short enough", len(found), at_least=400)
    for path, most in (("tools/new.py", 380), ("tests/c/run/test_new.c", 560), ("docs/make/new.py", 380)):
        assert too_long_beside({path: "\n" * most}) == {}
        assert too_long_beside({path: "\n" * (most + 1)}) == {path: most + 1}
    rows = "    0,\n" * 1000
    assert too_long_beside({"tests/new.py": f"ROWS = [\n{rows}]\n"}) == {}
    assert too_long_beside({"tests/c/new.c": f"static const int rows[] = {{\n{rows}}};\n"}) == {}


def test_cython_has_no_list_of_new_objects_by_comprehension() -> None:
    found = doors()
    assert new_objects_by_comprehension(found) == []
    compared("files of the doors", len(found), at_least=15)
    path = "src/warpsim/_engine/engine.pyx"
    for line in ("return tuple([name(self.c.files[i].name) for i in range(n)])", "found = [(a, b) for a, b in rows]"):
        assert new_objects_by_comprehension({path: found[path] + f"\n{line}\n"}) == [f"{path}: {line}"]


def test_every_folder_and_header_of_the_core_has_its_sentence() -> None:
    found = headers()
    assert without_sentence(readme(), found) == []
    compared("headers with a sentence", len(found), at_least=290)
    assert without_sentence(readme(), [*found, "brand_new/cell.h"]) == ["brand_new"]
    assert without_sentence(readme(), [*found, "run/brand_new.h"]) == ["run/brand_new.h"]


def package() -> dict[str, str]:
    return texts_of(PACKAGE.rglob("*.py"))


def test_python_reads_ptx_by_no_pattern() -> None:
    found = package()
    assert with_patterns(found) == []
    used = {name for names in PATTERNS_OF.values() for name in names}
    assert {path for path in with_patterns(dict.fromkeys(found, "import re"))} == {
        path for path in found if path.removeprefix("src/warpsim/") not in used
    }
    assert all("import re\n" in found[f"src/warpsim/{name}"] for name in used)
    compared("files without patterns", len(found) - len(used), at_least=150)
    for line in ("import re", "from re import compile", "import json, re"):
        assert with_patterns({**found, "src/warpsim/bounds/values.py": line}) == ["src/warpsim/bounds/values.py"]


#: rooms of the core that read the words of opcodes; those who observe ask decode/said.h
READERS = ("decode/", "module/", "opcode/")


def words_read(texts: Texts) -> list[str]:
    """Questions to the words of an opcode elsewhere in the core."""
    return [
        f"{path}: {line.strip()}"
        for path, text in texts.items()
        for line in text.splitlines()
        if "ws_opcode_has(" in line and not path.startswith(READERS)
    ]


def test_the_core_reads_the_words_of_opcodes_where_it_decodes() -> None:
    found = {path.relative_to(HEADERS).as_posix(): path.read_text() for path in HEADERS.rglob("*.h")}
    assert words_read(found) == []
    compared("headers that ask no opcode", len(found), at_least=290)
    line = 'return ws_opcode_has(opcode, ".sat");'
    assert words_read({**found, "finding/fix.h": f"{found['finding/fix.h']}\n{line}\n"}) == [f"finding/fix.h: {line}"]
    assert words_read({"decode/said.h": line}) == []


def test_python_asks_no_opcode_what_it_is() -> None:
    found = package()
    assert opcodes_taken_apart(found) == []
    compared("files that ask rows", len(found), at_least=150)
    path = "src/warpsim/bounds/work.py"
    for line in (
        "opcode.startswith('ld.')", "one.opcode.split('.')", "row.opcode.partition('.')", "'.nc' in opcode",
        "any(word in access.opcode for word in words)", "'ld' not in statement.row.opcode",
    ):  # fmt: skip
        planted = opcodes_taken_apart({**found, path: f"{found[path]}\nx = {line}\n"})
        assert len(planted) == 1 and planted[0].startswith(f"{path}: "), line
