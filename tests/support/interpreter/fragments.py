"""Pieces of random kernels that are more than one statement: memory, exchange between lanes, control flow."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.interpreter.programs import Writer

#: of shared memory: 64 bytes a thread from the start of `room`, then 1 KiB a warp
SLOT, WARP_ROOM = 64, 10240


def vector(w: "Writer") -> tuple[int, str, str]:
    """Bytes, the type words and operands of a load or store of the pools."""
    n = w.random.choice([16, 32, 64])
    count = w.random.choice([1, 1, 2, 4] if n < 64 else [1, 1, 2])
    prefix, most = {16: ("h", 5), 32: ("r", 8), 64: ("d", 6)}[n]
    names = [f"%{prefix}{k}" for k in w.random.sample(range(most), count)]
    if count == 1:
        return n // 8, f"{w.random.choice('bus')}{n}", names[0]
    return n // 8 * count, f"v{count}.b{n}", "{" + ", ".join(names) + "}"


def own_global(w: "Writer") -> None:
    n, words, names = vector(w)
    at = 192 + w.random.randrange(0, 64, n)
    _, again, more = n, words, vector_like(w, words)
    w.put("global", f"st.global.{words} [%out+{at}], {names};", f"{w.guard()}ld.global.{again} {more}, [%out+{at}];")


def vector_like(w: "Writer", words: str) -> str:
    n = int("".join(c for c in words.rsplit(".", maxsplit=1)[-1] if c.isdigit()))
    prefix, most = {16: ("h", 5), 32: ("r", 8), 64: ("d", 6)}[n]
    count = int(words[1]) if words[0] == "v" else 1
    names = [f"%{prefix}{k}" for k in w.random.sample(range(most), count)]
    return names[0] if count == 1 else "{" + ", ".join(names) + "}"


def read_input(w: "Writer") -> None:
    n, words, names = vector(w)
    how = w.random.choice(["", ".nc", ".ca", ".cg", ".volatile"])
    text = f"ld.volatile.global.{words}" if how == ".volatile" else f"ld.global{how}.{words}"
    w.put("global", f"{w.guard()}{text} {names}, [%in+{w.random.randrange(0, 128, n)}];")


def narrow_load(w: "Writer") -> None:
    kind, at = w.random.choice([("u8", 1), ("s8", 1), ("u16", 2), ("s16", 2)]), w.random.randrange(0, 64)
    w.put("global", f"ld.global.{kind[0]} {w.register(32)}, [%in+{at * kind[1]}];")


def read_table(w: "Writer") -> None:
    i, name, space = w.register(32), w.random.choice(["table", "words"]), ""
    space = "const" if name == "table" else "global"
    w.put(
        space,
        f"and.b32 %t0, {i}, 15;",
        f"mov.u64 %a0, {name};",
        "mad.wide.u32 %a0, %t0, 4, %a0;",
        f"ld.{space}.u32 {w.register(32)}, [%a0];",
    )


def local_memory(w: "Writer") -> None:
    n, words, names = vector(w)
    generic = w.random.random() < 0.5
    where = ["mov.u64 %a0, own;", f"and.b32 %t0, {w.register(32)}, 7;", "mad.wide.u32 %a0, %t0, 16, %a0;"]
    if generic:
        where.append("cvta.local.u64 %a0, %a0;")
    space = "" if generic else ".local"
    w.put("local", *where, f"st{space}.{words} [%a0], {names};", f"ld{space}.{words} {vector_like(w, words)}, [%a0];")


def own_shared(w: "Writer") -> None:
    n, words, names = vector(w)
    at = w.random.randrange(0, SLOT, n)
    w.put("shared", "mov.u32 %t0, room;", f"mad.lo.s32 %t0, %tid0, {SLOT}, %t0;", f"st.shared.{words} [%t0+{at}], {names};",
          f"ld.shared.{words} {vector_like(w, words)}, [%t0+{at}];")  # fmt: skip


def shared_exchange(w: "Writer") -> None:
    """Each thread its slot, a barrier, another thread's slot, a barrier."""
    n, words, names = vector(w)
    at = w.random.randrange(0, SLOT, n)
    generic = w.random.random() < 0.3
    w.put(
        "shared",
        "mov.u32 %t0, room;",
        f"mad.lo.s32 %t1, %tid0, {SLOT}, %t0;",
        f"st.shared.{words} [%t1+{at}], {names};",
    )
    barrier(w)
    w.put(
        "shared",
        f"add.u32 %t1, %tid0, {w.random.randrange(w.count)};",
        f"rem.u32 %t1, %t1, {w.count};",
        f"mad.lo.s32 %t1, %t1, {SLOT}, %t0;",
    )
    if generic:
        w.put(
            "generic",
            "cvt.u64.u32 %a0, %t1;",
            "cvta.shared.u64 %a0, %a0;",
            f"ld.{words} {vector_like(w, words)}, [%a0+{at}];",
        )
    else:
        w.put("shared", f"ld.shared.{words} {vector_like(w, words)}, [%t1+{at}];")
    barrier(w)


def barrier(w: "Writer") -> None:
    threads = -(-w.count // 32) * 32
    number = w.random.randrange(16)
    w.put("barrier", w.random.choice(["bar.sync 0;", f"bar.sync {number};", f"barrier.sync {number};", f"bar.sync {number}, {threads};",
                                      f"barrier.cta.sync.aligned {number}, {threads};"]))  # fmt: skip


def barrier_vote(w: "Writer") -> None:
    p = w.random.choice(["", "!"]) + w.register(1)
    if w.random.random() < 0.5:
        w.put("barrier", f"bar.red.popc.u32 {w.register(32)}, {w.random.randrange(16)}, {p};")
    else:
        w.put(
            "barrier", f"bar.red.{w.random.choice(['and', 'or'])}.pred {w.register(1)}, {w.random.randrange(16)}, {p};"
        )


def hand_over(w: "Writer") -> None:
    """The first warps arrive at a barrier and go on; the others wait for them and read what they wrote."""
    if w.count < 64 or not w.whole_warps:
        barrier(w)
        return
    p, wait, join, first = w.new("pred"), w.label(), w.label(), w.random.randrange(1, w.count // 32)
    w.put("shared", "mov.u32 %t0, room;", f"mad.lo.s32 %t1, %tid0, {SLOT}, %t0;")
    w.put("arrive", f"setp.ge.u32 {p}, %warp0, {first};", f"@{p} bra {wait};", f"st.shared.b32 [%t1], {w.register(32)};", f"bar.arrive 9, {w.count};",
          f"bra {join};", f"{wait}:", f"bar.sync 9, {w.count};", f"rem.u32 %t1, %tid0, {first * 32};", f"mad.lo.s32 %t1, %t1, {SLOT}, %t0;",
          f"ld.shared.b32 {w.register(32)}, [%t1];", f"{join}:", "bar.sync 0;")  # fmt: skip


def atomics(w: "Writer") -> None:
    """Cells that many threads hit take one commutative operation each; the old value counts only in a cell of one's own."""
    r = w.random
    op = r.choice(["add", "min", "max", "and", "or", "xor"])
    kind = r.choice(
        ["u32", "s32", "u64"]
        if op in ("add",)
        else ["u32", "s32", "u64", "s64"]
        if op in ("min", "max")
        else ["b32", "b64"]
    )
    index = ["add", "min", "max", "and", "or", "xor"].index(op) * 8 + {
        "u32": 0,
        "s32": 1,
        "u64": 2,
        "s64": 3,
        "b32": 4,
        "b64": 5,
    }[kind]
    n = int(kind[1:])
    value, cell = w.register(n), f"and.b32 %t0, {w.register(32)}, 7;"
    scope = r.choice(["", ".relaxed", ".relaxed.gpu", ".release", ".relaxed.cta"])
    if r.random() < 0.5:
        w.put(
            "atomic",
            cell,
            "mad.wide.u32 %a0, %t0, 8, %cells;",
            f"{w.guard()}red{scope}.global.{op}.{kind} [%a0+{index * 64}], {value};",
        )
    elif r.random() < 0.5:
        ignored = w.new(f"b{n}")
        w.put(
            "atomic",
            cell,
            "mad.wide.u32 %a0, %t0, 8, %cells;",
            f"atom{scope}.global.{op}.{kind} {ignored}, [%a0+{index * 64}], {value};",
        )
    else:
        own_atomic(w)


def own_atomic(w: "Writer") -> None:
    r, at = w.random, 192 + w.random.randrange(0, 64, 8)
    text, n = r.choice([("inc.u32", 32), ("dec.u32", 32), ("exch.b32", 32), ("exch.b64", 64), ("cas.b32", 32), ("cas.b64", 64), ("add.f32", 32),
                        ("add.f64", 64), ("add.noftz.f16x2", 32), ("add.noftz.bf16x2", 32), ("cas.b16", 16), ("add.noftz.f16", 16), ("min.s64", 64)])  # fmt: skip
    more = f", {w.register(n)}" if text.startswith("cas") else ""
    w.put("atomic", f"st.global.b{n} [%out+{at}], {w.register(n)};", f"atom.global.{text} {w.register(n)}, [%out+{at}], {w.register(n)}{more};",
          f"ld.global.b{n} {w.register(n)}, [%out+{at}];")  # fmt: skip


def shared_counters(w: "Writer") -> None:
    w.put("shared", "mov.u32 %t0, counters;", f"rem.u32 %t1, %tid0, {min(w.count, 64)};", "mad.lo.s32 %t1, %t1, 8, %t0;", "bar.sync 0;",
          "mov.b64 %a1, 0;", "st.shared.b64 [%t1], %a1;", "bar.sync 0;")  # fmt: skip
    op, kind, n = w.random.choice(
        [("add", "u32", 32), ("max", "s32", 32), ("or", "b64", 64), ("add", "u64", 64), ("xor", "b32", 32)]
    )
    w.put("atomic", f"and.b32 %t2, {w.register(32)}, {min(w.count, 64) - 1 & 31};", "mad.lo.s32 %t2, %t2, 8, %t0;",
          f"{w.guard()}red.shared.{op}.{kind} [%t2], {w.register(n)};", "bar.sync 0;", f"ld.shared.b{n} {w.register(n)}, [%t1];", "bar.sync 0;")  # fmt: skip


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


def copies(w: "Writer") -> None:
    n = w.random.choice([4, 8, 16])
    how = "cg" if n == 16 and w.random.random() < 0.5 else "ca"
    size = f", {w.random.choice([0, 1, n // 2, n])}" if w.random.random() < 0.4 else ""
    wait = w.random.choice(["cp.async.wait_all;", "cp.async.commit_group;\n    cp.async.wait_group 0;"])
    w.put("copy", "mov.u32 %t0, room;", f"mad.lo.s32 %t1, %tid0, {SLOT}, %t0;", f"cp.async.{how}.shared.global [%t1], [%in+{w.random.randrange(0, 128, n)}], {n}{size};",
          *wait.split("\n    "), f"ld.shared.b32 {w.register(32)}, [%t1];")  # fmt: skip


ANYWHERE: list[Callable[["Writer"], None]] = [
    own_global,
    read_input,
    narrow_load,
    read_table,
    local_memory,
    own_shared,
    atomics,
    carry_chain,
    packing,
    special_register,
    copies,
]
WITH_MASK: list[Callable[["Writer"], None]] = [shuffle, shuffle, vote, match_redux_elect, warp_exchange]
UNIFORM: list[Callable[["Writer"], None]] = [shared_exchange, barrier_vote, hand_over, shared_counters]
KERNEL_ONLY: list[Callable[["Writer"], None]] = [
    own_global,
    read_input,
    narrow_load,
    read_table,
    local_memory,
    own_shared,
    atomics,
    special_register,
    copies,
]
CONTROL: list[Callable[["Writer"], None]] = []

from tests.support.interpreter import branches, tiles  # noqa: E402

CONTROL += [branches.if_else, branches.loop, branches.switch, branches.call]
UNIFORM += [tiles.matrix_rows, tiles.product]
early_exit = branches.early_exit
