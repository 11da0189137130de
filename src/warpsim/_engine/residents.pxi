"""Clusters that run side by side on a thread of the caller, since some of them wait for others."""

include "resident.pxi"


@cython.final
cdef class _Turns:
    """The turns of the clusters of one thread. A cluster runs to its end, unless it polls, or reads the same again and again
    whatever else it does: then the next one starts; or takes from a counter again and again: such take turns, else the first
    would take all that a queue has."""
    cdef Launch launch
    cdef uint64_t max_steps, rested, turns, draws, left
    cdef double seen
    cdef bint looks
    cdef object look
    cdef list free, waiting, drawing, paused, resuming

    def __init__(self, Launch launch, uint64_t max_steps, bint looks, object look):
        self.launch, self.max_steps, self.looks, self.look = launch, max_steps, looks, look
        self.rested = 0
        self.turns = 4
        self.seen = 0
        self.free, self.waiting, self.drawing, self.paused, self.resuming = [], [], [], [], []
        self.draws = 0
        self.left = LOOKS

    cdef run(self):
        cdef Launch launch = self.launch
        cdef _Resident one
        _enter(launch, 1)
        try:
            while not launch.cancelled:
                one = self.started() or self.resumed() or self.drawn()
                if one is not None:
                    self.go_on(one)
                elif not self.waiting:
                    break
                else:
                    for one in list(self.waiting):
                        self.turn(one)
                    if self.waiting and _rests(launch, self.are_endless(), &self.rested):
                        self.never()
        finally:
            _enter(launch, -1)
        for one in self.free + self.waiting + self.drawing + self.paused + self.resuming:
            _told(launch, one)

    cdef bint may_begin(self):
        """Few begin while some draw or have paused, and all of them have room."""
        cdef bint pause = bool(self.paused or self.resuming)
        cdef long begun = len(self.drawing) + (len(self.waiting) + len(self.paused) + len(self.resuming) if pause else 0)
        return begun < DRAWING and _has_room(self.launch, bool(self.waiting or self.drawing or pause))

    cdef _Resident started(self):
        """The next cluster, if there is one and room for it."""
        cdef _Resident one
        cdef uint64_t ordinal, number
        if not self.may_begin() or not self.launch.picked.deal(&ordinal):
            return None
        one = self.free.pop() if self.free else _Resident(self.launch)
        _holds(self.launch, one.nbytes(), 1)
        number = ws_picked_number(&self.launch.picked.c, ordinal)
        one.ordinal = ordinal
        one.look, one.slice = FIRST_LOOK, FIRST_SLICE
        one.event = 0
        if self.looks and one.memory.count > LARGE:
            _interruptible(lambda: one.start(number))
        else:
            one.start(number)
        return one

    cdef _Resident resumed(self):
        """The next one that has paused; all others have had a turn since."""
        cdef _Resident one
        if not self.resuming and self.paused:
            self.resuming, self.paused = self.paused, []
            self.left -= min(self.left, <uint64_t> len(self.waiting) + 1)
            for one in list(self.waiting):
                self.turn(one, True)
            for one in list(self.drawing):
                self.drawing.remove(one)
                self.go_on(one)
        return self.resuming.pop(0) if self.resuming else None

    cdef _Resident drawn(self):
        """The next one that takes from a counter, if any does. Those that wait may have something to do by now."""
        cdef _Resident one
        if self.drawing and self.draws % DRAWING == 0 and self.draws <= LOOKED_DRAWS:
            for one in list(self.waiting):
                self.turn(one)
        return self.drawing.pop(-1 if self.draws % AGAIN == 0 else 0) if self.drawing else None

    cdef bint goes(self, _Resident one):
        """May it go on? It ends where one of a lower number has stopped, and when the steps are used up."""
        if self.launch.cancelled or one.ordinal > self.launch.picked.last:
            return False
        if self.launch.steps < self.max_steps and not self.launch.is_late:
            return True
        if one.cluster.blocks.stop.kind != WS_RUN_STEPS:
            self.peek(one)
        one.cluster.blocks.stop.kind = WS_RUN_STEPS
        return False

    cdef peek(self, _Resident one):
        """Some last looks, for the message, until it only polls: a warp may have come nowhere yet."""
        cdef ws_poll *poll = one.looked(self.launch)
        cdef bint ended = False, is_over = False
        cdef uint64_t steps = FIRST_LOOK, left, _
        cdef double begun = _time.monotonic()
        one.cluster.is_watched = True
        for _ in range(LAST_LOOKS):
            ws_poll_begin(poll, &one.cluster)
            poll.least, poll.whole = 2, False  # it reads again
            left, one.cluster.pauses = steps, False
            while left != 0 and not ended and not is_over and not one.cluster.pauses:
                one.cluster.turns = self.turns
                ended = ws_cluster_go_on(&one.cluster, left)
                left = one.cluster.steps_left
                self.glance()
                is_over = self.launch.cancelled or (self.launch.is_late and self.seen - begun > LAST)
            steps *= 2
            if ws_poll_end(poll, &one.cluster) == WS_POLL_ONLY or ended or is_over:
                break

    cdef bint steps(self, _Resident one, uint64_t most):
        """Runs it for so many steps; true: it has ended."""
        cdef uint64_t before = ws_cluster_steps(&one.cluster), left = min(most, self.max_steps - min(self.max_steps, self.launch.steps))
        cdef bint ended = False
        one.cluster.drew = one.cluster.pauses = False
        while not ended and left != 0 and not one.cluster.drew and not one.cluster.pauses and not self.launch.cancelled and not self.launch.is_late:
            one.cluster.turns = self.turns
            with nogil:
                ended = ws_cluster_go_on(&one.cluster, left)
            left = one.cluster.steps_left
            self.glance()
        _add_steps(self.launch, ws_cluster_steps(&one.cluster) - before)
        return ended

    cdef glance(self):
        """Looks for Ctrl-C, and around; how many turns there are until the next time depends on how long these took."""
        cdef double now = _time.monotonic()
        if now - self.seen > LONG:
            self.turns = max(1, self.turns // 2)
        elif now - self.seen < SHORT:
            self.turns = min(<uint64_t> MOST_TURNS, self.turns * 2)
        self.seen = now
        if self.looks:
            PyErr_CheckSignals()
            if self.look is not None:
                self.look()

    cdef int polls(self, _Resident one, bint is_brief, bint *ended) except -1:
        """Looks at it for some steps: does it only poll, or wait? Brief looks tell nothing of what waits for ever."""
        cdef ws_poll *poll = one.looked(self.launch)
        cdef uint64_t before = ws_cluster_steps(&one.cluster), event = self.launch.events, steps
        cdef int found = WS_POLL_RUNS
        ws_poll_begin(poll, &one.cluster)
        one.cluster.is_watched = True
        try:
            steps = max(<uint64_t> FIRST_LOOK if is_brief else one.look, <uint64_t> one.cluster.count * poll.warps * LOOK_OF_WARP)
            ended[0] = self.steps(one, steps)
        finally:
            one.cluster.is_watched = False
            found = ws_poll_end(poll, &one.cluster)
            if ended[0]:
                found = WS_POLL_RUNS
        steps = ws_cluster_steps(&one.cluster) - before
        if found == WS_POLL_WAITS:
            _happened(self.launch)
            one.slice = FIRST_SLICE
        if is_brief:
            return found
        if found != WS_POLL_ONLY:
            one.look = min(one.look * 2, <uint64_t> MOST_LOOK)
        elif self.looks and one.memory.count > LARGE:
            _interruptible(lambda: one.looked_at(event, steps))
        else:
            one.same(event, steps)
        return found

    cdef bint pauses(self, _Resident one, bint ended):
        """Is it about to signal again? Others look first, as long as there are looks left."""
        if not one.cluster.pauses or ended or self.left == 0:
            return False
        one.look = FIRST_LOOK
        one.cluster.suspects = 0
        self.paused.append(one)
        _happened(self.launch)
        return True

    cdef go_on(self, _Resident one):
        """Runs it until it ends, only polls, or may wait for others."""
        cdef bint ended = False
        cdef uint64_t polls, begin = ws_cluster_steps(&one.cluster)
        cdef int found
        while not ended and self.goes(one):
            polls = ws_cluster_polls(&one.cluster)
            ended = self.steps(one, one.slice)
            if one.cluster.drew and not ended and self.draws < MOST_DRAWS:
                self.draws += 1
                self.drawing.append(one)
                _happened(self.launch)
                return
            if self.pauses(one, ended):
                return
            if ended or (one.cluster.suspects < one.cluster.doubt and ws_cluster_polls(&one.cluster) == polls) or not self.goes(one):
                continue
            found = self.polls(one, False, &ended)
            if found >= WS_POLL_WAITS or (found == WS_POLL_LOOKS and ws_cluster_steps(&one.cluster) - begin >= LONG_RUN):
                self.waiting.append(one)
                one.observers.waits()
                _happened(self.launch)
                return
            if self.pauses(one, ended):
                return
            one.cluster.suspects = 0
            one.slice = min(one.slice * 2, <uint64_t> SLICE)
            if one.cluster.doubt < 1 << 20:
                one.cluster.doubt <<= 1
        self.end(one, ended)

    cdef turn(self, _Resident one, bint is_brief=False):
        """A look at one that waits; it goes on if something has changed."""
        cdef bint ended = False
        if self.goes(one) and self.polls(one, is_brief, &ended) >= WS_POLL_WAITS:
            return
        self.waiting.remove(one)
        if self.pauses(one, ended):
            return
        _happened(self.launch)
        one.look = FIRST_LOOK
        one.cluster.suspects = 0
        if ended or not self.goes(one):
            self.end(one, ended)
        else:
            self.go_on(one)

    cdef end(self, _Resident one, bint ended):
        self.free.append(one)
        _holds(self.launch, 0, -1)
        _happened(self.launch)
        _ended(self.launch, one, ended, self.waiting)

    cdef bint are_endless(self):
        cdef _Resident one
        for one in self.waiting:
            if not one.is_endless or one.event != self.launch.events:
                return False
        return True

    cdef never(self):
        """All wait for ever: told of the first."""
        cdef list all_ = sorted(self.waiting, key=_ordinal_of)
        cdef _Resident one = all_[0]
        ws_cluster_never(&one.cluster)
        _ended(self.launch, one, False, all_, True)
        self.launch.cancelled = True


def _ordinal_of(_Resident one):
    return one.ordinal
