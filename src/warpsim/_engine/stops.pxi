"""What ended a cluster, and where the lanes of its blocks are then."""


cdef tuple _index(ws_block *block):
    return block.index[0], block.index[1], block.index[2]


cdef tuple _cluster_barrier(ws_cluster *cluster):
    """The barrier of a cluster: (-1, threads that have arrived, threads that it waits for)."""
    cdef ws_warp *warp
    arrived = living = 0
    for rank in range(cluster.count):
        for i in range(cluster.blocks[rank].num_warps):
            warp = &cluster.blocks[rank].warps[i]
            arrived += (<object> (warp.living & warp.at_cluster)).bit_count()
            living += (<object> warp.living).bit_count()
    return -1, arrived, living


cdef list _places(ws_cluster *cluster):
    """Where lanes are: (warp, lanes, statement, what they wait at, block).

    What they wait at: None; (barrier, arrived, expected), -1 for the cluster's; the lanes that they wait for; or
    [address, missing arrivals, expected ones, missing bytes] of an mbarrier object.
    """
    cdef ws_group *group
    cdef ws_barrier *barrier
    cdef ws_block *block
    cdef ws_awaiting awaiting
    found = []
    for rank in range(cluster.count):
        block = &cluster.blocks[rank]
        for i in range(block.num_warps):
            for k in range(block.warps[i].groups):
                group = &block.warps[i].group[k]
                at = None
                statement = block.program.steps[group.pc].statement
                if group.state == WS_GROUP_RUNS and ws_spin_awaiting(block, &block.warps[i], &awaiting):
                    at = [awaiting.address, awaiting.pending, awaiting.expected, awaiting.bytes]
                    statement = block.warps[i].waits_at
                elif group.state == WS_GROUP_AT_MEMBERS:
                    at = group.members
                elif group.state == WS_GROUP_AT_BARRIER and group.barrier == WS_CLUSTER_BARRIER:
                    at = _cluster_barrier(cluster)
                elif group.state == WS_GROUP_AT_BARRIER:
                    barrier = &block.barrier[group.barrier]
                    at = group.barrier, barrier.arrived, 32 * block.living_warps if barrier.is_whole else barrier.expected
                found.append((i, group.mask, statement, at, _index(block)))
    return found


cdef tuple _stop(ws_cluster *cluster):
    """Launch.stop of a cluster that has stopped."""
    cdef ws_block *block = ws_cluster_stopped(cluster)
    cdef ws_stop *stop = &block.stop
    is_stuck = stop.kind == WS_RUN_DEADLOCK or stop.kind == WS_RUN_STEPS
    return (
        stop.kind, stop.space, stop.rule, bool(stop.is_write), stop.statement, stop.warp, stop.lanes, stop.address, stop.nbytes,
        _index(block), _places(cluster) if is_stuck else [],
    )
