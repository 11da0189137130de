"""Tests of Python are collected once; each mutant is then asked of in a fork, which ends at the first failure.

`Forks` starts pytest with this file as its plugin. A question is a line, `{"mutant": 7, "tests": {"tests/...": 0.3}}`:
the tests in the order in which they are to be asked, and how many seconds each may take. The answer is a line,
the test that failed and how, or nothing. A fork that hangs is killed, and that is an answer too.
"""

import ctypes
import json
import os
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import pytest

from tests.support.paths import ROOT

PIPES = "WS_FORKS"
UNCOLLECTED = "the tests cannot be collected"
FAILED: list[str] = []


class Forks:
    """A process that has collected tests, and answers for one mutant after the other."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], printed: Path) -> None:
        asked, questions = os.pipe()
        answers, answered = os.pipe()
        with printed.open("w") as file:
            self.process = subprocess.Popen(
                [*command, "-p", "tools.mutation.forks"], cwd=ROOT, pass_fds=(asked, answered), stdout=file,
                stderr=file, env={**environment, PIPES: f"{asked} {answered}"}, start_new_session=True,
            )  # fmt: skip
        os.close(asked)
        os.close(answered)
        self.questions, self.answers = os.fdopen(questions, "w"), os.fdopen(answers)

    def ask(self, mutant: int, tests: Mapping[str, float]) -> str:
        """The first test that fails of a mutant, and how; or nothing."""
        with suppress(BrokenPipeError):
            self.questions.write(json.dumps({"mutant": mutant, "tests": tests}) + "\n")
            self.questions.flush()
        line = self.answers.readline()
        return str(json.loads(line)) if line else UNCOLLECTED

    def close(self) -> None:
        with suppress(BrokenPipeError):
            self.questions.close()
        self.answers.close()
        self.process.wait(60)


def switched(mutant: int) -> None:
    """Both extensions, and what the tests start, are broken from now on; below 0: they are already."""
    from warpsim._core import core  # noqa: PLC0415
    from warpsim._engine import engine  # noqa: PLC0415

    if mutant < 0:
        return
    os.environ["WS_MUTANT"] = str(mutant)
    for door in (core, engine):
        ctypes.c_int.in_dll(ctypes.CDLL(door.__file__), "ws_mutant").value = mutant


def in_child(items: Sequence[pytest.Item], mutant: int, say: int) -> None:
    """Says each test before it runs, and leaves at the first that fails."""
    status = 1
    try:
        switched(mutant)
        for item, following in zip(items, [*items[1:], None], strict=True):
            os.write(say, f"{item.nodeid}\n".encode())
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if FAILED:
                break
        else:
            status = 0
    finally:
        os._exit(status)


def asked(items: Sequence[pytest.Item], mutant: int, limits: Sequence[float]) -> str:
    """What a fork says of one mutant."""
    hear, say = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.setsid()
        in_child(items, mutant, say)
    os.close(say)
    heard, end, hangs = b"", time.monotonic() + 60, False
    while not hangs:
        ready, _, _ = select.select([hear], [], [], max(0.0, end - time.monotonic()))
        hangs = not ready
        if ready and not (more := os.read(hear, 65536)):
            break
        if ready:
            heard += more
            end = time.monotonic() + limits[heard.count(b"\n") - 1]
    os.close(hear)
    if hangs:
        os.killpg(pid, 9)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    last = heard.decode().splitlines()[-1] if heard else "before the first test"
    how = "does not end" if hangs else "" if status == 1 else f"ends by signal {-status}"
    return "" if status == 0 else f"{last} {how}".strip()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.failed:
        FAILED.append(report.nodeid)


def pytest_runtestloop(session: pytest.Session) -> bool:
    """Instead of the tests: the questions, until there are no more."""
    first, second = map(int, os.environ.pop(PIPES).split())
    by_name = {item.nodeid: item for item in session.items}
    with os.fdopen(first) as questions, os.fdopen(second, "w") as answers:
        for line in questions:
            answer(json.loads(line), by_name, answers)
    return True


def answer(question: dict[str, Any], by_name: Mapping[str, pytest.Item], answers: IO[str]) -> None:
    there = {by_name[name]: limit for name, limit in question["tests"].items() if name in by_name}
    found = asked([*there], question["mutant"], [*there.values()]) if there else ""
    answers.write(json.dumps(found) + "\n")
    answers.flush()
