"""Names of GPUs as targets: each means the target that NVIDIA's page gives it."""

import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim import gpus
from warpsim.targets import known_target

SAME = {
    "sm_60": "p100", "sm_61": "GTX 1080 Ti|gtx1060|p40", "sm_70": "v100|volta|Tesla V100-SXM2-16GB|TITAN V",
    "sm_75": "t4|Tesla T4|rtx2080ti|Quadro RTX 6000|turing|75|7.5|sm75|compute_75",
    "sm_80": "a100|A100 80GB|NVIDIA A100-SXM4-40GB|a30", "sm_86": "rtx3090|RTX 3080 Ti|a40|RTX A6000|a10g|8.6",
    "sm_87": "orin|Jetson AGX Orin|Orin NX",
    "sm_89": "l40s|l4|rtx4090|4090|RTX 4070 Ti SUPER|RTX 6000 Ada Generation|ada",
    "sm_90": "h100|h200|gh200|NVIDIA H100 80GB HBM3|H100 PCIe|hopper|90|9.0|sm90|SM_90|compute_90|cc9.0",
    "sm_90a": "90a|sm90a|compute_90a", "sm_100": "b200|gb200|100", "sm_103": "b300", "sm_110": "thor|Jetson T5000|11.0",
    "sm_120": "rtx5090|GeForce RTX 5090 Laptop GPU|RTX PRO 6000|NVIDIA RTX PRO 6000 Blackwell Workstation Edition|12.0",
    "sm_120f": "120f|sm120f", "sm_121": "gb10|DGX Spark",
}  # fmt: skip
NAMES = [(name, target) for target, names in SAME.items() for name in names.split("|")]


@pytest.mark.parametrize(("name", "target"), NAMES)
def test_name_means_its_target(name: str, target: str) -> None:
    assert known_target(name) == target
    assert ws.arch(name).target == target
    assert ws.Ldmatrix().legality(name) == ws.Ldmatrix().legality(target)


def test_every_gpu_of_the_table_is_found_by_the_name_that_nvidia_gives_it() -> None:
    for target, name in gpus.GPUS.values():
        for written in (name, name.upper(), name.lower().replace(" ", ""), f"NVIDIA {name}"):
            assert known_target(written) == target, written
    compared("names of GPUs", len(gpus.GPUS), at_least=120)


@pytest.mark.parametrize("name", ["ampere", "blackwell", "rtx6000", "9", "h", "sm_9000", "", "compute_", "rtx"])
def test_name_of_several_targets_or_of_none_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"target: expected one of sm_60, .* or a GPU such as h100"):
        ws.arch(name)


@pytest.mark.parametrize("name", ["sm_90a\n", "\nsm_90", "h100\n", "RTX\t4090", "sm_90\0", "h100\u2028"])
def test_name_with_a_line_break_or_a_tab_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"target: expected one of sm_60, .* or a GPU such as h100"):
        ws.target_of(name)
    assert ws.target_of(f" {''.join(c for c in name if c.isprintable())} ".replace("RTX", "RTX "))


def test_legality_without_a_version_is_that_of_the_newest() -> None:
    assert ws.Stmatrix().legality("h100") == ws.Stmatrix().legality("sm_90", "9.5")
    assert ws.Mma().legality("a100").ok and not ws.Mma().legality("t4").ok
    assert ws.Ldmatrix().explain_at(target="h100").to_dict()["legality"]["target"] == "sm_90"
    assert ws.Mma().explain(target="h100").to_dict()["legality"]["target"] == "sm_90"


def test_target_of_a_gpu_has_an_older_name() -> None:
    assert ws.target_of("h100") == ws.product("h100") == "sm_90"
    assert "target_of" in ws.__all__ and "product" not in ws.__all__
