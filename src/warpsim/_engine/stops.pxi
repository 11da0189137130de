"""What ended a block, and where its lanes are then."""


cdef list _places(ws_block *block):
    """Where the lanes of a block are: (warp, lanes, statement, what they wait at); that is None, (barrier, arrived, expected) or lanes."""
    cdef ws_group *group
    cdef ws_barrier *barrier
    found = []
    for i in range(block.num_warps):
        for k in range(block.warps[i].groups):
            group = &block.warps[i].group[k]
            at = None
            if group.state == WS_GROUP_AT_MEMBERS:
                at = group.members
            elif group.state == WS_GROUP_AT_BARRIER and group.barrier < WS_CLUSTER_BARRIER:
                barrier = &block.barrier[group.barrier]
                at = group.barrier, barrier.arrived, 32 * block.living_warps if barrier.is_whole else barrier.expected
            found.append((i, group.mask, block.program.steps[group.pc].statement, at))
    return found


cdef tuple _stop(ws_block *block):
    """Launch.stop of a block that has stopped."""
    cdef ws_stop *stop = &block.stop
    is_stuck = stop.kind == WS_STOP_DEADLOCK or stop.kind == WS_STOP_STEPS
    return (
        stop.kind, stop.space, stop.rule, bool(stop.is_write), stop.statement, stop.warp, stop.lanes, stop.address, stop.nbytes,
        (block.index[0], block.index[1], block.index[2]), _places(block) if is_stuck else [],
    )
