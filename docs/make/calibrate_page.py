"""Writes the generated parts of docs/howto/calibrate.md from what an H100 gave.

python3 -m docs.make.calibrate_page
"""

from docs.make import cost_evidence
from docs.make.markdown import replaced, table
from tests.support.paths import DOCS
from warpsim.calibrate.calibration import calibration
from warpsim.calibrate.compare import comparison

PAGE = DOCS / "howto" / "calibrate.md"


def constants() -> str:
    """One row for each constant: its value, whether it was measured, its error, and how."""
    found = calibration(cost_evidence.device("calibrate_h100")["calibrations"][0])
    rows = []
    for name, constant in found.arch.constants.items():
        one, value = found.constants.get(name), f"{constant.value:.7g} {constant.unit}"
        if one is None:
            rows.append((f"`{name}`", value, "kept", "", found.kept[name]))
        else:
            rows.append((f"`{name}`", value, "moved" if one.moved else "measured", f"{100 * one.error:.1f} %", one.how))
    return "\n".join(table("constant | value | found | error | how, or why not", rows))


def cases() -> str:
    """The held-out cases and the model."""
    file = cost_evidence.device("calibrate_h100")
    found = comparison(file["comparisons"][0], calibration(file["calibrations"][0]).arch)
    rows = [(what, f"{was:.1f}", f"{says:.1f}", f"{100 * off:+.1f} %") for what, was, says, off in found.rows]
    lines = list(table("case | measured, cycles | model | error", rows))
    return "\n".join(
        [*lines, "", f"Median {100 * found.median:.1f} %, 95th percentile {100 * found.percentile_95:.1f} %."]
    )


def page() -> str:
    """The page with its generated parts made anew."""
    made = {"calibration": constants, "comparison": cases}
    marks = {name: (f"<!-- {name}: generated -->\n", "<!-- end -->") for name in made}
    return replaced(PAGE, {marks[name]: f"{make()}\n" for name, make in made.items()})


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
