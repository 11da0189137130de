"""Pieces of random kernels in which threads of a block wait for each other."""

from typing import TYPE_CHECKING

from tests.support.random_kernels.memory import SLOT, vector, vector_like

if TYPE_CHECKING:
    from tests.support.random_kernels.programs import Writer


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


def shared_counters(w: "Writer") -> None:
    w.put("shared", "mov.u32 %t0, counters;", f"rem.u32 %t1, %tid0, {min(w.count, 64)};", "mad.lo.s32 %t1, %t1, 8, %t0;", "bar.sync 0;",
          "mov.b64 %a1, 0;", "st.shared.b64 [%t1], %a1;", "bar.sync 0;")  # fmt: skip
    op, kind, n = w.random.choice(
        [("add", "u32", 32), ("max", "s32", 32), ("or", "b64", 64), ("add", "u64", 64), ("xor", "b32", 32)]
    )
    w.put("atomic", f"and.b32 %t2, {w.register(32)}, {min(w.count, 64) - 1 & 31};", "mad.lo.s32 %t2, %t2, 8, %t0;",
          f"{w.guard()}red.shared.{op}.{kind} [%t2], {w.register(n)};", "bar.sync 0;", f"ld.shared.b{n} {w.register(n)}, [%t1];", "bar.sync 0;")  # fmt: skip


def some_warps(w: "Writer") -> None:
    """The first warps alone meet at a barrier of their own count."""
    if w.count < 64:
        barrier(w)
        return
    p, past, first = w.new("pred"), w.label(), w.random.randrange(1, w.count // 32)
    w.put("barrier", "bar.sync 0;", f"setp.ge.u32 {p}, %warp0, {first};", f"@{p} bra {past};", "mov.u32 %t0, room;", f"mad.lo.s32 %t1, %tid0, {SLOT}, %t0;",
          f"st.shared::cta.b32 [%t1], {w.register(32)};", f"bar.sync 11, {first * 32};", f"xor.b32 %t1, %tid0, {w.random.randrange(32)};",
          f"mad.lo.s32 %t1, %t1, {SLOT}, %t0;", f"ld.shared.b32 {w.register(32)}, [%t1];", f"{past}:", "bar.sync 0;")  # fmt: skip


def mbarrier(w: "Writer") -> None:
    """All threads arrive, twice; each waits for the phase and reads another's slot."""
    p, q, wait, state = w.new("pred"), w.new("pred"), w.label(), w.new("b64")
    w.put(
        "shared", "mov.u32 %t0, room;", f"mad.lo.s32 %t1, %tid0, {SLOT}, %t0;", "mov.u32 %t3, counters;", "bar.sync 0;"
    )
    w.put("mbarrier", f"setp.ne.u32 {p}, %tid0, 0;", f"@!{p} mbarrier.init.shared.b64 [%t3], {w.count};", "bar.sync 0;")
    for phase in range(w.random.randint(1, 3)):
        again = f"{wait}_{phase}"
        how = w.random.choice(["test_wait", "try_wait"])
        word = w.random.choice(
            [
                f"mbarrier.{how}.parity.shared.b64 {q}, [%t3], {phase & 1};",
                f"mbarrier.{how}.shared.b64 {q}, [%t3], {state};",
            ]
        )
        w.put("mbarrier", f"st.shared.b32 [%t1], {w.register(32)};", f"mbarrier.arrive.shared.b64 {state}, [%t3];", f"{again}:", word, f"@!{q} bra {again};",
              f"add.u32 %t2, %tid0, {w.random.randrange(w.count)};", f"rem.u32 %t2, %t2, {w.count};", f"mad.lo.s32 %t2, %t2, {SLOT}, %t0;",
              f"ld.shared.b32 {w.register(32)}, [%t2];", "bar.sync 0;")  # fmt: skip
    w.put("mbarrier", f"@!{p} mbarrier.inval.shared.b64 [%t3];", "bar.sync 0;")
