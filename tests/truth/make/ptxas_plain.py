"""Ask the PTX assembler which plain ld, st and cp.async texts it accepts.

Usage: python make_ptxas_plain.py [PTXAS] [--jobs N] [--output FILE]

Writes ptxas_plain.csv.gz beside this file. Every text is assembled alone, as the only
instruction of a kernel, with `.version` and `.target` as in its row and code generation for that
target (for sm_75 where the target is older). Accepted: exit status 0. Columns:

family        why the row is there: types, regs, mixed, order, missing, foreign, space,
              special, other, operands, points
instruction   the text. A register's letters are its declared type, as in REGISTERS below;
              smem, gmem, cmem, lmem and pmem are symbols in shared, global, const, local and
              (kernel) param memory
ptx_version, target   of the file
ptxas         version of the assembler
accepted      1 or 0
message       the errors, joined by " | ", target names replaced by <T>; of an accepted text the
              warnings, each after "warning: "
defined       1: the verdict is the language. 0: an accident of the assembler (see `defined`)
"""

import argparse
import csv
import gzip
import io
import itertools
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.paths import TRUTH

REGISTERS = {
    "r": "b32", "ur": "u32", "sr": "s32", "f": "f32", "hx": "f16x2", "a": "b64", "ua": "u64",
    "sa": "s64", "d": "f64", "h": "b16", "uh": "u16", "sh": "s16", "fh": "f16", "q": "b8",
    "uq": "u8", "sq": "s8", "p": "pred", "w": "b128",
}  # fmt: skip
NATURAL = {
    "b8": "q", "b16": "h", "b32": "r", "b64": "a", "b128": "w", "u8": "uq", "u16": "uh",
    "u32": "ur", "u64": "ua", "s8": "sq", "s16": "sh", "s32": "sr", "s64": "sa", "f16": "fh",
    "f16x2": "hx", "bf16": "h", "bf16x2": "r", "f32": "f", "f64": "d", "pred": "p",
}  # fmt: skip
BITS = {k: {"pred": 1, "f16x2": 32}.get(v) or int(v[1:]) for k, v in REGISTERS.items()}
SPACES = ["", ".shared", ".shared::cta", ".global"]
MAIN = ("9.0", "sm_90")
VERSIONS = [f"{a}.{b}" for a, n in ((6, 6), (7, 9), (8, 9), (9, 1)) for b in range(n)]
TARGETS = """
sm_60 sm_61 sm_62 sm_70 sm_72 sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_90a sm_100 sm_100a
sm_100f sm_103 sm_103a sm_103f sm_110 sm_110a sm_110f sm_120 sm_120a sm_120f sm_121 sm_121a sm_121f
"""


def vector(letters, count, first=0):
    """`r0`, or `{r0,r1,...}` for count > 1."""
    names = [f"{letters}{first + i}" for i in range(count)]
    return names[0] if count == 1 else "{" + ",".join(names) + "}"


def access(op, qualifiers, registers, address="[a9]"):
    """An ld or st statement."""
    operands = f"{registers}, {address}" if op == "ld" else f"{address}, {registers}"
    return f"{op}{qualifiers} {operands};"


def types():
    points = [
        MAIN,
        ("9.0", "sm_100"),
        ("9.0", "sm_80"),
        ("8.3", "sm_70"),
        ("8.2", "sm_70"),
        ("8.8", "sm_100"),
        ("8.7", "sm_100"),
        ("6.0", "sm_60"),
    ]
    for op, ss, n, kind in itertools.product(("ld", "st"), SPACES, (1, 2, 4, 8, 16), NATURAL):
        vec = "" if n == 1 else f".v{n}"
        for letters in {NATURAL[kind], {"f16": "h", "f16x2": "r"}.get(kind, NATURAL[kind])}:
            text = access(op, f"{ss}{vec}.{kind}", vector(letters, n))
            for point in points if n < 16 else points[:1]:
                yield text, point


def regs():
    for op, kind, letters, n in itertools.product(("ld", "st"), NATURAL, REGISTERS, (1, 2, 4)):
        vec = "" if n == 1 else f".v{n}"
        yield access(op, f".shared{vec}.{kind}", vector(letters, n)), MAIN


def mixed():
    kinds = ("b8", "u8", "b16", "u16", "b32", "u32", "s32", "f32", "b64", "s64", "f64")
    letters = ("r", "ur", "sr", "f", "hx", "a", "sa", "d", "h", "uh", "fh", "q", "sq", "p")
    for op, kind, x, y in itertools.product(("ld", "st"), kinds, letters, letters):
        if x != y:
            yield access(op, f".shared.v2.{kind}", f"{{{x}0,{y}1}}"), MAIN
    for op, kind in itertools.product(("ld", "st"), kinds):
        for four in (
            "r0,r1,r2,f3",
            "r0,f1,r2,r3",
            "r0,ur1,sr2,r3",
            "f0,f1,f2,r3",
            "r0,r1,r2,a3",
            "a0,r1,r2,r3",
            "h0,r1,r2,r3",
            "sr0,ur1,sr2,ur3",
        ):
            yield access(op, f".shared.v4.{kind}", f"{{{four}}}"), MAIN


def permuted(parts):
    return ("".join(p) for p in itertools.permutations(parts))


def order():
    shapes = [
        ("u32", 1),
        ("f32", 2),
        ("b32", 4),
        ("b8", 4),
        ("s16", 2),
        ("b64", 1),
        ("f64", 2),
        ("u8", 1),
    ]
    for op, ss, weak, (kind, n) in itertools.product(("ld", "st"), SPACES, ("", ".weak"), shapes):
        parts = [x for x in (weak, ss, f".v{n}" if n > 1 else "", f".{kind}") if x]
        for qualifiers in permuted(parts):
            yield access(op, qualifiers, vector(NATURAL[kind], n)), MAIN
            if kind in ("u32", "b32"):
                yield access(op, qualifiers, vector(NATURAL[kind], n)), ("7.8", "sm_80")
    for parts in (
        "volatile shared v4 b32", "relaxed cta shared v2 u32", "relaxed gpu global u32",
        "relaxed sys u32", "ca global v4 u32", "cg global u32", "L1::evict_last global v4 u32",
        "L1::evict_last L2::128B global u32", "L2::128B global v2 u32", "nc global v4 u32",
        "L1::no_allocate nc global u32", "mmio relaxed sys global u32", "acquire gpu global u32",
        "shared::cluster v2 u32", "weak ca global u32", "weak L2::256B global u32",
    ):  # fmt: skip
        words = ["." + x for x in parts.split()]
        n = next((int(x[2:]) for x in words if re.fullmatch(r"\.v\d", x)), 1)
        for op in ("ld", "st"):
            for qualifiers in permuted(words):
                yield access(op, qualifiers, vector("r", n)), MAIN
    for qualifiers in permuted((".L2::cache_hint", ".global", ".v2", ".u32")):
        yield f"ld{qualifiers} {{r0,r1}}, [a9], a1;", MAIN
        yield f"st{qualifiers} [a9], {{r0,r1}}, a1;", MAIN
    for cop, shared, point in itertools.product(
        (".ca", ".cg"), (".shared", ".shared::cta"), (MAIN, ("7.8", "sm_80"))
    ):
        for qualifiers in permuted((cop, shared, ".global")):
            for size in (4, 8, 16):
                yield f"cp.async{qualifiers} [a0], [a1], {size};", point
        for qualifiers in permuted((cop, shared, ".global", ".L2::128B")):
            yield f"cp.async{qualifiers} [a0], [a1], 16;", point
        for qualifiers in permuted((cop, shared, ".global", ".L2::cache_hint")):
            yield f"cp.async{qualifiers} [a0], [a1], 16, a2;", point
    for qualifiers in permuted((".cg", ".shared", ".global", ".L2::64B", ".L2::cache_hint")):
        yield f"cp.async{qualifiers} [a0], [a1], 16, a2;", MAIN
    for qualifiers in permuted((".async", ".ca", ".shared", ".global")):
        yield f"cp{qualifiers} [a0], [a1], 16;", MAIN


def missing():
    """Left out and doubled qualifiers, white space, case, predicates, punctuation."""
    lines = """
ld r0, [a0];
ld.shared r0, [a0];
ld.v2 {r0,r1}, [a0];
ld.shared.v2 {r0,r1}, [a0];
ld.weak r0, [a0];
st [a0], r0;
st.shared [a0], r0;
st.shared.v2 [a0], {r0,r1};
ld.shared.shared.u32 r0, [a0];
ld.shared.shared::cta.u32 r0, [a0];
ld.shared::cta.shared::cta.u32 r0, [a0];
ld.shared::cta.shared.u32 r0, [a0];
ld.shared.global.u32 r0, [a0];
ld.global.shared.u32 r0, [a0];
ld.global.global.u32 r0, [a0];
ld.shared.u32.u32 r0, [a0];
ld.shared.u32.b32 r0, [a0];
ld.shared.b32.f32 r0, [a0];
ld.shared.u32.shared r0, [a0];
ld.shared.v2.v2.u32 {r0,r1}, [a0];
ld.shared.v2.v4.u32 {r0,r1,r2,r3}, [a0];
ld.shared.v4.v2.u32 {r0,r1}, [a0];
ld.v2.shared.v2.u32 {r0,r1}, [a0];
ld.v2.u32.v2 {r0,r1}, [a0];
ld.v2.v2.u32 {r0,r1}, [a0];
ld.weak.weak.u32 r0, [a0];
ld.weak.weak.shared.u32 r0, [a0];
ld.weak.shared.weak.u32 r0, [a0];
ld.weak.shared.u32.weak r0, [a0];
ld.weak.volatile.shared.u32 r0, [a0];
ld.volatile.volatile.shared.u32 r0, [a0];
ld.relaxed.shared.u32 r0, [a0];
ld.cta.shared.u32 r0, [a0];
ld.weak.cta.shared.u32 r0, [a0];
ld.relaxed.relaxed.cta.shared.u32 r0, [a0];
ld.relaxed.cta.cta.shared.u32 r0, [a0];
ld.relaxed.cta.gpu.shared.u32 r0, [a0];
ld.ca.ca.shared.u32 r0, [a0];
ld.ca.cg.global.u32 r0, [a0];
st.shared.shared.u32 [a0], r0;
st.shared::cta.shared.u32 [a0], r0;
st.shared.shared::cta.u32 [a0], r0;
st.shared.global.u32 [a0], r0;
st.shared.u32.u32 [a0], r0;
st.shared.u32.b32 [a0], r0;
st.shared.v2.v2.u32 [a0], {r0,r1};
st.v2.shared.v2.u32 [a0], {r0,r1};
st.weak.weak.shared.u32 [a0], r0;
st.weak.shared.u32.weak [a0], r0;
st.weak.volatile.shared.u32 [a0], r0;
st.cta.shared.u32 [a0], r0;
cp.async.shared.global [a0], [a1], 16;
cp.async.ca.global [a0], [a1], 16;
cp.async.ca.shared [a0], [a1], 16;
cp.async.ca [a0], [a1], 16;
cp.async [a0], [a1], 16;
cp.async.ca.shared.shared [a0], [a1], 16;
cp.async.ca.global.global [a0], [a1], 16;
cp.async.ca.global.shared [a0], [a1], 16;
cp.async.ca.ca.shared.global [a0], [a1], 16;
cp.async.cg.cg.shared.global [a0], [a1], 16;
cp.async.ca.cg.shared.global [a0], [a1], 16;
cp.async.cg.ca.shared.global [a0], [a1], 16;
cp.async.ca.cg.shared.global [a0], [a1], 4;
cp.async.cg.ca.shared.global [a0], [a1], 4;
cp.async.ca.shared.shared.global [a0], [a1], 16;
cp.async.ca.shared.shared::cta.global [a0], [a1], 16;
cp.async.ca.shared::cta.shared.global [a0], [a1], 16;
cp.async.ca.shared.global.global [a0], [a1], 16;
cp.async.ca.shared.global.shared [a0], [a1], 16;
cp.async.ca.global.shared.global [a0], [a1], 16;
cp.async.ca.shared.global.ca [a0], [a1], 16;
cp.async.async.ca.shared.global [a0], [a1], 16;
cp.async.ca.async.shared.global [a0], [a1], 16;
cp.ca.async.shared.global [a0], [a1], 16;
cp.ca.shared.global.async [a0], [a1], 16;
cp.ca.shared.global [a0], [a1], 16;
cp.async.ca.shared::cluster.global [a0], [a1], 16;
cp.async.ca.shared.shared::cluster [a0], [a1], 16;
cp.async.ca.local.global [a0], [a1], 16;
cp.async.ca.shared.const [a0], [a1], 16;
cp.async.ca.shared.param [a0], [a1], 16;
cp.async.ca.shared.local [a0], [a1], 16;
cp.async.ca.shared.global.L2::64B.L2::128B [a0], [a1], 16;
cp.async.ca.shared.global.L2::128B.L2::128B [a0], [a1], 16;
cp.async.ca.shared.global.L2::cache_hint.L2::cache_hint [a0], [a1], 16, a2;
cp.async.ca.shared.global.b8x16.b6x16_p32 [a0], [a1], 16;
cp.async.ca.shared.global.b2.b2 [a0], [a1], 16;
ld.shared.b2 r0, [a0];
ld.shared.b8x16 r0, [a0];
ld.shared.b8x16.b6x16_p32 r0, [a0];
ld.shared.b2.b2.u32 r0, [a0];
ld.shared.b8x16.b6x16_p32.u32 r0, [a0];
ld.shared.u32.b8x16 r0, [a0];
ld.global.nc.nc.u32 r0, [a0];
ld.global.L1::evict_last.L1::evict_last.u32 r0, [a0];
ld.global.L1::evict_last.L1::evict_first.u32 r0, [a0];
ld.global.L2::128B.L2::128B.u32 r0, [a0];
ld.global.L2::64B.L2::128B.u32 r0, [a0];
ld.global.ca.L1::evict_last.u32 r0, [a0];
cp.async.cs.shared.global [a0], [a1], 16;
cp.async.lu.shared.global [a0], [a1], 16;
cp.async.cv.shared.global [a0], [a1], 16;
cp.async.wb.shared.global [a0], [a1], 16;
cp.async.wt.shared.global [a0], [a1], 16;
cp.async.ca.shared.global.b32 [a0], [a1], 4;
cp.async.ca.shared.global.b128 [a0], [a1], 16;
cp.async.ca.shared.global.v4.b32 [a0], [a1], 16;
cp.async.ca.shared.global.v4 [a0], [a1], 16;
ld .shared.u32 r0, [a0];
ld .shared .v2 .u32 {r0,r1}, [a0];
ld\\n.shared\\n.u32 r0, [a0];
ld\\t.shared\\t.u32\\tr0,[a0];
ld. shared.u32 r0, [a0];
ld.shared. u32 r0, [a0];
ld.shared ::cta.u32 r0, [a0];
ld.shared:: cta.u32 r0, [a0];
ld.shared :: cta.u32 r0, [a0];
ld.shared.v 2.u32 {r0,r1}, [a0];
ld/**/.shared.u32 r0, [a0];
ld./**/shared.u32 r0, [a0];
ld.shared/* x */.u32/* y */r0,/**/[/**/a0/**/]/**/;
ld.shared // x\\n.u32 r0, [a0];
ld.shared.u32 r0,[a0];
ld.shared.u32 r0 , [ a0 ] ;
ld.shared.u32  r0,  [ a0 + 16 ] ;
ld.shared.u32r0, [a0];
ld.shared.v2.u32{r0,r1},[a0];
ld.shared.v2.u32 { r0 , r1 } , [a0];
ldshared.u32 r0, [a0];
ld shared.u32 r0, [a0];
st .shared .u32 [a0], r0;
st. shared.u32 [a0], r0;
st.shared.u32[a0],r0;
cp .async.ca.shared.global [a0], [a1], 16;
cp. async.ca.shared.global [a0], [a1], 16;
cp/**/.async.ca.shared.global [a0], [a1], 16;
cp.async .ca.shared.global [a0], [a1], 16;
cp.async .ca .shared .global [a0], [a1], 16;
cp.async. ca.shared.global [a0], [a1], 16;
cp.async.ca.shared ::cta.global [a0], [a1], 16;
cp.async.ca.shared:: cta.global [a0], [a1], 16;
cp.async.ca.shared.global[a0],[a1],16;
cp.async\\n.ca\\n.shared\\n.global\\n[a0]\\n,\\n[a1]\\n,\\n16\\n;
LD.shared.u32 r0, [a0];
Ld.shared.u32 r0, [a0];
ld.SHARED.u32 r0, [a0];
ld.shared.U32 r0, [a0];
ld.shared.V2.u32 {r0,r1}, [a0];
ld.shared::CTA.u32 r0, [a0];
ld.Weak.shared.u32 r0, [a0];
ST.shared.u32 [a0], r0;
CP.ASYNC.ca.shared.global [a0], [a1], 16;
cp.async.CA.shared.global [a0], [a1], 16;
cp.async.cg.shared.GLOBAL [a0], [a1], 16;
ld..shared.u32 r0, [a0];
ld.shared..u32 r0, [a0];
ld.shared.u32. r0, [a0];
ld.sharedu32 r0, [a0];
ld:shared.u32 r0, [a0];
ld.shared:cta.u32 r0, [a0];
ld.shared::.u32 r0, [a0];
ld.::cta.u32 r0, [a0];
ld.cta::shared.u32 r0, [a0];
ld.global::cta.u32 r0, [a0];
@p0 ld.shared.u32 r0, [a0];
@!p0 ld.shared.u32 r0, [a0];
@ p0 ld.shared.u32 r0, [a0];
@! p0 ld.shared.u32 r0, [a0];
@p0 @p1 ld.shared.u32 r0, [a0];
@r0 ld.shared.u32 r1, [a0];
@p0 st.shared.u32 [a0], r0;
@!p0 st.shared.v4.f32 [a0], {f0,f1,f2,f3};
@p0 cp.async.ca.shared.global [a0], [a1], 16;
@!p0 cp.async.cg.shared.global [a0], [a1], 16;
lab: ld.shared.u32 r0, [a0];
{ ld.shared.u32 r0, [a0]; }
ld.shared.u32 r0, [a0]
ld.shared.u32 r0, [a0];;
ld.shared.u32 r0, [a0],;
ld.shared.u32;
ld.shared.u32 r0;
ld.shared.u32 [a0];
ld.shared.u32 [a0], r0;
ld.shared.u32 r0 [a0];
ld.global.b32 { r0 }, [ a0 + 0 ];
@p0 ld.global.v4.b32 { r0, r1, r2, r3 }, [ a0 + 0 ];
@!p0 st.global.v4.b32 [ a0 + 0 ], { r0, r1, r2, r3 };
st.shared.b32 [ a0 + 0 ], { r0 };
ld.shared.u32 {r0,}, [a0];
ld.shared.u32 {{r0}}, [a0];
ld.shared.v2.u32 {r0,r1}, [a0 + 17 % 3];
ld.shared.u32 r0,, [a0];
ld.shared.u32 r0, [a0], r1;
ld.shared.u32 r0, r1, [a0];
ld.shared.u32 r0, [a0], [a1];
ld.shared.u32 r0, a0;
ld.shared.u32 r0, (a0);
ld.shared.u32 r0, {a0};
st.shared.u32;
st.shared.u32 [a0];
st.shared.u32 r0;
st.shared.u32 r0, [a0];
st.shared.u32 [a0], [a1];
st.shared.u32 [a0], r0, r1;
st.shared.u32 a0, r0;
st.shared.u32 [a0] r0;
"""
    for line in lines.strip().splitlines():
        yield line.replace("\\n", "\n").replace("\\t", "\t"), MAIN


FOREIGN = """
sync aligned m8n8 m16n16 m8n16 m16n16k16 x1 x2 x4 x8 x16 x32 x64 x128 trans row col rn rz rm rp rni
sat ftz noftz approx full wide hi lo to async bulk tensor multicast::cluster mbarrier
mbarrier::complete_tx::bytes complete_tx::bytes commit_group wait_group wait_all noinc arrive
cta_group::1 tile im2col 1d 2d 3d v1 v3 v5 v6 v7 v8 v16 v32 all any uni ballot eq ne lt xor or add
mmio nc unified param const local reg sreg tex generic param::entry param::func shared::cluster
shared::gpu cluster cta gpu sys gl volatile relaxed acquire release acq_rel sc weak ca cg cs lu cv
wb wt L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate
L2::evict_normal L2::evict_first L2::evict_last L2::cache_hint L2::64B L2::128B L2::256B L2::32B
L2::512B L1::128B L3::128B L1::cache_hint evict_last level::cache_hint
b1 b4 b6 b2 s4 u4 s2 u128 s128 f8 f128 tf32 e4m3 e5m2 e4m3x2 b8x16 b6x16_p32 b4x16_p64 u16x2 s16x2
bf16 bf16x2 f16 f16x2 pred b16x2 b256 u8x4 texref a b c d a1 load store read ignore_src zfill
proxy alias foo x shared::cta global const[0] 16 v l2::128B shared_cta
"""


def foreign():
    """One more word, before the type (or last) and right after the mnemonic."""
    bases = [
        ("ld", ".shared", ".u32", "r0, [a0]"),
        ("ld", ".global", ".u32", "r0, [a0]"),
        ("ld", "", ".u32", "r0, [a0]"),
        ("ld", ".shared", ".v2.b32", "{r0,r1}, [a0]"),
        ("st", ".shared", ".u32", "[a0], r0"),
        ("st", ".global", ".u32", "[a0], r0"),
        ("st", "", ".u32", "[a0], r0"),
        ("st", ".shared", ".v2.b32", "[a0], {r0,r1}"),
        ("cp.async", ".ca", ".shared.global", "[a0], [a1], 16"),
        ("cp.async", ".cg", ".shared.global", "[a0], [a1], 16"),
        ("cp.async", ".ca.shared.global", "", "[a0], [a1], 4"),
    ]
    for (op, left, right, operands), word in itertools.product(bases, FOREIGN.split()):
        yield f"{op}{left}.{word}{right} {operands};", MAIN
        if op == "cp.async" or left == ".shared":
            yield f"{op}.{word}{left}{right} {operands};", MAIN


STATE_SPACES = (
    "", ".shared", ".shared::cta", ".shared::cluster", ".global", ".local", ".const", ".param",
    ".param::entry", ".param::func",
)  # fmt: skip


def space():
    """Every state space, with register and symbol addresses of every space."""
    addresses = ("[a9]", "[r9]", "[smem]", "[gmem]", "[cmem]", "[lmem]", "[pmem]", "[64]")
    for op, ss, address in itertools.product(("ld", "st"), STATE_SPACES, addresses):
        yield access(op, f"{ss}.u32", "r0", address), MAIN
        yield access(op, f"{ss}.v2.f32", "{f0,f1}", address), MAIN


def special():
    """Legal and nearly legal forms beyond the plain ones."""
    points = [
        MAIN,
        ("9.0", "sm_100"),
        ("9.0", "sm_80"),
        ("7.8", "sm_80"),
        ("6.0", "sm_70"),
        ("6.0", "sm_60"),
    ]
    semantics = {
        "ld": [".weak", ".volatile", ".acquire", ".relaxed", ".mmio", ".mmio.relaxed.sys",
               ".mmio.relaxed.gpu", ".mmio.acquire.sys", ".release.gpu"],
        "st": [".weak", ".volatile", ".release", ".relaxed", ".mmio", ".mmio.relaxed.sys",
               ".mmio.relaxed.gpu", ".mmio.release.sys", ".acquire.gpu"],
    }  # fmt: skip
    for op in ("ld", "st"):
        scoped = [
            f"{s}.{scope}"
            for s in [*semantics[op][2:4], ".weak", ".volatile"]
            for scope in ("cta", "cluster", "gpu", "sys")
        ]
        for sem, ss, vec in itertools.product(
            [*semantics[op], *scoped], STATE_SPACES[:7], ("", ".v4")
        ):
            text = access(op, f"{sem}{ss}{vec}.u32", vector("r", 4 if vec else 1))
            for point in points if not vec else points[:1]:
                yield text, point
        caches = [".ca", ".cg", ".cs", ".lu", ".cv", ".wb", ".wt"]
        levels = [
            f".L1::{x}"
            for x in ("evict_normal", "evict_unchanged", "evict_first", "evict_last", "no_allocate")
        ]
        seconds = [".L2::evict_normal", ".L2::evict_first", ".L2::evict_last"]
        sizes = [".L2::64B", ".L2::128B", ".L2::256B"]
        extras = caches + levels + seconds + sizes
        extras += [".nc" + x for x in ["", *caches[:4], *levels, *sizes]]
        extras += [x + ".nc" for x in [*caches[:4], *levels, *sizes]]
        extras += [a + b for a in levels for b in [*sizes[:2], seconds[2]]]
        extras += [
            s + x
            for s in (".weak", ".volatile", ".relaxed.gpu", semantics[op][2] + ".sys")
            for x in (".ca", ".cg", ".cs", ".L1::evict_last", ".L2::128B", ".nc")
        ]
        for extra, ss in itertools.product(extras, STATE_SPACES[:7]):
            for point in points if ss in (".shared", ".global") else points[:1]:
                yield access(op, f"{extra}{ss}.u32", "r0"), point
                before = access(op, f"{ss}{extra}.u32", "r0")
                yield before, MAIN
            if ss in ("", ".shared", ".global"):
                yield access(op, f"{ss}{extra}.v4.f32", vector("f", 4)), MAIN
                yield access(op, f"{ss}{extra}.v2.b64", vector("a", 2)), MAIN
        for ss in STATE_SPACES[:7]:
            for hint in (
                ".L2::cache_hint",
                ".L1::evict_last.L2::cache_hint",
                ".L2::cache_hint.L2::128B",
                ".nc.L2::cache_hint",
                "",
            ):
                for policy in (", a1", ", ua1", ", r1", ", 7", ""):
                    text = access(op, f"{ss}{hint}.u32", "r0")[:-1] + policy + ";"
                    yield text, MAIN
                    if policy == ", a1":
                        yield text, ("7.4", "sm_80")
                        yield text, ("7.3", "sm_80")
                        yield text, ("7.4", "sm_75")
        for kind, n in (
            ("b32", 8),
            ("f32", 8),
            ("u32", 8),
            ("b64", 4),
            ("f64", 4),
            ("u64", 4),
            ("b128", 2),
            ("b16", 8),
            ("b8", 16),
            ("b8", 8),
            ("f32", 4),
        ):
            for ss, extra in itertools.product(
                ("", ".global", ".shared"),
                (
                    "",
                    ".L2::evict_last",
                    ".nc",
                    ".weak",
                    ".L2::128B",
                    ".L1::no_allocate",
                    ".cg",
                    ".volatile",
                    ".relaxed.gpu",
                ),
            ):
                for point in (
                    ("9.0", "sm_100"),
                    ("8.8", "sm_100"),
                    ("8.7", "sm_100"),
                    MAIN,
                    ("9.0", "sm_120"),
                ):
                    yield access(op, f"{ss}{extra}.v{n}.{kind}", vector(NATURAL[kind], n)), point
    for q in ("", ".shared", ".global", ".const", ".param"):
        for address in (
            "[a0].unified",
            "[a0+16].unified",
            "[a0] .unified",
            "[a0]. unified",
            "[gmem].unified",
        ):
            yield f"ld{q}.u32 r0, {address};", MAIN
            yield f"st{q}.u32 {address}, r0;", MAIN
        yield f"ld{q}.unified.u32 r0, [a0];", MAIN
        yield f"ld{q}.u32.unified r0, [a0];", MAIN
    hints = [
        "",
        ".L2::cache_hint",
        ".L2::64B",
        ".L2::128B",
        ".L2::256B",
        ".L1::evict_last",
        ".L2::evict_last",
        ".L2::cache_hint.L2::128B",
        ".L2::128B.L2::cache_hint",
    ]
    tails = ["", ", 8", ", 0", ", 16", ", 17", ", 4", ", -1", ", r0", ", ur0", ", sr0", ", a2",
             ", ua2", ", sa2", ", h0", ", f0", ", p0", ", !p0", ", 0x8", ", 4+4", ", r0, a2",
             ", 8, a2", ", p0, a2", ", r0, p0", ", r0, p0, a2", ", a2, r0", ", 8, r0", ", _",
             ", true", ", 8.0", ", q0", ", {r0}", ", [r0]"]  # fmt: skip
    for cop, hint, tail, size in itertools.product((".ca", ".cg"), hints, tails, (4, 16)):
        if hint and size == 4:
            continue
        for ss in (".shared", ".shared::cta") if tail in ("", ", r0", ", a2") else (".shared",):
            text = f"cp.async{cop}{ss}.global{hint} [a0], [a1], {size}{tail};"
            yield text, MAIN
            if tail in ("", ", r0", ", 8", ", p0", ", a2", ", r0, a2"):
                yield text, ("7.8", "sm_80")
                yield text, ("7.4", "sm_80")
                yield text, ("7.3", "sm_80")
                yield text, ("7.0", "sm_80")


def other():
    """Instructions whose names begin alike, and neighbours."""
    lines = """
cp.async.commit_group;
cp.async.wait_group 0;
cp.async.wait_group 3;
cp.async.wait_group r0;
cp.async.wait_group;
cp.async.wait_all;
cp.async.wait_all 0;
cp.async .commit_group;
cp.async .wait_group 0;
cp.async.ca.commit_group;
cp.async.commit_group.ca;
cp.async.mbarrier.arrive.b64 [a0];
cp.async.mbarrier.arrive.noinc.b64 [a0];
cp.async.mbarrier.arrive.shared.b64 [a0];
cp.async.mbarrier.arrive.shared::cta.b64 [r0];
cp.async.mbarrier.arrive.noinc.shared.b64 [smem];
cp.async.mbarrier.arrive.noinc.shared::cta.b64 [a0];
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [r0], [a1], r2, [r3];
cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [r0], [a1], r2, [r3];
cp.async.bulk.global.shared::cta.bulk_group [a0], [r1], r2;
cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [r0], [r1], r2, [r3];
cp.async.bulk.prefetch.L2.global [a0], r2;
cp.async.bulk.commit_group;
cp.async.bulk.wait_group 0;
cp.async.bulk.wait_group.read 0;
cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [r0], [a1, {r2}], [r3];
cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [a0], [r1], r2;
st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [r0], r1, [r2];
st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [r0], r1, [r2];
st.async.shared.u32 [a0], r0;
st.async.global.u32 [a0], r0;
st.async.release.gpu.global.u32 [a0], r0;
st.shared.async.u32 [a0], r0;
st.bulk.shared::cta [a0], a1, 0;
ldu.global.u32 r0, [a0];
ldu.u32 r0, [a0];
ldu.shared.u32 r0, [a0];
ldu.global.v4.f32 {f0,f1,f2,f3}, [a0];
ld.global.nc.u32 r0, [a0];
prefetch.global.L1 [a0];
prefetchu.L1 [a0];
load.shared.u32 r0, [a0];
store.shared.u32 [a0], r0;
lds.u32 r0, [a0];
sts.u32 [a0], r0;
ldg.u32 r0, [a0];
ld.async.shared.u32 r0, [a0];
cp.shared.global [a0], [a1], 16;
cp.async.shared.ca.global.foo [a0], [a1], 16;
red.shared.add.u32 [a0], r0;
"""
    for line in lines.strip().splitlines():
        yield line, MAIN
        yield line, ("8.0", "sm_80")


ADDRESSES = """
[a0] [r0] [ur0] [sr0] [ua0] [sa0] [h0] [uh0] [sh0] [q0] [uq0] [f0] [d0] [hx0] [fh0] [p0] [w0]
[a0+16] [a0+4] [a0+1] [a0+3] [a0+-16] [a0-16] [a0+0x10] [a0+0X10] [a0+020] [a0+0b100] [a0+16U]
[a0+16+16] [a0+16*2] [a0+(16)] [a0+(8+8)] [a0+(-16)] [a0+16-8] [a0+-16+8] [a0+-(16)] [a0+~0]
[a0+!0] [a0+1.0] [a0+0f00000000] [a0+2147483647] [a0+2147483648] [a0+-2147483648] [a0+-2147483649]
[a0+4294967295] [a0+4294967296] [a0+9223372036854775807] [a0+18446744073709551615]
[a0+18446744073709551616] [a0+WARP_SZ] [a0+r1] [a0+a1] [a0*2] [16+a0] [a0+] [+a0] [-a0] [(a0)]
[a0+smem] [ (a0+16) ] [a0+1?16:32] [a0+(1?16:32)] [a0+16<<1] [a0+(16<<1)] [a0+16/2] [a0+17%3]
[a0,16] [a0][16] [] [a0+8|8] [a0 + 16] [r0+16] [r0+4] [r0+1] [r0+-16] [r0+2147483648]
[r0+4294967295] [r0+4294967296] [ur0+16] [sr0+-4] [ua0+16] [sa0+8] [h0+16] [f0+16] [p0+4]
[smem] [smem+16] [smem+4] [smem+1] [smem+2] [smem+8] [smem+-16] [smem-16] [smem+256] [smem+1024]
[smem+1000000] [smem+16+16] [smem+r0] [smem+a0] [smem[16]] [16+smem] [smem*2] [smem+4294967296]
[gmem] [gmem+16] [gmem+4] [gmem+1] [gmem-4] [gmem+-4] [gmem+1024] [cmem] [cmem+4] [lmem] [lmem+4]
[pmem] [pmem+4] [nosuch] [0] [16] [64] [1] [0x40] [0X40] [-16] [64+16] [64-16] [(64)] [4294967295]
[4294967296] [18446744073709551615] [1.0] [0f00000000] [WARP_SZ] [16*2] [%clock] [_] [a0;] [[a0]]
{a0} (a0) a0 r0 smem 64 _ [a0].x [{a0}] [a0+0] [a0+00] [a0+08] [a0+-0] [a0+ -16] [a0+- 16]
[a0++16] [a0+--16] [a0-0] [a0+16-] [a0+'a'] [a0+16u] [a0+16UL] [a0+16L] [a0+0b1] [a0+0x] [a0+0xg]
"""


def words(text):
    """Split at blanks outside brackets."""
    return re.findall(r"\[[^\]]*\](?:[^\s]*\])?[^\s]*|[^\s]+", text)


SIZES = """
0 1 2 3 4 5 6 7 8 9 12 15 16 17 20 24 32 64 128 -4 -16 0x4 0x8 0x10 0X10 0x0010 020 010 04 016
0b100 0b10000 0B10000 4U 8U 16U 16u 16L 16.0 0f41800000 0d4030000000000000 1.6e1 8+8 (16) (8+8)
4*4 2*8 32/2 32-16 1<<4 16>>0 -(-16) +16 ~-17 !0 !!16 17&~1 8|8 16|0 24^8 1?16:4 0?4:16 (1?16:4)
16==16?16:4 WARP_SZ WARP_SZ/2 WARP_SZ-16 r0 ur0 sr0 a2 h0 f0 p0 smem _ {16} [16] '16' "16" sixteen
4294967312 18446744073709551616 (s64)16 (.s64)16 (.u64)16 16;16 % %r0 16,
"""
COPY_OPERANDS = """
[a0], [a1]
[a0], [a1],
[a0], 16
[a0]
16

[a0], [a1] 16
[a0] [a1], 16
[a0], a1, 16
a0, [a1], 16
a0, a1, 16
[a0], [a1], [16]
16, [a0], [a1]
{a0}, {a1}, 16
[a0], {a1}, 16
[a0, a1], 16
[a0], [a1], 16,
[a0], [a1], 16, 16, 16
[a0], [a1], 16, 16, a2, a3
[smem], [gmem], 16
[gmem], [smem], 16
[smem+16], [gmem+16], 16
[r0], [r1], 16
[r0], [a1], 16
[a0], [r1], 16
[a0], [smem], 16
[a0], [a0], 16
[r0+1024], [a1+-2048], 16
"""


def operands():
    for address in words(ADDRESSES):
        for q in (".shared", ".global", "", ".shared::cta"):
            yield access("ld", f"{q}.u32", "r9", address), MAIN
            yield access("st", f"{q}.u32", "r9", address), MAIN
        yield access("ld", ".shared.v4.u32", "{r6,r7,r8,r9}", address), MAIN
        yield access("st", ".shared.v2.b64", "{a6,a7}", address), MAIN
        yield access("ld", ".shared.u8", "r9", address), MAIN
        for cop in (".ca", ".cg"):
            yield f"cp.async{cop}.shared.global {address}, [a9], 16;", MAIN
            yield f"cp.async{cop}.shared.global [a9], {address}, 16;", MAIN
    for cop, size in itertools.product((".ca", ".cg"), SIZES.split()):
        yield f"cp.async{cop}.shared.global [a0], [a1], {size};", MAIN
    yield "cp.async.ca.shared.global [a0], [a1], 8 + 8;", MAIN
    for cop in (".ca", ".cg"):
        for rest in COPY_OPERANDS.splitlines()[1:]:
            yield f"cp.async{cop}.shared.global {rest};", MAIN
    vectors = {
        1: ["r0", "{r0}", "{r0,r1}", "(r0)", "[r0]", "_", "{_}", "7", "0x7", "-7", "4294967295",
            "4294967296", "-2147483649", "0f3f800000", "0d3ff0000000000000", "1.0", "7U", "1+2",
            "(1+2)", "~0", "!0", "-r0", "!r0", "~r0", "r0+1", "r0+r1", "smem", "gmem", "cmem",
            "smem+4", "WARP_SZ", "%tid.x", "%clock", "%laneid", "'a'", "true", "r0.x", "r0:r1",
            "r0|p0", "{}", "r99", "nosuch", "%r0", "p0", "h0", "a0", "f0", "d0", "hx0", "w0"],
        2: ["{r0,r1}", "{r0, r1}", "{ r0,r1 }", "{r0,r0}", "{r1,r0}", "{r7,r2}", "r0", "{r0}",
            "{r0,r1,r2}", "{r0,r1,r2,r3}", "r0,r1", "(r0,r1)", "[r0,r1]", "{{r0,r1}}",
            "{{r0},{r1}}", "{r0,r1,}", "{,r0,r1}", "{r0 r1}", "{r0;r1}", "{r0:r1}", "{}", "{,}",
            "{r0,_}", "{_,r0}", "{_,_}", "_", "{r0,7}", "{7,r0}", "{7,7}", "{7}", "7",
            "{0f3f800000,0f3f800000}", "{r0,0f3f800000}", "{r0,1.0}", "{1.0,1.0}", "{r0,-1}",
            "{r0,r1+1}", "{r0,-r1}", "{r0,smem}", "{r0,a0}", "{r0,h0}", "{r0,p0}", "{r0,f0}",
            "{r0,ur0}", "{r0,1+1}", "{r0,WARP_SZ}", "{r0,%tid.x}", "{r0,nosuch}", "r[0:1]",
            "{r0,r1}+4", "{r0-r1}", "{r0..r1}", "<r0,r1>"],
        4: ["{r0,r1,r2,r3}", "{r0,r0,r0,r0}", "{r3,r2,r1,r0}", "{r0,r1,r2}", "{r0,r1}", "{r0}",
            "r0", "{r0,r1,r2,r3,r4}", "{r0,r1,r2,r3,r4,r5,r6,r7}", "{r0,_,_,_}", "{_,_,_,r0}",
            "{_,r0,_,r1}", "{_,_,_,_}", "{r0,r1,_,7}", "{r0,7,7,7}", "{7,r1,r2,r3}",
            "{{r0,r1},{r2,r3}}", "{r0,r1},{r2,r3}", "{r0,r1,r2,r3,}", "r0,r1,r2,r3"],
    }  # fmt: skip
    for n, items in vectors.items():
        vec = "" if n == 1 else f".v{n}"
        for op, item, q in itertools.product(("ld", "st"), items, (".shared", "", ".global")):
            for kind in ("u32", "b32", "f32"):
                text = access(op, f"{q}{vec}.{kind}", item)
                if kind == "u32" or q == ".shared":
                    yield text, MAIN
    for op in ("ld", "st"):
        for item in ("{a0,a1}", "{a0,_}", "{_,_}", "{a0,7}", "{7,7}", "{d0,d1}", "{a0,d1}"):
            yield access(op, ".shared.v2.b64", item), MAIN
            yield access(op, ".shared.v2.f64", item), MAIN
    for kind in (
        "b8",
        "u8",
        "s8",
        "b16",
        "u16",
        "s16",
        "b32",
        "u32",
        "s32",
        "b64",
        "u64",
        "s64",
        "f32",
        "f64",
        "b128",
    ):
        for value in (
            "0",
            "7",
            "-1",
            "255",
            "256",
            "65536",
            "4294967296",
            "-129",
            "1.0",
            "0f3f800000",
            "0d3ff0000000000000",
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775808",
            "1+2",
            "smem",
            "cmem",
            "-1.0",
            "0f7f800000",
            "1e400",
            "WARP_SZ",
        ):
            yield access("st", f".shared.{kind}", value), MAIN
            yield access("st", f".shared.v2.{kind}", f"{{{value},{value}}}"), MAIN
            yield access("ld", f".shared.{kind}", value), MAIN


NARROW = """
ld.u8 h0, [a0];
ld.global.v2.f64 {d0,d1}, [a0];
ld.shared.b8 q0, [a0];
ld.b64 a1, [a0];
ld.shared.v4.s8 {h0,h1,h2,h3}, [a0];
ld.shared.v4.u8 {r0,r1,r2,r3}, [a0];
ld.shared::cta.v2.b64 {a1,a2}, [a0];
ld.weak.u32 r0, [a0];
st.u32 [a0], r0;
st.weak.global.u32 [a0], r0;
st.shared::cta.u8 [a0], h0;
st.global.f32 [a0], f0;
st.weak.shared::cta.v4.f32 [a0], {f0,f1,f2,f3};
ld.u32.shared r0, [a0];
ld.v4.shared.u32 {r0,r1,r2,r3}, [a0];
st.v2.f64 [a0], {d0,d1};
ld.volatile.shared.u32 r0, [a0];
ld.relaxed.cta.shared.u32 r0, [a0];
ld.acquire.gpu.global.u32 r0, [a0];
st.release.sys.global.u32 [a0], r0;
ld.shared::cluster.u32 r0, [a0];
ld.relaxed.cluster.shared.u32 r0, [a0];
ld.global.nc.u32 r0, [a0];
ld.global.nc.L2::128B.u32 r0, [a0];
ld.global.L1::evict_last.u32 r0, [a0];
ld.global.L2::128B.u32 r0, [a0];
ld.global.L2::cache_hint.u32 r0, [a0], a1;
ld.global.ca.u32 r0, [a0];
st.global.wt.u32 [a0], r0;
ld.global.b128 w0, [a0];
ld.shared.b128 w0, [a0];
st.shared.b128 [a0], w0;
ld.global.v8.b32 {r0,r1,r2,r3,r4,r5,r6,r7}, [a0];
ld.global.v4.b64 {a1,a2,a3,a4}, [a0];
st.global.v8.f32 [a0], {f0,f1,f2,f3,f4,f5,f6,f7};
ld.global.L2::evict_last.v8.b32 {r0,r1,r2,r3,r4,r5,r6,r7}, [a0];
ld.global.L2::evict_last.u32 r0, [a0];
ld.mmio.relaxed.sys.global.u32 r0, [a0];
ld.u32 r0, [a0].unified;
ld.param.u32 r0, [pmem];
ld.param::entry.u32 r0, [pmem];
ld.shared.v2.b32 {r0,_}, [a0];
ld.shared.v4.b32 {r0,_,_,_}, [a0];
st.shared.u32 [a0], 7;
st.shared.v2.u32 [a0], {r0,7};
st.shared.v2.u32 [a0], {7,7};
ld.shared.u32 r0, [r1];
ld.shared.u32 r0, [a0+-16];
ld.shared.u32 r0, [smem+4];
cp.async.ca.shared.global [a0], [a1], 16;
cp.async.ca.shared::cta.global [a0], [a1], 8;
cp.async.shared.global.cg [a0], [a1], 16;
cp.async.ca.shared.global [a0], [a1], 4, r0;
cp.async.cg.shared.global [a0], [a1], 16, 8;
cp.async.cg.shared.global [a0], [a1], 16, p0;
cp.async.cg.shared.global.L2::128B [a0], [a1], 16;
cp.async.cg.shared.global.L2::cache_hint [a0], [a1], 16, a2;
cp.async.ca.shared.global.L2::256B [a0], [a1], 16;
cp.async.commit_group;
cp.async.wait_group 0;
cp.async.wait_all;
"""


def points():
    """Versions and targets."""
    wide = [
        "ld.shared.u32 r0, [a0];",
        "st.shared.v4.b32 [a0], {r0,r1,r2,r3};",
        "ld.shared::cta.u32 r0, [a0];",
        "ld.weak.shared.u32 r0, [a0];",
        "cp.async.ca.shared.global [a0], [a1], 4;",
        "cp.async.cg.shared.global [a0], [a1], 16;",
        "cp.async.cg.shared::cta.global [a0], [a1], 16;",
    ]
    narrow = NARROW.strip().splitlines()
    for text, version, target in itertools.product(wide, VERSIONS, TARGETS.split()):
        yield text, (version, target)
    lines = ("sm_60", "sm_70", "sm_75", "sm_80", "sm_90", "sm_100", "sm_120")
    for text in narrow:
        for target in TARGETS.split():
            yield text, ("9.0", target)
        for version, target in itertools.product(VERSIONS, lines):
            yield text, (version, target)


HEADER = ("family", "instruction", "ptx_version", "target", "ptxas", "accepted", "message",
          "defined")  # fmt: skip
FAMILIES = (types, regs, mixed, order, missing, foreign, space, special, other, operands, points)


def source(text, version, target):
    lines = [f".version {version}", f".target {target}", ".address_size 64"]
    for ss, name in (("shared", "smem"), ("global", "gmem"), ("const", "cmem")):
        if name in text:
            lines.append(f".{ss} .align 16 .b8 {name}[256];")
    lines.append(".visible .entry kernel(.param .b64 pmem) {")
    if "lmem" in text:
        lines.append(".local .align 16 .b8 lmem[256];")
    for letters in sorted(set(re.findall(r"(?<![\w.:%$])([a-z]+)\d+\b", text)) & set(REGISTERS)):
        lines.append(f".reg .{REGISTERS[letters]} {letters}<20>;")
    return "\n".join([*lines, text, "ret;", "}", ""])


def assemble(ptxas, text, version, target):
    """Whether ptxas accepts the text, and what it says."""
    number = int(re.match(r"sm_(\d+)", target).group(1))
    arch = target if number >= 75 else "sm_75"
    done = subprocess.run(
        [ptxas, "-arch", arch, "-o", "/dev/null", "/dev/stdin"],
        input=source(text, version, target), capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    errors, warnings = [], []
    for line in (done.stderr + done.stdout).splitlines():
        found = re.match(r"ptxas\b.*?\b(error|fatal|warning)\s*:\s*(.*?)\s*$", line)
        if not found or "aborted due to errors" in found[2]:
            continue
        said = re.sub(r"\bsm_\d+[af]?\b", "<T>", found[2])
        (warnings if found[1] == "warning" else errors).append(said)
    if done.returncode < 0:
        errors.append("the assembler crashes")
    accepted = done.returncode == 0
    said = [f"warning: {x}" for x in warnings] if accepted else errors
    return int(accepted), " | ".join(dict.fromkeys(said))


def fits(kind, letters):
    """Whether PTX lets a register of that declared type hold an element of type `kind`."""
    declared = REGISTERS[letters]
    if declared == "pred" or BITS[letters] < int(kind[1:]):
        return False
    return (
        kind[0] == "b"
        or declared[0] == "b"
        or (kind[0] in "us" and declared[0] in "us")
        or declared == kind
    )


def elements_fit(op, kind, data):
    """Whether every element of the data operand is one that PTX describes."""
    items = [x.strip() for x in data.strip("{} ").split(",")]
    for item in items:
        register = re.fullmatch(r"([a-z]+)\d+", item)
        if item == "_":
            continue
        if register and register[1] in REGISTERS:
            if not fits(kind, register[1]):
                return False
        elif op == "ld" or re.match(r"%|smem|r0\+", item):
            return False
        elif re.match(r"0[fd]|-?\d+\.\d", item):
            if len(items) > 1 and not (kind[0] == "f" or kind in ("b32", "b64")):
                return False
            if kind == "b32" and not item.startswith("0f"):
                return False
        elif kind[0] == "f":
            return False
    return True


def defined(text, version, target, accepted, message):
    """0 where the verdict is an accident of the assembler and says nothing about PTX.

    Crashes; refusals of a 32-bit register as generic or global address, which parse but are not
    assembled; and texts accepted only because of one of these:
    * the words .b2, .b8x16, .b6x16_p32, .b4x16_p64 are ignored
    * .v8 with 8- and 16-bit types (stores; the same loads crash)
    * `st.async` without a barrier or a memory order
    * cp.async with .shared::cta before PTX 7.8; target sm_88 before PTX 9.0
    * an address register of 8 or 16 bits, or a special register as address
    * an offset wider than 32 bits, an integer constant wider than 64
    * a vector whose element types go unchecked ({r0,f1} as .u32, {r0,p0}, {r0,%tid.x}, u32
      registers as .f32); .f16x2 registers for integer types; `r0+1` or `smem+4` as a value
    """
    if "crashes" in message or "32-Bit" in message:
        return 0
    if not accepted:
        return 1
    number = [int(x) for x in version.split(".")]
    if target == "sm_88" and number < [9, 0]:
        return 0
    if re.search(r"\.b(2|8x16|6x16_p32|4x16_p64)\b", text):
        return 0
    if ".v8" in text and re.search(r"\.[bus](8|16)\b", text):
        return 0
    if re.search(r"\bst\S*\.async\b", text) and not re.search(r"mbarrier|release", text):
        return 0
    if re.match(r"cp\.async\.(?!mbarrier|bulk)\S*::cta", text) and number < [7, 8]:
        return 0
    if "bit address" in message or "[%" in text:
        return 0
    if any(int(x) >> 64 for x in re.findall(r"\d{20,}", text)):
        return 0
    if any(int(x) >= 1 << 31 or int(x) < -(1 << 31) for x in re.findall(r"\+(-?\d+)\]", text)):
        return 0
    load = re.match(r"ld((?:\.[\w:]+)+) ([^\[/]*), \[", text)
    store = re.match(r"st((?:\.[\w:]+)+) \[[^\]]*\], (\{.*?\}|[^,;]*)", text)
    if parts := load or store:
        kind = re.search(r"\.([busf]\d+)\b", parts[1])
        if not elements_fit(text[:2], kind[1], parts[2]):
            return 0
    return 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("ptxas", nargs="?", default="ptxas")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--families", nargs="*", default=[f.__name__ for f in FAMILIES])
    parser.add_argument("--output", type=Path, default=TRUTH / "ptxas_plain.csv.gz")
    args = parser.parse_args()
    said = subprocess.run([args.ptxas, "--version"], capture_output=True, text=True, check=True)
    release = re.search(r"release (\d+\.\d+)", said.stdout)[1]
    wanted = {}
    for family in FAMILIES:
        if family.__name__ in args.families:
            for text, (version, target) in family():
                wanted.setdefault((text, version, target), family.__name__)

    def row(key):
        accepted, message = assemble(args.ptxas, *key)
        return [wanted[key], *key, release, accepted, message, defined(*key, accepted, message)]

    with ThreadPoolExecutor(args.jobs) as pool:
        rows = sorted(pool.map(row, wanted))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows(rows)
    data = gzip.compress(text.getvalue().encode(), 9, mtime=0)
    args.output.write_bytes(data)
    print(f"{len(rows)} rows, {len(data)} bytes")


if __name__ == "__main__":
    main()
