"""Formats of printf: what C knows is printed as C prints it, all else as it stands, and no value goes astray."""

import ctypes
import ctypes.util
import itertools
import math
import struct
import sys
from typing import Any

import numpy as np
import pytest

import warpsim as ws
from tests.support.evidence import compared
from warpsim.kernel.printing import formatted

#: prints a format whose values are two pointers to what is 16 bytes behind them
PRINT = ws.Module(""".version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);
.visible .entry k(.param .u64 form, .param .u64 values) {
    .reg .b64 %d<3>; .reg .b32 %r;
    ld.param.u64 %d0, [form]; ld.param.u64 %d1, [values]; add.u64 %d2, %d1, 16;
    st.global.u64 [%d1], %d2; st.global.u64 [%d1+8], %d2;
    { .param .b64 f; .param .b64 v; .param .b32 r; st.param.b64 [f], %d0; st.param.b64 [v], %d1;
      call (r), vprintf, (f, v); }
    ret;
}
""")["k"]
LENGTHS = ("", "h", "hh", "l", "ll", "lll", "L", "q", "j", "z", "t", "hl", "I64", "w")
OF_C = ("", "h", "hh", "l", "ll", "L", "j", "z", "t")
LETTERS = "diouxXcspfFeEgGaA"


def printed(form: bytes) -> str:
    text, values = np.frombuffer(form + b"\0", np.uint8).copy(), np.zeros(4, np.uint64)
    values[2:].view(np.uint8)[:2] = [*b"hi"]
    report = PRINT(1, 1, (text, values))
    assert report.ok and str(report) and report.notes == (), form
    return str(report.output)


def test_what_is_no_conversion_is_printed_as_it_stands() -> None:
    count = 0
    for length, letter in itertools.product(LENGTHS, map(chr, range(33, 127))):
        unit = f"%{length}{letter}"
        found = printed(f"{unit}|%s".encode())
        count += 1
        if length in OF_C and letter in LETTERS:
            assert found.endswith("|hi") and not found.startswith("%"), unit
        else:
            assert found == ("%|hi" if unit == "%%" else f"{unit}|hi"), unit
    compared("lengths and letters of conversions", count, at_least=14 * 94)


#: formats, and what they print of two pointers to hi
OTHERS = {
    b"%r %s": "%r hi", b"%(x)s": "%(x)s", b"%1$s": "%1$s", b"%1$s %s": "%1$s hi", b"%5% %s": "%5% hi",
    b"100%.": "100%.", b"100%, %s": "100%, hi", b"100%\n%s": "100%\nhi", "%é %s".encode(): "%é hi",
    b"%": "%", b"%%%": "%%", b"%-+ #0": "%-+ #0", b"%*": "%*", b"%.-3s": "%.-3s", b"%*n%s": "%*nhi",
    b"%l%s": "%l%s", b"%" + b"l" * 5000 + b"d%s": "%" + "l" * 5000 + "dhi", b"%5%%": "%5%%",
}  # fmt: skip


@pytest.mark.parametrize("form", OTHERS, ids=lambda form: str(form)[:20])
def test_values_of_what_is_no_conversion_are_passed_over(form: bytes) -> None:
    assert printed(form) == OTHERS[form]


def of(form: str, *values: bytes) -> str:
    """What the record of one call prints; its values as the core writes them."""
    record = bytes(16) + form.encode() + b"\0" + b"".join(values)
    return formatted((len(record) + 4).to_bytes(4, "little") + record)[0]


WHOLE = (0, 1, -1, 8, 255, -42, 2**31 - 1, -(2**31), 2**40, -(2**63))
REAL = (0.0, -0.0, 1.0, -2.25e10, 1e-7, 1e20, math.inf, -math.inf, math.nan, 5e-324, 1.999999, 255.5, 1.03125)


def values_of(letter: str) -> list[tuple[Any, bytes]]:
    """Values as C takes them, and as the core writes them."""
    if letter == "s":
        return [(text, text + b"\0") for text in (b"hello", b"")]
    if letter in "fFeEgGaA":
        return [(ctypes.c_double(value), struct.pack("<d", value)) for value in REAL]
    whole = (65, 122) if letter == "c" else WHOLE
    return [(ctypes.c_longlong(value), struct.pack("<q", value)) for value in whole]


@pytest.mark.skipif(sys.platform != "linux", reason="snprintf of the C library")
@pytest.mark.parametrize("letter", [letter for letter in LETTERS if letter != "p"])
def test_conversions_are_written_as_c_writes_them(letter: str) -> None:
    c, buffer, count = ctypes.CDLL(ctypes.util.find_library("c")), ctypes.create_string_buffer(1000), 0
    flags = ["".join(some) for n in range(4) for some in itertools.combinations("-+ #0", n)]
    lengths = ("", "hh", "h", "ll") if letter in "diouxX" else ("",)
    for parts in itertools.product(flags, ("", "1", "12"), ("", ".", ".1", ".5", ".20"), lengths):
        form = f"%{''.join(parts)}{letter}"
        for value, written in values_of(letter):
            c.snprintf(buffer, 1000, form.encode(), value)
            expected = buffer.value.decode().replace("-nan", "nan").replace("-NAN", "NAN")
            assert of(form, written) == expected, (form, value)
            count += 1
    compared("conversions of printf", count, at_least=700)


def test_a_negative_width_is_a_flag_and_a_negative_precision_is_none() -> None:
    def number(value: int) -> bytes:
        return (value & 0xFFFFFFFF).to_bytes(8, "little")

    assert of("%*d|%.*d|%.*d|", *map(number, (-4, 7, -3, 7, 3, 7))) == "7   |7|007|"
    assert of("%.*s|%.*s|", number(-(2**31)), b"hello\0", number(2), b"hello\0") == "hello|he|"
    assert formatted(b"") == ("", 0) and of("%*d", number(-(2**31)), number(7)) == ""
