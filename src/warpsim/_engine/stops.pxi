"""What ended a cluster, as a row and in words."""

cdef enum:
    _STOP_BYTES = 1 << 16


cdef tuple _index(const ws_block *block):
    return block.index[0], block.index[1], block.index[2]


cdef uint32_t _stand(_Words words, Launch launch, _Resident one, list waiting, ws_text *text):
    """Appends where the warps of a cluster stand, and what those of all polled; how many."""
    cdef _Resident other
    cdef ws_waits waits
    cdef uint32_t polls = 0
    cdef int kind = ws_cluster_stopped(&one.cluster).stop.kind
    waits.blocks, waits.count = one.cluster.blocks, one.cluster.count
    if kind == WS_RUN_DEADLOCK or kind == WS_RUN_STEPS:
        ws_waits_add(&words.teller, text, &waits)
    for other in [one, *waiting]:
        if polls == 0 or other is not one:
            waits.blocks, waits.count = other.cluster.blocks, other.cluster.count
            polls = ws_waits_add_polls(&words.teller, &words.launch, text, &waits, other.poll, polls)
    ws_waits_end_polls(text, polls, 0 if kind == WS_RUN_STEPS else launch.residents, launch.picked.end - launch.picked.next)
    return polls


cdef _stop(Launch launch, _Resident one, list waiting):
    """Launch.stop of a cluster that has stopped; `waiting`: all that wait."""
    cdef ws_block *block = ws_cluster_stopped(&one.cluster)
    cdef ws_stop *stop = &block.stop
    cdef bint has_address = ws_stop_has_address(stop)
    cdef _Words words = _Words(launch.program, launch.names, launch.c.grid, launch.c.threads, launch.c.cluster)
    cdef _Bytes memory = _Bytes(_STOP_BYTES)
    cdef char *bytes_ = <char *> memory.bytes
    cdef ws_text text = ws_text_make(bytes_, _STOP_BYTES)
    cdef ws_near near
    cdef uint32_t polls
    cdef ws_waits waits
    ws_stop_add(&words.teller, &words.launch, &launch.c.memory, block, &text)
    what = _spoken(bytes_, &text)
    text = ws_text_make(bytes_, _STOP_BYTES)
    polls = _stand(words, launch, one, waiting, &text)
    where = _spoken(bytes_, &text)
    text = ws_text_make(bytes_, _STOP_BYTES)
    waits.blocks, waits.count = one.cluster.blocks, one.cluster.count
    ws_stop_add_fix(&words.teller, stop, polls != 0, &waits, &text)
    near = ws_near_to(&words.launch.names, stop.space, stop.address)
    return _Stop(
        rule=ws_stop_rule(stop), own=stop.rule if ws_stop_has_own(stop) else -1, statement=stop.statement, warp=stop.warp,
        lanes=stop.lanes, block=_index(block), address=stop.address if has_address else None,
        near=_near_row(&near) if has_address else (None, None, None), what=what, where=where, fix=_spoken(bytes_, &text),
        other=-1 if stop.other == WS_NONE else stop.other, other_warp=stop.other_warp,
    )
