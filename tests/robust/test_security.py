"""What the package never does, whatever it is given."""

import ast
import random
import time
from collections.abc import Iterator

import pytest

from tests.support.evidence import compared
from tests.support.paths import PACKAGE
from warpsim.cli import options

#: a call by its last name, or by the last two where the last one alone is harmless
FORBIDDEN = {
    "eval", "exec", "compile", "__import__", "import_module", "execfile", "system", "popen", "Popen", "check_output",
    "check_call", "getoutput", "execv", "execve", "spawnv", "startfile", "pickle.load", "pickle.loads", "marshal.load",
    "marshal.loads", "shelve.open", "dill.loads", "cloudpickle.loads", "yaml.load", "joblib.load", "subprocess.run",
    "subprocess.call", "numpy.load", "np.load", "np.fromfile", "runpy.run_path", "runpy.run_module",
}  # fmt: skip
MODULES = {"marshal", "shelve", "subprocess", "ctypes", "importlib", "runpy", "dill", "socket"}

#: module -> what it may do, since ...
ALLOWED = {
    # ... it loads what it has dumped itself, to see whether an exception survives the way back
    ("sweep/fanout.py", "pickle.loads"),
    # ... files that the user names, as numbers: NumPy loads no objects unless told to
    ("kernel/specs.py", "np.load"),
    ("kernel/specs.py", "np.fromfile"),
    # ... structs as arguments, and bytes that several arrays of one launch share
    ("kernel/arguments.py", "ctypes"),
    ("kernel/memory.py", "ctypes"),
    # ... the driver of the GPU that warpsim calibrate measures
    ("calibrate/driver.py", "ctypes"),
    ("calibrate/measure.py", "ctypes"),
    # ... its own data: the scripts of shells (importlib.resources)
    ("cli/commands.py", "importlib"),
    ("paths.py", "importlib"),
    # ... its own modules, by the names in its table
    ("pickling.py", "importlib"),
    ("pickling.py", "import_module"),
    # ... the connections of the explorer's own server, which end in time
    ("cli/server.py", "socket"),
    # ... matplotlib, an extra, by a name in the source
    ("render/plot.py", "importlib"),
    ("render/plot.py", "import_module"),
    # ... pandas, likewise
    ("kernel/report.py", "importlib"),
    ("kernel/report.py", "import_module"),
    # ... NVIDIA's assembler on the text of a kernel, asked for by as_assembled=True: a list of words, no shell
    ("loop/assembled.py", "importlib"),  # importlib.resources: mainloop.cu
    ("machine/sass.py", "subprocess"),
    ("capture/record.py", "subprocess"),
    ("capture/record.py", "subprocess.run"),
    ("machine/sass.py", "subprocess.run"),
    ("machine/sass.py", "importlib"),
    # ... NVIDIA's compilers, extras, on a source that the caller gives: NVRTC as a library, nvcc by a list of words
    ("compile/toolkit.py", "importlib"),
    ("compile/toolkit.py", "ctypes"),
    ("compile/nvrtc.py", "ctypes"),
    ("compile/nvcc.py", "subprocess"),
    ("compile/nvcc.py", "subprocess.run"),
    # ... ws.compile, by its name
    ("compile/raw.py", "compile"),
    ("testing/files.py", "compile"),
    # ... Triton, an extra, by names in the source; and the bytes of tensors that the caller gives
    ("compile/triton.py", "importlib"),
    ("compile/triton.py", "import_module"),
    ("compile/triton_launch.py", "importlib"),
    ("compile/triton_launch.py", "import_module"),
    ("compile/triton_arguments.py", "ctypes"),
    ("compile/numba.py", "importlib"),
    ("compile/numba.py", "import_module"),
    ("compile/numba.py", "compile"),
    ("compile/tuning.py", "importlib"),
    ("compile/tuning.py", "import_module"),
    # ... the bytes of a tensor that the caller gives, which NumPy 2.0 shows read-only
    ("arrays.py", "ctypes"),
    # ... the user's own file of Triton functions, which warpsim run FILE.py names
    ("cli/jobs.py", "importlib"),
}


def uses(tree: ast.AST) -> Iterator[str]:
    """Forbidden calls, modules and keywords of a file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            words = ast.unparse(node.func).split(".")
            yield from {words[-1], ".".join(words[-2:])} & FORBIDDEN if words[0] != "re" else ()
            if any(word.arg == "shell" for word in node.keywords):
                yield "shell="
        elif isinstance(node, ast.Import):
            yield from {name.name.split(".")[0] for name in node.names} & MODULES
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from {(node.module or "").split(".")[0]} & MODULES


def test_package_runs_no_text_and_loads_no_objects() -> None:
    files = sorted(PACKAGE.rglob("*.py"))
    found = {
        (path.relative_to(PACKAGE).as_posix(), use)
        for path in files
        for use in uses(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found <= ALLOWED, sorted(found - ALLOWED)
    assert {name for name, _ in ALLOWED} <= {path.relative_to(PACKAGE).as_posix() for path in files}
    compared("modules that run no text", len(files), at_least=50)


@pytest.mark.parametrize(
    "text",
    [
        "eval('1')", "__import__('os').system('true')", "import marshal", "import ctypes",
        "pickle.loads(data)", "from subprocess import run", "f(x, shell=True)", "os.system(x)",
        "compile(x, '', 'exec')", "yaml.load(x)", "builtins.exec(x)", "np.load(x)",
    ],
)  # fmt: skip
def test_the_search_for_such_calls_finds_one(text: str) -> None:
    assert list(uses(ast.parse(text)))


def test_cython_runs_no_text_and_loads_no_objects() -> None:
    files = sorted((PACKAGE / "_core").glob("*.p[yx][xi]"))
    for path in files:
        text = path.read_text()
        for word in ("eval(", "exec(", "compile(", "pickle.load", "__import__", "os.system"):
            assert word not in text, f"{path.name}: {word}"
    assert len(files) > 5


ATTACKS = [
    "9**9**9**9", "lane**lane", "(1<<127)<<127", "1<<128", "1<<-1", "1>>lane*lane*9", "lane//0", "lane%(lane-lane)",
    "(" * 5000 + "1" + ")" * 5000, "-" * 9000 + "1", "~" * 9000 + "lane", "lane+" * 2000 + "lane",
    "(lane*lane)" + "*lane" * 1900, "[" * 4000, "lane.real", "lane.__class__.__mro__",
    "().__class__.__bases__[0].__subclasses__()", "__import__('os')", "eval('1')", "lambda: 0", "(x:=5)",
    "[lane for lane in range(9**9)]", "'a'*10**9", "f'{lane}'", "lane if lane else 0", "lane and 1", "lane<1", "{1:2}",
    "*lane", "lane[0]", "1.5", "1e9", "1j", "True", "None", "...", "b'a'", "\0", "lane\0", "\ud800", "９", "ｌane",
    "lane\n+1", "0,\n1", "9" * 5000, "()", "(),", "0x" + "f" * 9000, "1_000", "yield", "await x", "exit()", "a" * 9999,
    "," * 33, "0," * 40, "'\\d'", "1if 1else 2", "lane" * 3000, "0" * 9000, "0o7", "0b1", "1,(2,3)", "(1,2)",
    "lane, *lane",
]  # fmt: skip
MOST_SECONDS = 2.0


@pytest.mark.parametrize("text", ATTACKS, ids=range(len(ATTACKS)))
def test_an_address_is_numbers_or_a_message_soon(text: str) -> None:
    begin = time.process_time()
    try:
        found = options.addresses(text)
    except ValueError as error:
        assert str(error).startswith("--address: ") and len(str(error)) < 1500
    else:
        assert found.shape == (32,) and (found >= 0).all()
    assert time.process_time() - begin < MOST_SECONDS


def test_a_million_characters_are_refused_unread() -> None:
    begin = time.process_time()
    with pytest.raises(ValueError, match="--address: expected at most 10000 characters"):
        options.addresses("lane+" * 200_000)
    assert time.process_time() - begin < MOST_SECONDS


WORDS = (
    "lane", "1", "0x1f", "9" * 40, "+", "-", "*", "//", "%", "<<", ">>", "&", "|", "^", "~", "(",
    ")", "**", ".", ",", "[", "]", "'", " ", "if", ":=", "lambda", "e", "_", "\\", "\n",
)  # fmt: skip


def test_random_texts_are_numbers_or_messages() -> None:
    chance = random.Random(8)
    answered = 0
    for _ in range(4000):
        text = "".join(chance.choices(WORDS, k=chance.randrange(1, 14)))
        try:
            answered += int(options.addresses(text).shape == (32,))
        except ValueError as error:
            assert str(error).startswith("--address: ")
    compared("random expressions of an address", 4000, at_least=4000)
    compared("of these, addresses", answered, at_least=20)
