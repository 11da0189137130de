"""What was meant by a word that does not exist."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from itertools import product, takewhile

from .. import _core
from ..characters import caret_lines, printable
from ..errors import PtxSyntaxError, UnsupportedError
from ..words import meant, nearest

#: qualifiers of no kind of their own, and the numbers that some have
PLAIN = ("sync", "aligned", "trans", "weak", "x1", "x2", "x4", "v2", "v4")
MOST_LETTERS, MOST_WORDS = 4096, 32  # of a text, different ones of its opcode: nobody meant an instruction beyond

#: others' instructions -> what this package has that is nearest
OTHERS = {
    "LDSM": "LDSM is ldmatrix in SASS: .16.M88.4 is ldmatrix.sync.aligned.m8n8.x4.shared.b16, .16.MT88.4 its .trans",
    "STSM": "STSM is stmatrix in SASS: .16.M88.4 is stmatrix.sync.aligned.m8n8.x4.shared.b16, .16.MT88.4 its .trans",
    "LDS": "LDS is ld.shared in SASS: LDS.128 is ld.shared.v4.b32",
    "STS": "STS is st.shared in SASS: STS.128 is st.shared.v4.b32",
    "LDGSTS": "LDGSTS is cp.async in SASS: LDGSTS.E.BYPASS.128 is cp.async.cg.shared.global [d], [s], 16",
    "wgmma": "wgmma reads shared memory by descriptors, a wavefront for 128 bytes whatever the swizzle:"
    " warpsim run executes and counts it; TMA fills its tiles by swizzle=128B",
    "cp.async.bulk": "it has no lane addresses and no wavefronts to count: give the tile in TMA's words,"
    " 64x64:f16:tma=128B, and only the loads that read it",
    "tcgen05": "tcgen05 reads shared memory by descriptors and is not modelled",
    "st.async": "st.async is not modelled; st.shared stores to the same banks",
    "atom": "atom is not counted alone; warpsim run counts it in a whole kernel",
    "red": "red is not counted alone; warpsim run counts it in a whole kernel",
}


def _write_texts() -> tuple[str, ...]:
    """Every ldmatrix, stmatrix, ld, st, cp.async and mma that is usual, in full."""
    shapes, vectors = ("m8n8", "m16n16", "m8n16", "m16n8"), ("", ".v2", ".v4")
    matrices = product(("ldmatrix", "stmatrix"), shapes, (1, 2, 4), ("", ".trans"), ("b16", "b8"))
    plain = product(("ld", "st"), ("shared", "global"), vectors, ("b32", "f32", "b64", "b16", "u8"))
    written = [
        f"{kind}.sync.aligned.{shape}.x{num}{trans}.shared.{type_}" for kind, shape, num, trans, type_ in matrices
    ]
    written += [f"{kind}.{space}{vector}.{type_}" for kind, space, vector, type_ in plain]
    for types in ("f32.f16.f16.f32", "f16.f16.f16.f16", "f32.bf16.bf16.f32", "f32.tf32.tf32.f32", "s32.s8.s8.s32"):
        written += [f"mma.sync.aligned.{shape}.row.col.{types}" for shape in ("m16n8k16", "m16n8k8", "m16n8k32")]
    found = []
    for text in written:
        with suppress(UnsupportedError):
            found.append(_core.parse(text).ptx)
    return (*found, "movmatrix.sync.aligned.m8n8.trans.b16", "cp.async.cg.shared.global")


_texts = cache(_write_texts)


def _word(text: str, more: str = "_") -> str:
    """The word that a text begins with."""
    return "".join(takewhile(lambda letter: letter.isalnum() or letter in more, text))


def whole(text: str) -> str:
    """The nearest instruction in full, to paste; empty where the text is not near one."""
    begin = takewhile(lambda letter: not (letter.isspace() or letter in "[{;"), text.strip())
    opcode, *given = "".join(begin).lower().split(".")
    different = set(given)
    if len(different) > MOST_WORDS:
        return ""
    kinds = {known.split(".")[0] for known in _texts()}
    kind = opcode if opcode in kinds else nearest(opcode, kinds)
    words = {word if word in _qualifiers() else nearest(word, _qualifiers()) for word in different} - {""}
    if not kind or opcode == "wmma":
        return ""
    ranked = [
        (len(words - set(known.split("."))), "shared" not in known, usual, known)
        for usual, known in enumerate(_texts())
        if known.startswith(f"{kind}.")
    ]
    missing, *_, found = min(ranked)
    return found if missing <= len(words) // 2 and found != text else ""


def _words_of_all() -> frozenset[str]:
    tables = (_core.SHAPES, _core.TYPES, _core.SPACES, _core.CACHES, _core.LAYOUTS, PLAIN)
    of_products = [text.partition(".")[2] for text in _texts() if text.startswith("mma.")]
    return frozenset(part for table in (*tables, of_products) for word in table for part in word.split(".") if part)


_qualifiers = cache(_words_of_all)


def told(error: PtxSyntaxError | UnsupportedError, message: str, text: str, length: int) -> str:
    """The message with the PTX word that was probably meant, the nearest instruction in full, and a caret."""
    hint = ""
    if len(text) <= MOST_LETTERS:
        hint = _of_syntax(error.column, text) if isinstance(error, PtxSyntaxError) else _in_full(text)
    return printable(message) + hint + caret_lines(text, error.column, length)


def _in_full(text: str) -> str:
    if text.strip().startswith("cp.async.bulk"):
        return f"; {OTHERS['cp.async.bulk']}"
    full = whole(text)
    return f"; in full: {full}" if full else ""


def _of_syntax(column: int, text: str) -> str:
    first, second = _word(text.strip()), _word(text.strip(), "._").split(".")[1:2]
    other = OTHERS.get(f"{first}.async" if second == ["async"] else first)
    if other is not None:
        return f"; {other}"
    found = _word(text[column:], "_:") if column >= 0 else ""
    if not found:
        return ""
    if text[:column].endswith("."):
        return (meant(found, _qualifiers(), ".") if found not in _qualifiers() else "") + _in_full(text)
    opcodes = {kind.partition(".")[0] for kind in (*_core.KINDS, "mma")}
    return (meant(found, opcodes) if found not in opcodes else "") + _in_full(text)
