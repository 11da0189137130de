"""The table of docs/explain/trust.md: `python3 -m docs.make.trust_page` writes it anew.

A promise names the record of the run that shows it (tools/records.json), its figure, and the gate that
the figure must keep; tests/docs/test_trust.py holds all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from docs.make.markdown import replaced, table
from tests.support.paths import DOCS
from tools import records
from tools.coverage_run import UNREACHED

PAGE = DOCS / "explain" / "trust.md"
BEGIN, END = "<!-- promises: generated -->\n", "<!-- promises: end -->"
EXECUTIONS = 10**7  # of each fuzzer, and calls of the Python surface
SANITIZED = 10**6  # calls of the Python surface
SECONDS_TO_STOP = 0.2

Figures = Mapping[str, int | float | str]


@dataclass(frozen=True)
class Promise:
    """A line of the table."""

    part: str
    says: str
    test: str
    """The file that looks at it in each change, from the root of the checkout."""
    record: str
    """Its name in tools/records.json."""
    figure: str
    """What the line shows, for str.format with the record's figures."""
    holds: Callable[[Figures], bool]


def count(figures: Figures, name: str) -> float:
    """A figure that is a number."""
    value = figures[name]
    assert not isinstance(value, str), f"{name}: {value!r} is no number"
    return value


def fuzzed(name: str, says: str) -> Promise:
    """The line of one fuzzer."""
    return Promise(
        "The C core", says, f"tests/fuzz/fuzz_{name}.c", f"fuzz_{name}",
        "{executions:,} inputs, {edges:,} edges covered, nothing found; {corpus_inputs:,} inputs replayed in each change",
        lambda f: count(f, "executions") >= EXECUTIONS,
    )  # fmt: skip


def plain(name: str) -> str:
    """A figure's name as str.format takes it."""
    return name.replace(":", ",")


def tested(part: str, says: str, test: str, *figures: tuple[str, int]) -> Promise:
    """A line whose figures pytest counts in each change: name of `evidence.compared`, and the least."""
    shown = "; ".join(f"{{{plain(name)}:,}} {plain(name)}" for name, _ in figures)
    return Promise(
        part, says, f"tests/{test}", "tests", shown,
        lambda f: all(count(f, name) >= least for name, least in figures),
    )  # fmt: skip


PROMISES = (
    fuzzed("parse", "Every instruction text is accepted or refused as PTX says, and an error names its position in the text"),
    fuzzed("execute", "Every form gives every lane the same data as a second implementation, and writes nothing else"),
    fuzzed("count", "Every counter of every form agrees with a second implementation, at every SIMD level"),
    fuzzed("search", "Every layout, tile and search agrees with brute force over each position and each pair"),
    fuzzed("legality", "Every form is legal at the same targets and PTX versions as in the assembler; anything that is not a form is refused"),
    fuzzed("lint", "Lint accepts any bytes: findings lie within the text, a legal file has no errors, an illegal one has"),
    fuzzed("cost", "The cycles of any access, program and main loop are finite, and not below their bound"),
    Promise(
        "The C core", "The fuzzers notice faults: they find those planted in the core", "tests/robust/test_fuzz.py", "fuzz_planted",
        "{found} of {planted}, after at most {worst_executions:,} inputs",
        lambda f: f["found"] == f["planted"] and count(f, "planted") >= 20,
    ),
    Promise(
        "The C core", "valgrind reports nothing for the C tests and for every entry point of the extension", "tests/robust/test_memcheck.py", "valgrind",
        "{programs} programs, {errors} errors, {definitely_lost_bytes} bytes lost; {planted_seen} of {planted} planted faults seen",
        lambda f: f["errors"] == f["definitely_lost_bytes"] == 0 and f["planted"] == f["planted_seen"] and count(f, "programs") > 20,
    ),
    Promise(
        "The C core", "Every line is run by a test, or a reason is given below", "tools/coverage_run.py", "coverage",
        "{c_lines_percent} % of {c_lines:,} lines",
        lambda f: count(f, "c_lines_percent") >= 98,
    ),
    Promise(
        "The C core", "A broken core fails a test: it is broken on purpose, in one place at a time", "tests/repository/test_mutants.py", "mutants",
        "{killed} of {mutants} mutants killed, in {headers} headers and {files_of_the_package} files of the package; {equivalent} more proven equivalent",
        lambda f: f["killed"] == f["mutants"] and count(f, "mutants") >= 60,
    ),
    Promise(
        "The Python package", "No argument makes it crash, hang, touch memory it was not given, or answer wrongly without an error", "tests/robust/test_surface.py", "surface",
        "{calls:,} calls of {public_names} public names with {hostile_kinds} kinds of hostile values: {refused:,} refused, {answers_checked:,} answers checked, {broken} broken",
        lambda f: count(f, "calls") >= EXECUTIONS and f["broken"] == 0,
    ),
    Promise(
        "The Python package", "The same holds under AddressSanitizer and UndefinedBehaviorSanitizer", "tests/robust/test_surface.py", "surface_sanitized",
        "{calls:,} calls, {broken} broken",
        lambda f: count(f, "calls") >= SANITIZED and f["broken"] == 0,
    ),
    Promise(
        "The Python package", "Every line is run by a test, or is listed below", "tools/coverage_run.py", "coverage",
        "{python_lines_percent} % of {python_lines:,} statements",
        lambda f: count(f, "python_lines_percent") >= 98,
    ),
    Promise(
        "Threads", "`threads=N`, and Python threads that share instructions and memories, are free of races", "tests/robust/test_threads.py", "thread_sanitizer",
        "reports of ThreadSanitizer: {c_reports} from C threads, {first_use_reports} from the first use in many Python threads, {python_reports} from {rounds} rounds of them; {races_seen} of {races_planted} planted races seen",
        lambda f: f["c_reports"] == f["first_use_reports"] == f["python_reports"] == 0 and f["races_seen"] == f["races_planted"] and count(f, "races_planted") > 0,
    ),
    Promise(
        "Threads", "A CPython without a GIL gives the same answers", "tools/free_threaded.py", "free_threaded",
        "{python}: {tests_passed:,} tests, and {tests_passed_in_threads:,} in {threads} threads at once",
        lambda f: count(f, "tests_passed") > 1000 and count(f, "tests_passed_in_threads") > 100 and "free-threading" in str(f["python"]),
    ),
    tested(
        "Faults", "If memory runs out there is a MemoryError, and nothing leaks", "robust/test_faults_memory.py",
        ("points where malloc failed", 10), ("points where a Python object failed", 100),
    ),
    Promise(
        "Faults", "Ctrl-C ends any long call within 0.2 s", "tests/robust/test_interrupt.py", "interrupt",
        "{interruptions:,} interruptions of {calls} calls: median {median_milliseconds} ms, longest {longest_milliseconds} ms",
        lambda f: count(f, "longest_milliseconds") <= 1000 * SECONDS_TO_STOP and count(f, "interruptions") >= 100,
    ),
    tested(
        "Faults", "A batch that cannot fit into memory raises an error before it starts; one that just fits runs", "robust/test_room.py",
        ("batches at a limit of memory", 2),
    ),
    tested("Faults", "A forked child works, even if threads were running", "robust/test_fork.py", ("forks while threads work", 20)),
    tested("Faults", "Pickles of every version load as equal objects; those of a newer one are refused", "robust/test_pickles.py", ("pickles of all versions", 160)),
    Promise(
        "Security", "Damaged and hostile files are read, or refused quickly with an error that names them", "tests/robust/test_hostile_files.py", "files",
        "{ptx_inputs:,} PTX files, {profile_inputs:,} profiles ({profile_refused:,} refused), {checkpoint_inputs:,} checkpoints ({checkpoint_refused:,} refused)",
        lambda f: min(count(f, f"{kind}_inputs") for kind in ("ptx", "profile", "checkpoint")) >= 100_000,
    ),
    tested(
        "Security", "No text is executed and no object is loaded", "robust/test_security.py",
        ("modules that run no text", 50), ("random expressions of an address", 4000),
    ),
    tested(
        "Security", "Text from a user is shown as text in HTML, SVG, terminal and log", "reports/test_escaping.py",
        ("hostile texts in reports", 2), ("hostile pages in a browser", 3),
    ),
    tested(
        "The explorer", "The page in the browser has the package's numbers: any state, every form, every search", "explorer/test_explorer.py",
        ("states of the explorer: accesses", 300), ("forms of instructions opened in the explorer", 700), ("states of the explorer: searches", 60),
        ("places of values in the explorer", 50_000),
    ),
    tested(
        "The explorer", "Links of random bytes, tags and a million characters are refused with a message, and run nothing", "explorer/test_explorer_use.py",
        ("hostile links of the explorer", 80),
    ),
    Promise(
        "Shipping", "Two builds give identical bytes; the wheel works with the oldest and the newest NumPy", "tests/ship/test_distributions.py", "distributions",
        "{identical_wheels} wheels and {identical_sdists} sdists, byte for byte; {tests_passed_with_oldest_numpy:,} tests with NumPy {oldest_numpy}, {tests_passed_with_newest_numpy:,} with {newest_numpy}; `{manylinux_wheel}`",
        lambda f: f["identical_wheels"] == f["identical_sdists"] == 2 and "manylinux" in str(f["manylinux_wheel"]),
    ),
    Promise(
        "Shipping", "C, C++ and Cython projects outside the tree find the headers and compile without a warning", "tests/ship/test_consumers.py", "consumers",
        "{builds} builds, all run: {ways} ways to find it, wheel and `cmake --install`, gcc and clang",
        lambda f: count(f, "builds") >= 100 and f["builds"] == f["runs"],
    ),
    Promise(
        "Shipping", "They also do so on a clean machine", "tools/clean_image.py", "clean_image",
        "{tests_passed} tests in a minimal Debian with gcc; those of clang are skipped there",
        lambda f: count(f, "tests_passed") > 0,
    ),
    Promise(
        "Shipping", "Big-endian and 32-bit machines give the same answers", "tests/ship/test_cross.py", "cross",
        "{targets} machines under qemu: {checks:,} checks of the C tests, {lines_equal:,} lines equal",
        lambda f: count(f, "targets") >= 5 and count(f, "checks") > 1000,
    ),
    Promise(
        "Shipping", "Windows gives the same answers", "tests/ship/test_windows.py", "windows",
        "{programs} C tests by mingw-w64 under wine: {checks:,} checks",
        lambda f: count(f, "programs") > 10 and count(f, "checks") > 1000,
    ),
    tested(
        "Shipping", "Every action of the workflows is pinned to a commit", "ship/test_workflows.py",
        ("actions that workflows use", 12),
    ),
)  # fmt: skip


def cells(promise: Promise) -> tuple[str, ...]:
    """The cells of a row."""
    record = records.read()[promise.record]
    command = records.RUNS[promise.record]
    if promise.record == "tests":
        command = f"python3 -m pytest -m '' {promise.test}"
    name = Path(promise.test).name
    test = f"[`{name}`](../../{promise.test})"
    figure = promise.figure.format(**{plain(name): n for name, n in record.figures.items()})
    return promise.says, test, figure, f"`{command}`"


def not_run() -> list[str]:
    """Lines of the package that the coverage run has not seen, file by file."""
    found: dict[str, list[str]] = {}
    for place in str(records.read()["coverage"].figures["python_not_run"]).split():
        path, _, number = place.removeprefix("src/warpsim/").rpartition(":")
        found.setdefault(path, []).append(number)
    return [f"- `{path}`: {', '.join(numbers)}" for path, numbers in found.items()]


def promised() -> str:
    """All promises, a table for each part."""
    lines = []
    for part in dict.fromkeys(promise.part for promise in PROMISES):
        rows = (cells(promise) for promise in PROMISES if promise.part == part)
        lines += ["", f"### {part}", "", *table("promise | test | figure | reproduced by", rows)]
    days = sorted({record.date for record in records.read().values()})
    when = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    lines += ["", f"Figures from {when}; `tools/records.json` names the commit of each."]
    lines += ["", "Lines of the core that no test runs, and why:", ""]
    lines += [f"- `{header}`, `{text}`: {why}" for header, text, why in UNREACHED]
    lines += ["", "Lines of the package that no test runs:", "", *not_run()]
    return "\n".join(lines).lstrip("\n") + "\n"


def page() -> str:
    """The page with a new table."""
    return replaced(PAGE, {(BEGIN, END): f"\n{promised()}\n"})


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
