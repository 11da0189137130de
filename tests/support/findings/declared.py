"""Kernels that access one object among others, for tests of their bounds: PTX, with the access at a number of bytes."""

from collections.abc import Iterator
from itertools import cycle
from typing import NamedTuple

HEAD = ".version 8.0\n.target sm_80\n.address_size 64\n"
WIDTHS = {1: "u8", 2: "u16", 4: "u32", 8: "u64", 16: "v4.u32"}


class Declared(NamedTuple):
    """An object of `nbytes` bytes, its neighbours, and one access of `width` bytes."""

    nbytes: int
    align: int
    before: int
    after: int
    width: int
    is_store: bool
    is_generic: bool


def declared(count: int) -> Iterator[Declared]:
    """Sizes, alignments, neighbours, widths, loads and stores, spaces and generic addresses in turn."""
    sizes = cycle((16, 20, 32, 36, 64, 80, 128, 144, 256, 1000, 4096, 48, 100))
    aligns, widths, befores = cycle((16, 16, 32)), cycle((1, 2, 4, 8, 16)), cycle((0, 4, 16, 40))
    afters, stores, generics = cycle((0, 16, 64)), cycle((False, True)), cycle((False, False, True))
    for _ in range(count):
        width = next(widths)
        nbytes = (next(sizes) + width - 1) // width * width
        yield Declared(nbytes, next(aligns), next(befores), next(afters), width, next(stores), next(generics))


def access(one: Declared, space: str) -> str:
    """The statement, at %rd1."""
    space = "" if one.is_generic else f".{space}"
    word = WIDTHS[one.width]
    wide = one.width == 8
    values = "{%r4, %r5, %r6, %r7}" if one.width == 16 else "%rd4" if wide else "%r4"
    if one.is_store:
        return f"st{space}.{word} [%rd1], {values};"
    return f"ld{space}.{word} {values}, [%rd1];"


def in_variable(one: Declared, space: str) -> str:
    """A kernel that takes the address of a variable, writes to all of it, and accesses it `at` bytes on."""
    neighbours = [f".{space} .align 4 .b8 n{i}[{size}];" for i, size in ((0, one.before), (1, one.after)) if size]
    middle = f".{space} .align {one.align} .b8 x[{one.nbytes}];"
    lines = [*neighbours[: bool(one.before)], middle, *neighbours[bool(one.before) :]]
    named = "".join(f"st.{space}.u8 [n{i}], %r4;\n" for i, size in ((0, one.before), (1, one.after)) if size)
    to = f"cvta.{space}.u64 %rd1, %rd1;" if one.is_generic else ""
    return f"""{HEAD}.visible .entry k(.param .u64 at)
{{
.reg .b32 %r<8>; .reg .b64 %rd<6>;
{" ".join(lines)}
ld.param.u64 %rd2, [at];
mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u64 %rd4, 0;
{named}mov.u64 %rd1, x;
{to}
add.s64 %rd1, %rd1, %rd2;
{access(one, space)}
ret;
}}
"""


def in_callers_variable(one: Declared) -> str:
    """A kernel that hands the address of a local variable to a function, which accesses it `at` bytes on."""
    to = "cvta.local.u64 %rd1, %rd1;" if one.is_generic else ""
    return f"""{HEAD}.func f(.param .b64 at, .param .b32 more)
{{
.reg .b32 %r<8>; .reg .b64 %rd<6>;
ld.param.b64 %rd1, [at]; ld.param.b32 %r4, [more];
mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u64 %rd4, 0;
{access(one, "local")}
ret;
}}
.visible .entry k(.param .u64 at)
{{
.reg .b64 %rd<6>; .local .align {one.align} .b8 x[{one.nbytes}];
ld.param.u64 %rd2, [at];
mov.u64 %rd1, x;
{to}
add.s64 %rd1, %rd1, %rd2;
{{ .param .b64 p; .param .b32 q; st.param.b64 [p], %rd1; st.param.b32 [q], 0; call f, (p, q); }}
ret;
}}
"""


def in_parameter(one: Declared) -> str:
    """A kernel that reads a parameter `at` bytes on."""
    types = [("n0", one.before), ("x", one.nbytes), ("n1", one.after)]
    listed = ", ".join(
        f".param .align {one.align if name == 'x' else 4} .b8 {name}[{size}]" for name, size in types if size
    )
    to = "cvta.param.u64 %rd1, %rd1;" if one.is_generic else ""
    return f"""{HEAD}.visible .entry k(.param .u64 at, {listed})
{{
.reg .b32 %r<8>; .reg .b64 %rd<6>;
ld.param.u64 %rd2, [at];
mov.u64 %rd1, x;
{to}
add.s64 %rd1, %rd1, %rd2;
{access(one._replace(is_store=False), "param")}
ret;
}}
"""


def in_piece(one: Declared) -> str:
    """A kernel that accesses a piece of the heap `at` bytes on; there is one before it and one behind."""
    given = "{{ .param .b64 n; .param .b64 p; st.param.b64 [n], {0}; call (p), malloc, (n); ld.param.b64 {1}, [p]; }}"
    return f"""{HEAD}.extern .func (.param .b64 at) malloc (.param .b64 n);
.visible .entry k(.param .u64 at)
{{
.reg .b32 %r<8>; .reg .b64 %rd<6>;
ld.param.u64 %rd2, [at];
mov.u32 %r4, 0; mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u64 %rd4, 0;
{given.format(max(one.before, 1), "%rd3")}
{given.format(one.nbytes, "%rd1")}
{given.format(max(one.after, 1), "%rd3")}
add.s64 %rd1, %rd1, %rd2;
{access(one._replace(is_generic=True), "")}
ret;
}}
"""
