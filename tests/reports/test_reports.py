"""What reports say about themselves: pages and pictures of explanations, lint and banks."""

import json
import pickle
import re

import numpy as np
import pytest

import warpsim as ws
from docs.make.report_pages import CLEAN, HOSTILE, X4, reports
from tests.support.evidence import compared
from warpsim.instruction.explanation import explain
from warpsim.render import html, pages

PICTURED = (ws.FragmentMap, ws.BankReport, ws.TileReport, ws.SearchResult, ws.Cost)


def body(page: str) -> str:
    found = re.search("<body>.*</body>", page, re.DOTALL)
    assert found
    return found[0]


def test_report_survives_pickle_and_json() -> None:
    for name, report in reports().items():
        again = pickle.loads(pickle.dumps(report))
        assert again.to_dict() == report.to_dict() and str(again) == str(report), name
        contents = json.loads(json.dumps(report.to_dict(), allow_nan=False))
        assert re.fullmatch(r"warpsim\.[a-z_]+/\d+", contents["schema"]), name
    compared("reports pickled and written as JSON", len(reports()), at_least=47)


def test_explanation_ok_is_the_exit_status_of_the_command() -> None:
    wanted = {"explain": True, "explain undefined": False, "explain illegal": False}
    assert {name: reports()[name].ok for name in wanted} == wanted


def test_explanation_svg_is_of_the_banks_or_else_of_the_fragment() -> None:
    addresses = ws.Layout(16, 16, "f16").addresses(X4)
    assert explain(X4, addresses).svg() == X4.explain(addresses).svg()
    assert explain(X4).svg() == X4.fragment.svg()
    with pytest.raises(ValueError, match=r"ld\.shared\.b32 without addresses has no picture"):
        explain(ws.Ld()).svg()


def test_explanation_page_has_all_sections() -> None:
    page = reports()["explain undefined"].html()
    sections = re.findall("<h2>(.*?)</h2>", page)
    assert sections == ["Undefined behaviour", "Addresses", "Registers"]
    assert page.count("<svg") == 1
    listed = page.partition("<details>")[0]
    assert listed.count("misaligned row address") == pages.MOST_OF_A_RULE
    assert "... and 6 more" in page
    assert re.findall("<h2>(.*?)</h2>", reports()["explain illegal"].html()) == ["Good to know", "Registers"]
    assert "NOT legal on sm_100 with PTX 8.6" in reports()["explain illegal"].html()


def test_lint_page_has_every_finding_with_its_caret() -> None:
    report = ws.lint(HOSTILE)
    page = body(report.html())
    assert len(report.findings) == 2
    for finding in report.findings:
        assert f"line {finding.line}, column {finding.column}" in page
        carets = re.escape("^" * finding.length)
        assert re.search(rf'<span class="caret">\s*{carets}</span>', page)
    assert "All clear" not in page
    for token, count in report.counts.items():
        assert f"<td>{token}</td><td>{count}</td>" in page


def test_lint_page_without_a_finding_says_all_is_clear() -> None:
    assert "All clear: nothing to complain about in 1 instruction " in ws.lint(CLEAN).html()
    assert "This text has no matrix memory instruction" in ws.lint("").html()


def test_lint_page_of_a_thousand_findings_stays_short() -> None:
    bad = "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%r2];\n"
    page = ws.lint(".version 8.0\n.target sm_80\n" + bad * 1000).html()
    assert page.count('class="finding') == pages.MOST_FINDINGS
    assert "... and 800 more" in page
    assert "1,000 errors" in page


def test_source_caret_under_a_tab_keeps_the_tab() -> None:
    found = html.source("\tab\tcd", 4, 2)
    assert found == '<pre tabindex="0">\tab\tcd\n<span class="caret">\t  \t^^</span></pre>'
    assert "^</span>" in html.source("ab", 5, 0)


def test_bank_page_names_what_is_approximate() -> None:
    op = ws.parse("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8")
    page = op.explain(np.arange(32) * 16).html()
    assert '<th scope="row">approximate</th><td>wavefronts' in page
    assert '<th scope="row">approximate</th>' not in reports()["banks conflict"].html()


@pytest.mark.slow
def test_report_repr_html_is_the_page_without_its_frame_and_has_its_picture() -> None:
    pictures = 0
    for name, report in reports().items():
        assert report._repr_html_() in report.html(), name
        if isinstance(report, ws.FragmentMap | ws.BankReport | ws.TileReport | ws.SearchResult | ws.Cost):
            assert report.svg() in report._repr_html_(), name
            pictures += 1
    compared("reports with their pictures", pictures, at_least=20)


def test_packed_row_in_words() -> None:
    words = {
        "b8x16.b6x16_p32": "16 bytes; in registers a byte for each element: the 6 bits of its"
        " code, zeros above; 32 bits of padding, never read",
        "b8x16.b4x16_p64": "16 bytes; in registers a byte for each element: the 4 bits of its"
        " code, zeros above; 64 bits of padding, never read",
        "s8.s4": "8 bytes; in registers a byte for each element: the 4 bits of its code, its sign above",
    }
    for type_, wanted in words.items():
        op = ws.parse(f"ldmatrix.sync.aligned.m8n16.x1.shared.{type_}")
        text = str(op.fragment)
        assert f"a row is {wanted}\n" in re.sub("\n  (?=[a-z])", " ", text)
        assert max(map(len, text.splitlines())) <= 80
    assert "a row is" not in str(X4.fragment)
