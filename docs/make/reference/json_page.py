"""docs/reference/json.md: the schema of every report, shown by a real one."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import warpsim as ws
from docs.make import cost_evidence
from tests.support.paths import ROOT
from warpsim.calibrate.calibration import calibration
from warpsim.calibrate.compare import comparison
from warpsim.cli.rules import rules
from warpsim.compile.tuning import Tuned, Tuning
from warpsim.instruction import explanation
from warpsim.instruction.fragment_holders import holders
from warpsim.shared.report import TileSearch

GEMV = ROOT / "examples" / "kernels" / "gemv.ptx"

HEAD = """# JSON

`to_dict()` of every report and `--json` of every command return plain values with a key `schema`, which names the format and its version. Keys may be
added within a version; the meaning of a key changes only with the version. Values that do not apply are null.

The examples below are real output, one for each report. Lists are cut after two items: "..." marks what is left out.
(`warpsim.sweep/2` is not JSON: it marks the checkpoint file of `ws.sweep`, an SQLite database.)
"""

MOST = 2
WIDTH = 110


def reports() -> Mapping[str, Callable[[], Any]]:
    """Where a report comes from -> one of them."""
    x4, copy = ws.Ldmatrix(num=4), ws.CpAsync()
    tile = ws.Layout(64, 64, "f16", pad=8)
    address = tile.addresses(x4)
    ptx = ".version 8.0\n.target sm_80\nstmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r2};\n"
    return {
        "`op.traffic(address)`, and inside most reports": lambda: x4.traffic(address),
        "`op.explain(address)`, `warpsim conflicts`": lambda: x4.explain(address),
        "`op.fragment`, `warpsim layout`": lambda: x4.fragment,
        "`warpsim explain`": lambda: explanation.explain(x4, address),
        "`op.cost(address)`, `warpsim cost`": lambda: x4.cost(address, warps=8),
        "`ws.cost(steps)`": lambda: ws.cost([(x4, address)] * 4, warps=8),
        "`ws.mainloop(tile, warps)`, `warpsim mainloop`": lambda: ws.mainloop((128, 128, 64), (4, 2)),
        "`ws.occupancy(threads, registers, shared_bytes)`": lambda: ws.occupancy(128, 168, 98304),
        "`ws.arch(target)`": lambda: ws.arch("sm_90"),
        "`ws.tile(layout, ...)`, `warpsim tile`": lambda: ws.tile(tile, store=copy, load=x4),
        "`ws.tile(layout, ...).picture()`": lambda: ws.tile(tile, store=copy, load=x4).picture(),
        "`ws.search(rows, cols, type, ...)`, `warpsim search`": lambda: ws.search(
            64, 64, "f16", store=copy, load=x4, layouts=[ws.Layout(64, 64, "f16", pad=8)]
        ),
        "`op.explain()` of a product, `warpsim explain`": lambda: ws.Mma().explain(),
        "`warpsim layout --lane`, `--element`": lambda: holders(x4.fragment, element=(2, 3, 5)),
        "`warpsim rules`": lambda: rules(["WS-LDM-003"]),
        "`ws.lint(text)`, `warpsim lint`": lambda: ws.lint(ptx),
        "`kernel(grid, block, args)`, `warpsim run`": launched,
        "`report.bounds()`": lambda: launched(256).bounds("h200"),
        "`report.tile_search()`, and inside `warpsim run --tile-search`": transposed,
        "`ws.triton.tune(fn, ...)`, and inside `warpsim run` of an autotuned function": tuned,
        "`warpsim calibrate`": calibrated,
        "`warpsim calibrate --compare`": compared,
        "`report.diff(other)`": lambda: launched(128).diff(launched(256)),
    }


CUT = {"spans": {"...": {"...": [[2314, 2314, 2318], "..."]}}}


def calibrated() -> dict[str, Any]:
    """Of an H100, its times left out."""
    found = calibration(cost_evidence.device("calibrate_h100")["calibrations"][0]).to_dict()
    return {**found, "measurements": CUT}


def compared() -> dict[str, Any]:
    """The same of tiles and main loops, with the package's own profile."""
    found = comparison(cost_evidence.device("calibrate_h100")["comparisons"][0], ws.arch("h100")).to_dict()
    return {**found, "measurements": CUT}


def launched(elements: int = 128) -> ws.KernelReport:
    """A launch with a finding: x has fewer elements than A has columns."""
    a, x, y = (np.zeros(n, np.float32) for n in (8 * 256, elements, 8))
    return ws.Module(GEMV)["gemv_warp_per_row"](2, 128, (a, x, y, 8, 256))


def transposed() -> TileSearch:
    """The tile of a transpose without padding."""
    x, y = np.zeros((2, 64, 64), np.float32)
    kernel = ws.Module(GEMV.with_name("transpose.ptx"))["transpose_square_f32"]
    return kernel((2, 2), (32, 8), (x, y, 64, 64)).tile_search()


def tuned() -> Tuning:
    """Two configurations, of which one does not run; no compiler is asked."""
    report = launched(256)
    found = report.bounds("sm_80")
    first = Tuned(
        "num_warps=4, num_stages=3", {"num_warps": 4, "num_stages": 3}, "", report, report.grid, 0, 40, 12, 48,
        "registers", found.estimate, found.estimate_by, {pipe.name: pipe.written for pipe in found}, found.cycles,
    )  # fmt: skip
    second = Tuned("num_warps=64, num_stages=3", {"num_warps": 64, "num_stages": 3}, "it has too many warps")
    return Tuning("gemv_warp_per_row", "sm_80", "A100", 108, (first, second))


def short(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: short(item) for key, item in value.items()}
    if isinstance(value, list):
        return [short(item) for item in value[:MOST]] + (["..."] if len(value) > MOST else [])
    return value


def written(value: Any, indent: int = 0) -> str:
    """JSON, each value on one line where it fits."""
    line = json.dumps(value)
    if len(line) + indent <= WIDTH or not isinstance(value, dict | list) or not value:
        return line
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        items = [f"{json.dumps(key)}: {written(item, indent + 2)}" for key, item in value.items()]
    else:
        items = [written(item, indent + 2) for item in value]
    begin, end = "{}" if isinstance(value, dict) else "[]"
    return f"{begin}\n{inner}" + f",\n{inner}".join(items) + f"\n{' ' * indent}{end}"


def shown() -> dict[str, tuple[str, str]]:
    """Schema -> where it comes from, an example."""
    found = {}
    for where, make in reports().items():
        report = make()
        contents = report if isinstance(report, dict) else report.to_dict()
        found[contents["schema"]] = (where, written(short(contents)))
    return found


def lines() -> Iterator[str]:
    yield HEAD
    for schema, (where, example) in shown().items():
        yield f"## {schema}\n\nFrom {where}.\n\n```json\n{example}\n```\n"


def page() -> str:
    return "\n".join(lines()).rstrip() + "\n"
