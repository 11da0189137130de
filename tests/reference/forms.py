"""The instruction forms and the sizes that follow from their qualifiers.

A form is the dict of qualifiers without the state space, which never changes what is moved.
"""

from functools import cache
from typing import Any

Form = dict[str, Any]

WARP_LANES = 32
ALL_LANES = (1 << WARP_LANES) - 1

B6 = "b8x16.b6x16_p32"
B4 = "b8x16.b4x16_p64"
S4 = "s8.s4"

PLAIN_TYPES = (*("b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64"), *("s8", "s16", "s32", "s64", "f32", "f64"))


def _matrix(shape: str, num: int, trans: bool, type: str) -> Form:
    return {"shape": shape, "num": num, "trans": trans, "type": type}


def ldmatrix_forms() -> list[Form]:
    """PTX "Warp-level matrix load instruction: ldmatrix", syntax and description.

    .m8n8 goes with .b16, .trans or not; .m16n16 only with .x1 and .x2 and always .trans;
    .m8n16 only with a narrow source format and never .trans. PTX 9.4 adds .m8n16.s8.s4.
    """
    forms = [_matrix("m8n8", num, trans, "b16") for trans in (False, True) for num in (1, 2, 4)]
    forms += [_matrix("m16n16", num, True, kind) for kind in ("b8", B6, B4) for num in (1, 2)]
    forms += [_matrix("m8n16", num, False, kind) for kind in (B6, B4, S4) for num in (1, 2, 4)]
    return forms


def stmatrix_forms() -> list[Form]:
    """PTX "Warp-level matrix store instruction: stmatrix": .m8n8.b16 and .m16n8.trans.b8."""
    forms = [_matrix("m8n8", num, trans, "b16") for trans in (False, True) for num in (1, 2, 4)]
    forms += [_matrix("m16n8", num, True, "b8") for num in (1, 2, 4)]
    return forms


def plain_forms() -> list[Form]:
    """PTX "ld" and "st": every .type with none, .v2 or .v4, at most 16 bytes a lane."""
    return [{"vec": vec, "type": type} for type in PLAIN_TYPES for vec in (1, 2, 4) if vec * type_bytes(type) <= 16]


def cp_async_forms() -> list[Form]:
    """PTX "cp.async": .ca copies 4, 8 or 16 bytes, .cg only 16."""
    return [{"size": size, "cache": "ca"} for size in (4, 8, 16)] + [{"size": 16, "cache": "cg"}]


@cache
def forms_of(mnemonic: str) -> list[Form]:
    """All forms of an instruction; movmatrix has one, without a choice."""
    if mnemonic == "ldmatrix":
        return ldmatrix_forms()
    if mnemonic == "stmatrix":
        return stmatrix_forms()
    if mnemonic == "movmatrix":
        return [{}]
    if mnemonic == "cp.async":
        return cp_async_forms()
    return plain_forms()


def type_bytes(type: str) -> int:
    """Bytes of a fundamental type: the number in its name is its width in bits."""
    return int(type[1:]) // 8


def rows_per_matrix(shape: str) -> int:
    """How many row addresses a matrix takes.

    8, one for each of eight lanes (PTX "ldmatrix", table of address threads); 16 for .m16n16
    (published measurements on sm_120a: x1 takes lanes 0-15, x2 lanes 0-31).
    """
    return 16 if shape == "m16n16" else 8


def row_lanes(*, shape: str, num: int, **_: Any) -> int:
    """How many lanes, counted from lane 0, supply a row address."""
    return rows_per_matrix(shape) * num


def row_bytes(type: str) -> int:
    """Bytes of one row in memory, padding included; the row is aligned to them.

    PTX: eight 16-bit elements, sixteen 8-bit ones, or sixteen narrower ones with their padding,
    always 16 bytes. H200 measurement: a row of .s8.s4 is 8 bytes and needs 8-byte alignment.
    """
    return 8 if type == S4 else 16


def matrix_registers(*, shape: str, num: int, **_: Any) -> int:
    """32-bit registers a lane: one a matrix, two for .m16n16 (PTX "ldmatrix", description)."""
    return 2 * num if shape == "m16n16" else num


def access_bytes(*, vec: int, type: str, **_: Any) -> int:
    """Bytes that a lane of ld or st moves; the address is aligned to them (PTX "ld")."""
    return vec * type_bytes(type)
