"""Small random kernels whose threads meet in shared memory, with some of what would order them."""

from dataclasses import dataclass

from hypothesis import strategies as st

#: words of shared memory that the accesses fall into; a word of every thread follows
WORDS = 48
HEAD = """.version 8.5
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 in)
{
.shared .align 16 .b8 room[1024];
.shared .align 8 .b64 gate;
.reg .pred %p<64>; .reg .b32 %r<12>; .reg .b64 %d<8>;
ld.param.u64 %d0, [out];
ld.param.u64 %d1, [in];
mov.u32 %r0, %tid.x;
mov.u32 %r1, room;
mov.u32 %r2, gate;
mul.wide.u32 %d2, %r0, 4;
add.u64 %d0, %d0, %d2;
add.u64 %d1, %d1, %d2;
mov.u32 %r9, 0;
"""


@dataclass(frozen=True)
class Access:
    """One access of the threads from `first` to before `past`, at word (thread * step + start) mod WORDS."""

    how: str
    step: int
    start: int
    first: int
    past: int

    def text(self, k: int) -> list[str]:
        p, q = f"%p{k % 31 * 2}", f"%p{k % 31 * 2 + 1}"
        where = [
            f"setp.ge.u32 {p}, %r0, {self.first};",
            f"setp.lt.and.u32 {q}, %r0, {self.past}, {p};",
            f"mad.lo.u32 %r3, %r0, {self.step}, {self.start};",
            f"rem.u32 %r3, %r3, {WORDS};",
            "mad.lo.u32 %r3, %r3, 4, %r1;",
        ]
        what = {
            "load": [f"@{q} ld.shared.u32 %r4, [%r3];", "add.u32 %r9, %r9, %r4;"],
            "store": [f"@{q} st.shared.u32 [%r3], %r0;"],
            "narrow load": [f"@{q} ld.shared.u16 %r4, [%r3+2];", "add.u32 %r9, %r9, %r4;"],
            "narrow store": [f"@{q} st.shared.u8 [%r3+1], %r0;"],
            "atomic": [f"@{q} atom.shared.add.u32 %r6, [%r3], 1;"],
            "copy": [f"@{q} cp.async.ca.shared.global [%r3], [%d1], 4;"],
        }[self.how]
        return where + what


@dataclass(frozen=True)
class Order:
    """Something that orders: the whole block, the first warps, a warp, copies, an mbarrier of all threads."""

    how: str

    def text(self, k: int, threads: int) -> list[str]:
        p = f"%p{k % 31 * 2}"
        some = threads // 2
        return {
            "block": ["bar.sync 0;"],
            "other number": ["barrier.sync 3;"],
            "warp": ["bar.warp.sync -1;"],
            "half warp": ["and.b32 %r5, %r0, 16;", f"setp.eq.u32 {p}, %r5, 0;", f"selp.b32 %r5, 0xFFFF, 0xFFFF0000, {p};", "bar.warp.sync %r5;"],
            "first warps": [f"setp.lt.u32 {p}, %r0, {some};", f"@{p} bar.sync 4, {some};"],
            "hand over": [f"setp.lt.u32 {p}, %r0, {some};", f"@{p} bar.arrive {4 + k}, {threads};", f"@!{p} bar.sync {4 + k}, {threads};"],
            "commit": ["cp.async.commit_group;"],
            "wait": ["cp.async.wait_group 0;"],
            "wait but one": ["cp.async.wait_group 1;"],
            "wait for all": ["cp.async.wait_all;"],
            "gate": ["mbarrier.arrive.shared.b64 %d4, [%r2];", f"$G{k}:", f"mbarrier.test_wait.shared.b64 {p}, [%r2], %d4;", f"@!{p} bra $G{k};"],
            "vote": ["activemask.b32 %r5;", "shfl.sync.idx.b32 %r5, %r5, 0, 31, -1;"],
        }[self.how]  # fmt: skip


ORDERS = (
    "block",
    "block",
    "other number",
    "warp",
    "warp",
    "half warp",
    "first warps",
    "hand over",
    "commit",
    "wait",
    "wait but one",
    "wait for all",
    "gate",
    "vote",
)


@dataclass(frozen=True)
class Racy:
    threads: int
    steps: tuple[Access | Order, ...]

    @property
    def ptx(self) -> str:
        lines = ["setp.ne.u32 %p0, %r0, 0;", f"@!%p0 mbarrier.init.shared.b64 [%r2], {self.threads};", "bar.sync 0;"]
        for k, step in enumerate(self.steps, 1):
            lines += step.text(k) if isinstance(step, Access) else step.text(k, self.threads)
        return HEAD + "\n".join([*lines, "cp.async.wait_all;", "st.global.u32 [%d0], %r9;", "ret;", "}", ""])


@st.composite
def accesses(draw: st.DrawFn, threads: int) -> Access:
    first = draw(st.sampled_from([0, 0, 0, 1, 16, 32, 40]))
    past = draw(st.sampled_from([threads, threads, 64, 48, 33, first + 1]))
    how = draw(st.sampled_from(["load", "load", "store", "store", "narrow load", "narrow store", "atomic", "copy"]))
    return Access(how, draw(st.sampled_from([0, 1, 1, 2, 5, 47])), draw(st.integers(0, WORDS - 1)), first, past)


@st.composite
def racy(draw: st.DrawFn) -> Racy:
    threads = draw(st.sampled_from([64, 64, 128]))
    step = st.one_of(accesses(threads), accesses(threads), st.builds(Order, st.sampled_from(ORDERS)))
    return Racy(threads, tuple(draw(st.lists(step, min_size=2, max_size=11))))
