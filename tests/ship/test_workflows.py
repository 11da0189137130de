"""The workflows of the forge: everything pinned, nothing secret, and a release as it was tested."""

import json
import re
import tomllib
from collections import defaultdict
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.paths import ROOT
from tests.support.process import BIN, ended, run
from tools import distributions

pytestmark = pytest.mark.slow

WORKFLOWS = ROOT / ".github" / "workflows"
PINS = ROOT / ".github" / "build" / "requirements.txt"
PATHS = sorted(WORKFLOWS.iterdir())
PINNED = re.compile(r"(?P<action>[\w-]+/[\w/-]+)@(?P<commit>[0-9a-f]{40}) # (?P<version>v\d+\.\d+\.\d+)")
OURS = re.compile(r"\$/\.github/workflows/(?P<name>\w+\.yml)")

#: runner -> what cibuildwheel is asked there, and the tags of the wheels that come of it
RUNNERS = {
    "ubuntu-24.04": ("linux", "x86_64", ("manylinux_x86_64", "musllinux_x86_64")),
    "ubuntu-24.04-arm": ("linux", "aarch64", ("manylinux_aarch64", "musllinux_aarch64")),
    "macos-15": ("macos", "arm64", ("macosx_arm64",)),
    "macos-15-intel": ("macos", "x86_64", ("macosx_x86_64",)),
    "windows-2025": ("windows", "AMD64", ("win_amd64",)),
    "windows-11-arm": ("windows", "ARM64", ("win_arm64",)),
}
BUILT = {"cp311", "cp314t"}
"""The stable ABI of 3.11, and free threading."""
TESTED = {"cp312", "cp313", "cp314"}
"""What runs the wheel of cp311, too."""


@cache
def workflow(name: str) -> dict[str, Any]:
    # all scalars as text: YAML's own reading takes the key `on` for a truth value
    import yaml

    contents: dict[str, Any] = yaml.load((WORKFLOWS / name).read_text(), yaml.BaseLoader)
    return contents


def jobs() -> list[tuple[str, str, dict[str, Any]]]:
    return [(path.name, *job) for path in PATHS for job in workflow(path.name)["jobs"].items()]


def test_workflows_are_those_that_are_known() -> None:
    assert [path.name for path in PATHS] == ["ci.yml", "distributions.yml", "pages.yml", "release.yml"]
    assert set(workflow("ci.yml")["on"]) == {"push", "pull_request", "workflow_call"}
    assert workflow("distributions.yml")["on"] == {"workflow_call": ""}
    assert workflow("pages.yml")["on"] == {"push": {"branches": ["main"]}}
    assert workflow("release.yml")["on"] == {"push": {"tags": ["v*"]}}


def test_every_action_is_pinned_to_a_commit_and_names_its_version() -> None:
    pins: dict[str, set[str]] = defaultdict(set)
    count = 0
    for path in PATHS:
        for used in re.findall(r"\buses:\s*(.+)$", path.read_text(), re.MULTILINE):
            count += 1
            if ours := OURS.fullmatch(used):
                assert (WORKFLOWS / ours["name"]).is_file(), used
                continue
            pin = PINNED.fullmatch(used)
            assert pin, f"{path.name}: {used}"
            pins[pin["action"]].add(used)
    assert not {action: uses for action, uses in pins.items() if len(uses) > 1}
    compared("actions that workflows use", count, at_least=12)


def test_every_job_has_the_permissions_that_it_needs() -> None:
    wider = {}
    for path in PATHS:
        assert workflow(path.name)["permissions"] in ({}, "", {"contents": "read"}), path.name
    for name, job, contents in jobs():
        given = contents.get("permissions", workflow(name)["permissions"])
        if given not in ({}, "", {"contents": "read"}):
            wider[name, job] = given
    assert wider == {
        ("pages.yml", "deploy"): {"pages": "write", "id-token": "write"},
        ("release.yml", "publish"): {"id-token": "write"},
        ("release.yml", "announce"): {"contents": "write"},
    }


def test_checkouts_leave_no_credentials() -> None:
    count = 0
    for _, _, job in jobs():
        for step in job.get("steps", []):
            if step.get("uses", "").startswith("actions/checkout@"):
                assert step["with"].items() - {("fetch-depth", "0")} == {("persist-credentials", "false")}
                count += 1
    assert count >= 4


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_workflow_has_no_secret_and_no_cache(path: Path) -> None:
    text = path.read_text().lower()
    for word in ("secrets", "password", "token:", "cache", "pull_request_target"):
        assert word not in text.replace("id-token:", "").replace("gh_token: ${{ github.token }}", "")
    for job in workflow(path.name)["jobs"].values():
        assert "timeout-minutes" in job or OURS.fullmatch(job["uses"])


def test_publishing_builds_nothing_and_waits_for_everything() -> None:
    release = workflow("release.yml")["jobs"]
    publish = release["publish"]
    assert set(publish["needs"]) == {"tag", "ci"} == set(release) - {"publish", "announce"}
    assert release["announce"]["needs"] == "publish"
    assert publish["environment"] == "pypi"
    actions = [step["uses"].split("@")[0] for step in publish["steps"]]
    assert actions == ["actions/download-artifact", "pypa/gh-action-pypi-publish"]
    assert publish["steps"][1]["with"] == {"attestations": "true"}
    assert not [step for step in publish["steps"] if "run" in step]


def test_site_is_the_documentation_with_the_explorer() -> None:
    pages = workflow("pages.yml")["jobs"]
    steps = [step["run"] for step in pages["build"]["steps"] if "run" in step]
    assert "sphinx-build -W --keep-going -n -q -b html docs site" in steps
    assert any("site/explorer.html" in step for step in steps)
    [upload] = [one for one in pages["build"]["steps"] if one.get("uses", "").startswith("actions/upload-pages")]
    assert upload["with"] == {"path": "site"}
    assert pages["deploy"]["needs"] == "build"
    assert len(pages["deploy"]["steps"]) == 1


def test_summary_needs_every_job_to_succeed() -> None:
    ci = workflow("ci.yml")["jobs"]
    summary = ci["summary"]
    assert set(summary["needs"]) == set(ci) - {"summary"}
    assert summary["if"] == "always()"
    (step,) = summary["steps"]
    for results, status in (("success " * 3, 0), ("success skipped success", 1)):
        assert shell(step["run"], RESULTS=results.strip()) == status


def shell(script: str, **environment: str) -> int:
    """The exit status of a step, run as the forge runs it."""
    return ended("bash", "-eo", "pipefail", "-c", script, **environment).returncode


def step_of_tag(name: str) -> str:
    (script,) = [step["run"] for step in workflow("release.yml")["jobs"]["tag"]["steps"] if step.get("name") == name]
    return str(script)


def test_tag_must_be_the_version() -> None:
    script = step_of_tag("the tag is the version")
    assert shell(script, GITHUB_REF_NAME=f"v{ws.__version__}") == 0
    for tag in (ws.__version__, f"v{ws.__version__}.1", "v", "v99.0.0", ""):
        assert shell(script, GITHUB_REF_NAME=tag) != 0, tag


def test_tag_must_be_on_main_and_pass_ci(tmp_path: Path) -> None:
    begin = f"cd {tmp_path} && git init -q -b main . && git config user.name a && git config user.email a@b"
    commit = "git commit -q --allow-empty -m"
    branch = "git update-ref refs/remotes/origin/main main && git checkout -q -b other"
    assert shell(f"{begin} && {commit} one && {commit} two && {branch} && {commit} three") == 0
    script = step_of_tag("the commit is on main")
    for commit, is_on_main in (("main~1", True), ("main", True), ("other", False), ("none", False)):
        assert (shell(f"cd {tmp_path}\n{script}", GITHUB_SHA=commit) == 0) is is_on_main, commit
    jobs = workflow("release.yml")["jobs"]
    assert jobs["ci"]["uses"] == "$/.github/workflows/ci.yml" and jobs["ci"]["needs"] == "tag"
    assert jobs["tag"]["steps"][0]["with"]["fetch-depth"] == "0"


def test_release_is_told_as_in_the_changelog(tmp_path: Path) -> None:
    script = step_of_tag("the changelog says what is new")
    (tmp_path / "CHANGELOG.md").write_bytes((ROOT / "CHANGELOG.md").read_bytes())
    assert shell(f"cd {tmp_path}\n{script}", GITHUB_REF_NAME="v99.0.0") != 0
    assert shell(f"cd {tmp_path}\n{script}", GITHUB_REF_NAME=f"v{ws.__version__}") == 0
    notes = (tmp_path / "notes.md").read_text()
    assert len(notes) > 500 and "\n## " not in notes and "### Model changes" in notes


def test_what_builds_a_release_is_pinned_by_hash() -> None:
    text = PINS.read_text()
    pinned = re.findall(
        r"^([\w-]+)==[\w.]+(?: ;[^\n]*)? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", text, re.MULTILINE
    )
    assert len(pinned) == len(re.findall(r"^\w", text, re.MULTILINE)) >= 10
    names = {name for name, _ in pinned}
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    assert {re.split("[>=]", one)[0] for one in needed} | {"build", "cmake", "ninja"} <= names
    installed = f"pip install --require-hashes --only-binary :all: -r {{}}{PINS.relative_to(ROOT)}"
    options = distributions.configuration()["tool"]["cibuildwheel"]
    assert options["before-build"] == f"python -m {installed.format('{project}/')}"
    assert options["build-frontend"] == {"name": "build", "args": ["--no-isolation"]}
    steps = [step for name, _, job in jobs() if name != "pages.yml" for step in job.get("steps", [])]
    lines = [line for step in steps for line in step.get("run", "").splitlines()]
    assert f"python -m {installed.format('')}" in lines
    assert not [line for line in lines if "pip install" in line and not re.search("--require-hashes|--no-deps", line)]


def test_pins_of_actions_and_of_tools_are_kept_up_to_date() -> None:
    import yaml

    updates = yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text())["updates"]
    assert {(one["package-ecosystem"], one["directory"]) for one in updates} == {
        ("github-actions", "/"), ("pip", f"/{PINS.parent.relative_to(ROOT)}"),
    }  # fmt: skip


def test_workflows_pass_the_audit() -> None:
    run(
        BIN / "zizmor",
        "--offline",
        "--no-progress",
        "--persona=pedantic",
        WORKFLOWS,
        WORKFLOWS.parent / "dependabot.yml",
    )


def test_cibuildwheel_takes_its_configuration() -> None:
    schema = files("cibuildwheel").joinpath("resources", "cibuildwheel.schema.json")
    options = distributions.configuration()["tool"]["cibuildwheel"]
    jsonschema.validate(options, json.loads(schema.read_text()))
    named = re.findall(r"tests/\S+", options["test-command"])
    assert len(named) >= 9
    assert not [name for name in named if not (ROOT / name).is_file()]


def test_every_runner_has_its_wheels_in_the_table() -> None:
    matrix = workflow("distributions.yml")["jobs"]["wheels"]["strategy"]["matrix"]
    assert matrix == {"runner": list(RUNNERS)}


@pytest.mark.parametrize("runner", RUNNERS)
def test_wheels_of_a_runner_are_those_of_the_table(runner: str) -> None:
    platform, machine, tags = RUNNERS[runner]
    asked = ("--print-build-identifiers", "--platform", platform, "--archs", machine)
    found: dict[str, set[str]] = defaultdict(set)
    for line in run(BIN / "cibuildwheel", *asked).split():
        python, tag = line.split("-", 1)
        found[tag].add(python)
    assert set(found) == set(tags)
    for tag, pythons in found.items():
        assert pythons >= BUILT | TESTED, tag
        for python in pythons:
            version = re.fullmatch(r"cp3(\d+)(t?)", python)
            assert version, python
            assert int(version[1]) >= (14 if version[2] else 11), python
