"""The notebook that shows every report, run as a reader would."""

import re
from inspect import isabstract
from typing import Any

import pytest

import warpsim as ws
import warpsim.cli.commands  # which knows them all
from tests.support.evidence import compared
from tests.support.paths import EXAMPLES
from warpsim.report import Report

pytestmark = pytest.mark.slow

NOTEBOOK = EXAMPLES / "reports.ipynb"
SETUP = "import warpsim"  # how the one cell without a report begins
#: what the notebook cannot show without Triton, or without a GPU
NEED_MORE = {"Calibration", "Comparison", "Tuning"}
#: asked at the end: what the cells have shown
KINDS = "print(*sorted({type(shown).__name__ for shown in Out.values()}))"


def reports(kind: type = Report) -> set[str]:
    """Names of all classes that are reports."""
    below = {name for each in kind.__subclasses__() for name in reports(each)}
    return below if isabstract(kind) else below | {kind.__name__}


def test_notebook_is_committed_without_outputs() -> None:
    import nbformat

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == [] and cell.execution_count is None


@pytest.mark.filterwarnings("default")  # those of the notebook's own machinery
def test_notebook_every_report_shows_itself() -> None:
    import nbformat

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    notebook.cells.append(nbformat.v4.new_code_cell(KINDS))
    from nbclient import NotebookClient

    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    code: list[Any] = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = 0
    for cell in code[:-1]:
        kinds = [output.output_type for output in cell.outputs]
        if cell.source.startswith(SETUP):
            assert kinds == []
            continue
        assert kinds == ["execute_result"], cell.source
        data = cell.outputs[0].data
        assert data["text/html"].lstrip().startswith("<"), cell.source
        assert data["text/plain"].strip(), cell.source
        assert "<script" not in data["text/html"]
        shown += 1
    compared("reports shown in a notebook", shown, at_least=14)
    names = set(code[-1].outputs[0].text.split())
    assert warpsim.cli.commands.RUN and len(reports()) >= 11
    missing = reports() - names - NEED_MORE
    assert not missing, f"not shown: {sorted(missing)}"


def test_values_show_themselves() -> None:
    for layout in (ws.Layout(64, 64, "f16", swizzle=ws.Swizzle(3, 3, 3)), ws.Layout(40, 8, "s4", "col", pad=8)):
        assert (
            layout._repr_html_() == layout.svg()
            and str(layout).replace("<", "&lt;").replace(">", "&gt;") in layout.svg()
        )
    first = [int(bank) for bank in re.findall(r'middle" fill="[^"]+">(\d+)<', ws.Layout(8, 64, "f16", pad=8).svg())]
    assert first[:9] == [0, 4, 8, 12, 16, 20, 24, 28, 4] and len(first) == 64
    one = ws.Ldmatrix(num=4).traffic(range(0, 512, 16))
    assert "<caption>traffic of 1 warp</caption>" in one._repr_html_() and "<td>4</td>" in one._repr_html_()
    assert f"{one.wavefronts} {one.bank_conflicts}" == "4 0" and one.wavefronts.ndim == 0
    assert "traffic of 2 warps" in ws.St().traffic([range(0, 128, 4)] * 2)._repr_html_()
    assert (
        "NVIDIA" in ws.arch("rtx4090")._repr_html_() and "sm_89 (GeForce RTX 4090)" in ws.arch("rtx4090")._repr_html_()
    )
