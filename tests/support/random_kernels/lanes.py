"""Pieces of random kernels that lanes do together or for themselves, without memory."""

from typing import TYPE_CHECKING

from tests.support.random_kernels.memory import SLOT

if TYPE_CHECKING:
    from tests.support.random_kernels.programs import Writer

PLAIN_FUNCTION = """.func (.reg .b64 y) plain(.reg .b32 a, .reg .b64 b)
{
.reg .b64 t;
cvt.u64.u32 t, a;
xor.b64 y, t, b;
ret;
}"""


def special_register(w: "Writer") -> None:
    names = ["tid.x", "tid.y", "tid.z", "ntid.x", "ctaid.x", "ctaid.y", "nctaid.x", "laneid", "lanemask_eq", "lanemask_lt", "lanemask_le",
             "lanemask_gt", "lanemask_ge"]  # fmt: skip
    w.put("special register", f"mov.u32 {w.register(32)}, %{w.random.choice(names)};")


def shuffle(w: "Writer") -> None:
    r = w.random
    b = w.register(32) if r.random() < 0.4 else str(r.randrange(40))
    c = w.register(32) if r.random() < 0.2 else str(r.choice([0x1F, 0, 0x181F, 0x1C1F, 0x1E1F, 0x1800]))
    q = f"|{w.register(1)}" if r.random() < 0.6 else ""
    w.put(
        "shuffle",
        f"shfl.sync.{r.choice(['up', 'down', 'bfly', 'idx'])}.b32 {w.register(32)}{q}, {w.register(32)}, {b}, {c}, {w.mask};",
    )


def vote(w: "Writer") -> None:
    p = w.random.choice(["", "!"]) + w.register(1)
    how = w.random.choice(["ballot", "all", "any", "uni"])
    into = w.register(32) if how == "ballot" else w.register(1)
    w.put("vote", f"vote.sync.{how}.{'b32' if how == 'ballot' else 'pred'} {into}, {p}, {w.mask};")


def match_redux_elect(w: "Writer") -> None:
    r, n = w.random, w.random.choice([32, 64])
    few = w.new("b32")
    op, kind = r.choice(
        [
            ("add", "u32"),
            ("add", "s32"),
            ("min", "s32"),
            ("min", "u32"),
            ("max", "s32"),
            ("max", "u32"),
            ("and", "b32"),
            ("or", "b32"),
            ("xor", "b32"),
        ]
    )
    text = r.choice([
        [f"and.b32 {few}, {w.register(32)}, 3;", f"match.any.sync.b32 {w.register(32)}, {few}, {w.mask};"],
        [f"match.any.sync.b{n} {w.register(32)}, {w.register(n)}, {w.mask};"], [f"match.all.sync.b{n} {w.register(32)}|{w.register(1)}, {w.register(n)}, {w.mask};"],
        [f"redux.sync.{op}.{kind} {w.register(32)}, {w.register(32)}, {w.mask};"], [f"elect.sync {w.register(32)}|{w.register(1)}, {w.mask};"],
    ])  # fmt: skip
    w.put("match, redux, elect", *text)


def warp_exchange(w: "Writer") -> None:
    """Through shared memory inside a warp whose lanes are all here."""
    w.put("warp barrier", "mov.u32 %t0, room;", f"mad.lo.s32 %t1, %tid0, {SLOT}, %t0;", f"bar.warp.sync {w.mask};", f"st.shared.b32 [%t1], {w.register(32)};",
          f"bar.warp.sync {w.mask};", f"ld.shared.b32 {w.register(32)}, [%t1];", f"bar.warp.sync {w.mask};")  # fmt: skip


def carry_chain(w: "Writer") -> None:
    r, kind = w.random, w.random.choice(["u32", "s32", "u64", "s64"])
    n = int(kind[1:])
    s = lambda: w.register(n)  # noqa: E731
    chain = r.choice([
        [f"add.cc.{kind} {s()}, {s()}, {s()};", f"addc.cc.{kind} {s()}, {s()}, {s()};", f"addc.{kind} {s()}, {s()}, {s()};"],
        [f"sub.cc.{kind} {s()}, {s()}, {s()};", f"subc.cc.{kind} {s()}, {s()}, {s()};", f"subc.{kind} {s()}, {s()}, {s()};"],
        [f"mad.lo.cc.{kind} {s()}, {s()}, {s()}, {s()};", f"madc.hi.cc.{kind} {s()}, {s()}, {s()}, {s()};", f"addc.{kind} {s()}, 0, 0;"],
    ])  # fmt: skip
    w.put("carry", *chain)


def packing(w: "Writer") -> None:
    s = w.register
    w.put("pack", w.random.choice([
        f"mov.b32 {s(32)}, {{{s(16)}, {s(16)}}};", f"mov.b64 {s(64)}, {{{s(32)}, {s(32)}}};", f"mov.b64 {s(64)}, {{{s(16)}, {s(16)}, {s(16)}, {s(16)}}};",
        f"mov.b32 {{%h0, %h1}}, {s(32)};", f"mov.b64 {{%r0, %r1}}, {s(64)};", f"mov.b64 {{%h0, %h1, %h2, %h3}}, {s(64)};", f"mov.b64 {{_, %r3}}, {s(64)};",
    ]))  # fmt: skip


def lookup(w: "Writer") -> None:
    q = w.random.choice(["", "!"]) + w.register(1)
    w.put(
        "logic",
        f"lop3.{w.random.choice(['and', 'or'])}.b32 {w.register(32)}|{w.register(1)}, {w.register(32)}, {w.register(32)}, {w.register(32)}, {w.random.randrange(256):#x}, {q};",
    )


def plain_call(w: "Writer") -> None:
    """Registers as parameters."""
    a = w.random.choice([w.register(32), str(w.random.randrange(99))])
    w.put("call", f"{w.guard()}call ({w.register(64)}), plain, ({a}, {w.register(64)});")


def parameters(w: "Writer") -> None:
    s, r = w.register, w.random
    w.put("parameter", r.choice([
        f"ld.param.b32 {s(32)}, [ps+{r.randrange(0, 32, 4)}];", f"ld.param.v2.b32 {{%r0, %r1}}, [ps+{r.randrange(0, 32, 8)}];", f"ld.param.u8 {s(32)}, [ps+{r.randrange(32)}];",
        f"ld.param.s8 {s(64)}, [ps+{r.randrange(32)}];", f"ld.param.s16 {s(32)}, [ph];", f"ld.param.f64 {s(64)}, [pd];", f"ld.param.u16 {s(16)}, [ph];",
    ]))  # fmt: skip


def fences(w: "Writer") -> None:
    w.put(
        "fence",
        w.random.choice(
            [
                "membar.cta;",
                "membar.gl;",
                "fence.acq_rel.gpu;",
                "fence.sc.cta;",
                "prefetch.global.L1 [%in];",
                "nanosleep.u32 20;",
            ]
        ),
    )
