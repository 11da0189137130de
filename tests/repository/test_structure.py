"""Who depends on whom, what the door to C declares, and how long a file may get."""

import ast
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.c_tests import few_intrinsics
from tests.support.paths import HEADERS, PACKAGE, ROOT
from tests.support.process import run

Graph = Mapping[str, set[str]]

ROOMS = {"csrc", "docs", "src", "tests", "tools"}
MOST_FILES = 20


def tables() -> dict[str, dict[str, set[str]]]:
    """The tables of arrows.txt: what may need what."""
    found: dict[str, dict[str, set[str]]] = {}
    for line in Path(__file__).with_name("arrows.txt").read_text().splitlines():
        if line.startswith("== "):
            table = found.setdefault(line.removeprefix("== "), {})
        elif line and not line.startswith("#"):
            name, _, needs = line.partition(":")
            table[name] = set(needs.split())
    return found


TABLES = tables()
C_ROOMS, C_ARROWS, C_APART = (TABLES[name] for name in ("C_ROOMS", "C_ARROWS", "C_APART"))
PYTHON_ROOMS, PYTHON_ARROWS = TABLES["PYTHON_ROOMS"], TABLES["PYTHON_ARROWS"]

ANYTHING = "*"

#: folders that are one row of the table
WHOLE = ("_core", "render", "cli", "_engine")


def reached(graph: Graph, start: str) -> set[str]:
    seen: set[str] = set()
    new = {start}
    while new:
        seen |= new
        new = {needed for name in new for needed in graph[name]} - seen
    return seen - {start}


def assert_no_cycle(graph: Graph) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a cycle: {' -> '.join(error.args[1])}")


def assert_allowed(found: Graph, allowed: Graph) -> None:
    assert set(found) == set(allowed), "the table names other files than there are"
    extra = {
        f"{name} -> {needed}"
        for name, needs in found.items()
        if ANYTHING not in allowed[name]
        for needed in needs - allowed[name]
    }
    assert not extra, f"not in the table: {', '.join(sorted(extra))}"


def c_graph() -> dict[str, set[str]]:
    include = re.compile(r'^\s*#\s*include\s+"([^"]+\.h(?:pp)?)"', re.MULTILINE)
    return {
        header_name(path): {
            header_name((path.parent / needed).resolve()) for needed in include.findall(path.read_text())
        }
        for pattern in ("*.h", "*.hpp")
        for path in HEADERS.rglob(pattern)
    }


def header_name(path: Path) -> str:
    return path.relative_to(HEADERS).as_posix().removesuffix(".h")


def c_compiler() -> str:
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None, "a C compiler is needed"
    return compiler


def compile_c(source: str, *flags: str) -> None:
    told = (f"-I{HEADERS.parent}", "-fsyntax-only", "-x", "c", "-")
    run(c_compiler(), *flags, *told, input=source)


def test_c_includes_are_arrows_of_the_table() -> None:
    found = c_graph()
    assert_allowed(found, C_ARROWS)
    assert_no_cycle(found)


def test_c_folders_are_arrows_of_the_table() -> None:
    found: dict[str, set[str]] = {}
    for name, needs in c_graph().items():
        if "/" in name:
            room = name.split("/")[0]
            found.setdefault(room, set()).update({n.split("/")[0] for n in needs} - {room})
    assert_allowed(found, C_ROOMS)
    assert_no_cycle(found)


@pytest.mark.parametrize("header", C_APART)
def test_c_question_reaches_no_other_question(header: str) -> None:
    assert not reached(c_graph(), header) & C_APART[header]


def test_c_counting_kernels_include_nothing_about_instructions() -> None:
    for name in ("simd/banks", "count/sectors", "count/cp_async"):
        included = re.findall(r"#\s*include\s+(\S+)", (HEADERS / f"{name}.h").read_text())
        assert included
        assert set(included) <= {"<stdbool.h>", "<stddef.h>", "<stdint.h>", '"../base/constant.h"'}


#: templates that other headers include once for each level stand for nothing alone
WHOLE_HEADERS = sorted(
    path.relative_to(HEADERS).as_posix() for path in HEADERS.rglob("*.h") if not path.stem.endswith("_block")
)


@pytest.fixture(scope="module")
def intrinsics(tmp_path_factory: pytest.TempPathFactory) -> str:
    return few_intrinsics(tmp_path_factory.mktemp("intrinsics"), c_compiler())


@pytest.mark.slow
@pytest.mark.parametrize("header", WHOLE_HEADERS)
def test_c_header_alone_compiles_twice_included(header: str, intrinsics: str) -> None:
    line, warned = f"#include <warpsim/{header}>\n", ("-Wall", "-Wextra", "-Wpedantic", "-Werror")
    compile_c(f"{line}{line}typedef int ws_not_empty;\n", "-std=c11", *warned, intrinsics)


MOST_PARAMETERS = 7


def test_c_no_function_has_more_parameters_than_a_reader_can_hold() -> None:
    function = re.compile(
        r"^(?:static inline|WS_CONSTANT|WS_PUBLIC|WS_ON|WS_ENTRY)\w*\b[^;{=]*?\b(\w+|WS_R\(\w+\))\(([^;{]*?)\)\s*\{",
        re.MULTILINE,
    )
    counted = {}
    for path in HEADERS.rglob("*.h"):
        code = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
        for name, parameters in function.findall(code):
            counted[f"{header_name(path)}: {name}"] = parameters.count(",") + 1
    assert len(counted) > 500
    assert not {name for name, count in counted.items() if count > MOST_PARAMETERS}


#: what is worked out once a call, by the plan; the cost of wmma has no access, hence no plan
PREPARED = {"ws_wmma_code_of": {"data/wmma_lowering", "data/plan", "time/cost"}}


@pytest.mark.parametrize("function", PREPARED)
def test_c_what_the_plan_prepares_is_asked_of_nobody_else(function: str) -> None:
    named = {header_name(path) for path in HEADERS.rglob("*.h") if f"{function}(" in path.read_text()}
    assert named == PREPARED[function]


def module_of(path: Path) -> str:
    """The row of the table that a file belongs to: its own, or that of its whole folder."""
    inside = path.relative_to(PACKAGE).with_suffix("")
    name = inside.as_posix().removesuffix("/__init__") or "__init__"
    return next((folder for folder in WHOLE if inside.parts[0] == folder), name)


def imported(node: ast.Import | ast.ImportFrom, path: Path) -> Iterator[str]:
    """The modules of the package that one import statement names."""
    here = path.relative_to(PACKAGE).parent.parts
    if isinstance(node, ast.Import):
        targets = [alias.name.split(".") for alias in node.names]
    else:
        above = ["warpsim", *here[: len(here) + 1 - node.level]] if node.level else []
        base = [*above, *(node.module or "").split(".")] if node.module else above
        targets = [[*base, alias.name] for alias in node.names]
    for target in targets:
        if target[0] != "warpsim":
            continue
        files = [PACKAGE.joinpath(*target[1:end]) for end in range(len(target), 0, -1)]
        found = next(file for file in files if file.is_dir() or file.with_suffix(".py").exists())
        yield module_of(found / "__init__.py" if found.is_dir() else found.with_suffix(".py"))


def is_import(node: ast.AST) -> bool:
    return isinstance(node, ast.Import | ast.ImportFrom)


@cache
def modules() -> dict[str, set[str]]:
    """The arrows of the modules, those that only annotations need among them."""
    arrows: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        tree = ast.parse(path.read_text())
        if path.name == "__init__.py" and not any(map(is_import, tree.body)):
            continue  # a folder's sentence
        needs = arrows.setdefault(module_of(path), set())
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                needs.update(imported(node, path))
    for door in (PACKAGE / "_core" / "core.pyx", PACKAGE / "_engine" / "engine.pyx"):
        for line in re.findall(r"^\s*(?:from|import)\s+[\w.].*$", door.read_text(), re.MULTILINE):
            if " cimport " in line:
                continue
            for node in ast.walk(ast.parse(line.strip())):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    arrows[door.parent.name].update(imported(node, door))
    return arrows


def python_graph() -> dict[str, set[str]]:
    return {name: set(needs) for name, needs in modules().items()}


def rooms_of(graph: Graph) -> dict[str, set[str]]:
    """The same of the folders; a file of the root stands for itself."""
    found: dict[str, set[str]] = {}
    for name, needs in graph.items():
        room = name.split("/")[0]
        found.setdefault(room, set()).update({n.split("/")[0] for n in needs} - {room})
    return found


def test_python_folders_are_arrows_of_the_table() -> None:
    found = rooms_of(python_graph())
    assert_allowed(found, PYTHON_ROOMS)
    found["__init__"].clear()  # every module sits below it
    assert_no_cycle(found)


def test_python_imports_are_arrows_of_the_table() -> None:
    found = python_graph()
    assert_allowed(found, PYTHON_ARROWS)
    for folder in WHOLE:
        found[folder].discard(folder)  # its own parts
    found["__init__"].clear()
    assert_no_cycle(found)


def test_python_command_line_is_needed_by_nothing() -> None:
    assert {name for name, needs in python_graph().items() if "cli" in needs} == {"__main__", "cli"}


#: what a door declares of the core -> the header that has it, and more names than these
DOORS = {
    "_core/core.pxd": ("warpsim.h", (20, 30, 15)),
    "_engine/module.pxd": ("run.h", (20, 10, 15)),
    "_engine/engine.pxd": ("run.h", (10, 30, 30)),
}


def declared(door: str) -> str:
    """The declarations of a door, without comments."""
    text = re.sub(r"#.*", "", (PACKAGE / door).read_text())
    return text.split("cdef extern", 1)[1]


@pytest.mark.parametrize("door", DOORS)
def test_pxd_every_name_exists_in_the_headers(door: str) -> None:
    text, (header, least) = declared(door), DOORS[door]
    constants = sorted(set(re.findall(r"\bWS_\w+", text)))
    functions = sorted(set(re.findall(r"\b(ws_\w+)\(", text)))
    types = sorted(set(re.findall(r"\bws_\w+", text)) - set(functions))
    assert all(len(names) > n for names, n in zip((constants, functions, types), least, strict=True))
    uses = [f"    (void){name};" for name in (*constants, *functions)]
    uses += [f"    (void)sizeof({name});" for name in types]
    source = [f"#include <warpsim/{header}>", "void ws_use(void);", "void ws_use(void) {", *uses]
    compile_c("\n".join([*source, "}\n"]), "-std=c11", "-Wall", "-Wextra", "-Werror")


@pytest.mark.parametrize("door", DOORS)
def test_pxd_every_array_has_the_length_of_the_header(door: str) -> None:
    checks = []
    for struct, body in re.findall(r"struct (ws_\w+):\n((?: {8}.*\n)+)", declared(door)):
        for kind, name, lengths in re.findall(r"(\w+) (\w+)((?:\[\d+\])+)", body):
            elements = lengths.strip("[]").replace("][", " * ")
            size = f"sizeof((({struct} *)0)->{name})"
            checks.append(f'_Static_assert({size} == {elements} * sizeof({kind}), "{name}");')
    assert checks
    compile_c("\n".join([f"#include <warpsim/{DOORS[door][0]}>", *checks, ""]), "-std=c11")


def defined(text: str) -> set[str]:
    """The names that a part of the binding has at its top."""
    found = set(re.findall(r"^(?:cdef |cpdef )?class (\w+)", text, re.MULTILINE))
    found |= set(re.findall(r"^(?:cdef|def) (?!class)(?:[^(=\n]*[ *])?(\w+)\(", text, re.MULTILINE))
    found |= set(re.findall(r"^(\w+) = ", text, re.MULTILINE))
    for line in re.findall(r"^cdef (?!class|enum|extern)([^(\n]*?)(?: = |$)", text, re.MULTILINE):
        found.update(re.findall(r"(\w+)(?:\[|,|$)", line))
    for line in re.findall(r"^cdef .* = .*$", text, re.MULTILINE):
        found.update(re.findall(r"(\w+) = ", line))
    for body in re.findall(r"^cdef enum:\n((?: +.*\n)+)", text, re.MULTILINE):
        found.update(re.findall(r"^ +(\w+)", body, re.MULTILINE))
    return found


def test_cython_parts_say_what_they_need_of_each_other() -> None:
    """They are one module for C's sake; the first line of each names what others define."""
    whole = {path.name: path.read_text() for path in (PACKAGE / "_core").glob("*.p[yx][xi]")}
    bare = {
        name: re.sub(r"#.*", "", re.sub(r'"""(?:.|\n)*?"""', '""', text))
        for name, text in whole.items()
        if not name.endswith((".pyi", ".pxd"))
    }
    names = {name: defined(text) for name, text in bare.items()}
    for part in sorted(bare.keys() - {"core.pyx"}):
        words = set(re.findall(r"(?<![\w.\"'])[A-Za-z_]\w*", bare[part])) - names[part]
        uses = {other: sorted(words & names[other]) for other in sorted(names)}
        needs = [f"{', '.join(found)} ({other})" for other, found in uses.items() if found]
        first = whole[part].split("\n", 1)[0]
        assert first == f"# needs: {', '.join(needs) or 'nothing'}", part
    assert len(bare) > 5


def tracked() -> list[Path]:
    """The files that git has, or would have."""
    listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    return [Path(name) for name in listed.split("\0") if name and (ROOT / name).exists()]


def test_folders_have_at_most_20_files() -> None:
    """Of programs that are data, all of one kind, there may be more: nobody looks for one by reading the list."""
    data = Path("tests", "truth", "planted")
    files = Counter(path.parent for path in tracked() if path.parts[0] in ROOMS and data not in path.parents)
    assert len(files) > 30
    assert not {str(folder): n for folder, n in files.items() if n > MOST_FILES}


def test_tests_lie_in_folders_by_what_they_are_about() -> None:
    assert [path.name for path in tracked() if path.parent == Path("tests")] == ["conftest.py"]
    made = [path for path in tracked() if path.match("test_*.py")]
    assert len(made) > 60
    shown = Path("examples", "project")  # a repository with tests of its own
    made = [path for path in made if shown not in path.parents]
    assert not [path for path in made if path.parts[0] != "tests" or len(path.parts) != 3]
