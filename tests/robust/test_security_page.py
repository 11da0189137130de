"""Every promise of SECURITY.md names its tests, and they exist."""

import re
from pathlib import Path

from tests.support.evidence import compared
from tests.support.paths import ROOT, TESTS

#: the beginning of each row and each promise -> tests that hold it: FILE or FILE::NAME
HELD: dict[str, tuple[str, ...]] = {
    "PTX texts": (
        "robust/test_files.py::test_source_files_outside_of_the_folders_are_not_read",
        "robust/test_hostile_files.py",
    ),
    "launch files": ("robust/test_files.py::test_options_of_files_are_those_that_run_nothing",),
    "captures": ("capture/test_hostile_captures.py::test_damaged_captures_are_refused_by_their_name",),
    "profiles and budgets": ("robust/test_hostile_files.py::test_profile_with_a_wrong_key_is_refused_by_name",),
    "explorer links": ("explorer/test_explorer_use.py", "cli/test_cli_robust.py"),
    "CUDA C++": (
        "robust/test_files.py::test_a_cuda_file_shows_what_it_includes_and_no_other_file",
        "compile/test_cuda.py",
    ),
    "Python files": ("compile/test_triton.py",),
    "programs that": ("capture/test_capture.py::test_a_launch_is_captured_and_its_memory_is_equal_here",),
    "environment": ("robust/test_security.py::test_package_runs_no_text_and_loads_no_objects",),
    "The process does not crash": ("robust/test_surface.py", "robust/test_fuzz.py", "kernels/test_wrong_stores.py"),
    "No text is executed": ("robust/test_security.py::test_package_runs_no_text_and_loads_no_objects",),
    "A launch file starts no program": (
        "robust/test_files.py::test_a_launch_file_runs_no_program",
        "robust/test_files.py::test_names_and_options_run_nothing_in_the_shell_of_nvcc",
    ),
    "A file in the wrong format": (
        "robust/test_hostile_files.py::test_changed_files_are_read_or_refused_by_name",
        "robust/test_hostile_files.py::test_devices_pipes_and_folders_are_no_files",
        "robust/test_files.py::test_what_a_launch_file_names_is_a_file",
        "robust/test_files.py::test_a_damaged_budget_or_launch_file_is_refused_by_its_name",
        "capture/test_hostile_captures.py::test_files_that_only_look_like_captures_are_refused_by_their_name",
    ),
    "Time and memory": (
        "robust/test_interrupt.py", "robust/test_room.py", "sweep/test_sweep.py",
        "robust/test_hostile_files.py::test_keys_of_toml_have_at_most_256_parts",
        "capture/test_hostile_captures.py::test_captures_that_unpack_to_too_much_are_refused_at_once",
        "objects/test_system_calls.py::test_what_is_printed_has_a_bound",
        "objects/test_system_calls.py::test_the_bounds_of_what_is_printed_are_those_of_the_page",
        "kernels/test_races.py::test_memory_beyond_a_bound_is_not_copied_for_threads",
    ),
    "No path is taken": (
        "robust/test_files.py::test_source_files_below_the_folders_are_read",
        "robust/test_files.py::test_launch_files_quote_nothing_outside_of_the_test_run",
    ),
    "HTML and SVG": (
        "reports/test_escaping.py",
        "robust/test_files.py::test_what_a_kernel_prints_or_asserts_steers_no_terminal",
    ),
    "`warpsim explore`": ("explorer/test_explorer_server.py",),
    "Only the file": (
        "robust/test_files.py::test_a_file_that_cannot_be_written_whole_is_left_as_it_was",
        "robust/test_files.py::test_files_are_replaced_with_their_permissions_and_through_links",
        "robust/test_files.py::test_a_loop_of_links_is_an_error_and_stays",
        "cli/test_run.py::test_no_file_is_written_twice_or_over_what_is_read",
        "robust/test_recall.py",
    ),
}  # fmt: skip


def promises() -> list[str]:
    """The rows of the table of inputs, and the promises about them."""
    page = (ROOT / "SECURITY.md").read_text()
    inputs, guaranteed = (page.partition(f"## {head}\n")[2].partition("\n## ")[0] for head in
                          ("Inputs, and which of them are programs", "What is guaranteed"))  # fmt: skip
    rows = re.findall(r"^\| ([^|]+) \|", inputs, re.MULTILINE)[2:]
    return [*rows, *re.findall(r"^- (.+)", guaranteed, re.MULTILINE)]


def test_every_promise_of_the_security_page_names_its_tests() -> None:
    found = promises()
    for promise in found:
        assert sum(promise.startswith(begin) for begin in HELD) == 1, f"no test, or two rows: {promise}"
    for begin in HELD:
        assert any(promise.startswith(begin) for promise in found), f"no longer promised: {begin}"
    compared("promises of the security page", len(found), at_least=18)


def test_the_tests_that_the_security_page_rests_on_exist() -> None:
    named = [test for tests in HELD.values() for test in tests]
    for test in named:
        file, _, name = test.partition("::")
        path: Path = TESTS / file
        assert path.exists(), test
        assert f"def {name}" in path.read_text() if name else "def test_" in path.read_text(), test
    compared("tests of the security page", len(named), at_least=25)
