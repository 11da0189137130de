"""What a calibration found: the profile of a GPU, each constant with its error, and what could not be measured."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .. import gpus
from ..characters import escaped
from ..errors import bad_value
from ..render import html
from ..report import Report
from ..time.architecture import Arch, arch
from ..time.constant import NAMES, Constant
from ..time.tensor_rates import SUMS, rate_of
from .constants import Found, constants, data_pipe, off_the_law, rates

from .constants import Times  # isort: skip
from .measure import VERSION
from .probes import LONG

FITTED_ON = "sm_90"
DIGITS = 4
MOST_OFF = 0.03  # of a law that the model takes for granted
SOURCE, MOVED = "warpsim calibrate on {}", "warpsim calibrate on {}: how far it is from an H200"


def target_of(device: Mapping[str, Any]) -> str:
    """The GPU's name where the package knows it, else the target that its compute capability is."""
    target = f"sm_{device['sm']}"
    known = gpus.gpu_of(str(device["name"]))
    return known[1] if known is not None and known[0] == target else target


def _of_types(products: Mapping[str, tuple[float, float]], profile: Arch) -> Iterator[str]:
    """Types whose products take longer or shorter against f16 than the model takes them to."""
    usual = profile.constants["mma_interval"].value
    for name, (interval, _) in products.items():
        type_, _, sums = name.partition(" ")
        if "f16 f32" not in products or sums not in SUMS:
            continue
        model, here = rate_of(profile, type_, sums).interval / usual, interval / products["f16 f32"][0]
        if abs(here / model - 1) > MOST_OFF:
            yield (
                f"mma.sync of {type_} with {sums} sums takes {here:.3g} times what f16 with f32 sums does;"
                f" the model takes {model:.3g}"
            )


def _notes(found: Mapping[str, Any], profile: Arch) -> list[str]:
    """Where the GPU does not do what the model takes for granted."""
    notes = list(_of_types(rates(found), profile))
    pipe = data_pipe(found) if "ldmatrix.x4 stream" in found["spans"] else 1.0
    if abs(pipe - 1) > MOST_OFF:
        notes.append(f"a wavefront takes {pipe:.3g} cycles of the SM's data pipe; the model takes 1")
    off = off_the_law(Times(found, 0))
    if off > MOST_OFF:
        notes.append(f"loads of 1 to 32 wavefronts are {100 * off:.0f} % off a straight line; the model takes one")
    return notes


@dataclass(frozen=True, slots=True)
class Calibration(Report):
    """A run of the probes of the constants, and the profile that follows.

    `arch`: the profile, for `--arch` and the cost model's `target=`. `constants`: name -> what was found; `kept`:
    name -> why it is that of the target's built-in profile. `rates`: type of a product and of its sum -> cycles of
    a sub-partition per mma.sync of 32 bytes along K, and of a chain. `notes`: what the model takes for granted and
    the GPU does not do.
    """

    device: dict[str, Any] = field(hash=False)
    arch: Arch
    constants: dict[str, Found] = field(hash=False)
    kept: dict[str, str] = field(hash=False)
    rates: dict[str, tuple[float, float]] = field(hash=False)
    notes: tuple[str, ...]
    measurements: dict[str, Any] = field(repr=False, hash=False)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; `measurements` are what `warpsim calibrate --from` reads again."""
        rows = []
        for name, constant in self.arch.constants.items():
            how = self.constants[name].how if name in self.constants else self.kept[name]
            rows.append({**constant.to_dict(), "measured": name in self.constants, "how": how})
        products = {name: {"interval": a, "latency": b} for name, (a, b) in self.rates.items()}
        return {
            "schema": "warpsim.calibration/1", "device": self.device, "target": self.arch.target, "constants": rows,
            "products": products, "notes": list(self.notes), "measurements": self.measurements,
        }  # fmt: skip

    def toml(self) -> str:
        """The profile as a file that `ws.arch` and `--arch` read."""
        clocks = self.measurements["clocks_mhz"]
        head = [
            "# written by warpsim calibrate; error: relative, of repeats and of the laws that the constants follow",
            f"# {self.device['name']}, driver for CUDA {self.device['cuda']},"
            f" {min(clocks):.0f} to {max(clocks):.0f} MHz",
            *(f"# {note}" for note in self.notes),
        ]
        head += [
            f"# mma.sync {name}: every {a:.4g} cycles, a dependent one after {b:.4g}"
            for name, (a, b) in self.rates.items()
        ]
        lines = []
        for line in self.arch.toml().splitlines():
            name = line.partition(" = ")[0]
            if name in self.constants:
                lines.append(f"# {self.constants[name].how}")
            elif name in self.kept:
                lines.append(f"# not measured here: {self.kept[name]}")
            lines.append(line)
        return "\n".join([*head, *lines]) + "\n"

    def _rows(self) -> list[tuple[str, str, str, str]]:
        rows = []
        for name, constant in self.arch.constants.items():
            value, found = f"{constant.value:.7g} {constant.unit}", self.constants.get(name)
            if found is None:
                rows.append((name, value, "kept", self.kept[name]))
            else:
                word = "moved" if found.moved else "measured"
                rows.append((name, value, f"{word}, {100 * found.error:.1f} %", found.how))
        return rows

    def _title(self) -> str:
        return f"Calibration of {self.device['name']}"

    def _parts(self) -> Sequence[str]:
        caption = f"{self.device['name']}: constants of the cost model"
        return (
            html.table(("constant", "value", "", "how"), self._rows(), caption),
            *(escaped(note) for note in self.notes),
        )

    def __str__(self) -> str:
        rows = self._rows()
        wide = [max(len(row[i]) for row in rows) for i in range(3)]
        clocks = self.measurements["clocks_mhz"]
        lines = [
            f"{self.device['name']}: {len(self.constants)} of {len(rows)} constants measured,"
            f" in {self.measurements['seconds']:g} s at {min(clocks):.0f} to {max(clocks):.0f} MHz"
        ]
        lines += [f"  {a:<{wide[0]}}  {b:<{wide[1]}}  {c}" for a, b, c, _ in rows]
        lines += [
            f"  mma.sync {name}: every {a:.4g} cycles, a dependent one after {b:.4g}"
            for name, (a, b) in self.rates.items()
        ]
        return "\n".join([*lines, *self._refused(), *self.notes])

    def _refused(self) -> list[str]:
        """What this GPU or its driver does not take, a line each."""
        refused = self.measurements["refused"].items()
        return list(
            dict.fromkeys(f"not measured: {re.sub(r'( chain)? x[0-9]+$', '', name)}: {why}" for name, why in refused)
        )


#: constants that no measurement of their own tells
ALONE = {
    "narrow_latency": "below what a chain tells",
    "wmma_address_latency": "part of an instruction that is several",
    "global_gap": "depends on the loop around the loads",
    "load_gap": "depends on the loop around the loads",
    "barrier_interval": "part of main loops",
    "start_interval": "part of bursts",
    "dense_fma": "the product's peak",
}


def calibration(found: Mapping[str, Any]) -> Calibration:
    """The profile that the times of a run make; a ValueError where they are none of this version."""
    if found.get("version") != VERSION or f"ld.b32 x{LONG}" not in found.get("spans", {}):
        raise bad_value("from", "expected the JSON of warpsim calibrate, of this version")
    device = dict(found["device"])
    name = str(device["name"])
    fitted = {name: constant.value for name, constant in arch(FITTED_ON).constants.items()}
    there, missing = constants(found, fitted)
    target = target_of(device)
    values: dict[str, float | Constant] = {}
    for constant in (constant for constant in NAMES if constant in there):
        one = there[constant]
        source, basis = (MOVED, "fitted") if one.moved else (SOURCE, "measured")
        values[constant] = Constant(
            constant, round(one.value, DIGITS), "", "", basis, source.format(name), round(one.error, DIGITS)
        )
    profile = Arch(target, values)
    kept = {
        constant: missing.get(constant) or ALONE.get(constant, "fitted to main loops")
        for constant in NAMES
        if constant not in there
    }
    return Calibration(device, profile, there, kept, rates(found), tuple(_notes(found, profile)), dict(found))
