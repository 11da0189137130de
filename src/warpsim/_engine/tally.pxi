"""What the threads of a launch share while they run clusters: counts, under one lock."""


cdef void _add_steps(Launch launch, uint64_t count) noexcept nogil:
    ws_lock(&launch.tally)
    launch.steps += count
    ws_unlock(&launch.tally)


cdef void _happened(Launch launch) noexcept nogil:
    """Something that others may wait for."""
    ws_lock(&launch.tally)
    launch.events += 1
    ws_unlock(&launch.tally)


cdef void _enter(Launch launch, int more) noexcept nogil:
    """A thread begins to run clusters, or has ended."""
    ws_lock(&launch.tally)
    launch.runners += more
    ws_unlock(&launch.tally)


cdef void _holds(Launch launch, size_t nbytes, int more) noexcept nogil:
    """So many more clusters have started and not ended, of so many bytes each."""
    ws_lock(&launch.tally)
    launch.residents += more
    if nbytes != 0:
        launch.most_residents = max(1, min(launch.fits, RESIDENT_BYTES // nbytes))
    ws_unlock(&launch.tally)


cdef bint _has_room(Launch launch, bint waits) noexcept nogil:
    """May one more cluster start? Those that a GPU does not hold at once start when others end."""
    return not waits or launch.residents < launch.most_residents


cdef bint _rests(Launch launch, bint is_endless, uint64_t *rested) noexcept nogil:
    """All clusters of a thread wait, for ever if nothing happens: do those of all threads?"""
    cdef bint found
    ws_lock(&launch.tally)
    if is_endless and rested[0] != launch.events:
        launch.resting = launch.resting + 1 if launch.resting_at == launch.events else 1
        launch.resting_at = rested[0] = launch.events
    found = is_endless and launch.resting_at == launch.events and launch.resting >= launch.runners
    ws_unlock(&launch.tally)
    return found
