"""Which target a GPU is, by the name on its box.

Source: NVIDIA, "CUDA GPU Compute Capability" and "Legacy CUDA GPU Compute Capability"
(https://developer.nvidia.com/cuda-gpus and https://developer.nvidia.com/cuda-legacy-gpus).
"""

from __future__ import annotations

import re

#: target -> its GPUs, families of names with the parts that differ in brackets
_TABLE = {
    "sm_60": "Tesla P100; Quadro GP100",
    "sm_61": "Tesla P40; Tesla P4; Quadro P{6000,5200,5000,4200,4000,3200,3000,2200,2000,1000,620,600,500,400};"
    " TITAN Xp; GeForce GTX 1080 Ti; GeForce GTX 1070 Ti; GeForce GTX {1080,1070,1060,1050}",
    "sm_62": "Jetson TX2",
    "sm_70": "V100; Quadro GV100; TITAN V",
    "sm_72": "Jetson AGX Xavier; Jetson Xavier NX; Xavier",
    "sm_75": "T4; Quadro RTX {8000,6000,5000,4000,3000}; T{1200,1000,600,500,400}; TITAN RTX; GeForce RTX 2080 Ti;"
    " GeForce RTX {2080,2070,2060}; GeForce GTX 1660 Ti; GeForce GTX 1650 Ti; GeForce GTX {1660,1650}",
    "sm_80": "A100; A30",
    "sm_86": "A40; A10; A10G; A16; A2; RTX A{6000,5500,5000,4500,4000,3000,2000,1000,500}; GeForce RTX 3090 Ti;"
    " GeForce RTX 3080 Ti; GeForce RTX 3070 Ti; GeForce RTX 3060 Ti; GeForce RTX 3050 Ti;"
    " GeForce RTX {3090,3080,3070,3060,3050}",
    "sm_87": "Jetson AGX Orin; Jetson Orin NX; Jetson Orin Nano; Orin",
    "sm_89": "L4; L40; L40S; RTX {6000,5000,4500,4000,3500,2000} Ada; RTX 4000 SFF Ada; GeForce RTX 4070 Ti;"
    " GeForce RTX 4060 Ti; GeForce RTX {4090,4080,4070,4060,4050}",
    "sm_90": "H100; H200; GH200; H800; H20",
    "sm_100": "B200; GB200; B100",
    "sm_103": "B300; GB300",
    "sm_110": "Jetson T5000; Jetson T4000; Jetson Thor; Jetson AGX Thor; Thor",
    "sm_120": "RTX PRO {6000,5000,4500,4000,2000} Blackwell; RTX PRO {6000,5000,4500,4000,2000};"
    " GeForce RTX 5070 Ti; GeForce RTX 5060 Ti; GeForce RTX {5090,5080,5070,5060,5050}",
    "sm_121": "GB10; DGX Spark",
}

#: an architecture's name -> the targets that it may mean
ARCHITECTURES = {
    "volta": ("sm_70",), "turing": ("sm_75",), "ampere": ("sm_80", "sm_86", "sm_87"), "ada": ("sm_89",),
    "lovelace": ("sm_89",), "adalovelace": ("sm_89",), "hopper": ("sm_90",), "pascal": ("sm_60", "sm_61", "sm_62"),
    "blackwell": ("sm_100", "sm_103", "sm_110", "sm_120", "sm_121"),
}  # fmt: skip

#: words of a name that say nothing about its target
_NOISE = re.compile(
    r"nvidia|geforce|tesla|tensor|core|gpu|super|laptop|mobile|maxq|max|q|desktop|d|sxm\d?|pcie|nvl|hbm\d?e?"
    r"|\d+gb|generation|gen|edition|workstation|server|tegra|jetson"
)


def _plain(name: str) -> str:
    """A name without what people leave out or add: "GeForce RTX 4090 Laptop GPU" is "rtx4090"."""
    parts = re.split(r"[\s_-]+", name.lower().replace("max-q", "maxq"))
    kept = "".join(part for part in parts if not _NOISE.fullmatch(part))
    kept = re.sub(r"^(nvidia|geforce|tesla|jetson|quadro(?!rtx))+", "", kept)
    return re.sub(r"(super|laptop|mobile|maxq)$", "", kept)


def _families(text: str) -> list[str]:
    """The names of a row."""
    found = []
    for family in (part.strip() for part in text.split(";")):
        head, brace, rest = family.partition("{")
        middles, _, tail = rest.partition("}")
        found += [f"{head}{middle}{tail}" for middle in middles.split(",")] if brace else [family]
    return found


#: plain name -> (target, NVIDIA's name); of names that several rows have the first
GPUS: dict[str, tuple[str, str]] = {}
for _target, _text in _TABLE.items():
    for _name in _families(_text):
        GPUS.setdefault(_plain(_name), (_target, _name))


def gpu_of(name: str) -> tuple[str, str] | None:
    """Target and name of a GPU; None for what is not one that is known."""
    plain = _plain(name) if name.isprintable() else ""
    return next((GPUS[prefix + plain] for prefix in ("", "rtx", "gtx") if prefix + plain in GPUS), None)


def number_of(name: str) -> str:
    """The target of "90a", "9.0", "sm90" or "compute_90", whether it exists or not; else an empty text."""
    found = re.fullmatch(r"(?:sm|compute|cc|lto)?[_ -]?(\d+)(?:\.(\d))?([af]?)", name.strip(" ").lower())
    if found is None:
        return ""
    major, minor, suffix = found.groups()
    return f"sm_{major}{minor or ''}{suffix}"
