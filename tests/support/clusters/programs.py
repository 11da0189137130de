"""Random programs of clusters, what they must leave, and faults planted in them: written from the PTX specification.

A program is a few rounds. In each one every block makes a tile of numbers and passes it on to the next block of its
cluster by one of several ways (a barrier of the cluster, a ring of mbarrier objects, remote arrivals, asynchronous
stores that count bytes). The oracle follows blocks round by round and counts phases and bytes of each object in plain
Python.
"""

import random
from dataclasses import dataclass, field

from tests.support.clusters.ptx import kernel

WAYS = ("push", "pull", "arrive", "bytes")
#: what a fault takes away, by the way that it breaks; and what must be found: rules, or a deadlock
FAULTS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "no barrier": (("push", "pull"), ("WS-RUN-017",)),
    "no barrier after": (("pull", "push"), ("WS-RUN-017", "WS-RUN-042")),
    "relaxed": (("push", "pull"), ("WS-RUN-017",)),
    "wrong phase": (("arrive", "bytes"), ("WS-RUN-017", "WS-RUN-020", "deadlock")),
    "no wait": (("arrive", "bytes"), ("WS-RUN-017", "WS-RUN-020")),
    "relaxed arrival": (("arrive",), ("WS-RUN-017",)),
    "too few bytes": (("bytes",), ("WS-RUN-017", "WS-RUN-020", "deadlock")),
    "too many bytes": (("bytes",), ("deadlock",)),
    "arrival missing": (("arrive",), ("deadlock",)),
}


class Object:
    """An mbarrier object: arrivals and bytes that are pending, and the parity of the phase."""

    def __init__(self, count: int) -> None:
        self.count = self.pending = count
        self.bytes = self.parity = 0

    def arrive(self, times: int = 1, expected: int = 0) -> None:
        self.bytes += expected
        self.pending -= times
        self._end()

    def complete(self, nbytes: int) -> None:
        self.bytes -= nbytes
        self._end()

    def _end(self) -> None:
        if self.pending == 0 and self.bytes == 0:
            self.pending, self.parity = self.count, self.parity ^ 1

    def has_ended(self, parity: int) -> bool:
        return self.parity != parity


@dataclass
class Program:
    """Rounds of a cluster, with at most one fault: (round, what)."""

    ranks: int
    threads: int
    rounds: list[tuple[str, int]]  # how, and how far the tile goes
    fault: tuple[int, str] | None = None
    lines: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return kernel("\n".join(self._lines()))

    def _sync(self, number: int, kind: str) -> list[str]:
        fault = self.fault[1] if self.fault is not None and self.fault[0] == number else ""
        if fault == kind:
            return ["bar.sync 0;"]
        relaxed = ".relaxed" if fault == "relaxed" and kind == "no barrier" else ""
        return [f"barrier.cluster.arrive{relaxed}.aligned;", "barrier.cluster.wait.aligned;"]

    def _lines(self) -> list[str]:
        """Object 0: arrivals of all threads of the block before; object 1: bytes."""
        nbytes = 4 * self.threads
        whole = ["barrier.cluster.arrive.aligned;", "barrier.cluster.wait.aligned;"]
        lines = [
            "setp.eq.u32 %p8, %r1, 0;",
            f"@%p8 mbarrier.init.shared.b64 [%r7], {self.threads};",
            "@%p8 mbarrier.init.shared.b64 [%r7+8], 1;",
            *whole,
            "mov.u32 %r40, %r5;",  # what the thread holds
        ]
        arrived = sent = 0
        for number, (way, step) in enumerate(self.rounds):
            fault = self.fault[1] if self.fault is not None and self.fault[0] == number else ""
            lines += [
                f"add.u32 %r10, %r2, {step}; rem.u32 %r10, %r10, {self.ranks};",
                f"add.u32 %r11, %r2, {self.ranks - step}; rem.u32 %r11, %r11, {self.ranks};",
                f"xor.b32 %r12, %r1, {number % 4}; mad.lo.u32 %r13, %r12, 4, %r6;",  # another thread's place
                f"mad.lo.u32 %r40, %r40, 3, {number};",
            ]
            if way == "push":  # to the block `step` further on
                lines += ["mapa.shared::cluster.u32 %r14, %r8, %r10;", "st.shared::cluster.u32 [%r14], %r40;"]
                lines += [*self._sync(number, "no barrier"), "ld.shared.u32 %r40, [%r13];"]
                lines += self._sync(number, "no barrier after")
            elif way == "pull":
                lines += ["st.shared.u32 [%r8], %r40;", *self._sync(number, "no barrier")]
                lines += ["mapa.shared::cluster.u32 %r14, %r13, %r11;", "ld.shared::cluster.u32 %r40, [%r14];"]
                lines += self._sync(number, "no barrier after")
            elif way == "arrive":
                order = ".relaxed" if fault == "relaxed arrival" else ".release"
                guard = f"setp.ne.u32 %p7, %r1, {self.threads - 1}; @%p7 " if fault == "arrival missing" else ""
                parity = arrived ^ (fault == "wrong phase")
                lines += [
                    "mapa.shared::cluster.u32 %r14, %r8, %r10; mapa.shared::cluster.u32 %r15, %r7, %r10;",
                    "st.shared::cluster.u32 [%r14], %r40;",
                    f"{guard}mbarrier.arrive{order}.cluster.shared::cluster.b64 _, [%r15];",
                ]
                lines += self._wait(number, "%r7", parity) if fault != "no wait" else []
                lines += ["ld.shared.u32 %r40, [%r13];", *whole]
                arrived ^= 1
            else:
                expected = nbytes + {"too few bytes": -4, "too many bytes": 4}.get(fault, 0)
                parity = sent ^ (fault == "wrong phase")
                lines += [
                    f"@%p8 mbarrier.arrive.expect_tx.shared.b64 _, [%r7+8], {expected};",
                    *whole,
                    "add.u32 %r15, %r7, 8; mapa.shared::cluster.u32 %r15, %r15, %r10;",
                    "mapa.shared::cluster.u32 %r14, %r8, %r10;",
                    "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r14], %r40, [%r15];",
                ]
                lines += self._wait(number, "%r7+8", parity) if fault != "no wait" else []
                lines += ["ld.shared.u32 %r40, [%r13];", *whole]
                sent ^= 1
        return [*lines, "st.global.u32 [%rd2], %r40;", *whole]

    @staticmethod
    def _wait(number: int, where: str, parity: int) -> list[str]:
        return [
            f"W{number}: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p1, [{where}], {parity};",
            f"@!%p1 bra W{number};",
        ]

    def expected(self, clusters: int) -> list[int]:
        """What each thread of the grid holds at the end, of the program without its fault."""
        found: list[int] = []
        for cluster in range(clusters):
            first = cluster * self.ranks * self.threads
            held = [list(range(first + r * self.threads, first + (r + 1) * self.threads)) for r in range(self.ranks)]
            objects = [(Object(self.threads), Object(1)) for _ in range(self.ranks)]
            for number, (way, step) in enumerate(self.rounds):
                made = [[(value * 3 + number) % 2**32 for value in row] for row in held]
                for rank in range(self.ranks):
                    of_arrivals, of_bytes = objects[(rank + step) % self.ranks]
                    before = of_arrivals.parity, of_bytes.parity
                    if way == "arrive":
                        of_arrivals.arrive(self.threads)
                        assert of_arrivals.has_ended(before[0])
                    elif way == "bytes":
                        of_bytes.arrive(1, 4 * self.threads)
                        assert not of_bytes.has_ended(before[1])
                        of_bytes.complete(4 * self.threads)
                        assert of_bytes.has_ended(before[1])
                held = [
                    [made[(rank - step) % self.ranks][t ^ number % 4] for t in range(self.threads)]
                    for rank in range(self.ranks)
                ]
            found += [value for row in held for value in row]
        return found


def matters(ranks: int, rounds: list[tuple[str, int]], number: int, fault: str) -> bool:
    """Is the barrier after a round what orders its reads before the writes of the next?"""
    if fault != "no barrier after":
        return True
    if number + 1 == len(rounds):
        return False
    (way, step), (then, far) = rounds[number], rounds[number + 1]
    if way == "push":  # blocks read their own tiles
        return then in ("push", "arrive")
    return then == "pull" or (then in ("push", "arrive") and (step + far) % ranks != 0)


def draw(source: random.Random, has_fault: bool) -> Program:
    ranks = source.choice((2, 2, 3, 4))
    rounds = [(source.choice(WAYS), source.randrange(1, ranks)) for _ in range(source.randrange(1, 5))]
    program = Program(ranks, source.choice((32, 64)), rounds)
    places = [
        (n, name)
        for n, (way, _) in enumerate(rounds)
        for name, (ways, _) in FAULTS.items()
        if way in ways and matters(ranks, rounds, n, name)
    ]
    return Program(ranks, program.threads, rounds, source.choice(places)) if has_fault and places else program
