"""Pieces of random kernels that are more than one statement, by where they may be."""

from tests.support.random_kernels import barriers, branches, lanes, memory, tiles

KERNEL_ONLY = [
    memory.own_global, memory.read_input, memory.narrow_load, memory.read_table, memory.local_memory, memory.own_shared, memory.atomics,
    memory.copies, memory.pointers, memory.narrow_store, lanes.special_register, lanes.parameters, lanes.fences, lanes.plain_call,
]  # fmt: skip
ANYWHERE = [*KERNEL_ONLY, lanes.carry_chain, lanes.packing, lanes.lookup]
#: these name the lanes that run
WITH_MASK = [lanes.shuffle, lanes.shuffle, lanes.vote, lanes.match_redux_elect, lanes.warp_exchange]
#: these need the whole block
UNIFORM = [
    barriers.shared_exchange, barriers.barrier_vote, barriers.hand_over, barriers.shared_counters, barriers.some_warps, barriers.mbarrier,
    tiles.matrix_rows, tiles.product,
]  # fmt: skip
CONTROL = [branches.if_else, branches.loop, branches.switch, branches.call]
