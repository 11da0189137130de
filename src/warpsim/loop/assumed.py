"""What the cycles of a main loop rest on that nobody published for a GPU."""

from __future__ import annotations

from typing import Any

from ..time.architecture import Arch
from ..time.tensor_rates import Rate

#: targets of professional GPUs and of GeForce -> one of the latter
GEFORCE = {"86": "rtx3090", "89": "rtx4090", "120": "rtx5090"}
#: what each bound rests on, besides the tensor rate
RESTS_ON = {
    "global bytes": ("copy_path",),
    "issue": ("slot_interval", "copy_issue"),
    "latency": ("load_latency", "copy_latency"),
}


def assumed_of(rate: Rate, found: dict[str, Any], architecture: Arch, accumulate: str) -> str:
    """What the cycles rest on that is only assumed for this GPU, in words; empty where nothing is."""
    names = [
        name for name in RESTS_ON.get(found["bound"], ()) if architecture.constants[name].basis.startswith("assumed")
    ]
    parts = [rate.assumed] if rate.assumed else []
    number = architecture.target.removeprefix("sm_").rstrip("af")
    if not architecture.product and accumulate == "f32" and number in GEFORCE:
        parts.append(f"a professional GPU (a GeForce has half the tensor rate: target {GEFORCE[number]})")
    parts += [f"{' and '.join(names)} of {architecture.target}"] if names else []
    return " and ".join(parts)
