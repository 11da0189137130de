"""The command that opens the explorer, or prints its link."""

import re
import signal
import sys
from contextlib import closing
from http.client import HTTPConnection
from threading import Thread

import pytest

import warpsim as ws
from tests.support.evidence import compared
from tests.support.explorer_page import PLACES, ask, read, resolved, serving
from tests.support.process import begun
from warpsim import cli, paths
from warpsim.cli.server import ExplorerServer
from warpsim.explorer import DEFAULTS
from warpsim.instruction.explanation import explain


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = cli.main(["explore", *words])
    done = capsys.readouterr()
    return status, done.out, done.err


def test_command_link_has_what_its_words_say(capsys: pytest.CaptureFixture[str]) -> None:
    count = 0
    for ptx, words in PLACES:
        op, place = resolved(ptx, words)
        options = ["--store", "st.shared.b32", "--warps", "8", "--target", "sm_75", "--link"]
        status, out, err = run(ptx, *words, *options, capsys=capsys)
        assert (status, err) == (0, "")
        state = read(out.rstrip("\n"))
        report = explain(op, place.address, stride=place.stride, target="sm_75", spot=place.spot())
        assert state == {**read(report.explore_url()), "fill": "st.shared.b32", "warps": "8"}
        count += 1
    compared("links of the command", count, at_least=12)


def test_command_without_words_has_the_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--link", capsys=capsys) == (0, f"{paths.explorer().as_uri()}#v=1\n", "")
    status, out, _ = run("--target", "sm_101a", "--link", capsys=capsys)
    assert status == 0 and read(out.strip()) == {**DEFAULTS, "target": "sm_101a"}
    status, out, _ = run("--ptx-version", "8.0", "--link", capsys=capsys)
    assert status == 0 and read(out.strip()) == {**DEFAULTS, "version": "8.0"}


def test_link_begins_at_the_public_address(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    site, other = "https://example.org/explorer.html", "https://example.com/a.html"
    assert run("--base", site, capsys=capsys) == (0, f"{site}#v=1\n", "")
    monkeypatch.setenv("WARPSIM_EXPLORER_URL", other)
    assert run("--link", capsys=capsys) == (0, f"{other}#v=1\n", "")
    assert run("--base", site, "--link", capsys=capsys) == (0, f"{site}#v=1\n", "")
    report = ws.Ldmatrix().cost(range(0, 512, 16))
    assert report.explore_url().startswith(f"{other}#v=1&")
    assert report.explore_url(site).startswith(f"{site}#v=1&")
    monkeypatch.setenv("WARPSIM_EXPLORER_URL", "")
    assert run("--link", capsys=capsys) == (0, f"{paths.explorer().as_uri()}#v=1\n", "")
    status, out, err = run("--base", "https://example.org/#x", capsys=capsys)
    assert (status, out) == (2, "") and "without a #" in err


def test_command_names_a_port_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    with serving() as server:
        status, out, err = run("--port", str(server.server_port), "--no-browser", capsys=capsys)
        assert (status, out) == (2, "")
        place = f"127.0.0.1:{server.server_port}"
        assert err == f"warpsim: --port: cannot listen on {place}: Address already in use\n"


@pytest.mark.parametrize("words", [[], ["--no-browser"]])
def test_command_opens_a_browser_unless_told_not_to(
    words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []

    def serve(server: ExplorerServer) -> None:
        Thread(target=server.handle_request).start()
        assert ask(server, "/")[0] == 200
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr(ExplorerServer, "serve_forever", serve)
    status, out, err = run("--tile", "64x64:f16:pad=8", *words, capsys=capsys)
    assert (status, err) == (0, "")
    base = out.partition("#")[0]
    assert read(out.strip(), base) == {**DEFAULTS, "pad": "8"}
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", base)
    assert opened == ([] if words else [out.strip()])


#: a job in the background ignores the signal
SERVE = """
import signal, sys
from warpsim import cli
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.exit(cli.main(["explore", "--no-browser"]))
"""


@pytest.mark.parametrize("asks", [True, False])
def test_command_ends_by_the_interrupt_without_a_word(asks: bool) -> None:
    with begun(sys.executable, "-c", SERVE) as process:
        assert process.stdout is not None
        url = process.stdout.readline()
        found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/#v=1\n", url)
        assert found, url
        if asks:
            with closing(HTTPConnection("127.0.0.1", int(found[1]), timeout=20)) as connection:
                connection.request("GET", "/explorer.html")
                assert connection.getresponse().read() == paths.explorer().read_bytes()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (0, "", "")
