"""Many Python threads on the same objects: each must get what one thread alone gets.

`python3 -m tests.support.sharing ROUNDS` is the program that ThreadSanitizer watches.
"""

import gc
import random
import signal
import sys
import threading
from typing import Any

import numpy as np

import warpsim as ws
from tests.support import every_call as calls
from tests.support import launches
from tests.support.together import together


def one_batch(rounds: int) -> int:
    """One op, one memory, one array of addresses, with 1 to 64 threads inside each call."""
    ops = [op for op in calls.instructions() if op.is_load][::5]
    shared = {op: calls.memory_of(op) for op in ops}
    given = {op: calls.call_of(op, 700) for op in ops}
    alone = {op: calls.plain(op.execute(shared[op], **given[op])) for op in ops}

    def work(me: int) -> int:
        for i in range(rounds):
            for op in ops:
                threads = (1, 2, 8, 3, 64)[(me + i) % 5]
                found = op.execute(shared[op], **given[op], threads=threads)
                assert calls.plain(found) == alone[op], op
                out = np.empty_like(found.registers)
                assert op.execute(shared[op], **given[op], threads=threads, out=out).registers is out
                assert out.tobytes() == alone[op][0], op
        return 2 * rounds * len(ops)

    return sum(together(work))


def one_result(rounds: int) -> int:
    """What a result makes on demand is whole for all that ask at once, and is one object."""
    op = calls.X4
    shared, made = calls.memory_of(op), 0
    for i in range(rounds):
        call = calls.call_of(op, (1, 40, 3000)[i % 3])
        expected = calls.plain(op.execute(shared, **call))
        total = op.traffic(call["address"]).sum().to_dict()
        found = op.execute(shared, **call, threads=2)
        traffic = op.traffic(call["address"])

        def work(
            _: int, found: Any = found, traffic: Any = traffic, expected: Any = expected, total: Any = total
        ) -> tuple[int, ...]:
            requests = traffic.requests  # of an array that nobody has made yet
            assert (requests == 1).all(), requests
            assert calls.plain(found) == expected
            assert traffic.sum().to_dict() == total
            return id(found.registers), id(found.traffic), id(found.findings), id(found.ok)

        assert len(set(together(work))) == 1
        made += 1
    return made


def all_questions(rounds: int) -> int:
    """Everything that can be asked, in an order of each thread's own."""
    questions = list(calls.questions().items())
    questions = questions[: rounds * 1000 : 2] + questions[-40:]
    expected = {name: ask() for name, ask in questions}

    def work(me: int) -> int:
        mine = random.Random(me).sample(questions, len(questions) // 2)
        for name, ask in mine:
            assert ask() == expected[name], name
        return len(mine)

    return sum(together(work))


def made_and_dropped(rounds: int) -> int:
    """Some threads make and drop objects, and collect garbage, while others call."""
    shared, address = calls.memory_of(calls.X4), calls.call_of(calls.X4, 300)["address"]
    expected = calls.plain(calls.X4.execute(shared, address))

    def work(me: int) -> int:
        for i in range(rounds):
            if me % 2:
                assert calls.plain(calls.X4.execute(shared, address, threads=2 + i % 7)) == expected
            else:
                own = ws.SharedMemory(shared.bytes)
                layouts = [ws.Layout(64, 64, "f16", pad=8 * k) for k in range(8)]
                assert all(layout.addresses(ws.Ldmatrix(num=4)).shape == (32,) for layout in layouts)
                assert calls.plain(ws.Ldmatrix(num=4).execute(own, address)) == expected
                assert ws.parse(f"ld.shared.v{2 + i % 2 * 2}.b32") == ws.Ld(vec=2 + i % 2 * 2)
                del own, layouts
                gc.collect(0)
        return rounds

    return sum(together(work))


def launched(rounds: int) -> int:
    """Threads launch the same kernels, of one module, and each launch has threads of its own."""
    expected = {name: ask() for name, ask in launches.LAUNCHES.items()}

    def work(me: int) -> int:
        mine = random.Random(me)
        for _ in range(rounds):
            for name in mine.sample([*expected], len(expected)):
                assert launches.LAUNCHES[name](threads=1 + me % 4) == expected[name], name
        return rounds * len(expected)

    return sum(together(work))


def signals(rounds: int) -> int:
    """A handler runs in the main thread while batches of it and of others are under way."""
    shared, address = calls.memory_of(calls.X4), calls.call_of(calls.X4, 40_000)["address"]
    expected = calls.X4.execute(shared, address).registers
    caught: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: caught.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.002, 0.002)

    def work(_: int) -> None:
        found = calls.X4.execute(shared, address, threads=2)
        assert np.array_equal(found.registers, expected)

    others = [threading.Thread(target=together, args=(work, 2)) for _ in range(rounds)]
    try:
        for other in others:
            other.start()
            work(0)
        for other in others:
            other.join()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert caught
    return len(caught)


def leave_at_work() -> None:
    """The interpreter ends while daemon threads, and their workers, are in the midst of batches."""
    shared, address = calls.memory_of(calls.X4), calls.call_of(calls.X4, 200_000)["address"]
    begun = threading.Semaphore(0)

    def work() -> None:
        while True:
            begun.release()
            calls.X4.execute(shared, address, threads=4)

    for _ in range(3):
        threading.Thread(target=work, daemon=True).start()
    for _ in range(5):
        begun.acquire()


def main(rounds: int) -> None:
    """All of it; prints how much each part did."""
    counts = {"calls on one memory": one_batch(rounds)}
    counts["results shared"] = one_result(3 * rounds)
    counts["questions"] = all_questions(rounds)
    counts["calls beside makers"] = made_and_dropped(10 * rounds)
    counts["launches"] = launched(3 * rounds)
    counts["signals"] = signals(rounds)
    print(*(f"{count} {name}" for name, count in counts.items()), sep=", ", flush=True)
    leave_at_work()


if __name__ == "__main__":
    main(int(sys.argv[1]))
