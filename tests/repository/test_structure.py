"""Who depends on whom, what the door to C declares, and how long a file may get."""

from __future__ import annotations

import ast
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.support.paths import HEADERS, PACKAGE, ROOT
from tests.support.process import run

WEB = ROOT / "web"

Graph = Mapping[str, set[str]]

ROOMS = {"docs", "tests", "tools"}
MOST_FILES = 20

#: folder of the core -> the folders that it may include
C_ROOMS: Graph = {
    "base": set(),
    "isa": {"base"},
    "simd": {"base"},
    "ptx": {"base", "isa"},
    "data": {"base", "isa", "simd"},
    "rules": {"isa"},
    "undefined": {"data", "isa", "rules"},
    "execute": {"base", "data", "simd", "undefined"},
    "count": {"data", "simd"},
    "time": {"count", "isa"},
    "tile": {"base", "count", "isa", "rules", "simd", "time"},
    "loop": {"count", "isa", "tile", "time"},
    "lint": {"data", "isa", "ptx", "rules"},
}

#: header -> the headers that it may include
C_ARROWS: Graph = {
    "base/bytes": set(),
    "base/cpu": set(),
    "base/public": set(),
    "base/rows": set(),
    "base/status": {"base/public", "base/text"},
    "base/text": set(),
    "base/version": set(),
    "isa/form": {"isa/isa"},
    "isa/isa": {"base/rows", "isa/op"},
    "isa/legality": {"isa/targets"},
    "isa/op": {"base/status"},
    "isa/targets": {"isa/isa"},
    "isa/validate": {"isa/isa"},
    "simd/banks": set(),
    "simd/decompress": {"base/bytes"},
    "simd/fit": {"simd/level"},
    "simd/level": {"base/cpu"},
    "simd/passes": {
        "simd/banks",
        "simd/level",
        "simd/passes_block",
        "simd/vector_avx2",
        "simd/vector_avx512",
        "simd/vector_sse2",
    },
    "simd/passes_block": set(),
    "simd/rows": {
        "base/bytes",
        "base/rows",
        "simd/decompress",
        "simd/fit",
        "simd/rows_block",
        "simd/turns_block",
    },
    "simd/rows_block": set(),
    "simd/swizzle": {"simd/level"},
    "simd/turns_block": set(),
    "simd/vector_avx2": {"simd/level"},
    "simd/vector_avx512": {"simd/level"},
    "simd/vector_sse2": {"simd/level"},
    "ptx/constants": {"isa/op", "ptx/lex"},
    "ptx/declarations": {"ptx/names"},
    "ptx/file": {"ptx/declarations"},
    "ptx/lex": {"base/status"},
    "ptx/names": {"ptx/text"},
    "ptx/operands": {"isa/form", "ptx/constants"},
    "ptx/parse": {"isa/validate", "ptx/operands", "ptx/qualifiers"},
    "ptx/qualifiers": {"isa/isa", "ptx/lex"},
    "ptx/text": {"ptx/lex"},
    "ptx/write": {"isa/op"},
    "data/access": {"base/cpu", "data/memory", "isa/form", "isa/targets"},
    "data/fragment": {"data/wmma_map"},
    "data/ldmatrix": {"data/matrix_rows", "data/plan"},
    "data/matrix_rows": {"isa/form", "simd/rows"},
    "data/memory": {"isa/op"},
    "data/movmatrix": {"base/bytes", "data/matrix_rows"},
    "data/plain": {"data/plan"},
    "data/plan": {"data/wmma_lowering"},
    "data/stmatrix": {"data/matrix_rows", "data/plan"},
    "data/wmma": {"data/plain"},
    "data/wmma_lowering": {"data/access", "data/wmma_map"},
    "data/wmma_map": {"isa/form"},
    "rules/rule": {"isa/op"},
    "rules/rules": {"rules/rule"},
    "undefined/check": {"undefined/check_wmma", "undefined/findings"},
    "undefined/check_wmma": {"data/plan", "undefined/findings"},
    "undefined/findings": {"data/memory", "isa/form", "rules/rules"},
    "undefined/hardware": {"data/plan"},
    "execute/bulk": {"data/movmatrix", "execute/bulk_wmma", "execute/call"},
    "execute/bulk_wmma": {
        "execute/wmma_pieces",
        "simd/rows",
        "undefined/check_wmma",
    },
    "execute/execute": {
        "data/access",
        "data/ldmatrix",
        "data/plain",
        "data/stmatrix",
        "data/wmma",
        "execute/bulk",
        "undefined/check",
        "undefined/findings",
        "undefined/hardware",
    },
    "execute/call": {"data/plan"},
    "execute/wmma_pieces": {"data/plan"},
    "count/count": {"count/group_batch", "count/traffic", "count/wmma_pattern"},
    "count/cp_async": set(),
    "count/explain": {"count/traffic"},
    "count/group_batch": {"simd/passes"},
    "count/sectors": set(),
    "count/streams": {"data/plan"},
    "count/traffic": {
        "count/cp_async",
        "count/sectors",
        "count/streams",
        "data/access",
        "simd/banks",
    },
    "count/wmma_pattern": {"data/plan"},
    "time/cost": {"count/traffic", "time/profile"},
    "time/evidence": {"time/cost"},
    "time/profile": {"isa/targets", "time/profile_table"},
    "time/profile_table": set(),
    "time/program": {"time/cost"},
    "tile/check": {"tile/tile"},
    "tile/cost": {"time/program"},
    "tile/count": {"count/count", "count/traffic", "tile/tile"},
    "tile/findings": {"isa/legality", "rules/rules", "tile/check", "tile/tile", "time/profile"},
    "tile/layout": {"isa/form"},
    "tile/search": {"base/cpu", "tile/layout", "tile/search_side", "time/profile"},
    "tile/search_rank": {"tile/search"},
    "tile/search_side": {"simd/swizzle", "tile/check", "tile/cost", "tile/count"},
    "tile/tile": {"tile/layout"},
    "loop/mainloop": {
        "count/count",
        "isa/validate",
        "loop/mainloop_shape",
        "loop/pipeline",
        "time/cost",
    },
    "loop/mainloop_shape": {"loop/pipeline_work", "tile/layout"},
    "loop/pipeline": {"loop/pipeline_work"},
    "loop/pipeline_work": {"time/profile"},
    "lint/data": {"lint/findings", "lint/types", "ptx/names"},
    "lint/findings": {"isa/op", "ptx/text", "rules/rules"},
    "lint/legality": {"isa/legality", "lint/findings"},
    "lint/lint": {
        "lint/findings",
        "lint/legality",
        "lint/refused",
        "lint/stride",
        "ptx/file",
        "ptx/names",
    },
    "lint/operands": {"data/wmma_map", "lint/data", "ptx/constants"},
    "lint/refused": {"lint/findings", "lint/statement", "ptx/names", "ptx/parse"},
    "lint/statement": {"ptx/text"},
    "lint/stride": {"lint/operands"},
    "lint/types": {"ptx/qualifiers", "ptx/text"},
    "cost": {"base/public", "time/evidence", "time/program"},
    "count": {"base/public", "count/count"},
    "execute": {"base/public", "data/fragment", "execute/execute"},
    "explain": {"base/public", "count/explain"},
    "layout": {"base/public", "tile/layout"},
    "legality": {"base/public", "isa/legality"},
    "lint": {"base/public", "lint/lint"},
    "mainloop": {"base/public", "loop/mainloop"},
    "parse": {"base/public", "ptx/parse", "ptx/write"},
    "search": {"base/public", "tile/search_rank"},
    "tile": {"base/public", "tile/cost", "tile/count", "tile/findings"},
    "warpsim": {
        "base/version",
        "cost",
        "count",
        "execute",
        "explain",
        "layout",
        "legality",
        "lint",
        "mainloop",
        "parse",
        "search",
        "tile",
    },
}

#: the questions about an instruction stay apart: header -> headers that it must not even reach
C_APART: Graph = {
    "ptx/parse": {
        "isa/targets",
        "data/memory",
        "data/access",
        "undefined/findings",
        "count/traffic",
    },
    "isa/legality": {
        "data/memory",
        "data/access",
        "undefined/findings",
        "ptx/lex",
        "count/traffic",
    },
    "execute/execute": {
        "simd/banks",
        "count/sectors",
        "count/cp_async",
        "count/streams",
        "isa/legality",
        "ptx/parse",
    },
    "count/count": {
        "data/fragment",
        "simd/decompress",
        "undefined/findings",
        "undefined/check",
        "isa/legality",
        "ptx/parse",
    },
    "count/traffic": {
        "data/fragment",
        "simd/decompress",
        "undefined/findings",
        "undefined/check",
        "isa/legality",
        "ptx/parse",
    },
    "tile/layout": {"data/memory", "data/access", "undefined/findings"},
    "tile/tile": {"data/memory", "data/access", "undefined/findings"},
    "tile/search_rank": {"undefined/findings", "undefined/check", "ptx/parse", "simd/decompress"},
    "time/cost": {
        "data/fragment",
        "simd/decompress",
        "undefined/findings",
        "undefined/check",
        "isa/legality",
        "ptx/parse",
        "tile/layout",
    },
    "loop/pipeline": {"count/traffic", "tile/layout", "data/access"},
    "lint/lint": {"data/memory", "data/access", "undefined/findings", "count/traffic"},
    "ptx/file": {"isa/op"},
}

ANYTHING = "*"

#: folders that are one row of the table
WHOLE = ("_core", "render", "cli")

#: folder, or file of the root -> what it may import of the package, annotations among it
PYTHON_ROOMS: Graph = {
    "arrays": set(),
    "characters": set(),
    "errors": set(),
    "paths": set(),
    "_core": {"characters", "errors"},
    "arguments": {"arrays", "errors"},
    "render": {"characters", "errors"},
    "dtypes": {"arguments", "errors"},
    "pickling": {"_core", "errors"},
    "targets": {"_core", "arguments", "errors"},
    "memory": {"_core", "arguments", "errors", "pickling"},
    "report": {"_core", "pickling", "render"},
    "sweep": {"_core", "arguments", "errors", "pickling"},
    "time": {"_core", "arguments", "errors", "memory", "pickling", "render", "report", "targets"},
    "instruction": {
        "_core",
        "arguments",
        "arrays",
        "errors",
        "memory",
        "pickling",
        "render",
        "report",
        "targets",
        "time",
    },
    "lint": {
        "_core",
        "arguments",
        "characters",
        "errors",
        "instruction",
        "pickling",
        "render",
        "report",
        "targets",
    },
    "tile": {
        "_core",
        "arguments",
        "errors",
        "instruction",
        "pickling",
        "render",
        "report",
        "sweep",
        "targets",
        "time",
    },
    "explorer": {
        "_core",
        "arguments",
        "errors",
        "instruction",
        "memory",
        "paths",
        "report",
        "targets",
        "tile",
        "time",
    },
    "loop": {"_core", "arguments", "errors", "render", "report", "tile", "time"},
    "pytest_plugin": {"lint"},
    "testing": {"_core", "arguments", "errors", "instruction", "lint", "render", "targets", "tile"},
    "cli": {ANYTHING},
    "__main__": {"cli", "paths"},
    "__init__": {ANYTHING},
}

#: module -> the modules that it may import; of some folders the whole is one
PYTHON_ARROWS: Graph = {
    "arrays": set(),
    "characters": set(),
    "errors": set(),
    "paths": set(),
    "_core": {"_core", "characters", "errors"},
    "arguments": {"arrays", "errors"},
    "render": {"characters", "errors", "render"},
    "dtypes": {"arguments", "errors"},
    "explorer/link": {"arguments", "errors", "paths"},
    "memory/memory": {"_core", "arguments", "errors"},
    "memory/memory_limit": {"_core", "errors"},
    "pickling": {"_core", "errors"},
    "sweep/fanout": {"arguments", "errors"},
    "targets": {"_core", "arguments", "errors"},
    "instruction/findings": {"_core", "arguments", "errors", "pickling"},
    "instruction/legality": {"_core", "pickling", "targets"},
    "memory": {"memory/memory"},
    "memory/access": {"pickling"},
    "report": {"_core", "pickling", "render"},
    "sweep/checkpoint": {"_core", "arguments", "errors", "pickling"},
    "time/architecture": {"_core", "arguments", "errors", "pickling", "targets"},
    "instruction/call": {
        "_core",
        "arguments",
        "arrays",
        "errors",
        "instruction/findings",
        "memory/access",
        "memory/memory",
        "memory/memory_limit",
        "targets",
    },
    "instruction/fragment_map": {
        "_core",
        "arguments",
        "errors",
        "memory/memory",
        "render",
        "report",
    },
    "sweep/sweep": {"arguments", "errors", "sweep/checkpoint", "sweep/fanout"},
    "time/cost": {
        "_core",
        "arguments",
        "errors",
        "memory/access",
        "render",
        "report",
        "time/architecture",
    },
    "instruction/banks": {
        "_core",
        "arguments",
        "instruction/call",
        "memory/access",
        "render",
        "report",
    },
    "instruction/fragment_holders": {"errors", "instruction/fragment_map", "render", "report"},
    "instruction/explanation": {
        "_core",
        "arguments",
        "errors",
        "instruction/banks",
        "instruction/findings",
        "instruction/fragment_map",
        "instruction/legality",
        "memory/access",
        "memory/memory",
        "render",
        "report",
        "targets",
        "time/architecture",
    },
    "instruction/base": {
        "_core",
        "arguments",
        "errors",
        "instruction/banks",
        "instruction/call",
        "instruction/explanation",
        "instruction/fragment_map",
        "instruction/legality",
        "memory/memory",
        "pickling",
        "targets",
        "time/architecture",
        "time/cost",
    },
    "instruction/kinds": {"_core", "errors", "instruction/base", "memory/memory"},
    "lint/report": {
        "arguments",
        "characters",
        "errors",
        "instruction/base",
        "pickling",
        "render",
        "report",
    },
    "tile/layout": {"_core", "arguments", "errors", "instruction/base", "pickling"},
    "instruction/issue": {
        "_core",
        "arguments",
        "errors",
        "instruction/base",
        "instruction/call",
        "instruction/findings",
        "instruction/kinds",
        "memory/memory",
        "targets",
    },
    "lint/lint": {"_core", "errors", "lint/report", "targets"},
    "loop/mainloop": {
        "_core",
        "arguments",
        "errors",
        "render",
        "report",
        "tile/layout",
        "time/architecture",
    },
    "tile/explain": {
        "arguments",
        "errors",
        "instruction/base",
        "instruction/explanation",
        "instruction/kinds",
        "tile/layout",
    },
    "tile/picture": {"_core", "instruction/base", "tile/layout"},
    "tile/search_result": {"arguments", "instruction/base", "render", "report", "tile/layout"},
    "pytest_plugin": {"lint/lint", "lint/report"},
    "tile/report": {
        "_core",
        "instruction/base",
        "instruction/legality",
        "pickling",
        "render",
        "report",
        "tile/layout",
        "tile/picture",
    },
    "explorer/state": {
        "_core",
        "errors",
        "explorer/link",
        "instruction/banks",
        "instruction/explanation",
        "instruction/fragment_map",
        "instruction/kinds",
        "memory/access",
        "report",
        "targets",
        "tile/layout",
        "tile/report",
        "tile/search_result",
        "time/cost",
    },
    "tile/tiles": {
        "_core",
        "arguments",
        "errors",
        "instruction/base",
        "instruction/kinds",
        "tile/layout",
        "tile/report",
        "time/architecture",
    },
    "explorer": {"explorer/link", "explorer/state"},
    "tile/search": {
        "_core",
        "arguments",
        "errors",
        "instruction/base",
        "sweep/fanout",
        "targets",
        "tile/layout",
        "tile/search_result",
        "tile/tiles",
        "time/architecture",
    },
    "cli": {ANYTHING},
    "testing/asserts": {
        "_core",
        "arguments",
        "errors",
        "instruction/banks",
        "instruction/base",
        "instruction/kinds",
        "lint/lint",
        "render",
        "targets",
        "tile/layout",
        "tile/search",
        "tile/tiles",
    },
    "__main__": {"cli", "paths"},
    "testing": {"testing/asserts"},
    "__init__": {ANYTHING},
}

LINES = {
    ".h": 250,
    ".c": 300,
    ".js": 300,
    ".pyx": 420,
    ".pxi": 300,
    ".pxd": 330,
    ".pyi": 300,
    ".py": 300,
}

#: files that are longer, and how long they may be
LONGER: dict[str, int] = {}


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
    include = re.compile(r'^\s*#\s*include\s+"([^"]+\.h)"', re.MULTILINE)
    return {
        header_name(path): {
            header_name((path.parent / needed).resolve())
            for needed in include.findall(path.read_text())
        }
        for path in HEADERS.rglob("*.h")
    }


def header_name(path: Path) -> str:
    return path.relative_to(HEADERS).with_suffix("").as_posix()


def compile_c(source: str, *flags: str) -> None:
    compiler = shutil.which("gcc") or shutil.which("cc")
    assert compiler is not None, "a C compiler is needed"
    told = (f"-I{HEADERS.parent}", "-fsyntax-only", "-x", "c", "-")
    run(compiler, *flags, *told, input=source)


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


def test_c_counting_kernels_include_no_header_of_ours() -> None:
    for name in ("simd/banks", "count/sectors", "count/cp_async"):
        included = re.findall(r"#\s*include\s+(\S+)", (HEADERS / f"{name}.h").read_text())
        assert included
        assert set(included) <= {"<stdbool.h>", "<stddef.h>", "<stdint.h>"}


#: templates that other headers include once for each level stand for nothing alone
WHOLE_HEADERS = sorted(
    path.relative_to(HEADERS).as_posix()
    for path in HEADERS.rglob("*.h")
    if not path.stem.endswith("_block")
)


@pytest.mark.parametrize("header", WHOLE_HEADERS)
def test_c_header_alone_compiles_twice_included(header: str) -> None:
    line = f"#include <warpsim/{header}>\n"
    compile_c(
        f"{line}{line}typedef int ws_not_empty;\n",
        "-std=c11",
        "-Wall",
        "-Wextra",
        "-Wpedantic",
        "-Werror",
    )


MOST_PARAMETERS = 7


def test_c_no_function_has_more_parameters_than_a_reader_can_hold() -> None:
    function = re.compile(
        r"^(?:static inline|WS_ON|WS_ENTRY)\w*\b[^;{=]*?\b(\w+|WS_R\(\w+\))\(([^;{]*?)\)\s*\{", re.MULTILINE
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


def python_graph() -> dict[str, set[str]]:
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
    core = PACKAGE / "_core" / "core.pyx"
    for line in re.findall(r"^\s*(?:from|import)\s+[\w.].*$", core.read_text(), re.MULTILINE):
        if " cimport " in line:
            continue
        for node in ast.walk(ast.parse(line.strip())):
            if isinstance(node, ast.Import | ast.ImportFrom):
                arrows["_core"].update(imported(node, core))
    return arrows


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


def test_python_render_computes_nothing_with_numpy() -> None:
    for path in (PACKAGE / "render").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                assert not any(alias.name.startswith("numpy") for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert not (node.module or "").startswith("numpy")


def declared() -> str:
    """The declarations of core.pxd, without comments."""
    text = re.sub(r"#.*", "", (PACKAGE / "_core" / "core.pxd").read_text())
    return text.split("cdef extern", 1)[1]


def test_pxd_every_name_exists_in_the_headers() -> None:
    text = declared()
    constants = sorted(set(re.findall(r"\bWS_\w+", text)))
    functions = sorted(set(re.findall(r"\b(ws_\w+)\(", text)))
    types = sorted(set(re.findall(r"\bws_\w+", text)) - set(functions))
    assert len(constants) > 20
    assert len(functions) > 30
    assert len(types) > 15
    uses = [f"    (void){name};" for name in (*constants, *functions)]
    uses += [f"    (void)sizeof({name});" for name in types]
    source = ["#include <warpsim/warpsim.h>", "void ws_use(void);", "void ws_use(void) {", *uses]
    compile_c("\n".join([*source, "}\n"]), "-std=c11", "-Wall", "-Wextra", "-Werror")


def test_pxd_every_array_has_the_length_of_the_header() -> None:
    checks = []
    for struct, body in re.findall(r"struct (ws_\w+):\n((?: {8}.*\n)+)", declared()):
        for kind, name, lengths in re.findall(r"(\w+) (\w+)((?:\[\d+\])+)", body):
            elements = lengths.strip("[]").replace("][", " * ")
            size = f"sizeof((({struct} *)0)->{name})"
            checks.append(f'_Static_assert({size} == {elements} * sizeof({kind}), "{name}");')
    assert checks
    compile_c("\n".join(["#include <warpsim/warpsim.h>", *checks, ""]), "-std=c11")


def source_files() -> Iterator[Path]:
    yield from HEADERS.rglob("*.h")
    yield from (PACKAGE / "_core").glob("*.[ph]*")
    yield from (path for path in PACKAGE.rglob("*.py") if path.parent.name != "_core")
    yield from (path for path in WEB.rglob("*") if path.suffix in LINES)


def test_size_no_file_is_longer_than_it_may_be() -> None:
    lengths = {path: len(path.read_text().splitlines()) for path in source_files()}
    assert len(lengths) > 40
    too_long = {
        str(path.relative_to(ROOT)): lines
        for path, lines in lengths.items()
        if lines > max(LINES[path.suffix], LONGER.get(path.name, 0))
    }
    assert not too_long


def test_cython_has_no_list_of_new_objects_by_comprehension() -> None:
    """Cython 3.3.1 frees an item twice where the list cannot grow; borrowed objects are safe."""
    found = [
        f"{path.name}: {line.strip()}"
        for path in (PACKAGE / "_core").glob("*.p[yx][xi]")
        for line in path.read_text().splitlines()
        if re.search(r"\[[^\[\]]*\bfor \w", line) and "[<object> args[i] for" not in line
    ]
    assert not found


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
    files = Counter(path.parent for path in tracked() if path.parts[0] in ROOMS)
    assert len(files) > 30
    assert not {str(folder): n for folder, n in files.items() if n > MOST_FILES}


def test_tests_lie_in_folders_by_what_they_are_about() -> None:
    assert [path.name for path in tracked() if path.parent == Path("tests")] == ["conftest.py"]
    made = [path for path in tracked() if path.match("test_*.py")]
    assert len(made) > 60
    assert not [path for path in made if path.parts[0] != "tests" or len(path.parts) != 3]
