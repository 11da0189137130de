# What the door to the engine needs of run.h: kernels, launches and what is found of them; module.pxd has what a PTX file is.
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from warpsim._engine.module cimport *

cdef extern from "<warpsim/run.h>" nogil:
    ctypedef struct ws_callee:
        uint32_t locals
    ctypedef struct ws_step:
        uint32_t statement
    ctypedef struct ws_kernel:
        const ws_step *steps
        const ws_callee *callees
        const uint32_t *offset_of
        uint32_t static_shared_bytes, parameter_bytes, num_steps, num_inexact, most_rows, num_system_calls
    ctypedef struct ws_refused:
        const uint32_t *statements
        uint32_t count
    ctypedef struct ws_chosen:
        uint32_t kernel
        int target, simd
        bint contracts
    int ws_kernel_make(const ws_module *module, const ws_chosen *chosen, ws_arena *arena, ws_kernel *program, ws_refused *refused,
                        ws_error *error)
    const ws_function *ws_module_definition(const ws_module *module, uint32_t function)
    ctypedef struct ws_region:
        uint64_t base, nbytes
        uint8_t *bytes
        uint32_t owner
        uint8_t kind
        bint is_read_only
        uint8_t *marks
    ctypedef struct ws_space_map:
        const ws_region *regions
        uint32_t count
    enum:
        WS_REGION_ARGUMENT, WS_REGION_VARIABLE, WS_REGION_CONSTANT, WS_REGION_PARAMETERS, WS_REGION_HEAP
    ctypedef struct ws_heap_owner:
        uint64_t block
        uint32_t step, thread
    ctypedef struct ws_heap_piece:
        uint64_t at, nbytes
        ws_heap_owner owner
        bint is_used
    ctypedef struct ws_output:
        uint8_t *bytes
        size_t capacity, used
        uint64_t records, lost, heap_base, heap_bytes, heap_used
        ws_heap_piece *pieces
        uint32_t piece_capacity, piece_count
        uint8_t lock
    void ws_lock(uint8_t *lock), ws_unlock(uint8_t *lock)
    ctypedef struct ws_picked:
        const uint64_t *numbers
        uint64_t first, step, rest, parts
    uint64_t WS_PICKED_MOST
    uint64_t ws_picked_number(const ws_picked *picked, uint64_t ordinal)
    ctypedef struct ws_launch:
        const ws_kernel *program
        ws_space_map memory
        const uint64_t *variables
        const uint8_t *parameters
        uint32_t grid[3], threads[3], cluster[3]
        bint has_clusters, is_strict
        ws_picked picked
        uint32_t shared_bytes, stack_bytes
        uint64_t order, workspace
        ws_output *output
        uint8_t *lock
        int simd
    bint ws_kernel_meets(const ws_kernel *program)
    bint ws_kernel_needs_order(const ws_kernel *program)
    const char *ws_kernel_rule_name(int rule)
    ctypedef struct ws_stop:
        uint8_t kind, space
        bint is_write
        uint32_t statement, warp, lanes
        uint64_t address
        uint32_t nbytes
        int32_t rule
        uint32_t other, other_warp
    enum:
        WS_FOUND_CAPACITY, WS_RUN_LEAK, WS_JOURNAL_CAPACITY, WS_CHECK_OBJECTS, WS_CLOCK_OBJECTS, WS_PAUSES, WS_NONE, WS_CUDA, WS_GLUON, WS_RUN_DEADLOCK, WS_RUN_STEPS, WS_RUN_END, WS_STOP_FOUND
    ctypedef struct ws_block:
        ws_stop stop
        uint64_t steps
        uint32_t index[3]
        const uint8_t *inexact
    ctypedef struct ws_cluster:
        ws_block *blocks
        uint32_t count, suspects, doubt
        uint64_t turns, steps_left
        bint has_others, is_watched, drew, pauses
    ctypedef enum ws_poll_found:
        WS_POLL_RUNS, WS_POLL_LOOKS, WS_POLL_WAITS, WS_POLL_ONLY
    ctypedef struct ws_poll:
        uint32_t warps, least
        bint whole
    bint ws_poll_make(const ws_cluster *cluster, ws_arena *arena, ws_poll *poll)
    void ws_poll_begin(ws_poll *poll, ws_cluster *cluster)
    ws_poll_found ws_poll_end(ws_poll *poll, ws_cluster *cluster)
    uint64_t ws_cluster_polls(const ws_cluster *cluster)
    uint64_t ws_digest_cluster(const ws_cluster *cluster)
    void ws_cluster_never(ws_cluster *cluster)
    uint32_t ws_launch_resident(const ws_launch *launch)
    ctypedef struct ws_line:
        pass
    ctypedef struct ws_sample:
        pass
    ctypedef struct ws_samples:
        ws_sample *rows
        uint32_t count
        uint64_t block
    void ws_sample_add(ws_sample *total, const ws_sample *one)
    ctypedef struct ws_observer:
        pass
    ctypedef struct ws_touched:
        pass
    size_t ws_touched_words(const ws_space_map *map)
    const uint64_t WS_TOUCHED_MOST, WS_TOUCHED_ALL
    void ws_touched_add(uint64_t *total, const ws_touched *one)
    ctypedef struct ws_watch:
        ws_line *lines
        ws_samples samples
        ws_touched touched
        ws_observer observer
    bint ws_watch_make(const ws_launch *launch, ws_arena *arena, ws_watch *watch)
    void ws_watch_as_made(ws_watch *watch, const uint8_t *made)
    void ws_watch_end(ws_watch *watch)
    void ws_line_add(ws_line *total, const ws_line *one)
    ctypedef struct ws_array_cell:
        pass
    ctypedef struct ws_array_shadow:
        ws_array_cell *cells
        bint is_unwritten
    enum:
        WS_CROWD_MOST
        WS_CROWD_LIST
    ctypedef struct ws_crowd_row:
        pass
    ctypedef struct ws_crowd:
        uint64_t overlooked
    ws_crowd ws_crowd_make(ws_crowd_row *rows, uint32_t capacity, uint32_t list)
    ctypedef struct ws_shadow:
        ws_crowd crowd
    ctypedef struct ws_arrays:
        ws_array_shadow *shadows
        uint32_t shift
        uint8_t *lock
        ws_crowd *crowd
    ctypedef struct ws_flags:
        bint is_missed
    ctypedef struct ws_journal:
        bint is_full
        ws_flags flags
    void ws_journal_begin(ws_journal *journal)
    ctypedef struct ws_found_object:
        uint32_t variable
        bint is_ended
        int64_t inside
        uint64_t nbytes
    ctypedef struct ws_found:
        uint64_t count, address, block, other_block
        uint32_t rule, step, other, via, thread, other_thread, lanes, nbytes
        uint8_t space
        bint is_write, other_is_write, is_copy, other_is_copy
        ws_found_object object
    ctypedef struct ws_told:
        ws_found *rows
        uint32_t *first
        uint32_t count
    ctypedef struct ws_repair:
        pass
    bint ws_told_make(const ws_found *rows, uint32_t count, const ws_module *module, ws_arena *arena, ws_told *told)
    ctypedef struct ws_ran:
        const ws_line *lines
        uint32_t threads
        bint is_whole
    ws_repair *ws_repairs_make(const ws_told *told, const ws_kernel *program, const ws_ran *ran, ws_arena *arena)
    ctypedef struct ws_text:
        size_t length, wanted
    ws_text ws_text_make(char *bytes, size_t capacity)
    void ws_text_add_file(ws_text *text, const char *name, size_t length)
    cdef enum:
        WS_TOLD_EFFORT, WS_REMEDY_EFFORT
    ctypedef struct ws_teller:
        const ws_module *module
        const ws_kernel *program
    ws_teller ws_teller_make(const ws_module *module, const ws_kernel *program, int language)
    int ws_language_of(const ws_module *module)
    ctypedef struct ws_named:
        const char *name
        uint64_t base, nbytes
    ctypedef struct ws_told_names:
        const ws_named *arrays
        const ws_named *shared
        uint32_t num_arrays, num_shared
    ctypedef struct ws_near:
        const char *name
        int64_t offset
        uint64_t nbytes
        bint is_local
    ctypedef struct ws_told_launch:
        uint32_t grid[3], threads[3], cluster[3]
        ws_told_names names
        const char **variables
    ws_near ws_near_to(const ws_told_names *names, int space, uint64_t address)
    uint32_t ws_told_lines(const ws_told *told, uint32_t at, uint32_t *lines, uint32_t capacity)
    void ws_message_add(const ws_teller *teller, const ws_told_launch *launch, const ws_told *told, uint32_t at, ws_text *text)
    bint ws_message_object(const ws_teller *teller, const ws_told_launch *launch, const ws_found *found, ws_text *text)
    bint ws_told_is_missed(uint32_t rule)
    void ws_fix_add(const ws_teller *teller, ws_text *text, const ws_found *found, const ws_repair *repair)
    ctypedef struct ws_waits:
        ws_block *blocks
        uint32_t count
    void ws_waits_add(const ws_teller *teller, ws_text *text, const ws_waits *waits)
    uint32_t ws_waits_add_polls(
        const ws_teller *teller, const ws_told_launch *launch, ws_text *text, const ws_waits *waits, const ws_poll *poll, uint32_t told
    )
    void ws_waits_end_polls(ws_text *text, uint32_t told, uint64_t residents, uint64_t unstarted)
    uint32_t ws_stop_rule(const ws_stop *stop)
    bint ws_stop_has_own(const ws_stop *stop)
    bint ws_stop_has_address(const ws_stop *stop)
    void ws_stop_add(
        const ws_teller *teller, const ws_told_launch *launch, const ws_space_map *memory, const ws_block *block, ws_text *text
    )
    void ws_stop_add_fix(const ws_teller *teller, const ws_stop *stop, bint polls, const ws_waits *waits, ws_text *text)
    ctypedef struct ws_found_table:
        ws_found *rows
        uint64_t lost, stops_at
    ctypedef struct ws_idle:
        pass
    ctypedef struct ws_clock:
        bint is_crowded
    ctypedef struct ws_judge:
        ws_clock clock
        ws_found_table found
        ws_idle idle
    void ws_idle_end(ws_idle *idle)
    bint ws_found_table_reaches(const ws_found_table *table)
    uint32_t ws_told_take(const ws_found_table *table, const ws_kernel *program, ws_found *rows)
    uint32_t ws_told_leaks(const ws_output *output, const ws_kernel *program, ws_found *rows, uint32_t capacity)
    void ws_text_add_plain(ws_text *text, const char *name, size_t length)
    void ws_text_add_plain_variable(ws_text *text, const char *name, size_t length)
    ctypedef struct ws_pause:
        pass
    void ws_pause_waits(ws_pause *pause)
    ctypedef struct ws_check:
        ws_judge judge
        ws_shadow shared
        ws_pause pause
        ws_observer observer
    uint32_t ws_check_shift(const ws_launch *launch, int space)
    uint32_t ws_check_most_steps(uint32_t ranks)
    uint64_t ws_array_shadow_bytes(uint64_t nbytes, uint32_t shift)
    void ws_array_shadow_make(ws_array_shadow *shadow, const ws_region *region, ws_array_cell *cells)
    bint ws_check_make(const ws_launch *launch, const ws_module *module, const ws_arrays *arrays,
                       ws_journal *journal, ws_arena *arena, ws_check *check)
    void ws_check_start(ws_check *check, uint32_t ordinal)
    bint ws_cluster_make(const ws_launch *launch, ws_arena *arena, ws_cluster *cluster)
    void ws_cluster_start(ws_cluster *cluster, uint64_t number)
    void ws_cluster_observe(ws_cluster *cluster, ws_observer *observer)
    ws_block *ws_cluster_stopped(const ws_cluster *cluster)
    uint64_t ws_cluster_steps(const ws_cluster *cluster)
    bint ws_cluster_go_on(ws_cluster *cluster, uint64_t steps)
    uint64_t WS_FIRST_GLOBAL, WS_FIRST_PARAMETER, WS_SHARED_WINDOW, WS_CLUSTER_WINDOW_BYTES, WS_LOCAL_WINDOW, WS_LOCAL_WINDOW_BYTES
