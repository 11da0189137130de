# The C core, as Cython sees it. Other Cython projects cimport from warpsim: __init__.pxd has the names that stay.
from libc.stdint cimport int16_t, int64_t, int8_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "warpsim/warpsim.h" nogil:
    ctypedef enum ws_status:
        WS_OK, WS_SYNTAX, WS_UNSUPPORTED, WS_INVALID_ARGUMENT, WS_UNDEFINED, WS_TRAP, WS_UNKNOWN_HARDWARE, WS_NOT_MODELLED
    ctypedef struct ws_error:
        char *message
        const char *code, *argument
        int column
        int length
    const char *ws_error_sentence(const ws_error *error)
    ctypedef struct ws_text:
        char *bytes
        size_t length
    ws_text ws_text_make(char *bytes, size_t capacity)
    enum:
        WS_KIND_COUNT, WS_SHAPE_COUNT, WS_TYPE_COUNT, WS_SPACE_COUNT, WS_CACHE_COUNT, WS_OPERAND_COUNT, WS_LAYOUT_COUNT, WS_FORM_COUNT
        WS_COUNTER_COUNT, WS_TARGET_COUNT, WS_LAST_PTX, WS_CP_ASYNC, WS_MOVMATRIX
    ctypedef struct ws_op:
        uint8_t kind, shape, type, space, num, trans, vec, size_bytes, cache, operand, layout, form
    ctypedef struct ws_form:
        pass
    const char *ws_kind_word(int kind)
    bint ws_kind_reads_registers(int kind)
    const char *ws_shape_word(int shape)
    const char *ws_type_word(int type)
    const char *ws_space_word(int space)
    const char *ws_cache_word(int cache)
    const char *ws_operand_word(int operand)
    const char *ws_layout_word(int layout)
    bint ws_op_is_wmma(const ws_op *op)
    const char *ws_counter_word(int counter)
    bint ws_op_equal(const ws_op *a, const ws_op *b)
    bint ws_op_is_collective(const ws_op *op)
    bint ws_op_is_load(const ws_op *op)
    bint ws_op_writes_memory(const ws_op *op)
    int ws_op_num_registers(const ws_op *op)
    int ws_op_register_bits(const ws_op *op)
    int ws_op_row_lanes(const ws_op *op)
    int ws_op_access_bytes(const ws_op *op)
    int ws_op_group_lanes(const ws_op *op)
    int ws_op_fields(const ws_op *op)
    int ws_form_match(const ws_form *form, const ws_op *op)
    enum:
        WS_MATCH_ALL, WS_LANES, WS_MAX_REGISTERS, WS_MAX_WARP_FINDINGS
    const ws_form *ws_isa_form(int index)
    ws_status ws_parse(const char *text, ws_op *op, ws_error *error)
    ws_status ws_parse_text(const char *bytes, size_t length, ws_op *op, ws_error *error)
    ws_status ws_op_validate(ws_op *op, ws_error *error)
    void ws_op_write(const ws_op *op, ws_text *text)
    ctypedef struct ws_target_row:
        const char *name
        uint16_t number
    const ws_target_row *ws_target(int index)
    int ws_target_find(const char *name)
    ctypedef struct ws_limits:
        uint32_t sm_shared_bytes, block_shared_bytes, sm_blocks, sm_warps, cluster_blocks
    const ws_limits *ws_limits_of(int target)
    enum:
        WS_LIMIT_STATIC_SHARED_BYTES, WS_LIMIT_BLOCK_THREADS, WS_LIMIT_BLOCK_REGISTERS, WS_LIMIT_THREAD_REGISTERS
        WS_LIMIT_GRID_X, WS_LIMIT_GRID_YZ, WS_LIMIT_BLOCK_Z
        WS_LIMIT_CONST_BYTES, WS_LIMIT_PARAMETER_BYTES, WS_LIMIT_EARLY_PARAMETER_BYTES
    int ws_ptx_find(const char *version)
    int ws_op_min_ptx_at(const ws_op *op, int target)
    ctypedef struct ws_legality:
        bint ok
        int min_ptx
        uint64_t targets
        int reason_count
        char reasons[3][320]
    ws_legality ws_legality_of(const ws_op *op, int target, int ptx)
    ctypedef struct ws_element:
        int matrix, row, column
    ws_element ws_fragment_element(const ws_op *op, int lane, int reg, int field)
    ctypedef struct ws_place_in_matrix:
        int row, col
    ws_place_in_matrix ws_wmma_element(const ws_op *op, int lane, int value, bint sm_75)
    uint32_t ws_wmma_default_stride(const ws_op *op)
    int ws_wmma_rows(const ws_op *op)
    int ws_wmma_cols(const ws_op *op)
    ctypedef struct ws_memory:
        uint64_t shared_window
    ws_memory ws_memory_make(void *bytes, size_t nbytes, uint64_t base)
    ws_memory ws_memory_with_global(ws_memory memory, void *bytes, size_t nbytes, uint64_t base)

    ctypedef enum ws_policy:
        WS_POLICY_RAISE, WS_POLICY_RECORD, WS_POLICY_HARDWARE
    ctypedef struct ws_access:
        const uint64_t *source
        const uint32_t *active
        const uint32_t *exited
        const uint32_t *stride
        int stride_lanes
        int address_lanes
        size_t n
        int target
        ws_policy policy
        uint64_t shared_window
        int simd
    ws_access ws_access_make_any(const void *address, int address_bytes, size_t n)
    ws_access ws_access_make(const uint32_t *address, size_t n)
    ws_access ws_access_make_64(const uint64_t *address, size_t n)

    enum:
        WS_SIMD_AUTO, WS_SIMD_PORTABLE, WS_SIMD_COUNT
    const char *ws_simd_word(int level)
    int ws_simd_best()
    int ws_simd_level(int wanted)

    enum:
        WS_RULE_COUNT, WS_RULES_KERNEL, WS_RULES_TILE, WS_SEVERITY_COUNT, WS_TILE_PITCH, WS_TILE_SWIZZLE
    ctypedef struct ws_rule:
        const char *id, *title
        const char *ptx, *hardware
        const char *fix
        uint8_t severity, fault
    const ws_rule *ws_rule_at(int index)
    const char *ws_rule_section(int rule)
    const char *ws_severity_word(int severity)
    const char *ws_fault_word(int fault)
    ctypedef struct ws_finding:
        uint64_t warp
        uint64_t address
        int16_t lane
        uint8_t rule
        uint8_t has_address
    ctypedef struct ws_findings:
        ws_finding *items
        size_t capacity
        size_t count
    void ws_finding_write(const ws_op *op, const ws_memory *memory, const ws_finding *finding, ws_text *text)

    ctypedef struct ws_plan:
        size_t warp_bytes
        int level
    ws_plan ws_plan_make(const ws_op *op, const ws_access *access)
    ctypedef struct ws_call:
        const ws_plan *plan
        const ws_access *access
        const uint32_t *source
        void *registers
        bint checked
    ws_call ws_call_make(const ws_plan *plan, const ws_memory *memory, const ws_access *access, void *registers)
    ws_status ws_check_range(const ws_call *call, size_t first, size_t last, uint8_t *ok, ws_findings *sink, ws_error *error)
    ws_status ws_execute(const ws_op *op, const ws_memory *memory, const ws_access *access, void *registers, ws_findings *sink, ws_error *error)
    size_t ws_execute_range(const ws_call *call, size_t first, size_t last, ws_findings *sink)
    bint ws_check_qualifiers(const ws_op *ops, const ws_access *access, size_t warp, ws_findings *sink)
    ctypedef enum ws_outcome:
        WS_OUTCOME_TRAP
    ws_outcome ws_hardware_divergent(const ws_op *a, const ws_op *b, int target, const char **code)
    ctypedef struct ws_counts:
        uint64_t instructions, requests, wavefronts, ideal_wavefronts, bank_conflicts, sectors
    ws_status ws_count(const ws_op *op, const ws_access *access, ws_counts *counts, ws_error *error)
    void ws_counts_add(ws_counts *total, const ws_counts *one)
    void ws_count_range(const ws_plan *plan, const ws_access *access, size_t first, size_t last, ws_counts *counts, ws_counts *total)
    uint32_t ws_count_inexact(const ws_op *op, const ws_access *access)
    uint32_t ws_count_inexact_range(const ws_plan *plan, const ws_access *access, size_t first, size_t last)
    bint ws_op_counts_groups(const ws_op *op)
    bint ws_count_is_uniform(const ws_plan *plan, const ws_access *access)
    enum:
        WS_COUNTER_INSTRUCTIONS, WS_COUNTER_REQUESTS, WS_COUNTER_WAVEFRONTS, WS_COUNTER_IDEAL_WAVEFRONTS
        WS_COUNTER_BANK_CONFLICTS, WS_COUNTER_SECTORS
    ctypedef struct ws_bank_cell:
        uint64_t word
        uint8_t group, lane, bank
        uint8_t cell_pass "pass"
    ctypedef struct ws_bank_cells:
        ws_bank_cell cell[512]
        int cells, groups
        uint8_t group_wavefronts[32]
    void ws_explain_warp(const ws_op *op, const ws_access *access, size_t warp, ws_bank_cells *cells)
    ctypedef struct ws_swizzle:
        int8_t bits, base, shift
        bint unit_is_byte
    ctypedef struct ws_layout:
        int64_t rows, cols, pad
        int element_bits
        bint packed, col_major
        ws_swizzle swizzle
        const int64_t *row_at, *col_at
    ws_swizzle ws_swizzle_make(int bits, int base, int shift)
    ws_layout ws_layout_make(int64_t rows, int64_t cols, int element_bits)
    int64_t ws_layout_pitch_bytes(const ws_layout *layout)
    int64_t ws_layout_nbytes(const ws_layout *layout)
    int64_t ws_layout_element_bytes(const ws_layout *layout)
    int64_t ws_layout_offset(const ws_layout *layout, int64_t row, int64_t col)
    bint ws_layout_addresses(const ws_layout *layout, const ws_op *op, int64_t *row, int64_t *col, bint by_row, int64_t *address)
    enum:
        WS_CONSTANT_COUNT, WS_BASIS_COUNT, WS_BASIS_USER, WS_BOUND_COUNT, WS_PROGRAM_PART_COUNT, WS_LAW_PROGRAM, WS_LAW_MAINLOOP, WS_LAW_ASSEMBLED, WS_MAINLOOP_MOST
        WS_PIPELINE_WARPS, WS_PIPELINE_GROUPS, WS_LATENCY, WS_INTERVAL, WS_MANY_WARPS, WS_COPY_WAVEFRONTS, WS_SCHEDULE_NOTHING, WS_SCHEDULE_CONVERT
        WS_SCHEDULE_LOAD, WS_SCHEDULE_MMA, WS_SCHEDULE_COPY, WS_SCHEDULE_WAIT, WS_SCHEDULE_BARRIER, WS_SCHEDULE_RELOAD, WS_SCHEDULE_BRANCH, WS_SCHEDULE_CONSTANT
        WS_SCHEDULE_OTHER, WS_TILE_SIDE_COUNT, WS_TILE_MAX_FINDINGS, WS_SEARCH_REASON_COUNT, WS_BANK_COUNT, WS_ELEMENT_TYPE_COUNT, WS_TILE_STORE, WS_TILE_LOAD
        WS_TILE_MAX_WARPS, WS_SEARCH_PAD_MAX, WS_SEARCH_SWIZZLES_MAX, WS_SEARCH_MOST_OPS, WS_NOTE_COUNT, WS_NO_TARGET
    ctypedef struct ws_profile_constant_row:
        const char *name, *unit, *meaning
    const ws_profile_constant_row *ws_profile_constant_at(int constant)
    const char *ws_basis_word(int basis)
    ctypedef struct ws_profile_value:
        double value, error
        const char *source
        int basis
    ctypedef struct ws_profile:
        int target
        ws_profile_value constant[WS_CONSTANT_COUNT]
    ws_profile ws_profile_of(int target)
    const char *ws_bound_word(int bound)
    ctypedef struct ws_asked:
        double shared, tags, banks, slower
        int lines
        bint usual
    ws_asked ws_asked_guess(const ws_op *op, const ws_counts *counts)
    ws_asked ws_asked_of(const ws_op *op, const ws_access *access, size_t warp)
    ctypedef struct ws_demand:
        pass
    ws_demand ws_demand_at(const ws_op *op, const ws_counts *counts, const ws_asked *asked, const ws_profile *profile)
    ctypedef struct ws_cost:
        double latency, interval
        int bound
        double part[WS_BOUND_COUNT]
    ws_cost ws_cost_of_demand(ws_demand demand, const ws_profile *profile, int warps)
    const char *ws_program_part_word(int part)
    ctypedef struct ws_program:
        pass
    ctypedef struct ws_program_cost:
        double cycles, wavefronts
        int bound
        double part[WS_PROGRAM_PART_COUNT]
    ws_program ws_program_begin(const ws_profile *profile)
    void ws_program_warp(ws_program *program)
    void ws_program_add(ws_program *program, const ws_demand *demand)
    ws_program_cost ws_program_end(ws_program *program)
    ctypedef struct ws_law_row:
        const char *source
    const ws_law_row *ws_law_at(int law)
    int ws_law_of(const ws_op *op, const ws_asked *asked, int warps, int quantity)
    bint ws_program_was_timed(const ws_op *op, const ws_asked *asked)
    double ws_law_error(int law, const ws_profile *profile)
    ctypedef struct ws_assembled:
        const uint8_t (*instruction)[5]
        int64_t count, registers
    ctypedef struct ws_mainloop:
        int64_t m, n, k, warps_m, warps_n, stages
        bint trans_b, narrow_sums, unpacked
        ws_layout a, b
        int simd
        const ws_assembled *assembled
    ctypedef struct ws_mainloop_cost:
        double cycles, tensor_fraction
        int bound
        double part[WS_BOUND_COUNT]
        int64_t load_wavefronts, store_wavefronts, mma, global_bytes, shared_bytes, registers
    ctypedef struct ws_mainloop_storage:
        pass
    ws_status ws_mainloop_cost_of(const ws_mainloop *loop, const ws_profile *profile, ws_mainloop_storage *storage, ws_mainloop_cost *cost, ws_error *error)
    ctypedef struct ws_tiling:
        int64_t units, warps, steps
    ws_status ws_tile_cover(const ws_layout *layout, const ws_op *op, int64_t warps, ws_tiling *tiling, ws_error *error)
    void ws_tile_steps(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int64_t *address)
    void ws_tile_count(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int simd, ws_counts *counts)
    void ws_tile_steps_range(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int64_t first, int64_t last, int64_t *address)
    void ws_tile_count_range(const ws_layout *layout, const ws_op *op, const ws_tiling *tiling, int simd, int64_t begin, int64_t end, ws_counts *counts)
    uint32_t ws_tile_inexact(const ws_op *op, const ws_tiling *tiling)
    double ws_tile_cycles(const ws_op *op, const ws_profile *profile, const int64_t *wavefronts, int64_t warps, int64_t steps)
    int ws_target_newest_ptx(int target)
    bint ws_is_before_sm_80(int target)
    bint ws_wmma_is_known(int target)
    const char *ws_tile_side_word(int side)
    ctypedef struct ws_tile_finding:
        uint8_t rule, side
    int ws_tile_find_side(const ws_layout *layout, const ws_op *op, int side, int target, ws_tile_finding *found, int count)
    int ws_tile_find_size(const ws_layout *layout, const ws_profile *profile, ws_tile_finding *found, int count)
    void ws_tile_finding_write(const ws_layout *layout, const ws_op *op, const ws_profile *profile, const ws_tile_finding *finding, ws_text *text)
    const char *ws_search_reason_word(int reason)
    ctypedef struct ws_search_terms:
        ws_op op[16]
        double weight[16]
        int count, simd
        int64_t warps, max_bytes
        const ws_profile *profile
    ctypedef struct ws_search_row:
        int64_t rejected
    size_t ws_search_words(const ws_layout *candidate, size_t n, const ws_search_terms *terms)
    ctypedef struct ws_search_run:
        pass
    ws_status ws_search_begin(ws_search_run *run, const ws_search_terms *terms, void *storage, ws_error *error)
    void ws_search_range(ws_search_run *run, const ws_layout *candidate, size_t first, size_t last, ws_search_row *row)
    size_t ws_search_counted(const ws_search_row *row, size_t n, int64_t *order)
    void ws_search_merge(const ws_layout *candidate, const ws_search_row *row, size_t kept, size_t width, int64_t *order, int64_t *scratch)
    size_t ws_search_pareto(const ws_search_row *row, const int64_t *order, size_t kept, int64_t *front)
    const char *ws_version()
    uint64_t WS_SHARED_WINDOW, WS_SHARED_WINDOW_BYTES
    ctypedef struct ws_element_type:
        const char *name
        uint8_t bits
        bint packed
    const ws_element_type *ws_element_type_at(int index)
    ws_layout ws_layout_of_type(int64_t rows, int64_t cols, int type)
    int64_t ws_layout_run_unit(const ws_layout *layout)
    uint32_t ws_tile_kinds(int side)
    size_t ws_search_swizzles(ws_swizzle *swizzle)
    void ws_report_summary(const ws_op *op, ws_text *text)
    int ws_report_targets(const ws_op *op, ws_text *text)
    bint ws_report_note(const ws_op *op, int index, ws_text *text)
    ws_memory ws_report_findings(const ws_op *op, const ws_access *access, ws_findings *sink)
    void ws_report_fix(const ws_op *op, const ws_finding *finding, const ws_layout *layout, ws_text *text)

    ctypedef struct ws_span:
        size_t begin, end
    size_t ws_ptx_blank_some(const char *text, size_t length, size_t at, size_t until, char *code, size_t *none_before)
    ctypedef struct ws_name:
        pass
    ctypedef struct ws_lint_finding:
        size_t at, length, line, column, message
        uint8_t rule
    ctypedef struct ws_lint_instruction:
        ws_span opcode
        size_t line
        ws_op op
    ctypedef struct ws_lint_storage:
        char *code
        size_t code_capacity, name_capacity, bucket_count, names_wanted
        ws_name *names
        uint32_t *buckets
    ctypedef struct ws_lint_sink:
        ws_lint_finding *findings
        ws_lint_instruction *instructions
        char *messages
        size_t finding_capacity, finding_count, instruction_capacity, instruction_count, message_capacity, message_count
        ws_span version, target
    ctypedef struct ws_lint_run:
        int target, ptx
    ws_status ws_lint_open(ws_lint_run *run, const char *text, size_t length, ws_lint_storage *storage, ws_lint_sink *sink,
                           ws_error *error)
    bint ws_lint_go_on(ws_lint_run *run, size_t pieces)
    ws_status ws_lint_close(const ws_lint_run *run, ws_lint_storage *storage, ws_error *error)
