"""Opcodes of statements that only compute, as PTX ISA 8.0 to 8.5 has them for sm_90: (a|b) is a choice, [a] may be missing."""

import itertools
import re
from functools import cache

INTS = "(u16|s16|u32|s32|u64|s64)"
ROUND = "[.(rn|rz|rm|rp)]"
MUST = ".(rn|rz|rm|rp)"
ORDER = "(eq|ne|lt|le|gt|ge)"
FLOAT_ORDER = "(eq|ne|lt|le|gt|ge|equ|neu|ltu|leu|gtu|geu|num|nan)"
JOIN = "[.(and|or|xor)]"
HALF = "(f16|f16x2)"
BHALF = "(bf16|bf16x2)"

FAMILIES = {
    "integer": f"""
        add.{INTS} add.(u16x2|s16x2) add.sat.s32 sub.{INTS} sub.sat.s32 mul.(lo|hi).{INTS} mul.wide.(u16|s16|u32|s32) mad.(lo|hi).{INTS}
        mad.wide.(u16|s16|u32|s32) mad.hi.sat.s32 mul24.(lo|hi).(u32|s32) mad24.(lo|hi).(u32|s32) sad.{INTS} div.{INTS} rem.{INTS}
        abs.(s16|s32|s64) neg.(s16|s32|s64) min.{INTS} max.{INTS} min.(u16x2|s16x2) max.(u16x2|s16x2) (min|max).relu.s32
        (min|max).relu.s16x2 dp4a.(u32|s32).(u32|s32) dp2a.(lo|hi).(u32|s32).(u32|s32)""",
    "logic": """
        (and|or|xor).(b16|b32|b64|pred) not.(b16|b32|b64|pred) cnot.(b16|b32|b64) lop3.b32 shl.(b16|b32|b64) shr.(b16|b32|b64|u16|u32|u64|s16|s32|s64)
        shf.(l|r).(clamp|wrap).b32 prmt.b32[.(f4e|b4e|rc8|ecl|ecr|rc16)] bfe.(u32|s32|u64|s64) bfi.(b32|b64) bfind[.shiftamt].(u32|s32|u64|s64)
        fns.b32 clz.(b32|b64) popc.(b32|b64) brev.(b32|b64) szext.(clamp|wrap).(u32|s32) bmsk.(clamp|wrap).b32""",
    "f32": f"""
        (add|sub|mul){ROUND}[.ftz][.sat].f32 fma{MUST}[.ftz][.sat].f32 div{MUST}[.ftz].f32 rcp{MUST}[.ftz].f32 sqrt{MUST}[.ftz].f32
        (abs|neg)[.ftz].f32 (min|max)[.ftz][.NaN][.xorsign.abs].f32 copysign.f32
        testp.(finite|infinite|number|notanumber|normal|subnormal).(f32|f64)""",
    "special": """
        (rcp|sqrt|rsqrt|lg2|ex2|sin|cos).approx[.ftz].f32 tanh.approx.f32 div.(approx|full)[.ftz].f32 rcp.approx.ftz.f64 rsqrt.approx[.ftz].f64
        ex2.approx.(f16|f16x2) tanh.approx.(f16|f16x2|bf16|bf16x2) ex2.approx.ftz.(bf16|bf16x2)""",
    "f64": f"(add|sub|mul){ROUND}.f64 fma{MUST}.f64 div{MUST}.f64 rcp{MUST}.f64 sqrt{MUST}.f64 (abs|neg|min|max).f64 copysign.f64",
    "half": f"""
        (add|sub|mul)[.rn][.ftz][.sat].{HALF} fma.rn[.ftz][.sat].{HALF} fma.rn[.ftz].relu.{HALF} (add|sub|mul)[.rn].{BHALF} fma.rn[.relu].{BHALF}
        (abs|neg)[.ftz].{HALF} (abs|neg).{BHALF} (min|max)[.ftz][.NaN][.xorsign.abs].{HALF} (min|max)[.NaN][.xorsign.abs].{BHALF}
        fma.rn.oob[.relu].(f16|f16x2|bf16|bf16x2)""",
    "convert": """
        cvt.(u8|s8|u16|s16|u32|s32|u64|s64).(u8|s8|u16|s16|u32|s32|u64|s64) cvt.sat.(u8|u16|u32|u64).(s16|s32|s64) cvt.sat.(s8|s16|s32).(u32|s64|u64)
        cvt.(rn|rz|rm|rp).(f16|f32|f64).(u8|s8|u16|s16|u32|s32|u64|s64) cvt.(rni|rzi|rmi|rpi).(u8|s8|u16|s16|u32|s32|u64|s64).(f16|f32|f64)
        cvt.(rni|rzi|rmi|rpi).ftz[.sat].(u32|s32|s64).f32 cvt.(rni|rzi|rmi|rpi)[.sat].f32.f32 cvt.(rni|rzi|rmi|rpi).f64.f64 cvt.(rni|rzi|rmi|rpi).f16.f16
        cvt.(rn|rz|rm|rp)[.ftz][.sat].f32.f64 cvt[.ftz].f64.f32 cvt.f32.f16 cvt.f64.f16 cvt.f32.bf16 cvt.(rn|rz)[.relu].(f16|bf16).f32
        cvt.(rm|rp)[.ftz].f16.f32 cvt.(rn|rz|rm|rp).f16.f64 cvt.(rn|rz)[.relu].(f16x2|bf16x2).f32 cvt.(rn|rz)[.relu].tf32.f32 cvt.rna.tf32.f32
        cvt.rn.satfinite[.relu].(e4m3x2|e5m2x2).f32 cvt.rn.satfinite[.relu].(e4m3x2|e5m2x2).f16x2 cvt.rn[.relu].f16x2.(e4m3x2|e5m2x2)
        cvt.pack.sat.(u16|s16).s32 cvt.pack.sat.(u8|s8).s32.b32 cvt.sat.f32.f32 cvt.rn.sat.f32.s32""",
    "compare": f"""
        setp.{ORDER}{JOIN}.(u16|s16|u32|s32|u64|s64) setp.(eq|ne){JOIN}.(b16|b32|b64) setp.(lo|ls|hi|hs){JOIN}.(u16|u32|u64)
        setp.{FLOAT_ORDER}{JOIN}[.ftz].f32 setp.{FLOAT_ORDER}{JOIN}.f64 setp.{FLOAT_ORDER}{JOIN}[.ftz].(f16|f16x2) setp.{FLOAT_ORDER}{JOIN}.(bf16|bf16x2)
        set.{ORDER}{JOIN}.(u32|s32|f32).(u16|s16|u32|s32|u64|s64) set.{FLOAT_ORDER}{JOIN}[.ftz].(u32|s32|f32).f32 set.{FLOAT_ORDER}{JOIN}.(u32|s32|f32).f64
        set.{FLOAT_ORDER}{JOIN}[.ftz].f16.f16 set.{FLOAT_ORDER}{JOIN}[.ftz].f16x2.f16x2 set.{FLOAT_ORDER}{JOIN}.bf16x2.bf16x2
        selp.(b16|b32|b64|u16|s16|u32|s32|u64|s64|f32|f64) slct.(b16|b32|b64|u16|s16|u32|s32|u64|s64|f32|f64).s32
        slct[.ftz].(b16|b32|b64|u32|s64|f32|f64).f32 mov.(b16|b32|b64|u32|s32|u64|s64|f32|f64|pred)""",
}


def expand(pattern: str) -> list[str]:
    """All texts of a pattern; an option may hold a choice."""
    pattern = re.sub(
        r"\[([^\[\]]*)\]", lambda m: "(|" + re.sub(r"\((.*)\)", r"\1", m[1]).replace("|", "|.") + ")", pattern
    )
    pieces = re.split(r"\(([^()]*)\)", pattern)
    return [
        "".join(choice) for choice in itertools.product(*(p.split("|") if i % 2 else [p] for i, p in enumerate(pieces)))
    ]


@cache
def opcodes(family: str) -> list[str]:
    return [text for pattern in FAMILIES[family].split() for text in expand(pattern)]
