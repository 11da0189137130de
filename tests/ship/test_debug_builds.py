"""Without optimization: frames, and calls in threads of little stack."""

import subprocess
from pathlib import Path

import pytest

from tests.support.c_tests import EVERY, MOST_FRAME, frames_in
from tests.support.evidence import compared
from tests.support.paths import C_TESTS, HEADERS, INCLUDE
from tools import cross
from tools.consumers import need, run

pytestmark = pytest.mark.slow

C, CPP = ("-std=gnu11",), ("-x", "c++", "-std=gnu++11")
LANGUAGES = {"gcc": (*C, *EVERY), "g++": CPP, "clang": C, "clang++": CPP}
#: what calls everything that needs much: every instruction, levels, tiles, search, main loops, whole files
PROGRAMS = ("count/test_passes.c", "tile/test_tile.c", "tile/test_search.c", "time/test_mainloop.c", "lint/test_lint.c")


@pytest.mark.parametrize("driver", LANGUAGES)
def test_no_function_of_the_core_has_a_frame_of_64_kib(driver: str, tmp_path: Path) -> None:
    """Nor when it is optimized: test_compiled_unit.py asks, where it is compiled so."""
    flags = (*LANGUAGES[driver], "-O0", "-fstack-usage", f"-I{INCLUDE}")
    run(need(driver), *flags, "-c", HEADERS / "warpsim.c", "-o", tmp_path / "unit.o", cwd=tmp_path)
    frames = frames_in(tmp_path / "unit.su")
    assert max(frames) < MOST_FRAME
    compared(f"frames of functions, {driver} -O0", len(frames), at_least=80)


@pytest.mark.parametrize("source", [cross.DIGEST, *(C_TESTS / name for name in PROGRAMS)], ids=lambda path: path.stem)
@pytest.mark.parametrize("driver", ["gcc", "clang"])
def test_calls_fit_into_128_kib_of_stack_without_optimization(driver: str, source: Path, tmp_path: Path) -> None:
    flags = (need(driver), *C, "-O0", f"-I{INCLUDE}")
    run(*flags, "-Dmain=on_small_stack", "-c", source, "-o", tmp_path / "test.o", cwd=tmp_path)
    thread = C_TESTS / "embed" / "small_stack.c"
    run(*flags, thread, tmp_path / "test.o", "-pthread", "-o", tmp_path / "test", cwd=tmp_path)
    ended = subprocess.run([tmp_path / "test"], input=cross.instructions(), capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert len(ended.stdout.splitlines()) >= (600 if source == cross.DIGEST else 1)
