"""The C++ names of kernels and variables that PTX has in mangled form."""

import pytest

from warpsim._engine import plain_name, plain_variable


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("_Z4gemmPKfS0_Pfi", "gemm"),
        ("_ZN2ns5scaleILi32EEEvPKfPf6__half", "ns::scale"),
        ("_ZN2ns5inner1kEv", "ns::inner::k"),
        ("_ZN59_GLOBAL__N__7ae1cc16_9_source_cu_1a1k5innerEPi", "_ZN59_GLOBAL__N__7ae1cc16_9_source_cu_1a1k5innerEPi"),
        ("_ZN54_GLOBAL__N__7ae1cc16_9_source_cu_1a1k5inner_12345678905innerEPi", "inner"),
        ("_ZZ4gemmPfENKUliE_clEi", "a lambda of gemm"),
        ("_ZZN2ns4gemmEPfENKUliiE0_clEii", "a lambda of ns::gemm"),
        ("_ZZZ4gemmPfENKUlvE_clEvENKUlvE_clEv", "a lambda of gemm"),
        ("_ZL5localPi", "local"),
        ("_ZNL2ns5localEPi", "ns::local"),
        ("plain_name", "plain_name"),
        ("_Z", "_Z"),
        ("_Z9gemm", "_Z9gemm"),
        ("_Z99999999999999999999999gemm", "_Z99999999999999999999999gemm"),
        ("", ""),
        ("é", "é"),
    ],
)
def test_plain_name(name: str, plain: str) -> None:
    assert plain_name(name) == plain


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("_ZZ4gemmPKfS0_PfiE6a_tile", "a_tile"),
        ("_ZZ4gemmPKfS0_PfiE6a_tile_0", "a_tile"),
        ("_ZZ4gemmPfE4tile_12", "tile"),
        ("_ZZ4gemmPfE4tilex", "_ZZ4gemmPfE4tilex"),
        ("_ZZN2ns1kEvE1s", "s"),
        ("_ZN2ns5tableE", "ns::table"),
        ("s", "s"),
        ("_ZZ", "_ZZ"),
        ("_ZZE", "_ZZE"),
    ],
)
def test_plain_name_of_a_variable(name: str, plain: str) -> None:
    assert plain_variable(name) == plain
