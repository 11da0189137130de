# What the door to the engine needs of run.h to read a PTX file: its variables, functions, statements and lines.
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "<warpsim/run.h>" nogil:
    ctypedef struct ws_error:
        char message[512]
        int column, length
    enum:
        WS_OK, WS_SYNTAX, WS_NOT_MODELLED, WS_INVALID_ARGUMENT, WS_NO_TARGET, WS_SIMD_AUTO, WS_NO_INDEX "UINT32_MAX"
        WS_AT_SHARED, WS_AT_GLOBAL, WS_AT_LOCAL, WS_AT_CONST, WS_AT_PARAM, WS_AT_CLUSTER, WS_NAME_SHARED, WS_NAME_GLOBAL
        WS_NAME_CONST, WS_NAME_PARAM, WS_LINKAGE_EXTERN, WS_LINKAGE_VISIBLE, WS_LINKAGE_WEAK, WS_LINKAGE_COMMON
    ctypedef struct ws_arena:
        size_t wanted
    ws_arena ws_arena_make(void *bytes, size_t capacity)
    ctypedef struct ws_span:
        size_t begin, end
    ctypedef struct ws_variable:
        ws_span name
        uint64_t nbytes
        uint32_t align, function, first_run, run_count, first_relocation, relocation_count
        uint8_t space, type, vec, linkage
        bint is_parameter, is_array
    ctypedef struct ws_initial_run:
        uint64_t at, first, count
    ctypedef struct ws_relocation:
        uint64_t at, addend
        uint32_t symbol
        uint8_t nbytes, shift
        bint is_function, is_generic
    ctypedef struct ws_extent:
        uint32_t x, y, z
    ctypedef struct ws_function:
        ws_span name
        uint32_t first_parameter, parameter_count, first_statement, statement_count, first_register, minnctapersm, maxclusterrank
        uint8_t linkage
        bint is_entry, is_declaration, explicit_cluster
        ws_extent maxntid, reqntid, cluster
    ctypedef struct ws_statement:
        uint32_t at, opcode_at, function, opcode, guard, first_item, item_count, location
        bint guard_is_negated
    enum:
        WS_ITEM_REGISTER, WS_ITEM_INTEGER, WS_ITEM_FLOAT32, WS_ITEM_FLOAT64, WS_ITEM_VARIABLE, WS_ITEM_FUNCTION, WS_ITEM_LABEL
        WS_ITEM_LIST, WS_ITEM_SINK, WS_ITEM_SPECIAL, WS_ITEM_ADDRESS, WS_ITEM_VECTOR, WS_ITEM_PARENTHESES, WS_ITEM_PAIR
    ctypedef struct ws_item:
        uint8_t kind, base_kind
        bint is_inverted, is_negative
        uint32_t index, at, length, first_part, part_count, selector
        uint64_t value
    ctypedef struct ws_location:
        uint32_t file, line
        ws_span function_name
    ctypedef struct ws_source_frames:
        const uint32_t *location
        uint32_t count
    ctypedef struct ws_file:
        ws_span name
    ctypedef struct ws_opcode:
        const char *text
        uint32_t length
    ctypedef struct ws_effort:
        uint64_t left
    ctypedef struct ws_module:
        ws_effort *effort
        const char *text
        uint32_t version
        const ws_span *targets
        const ws_variable *variables
        const ws_initial_run *runs
        const ws_relocation *relocations
        const uint8_t *bytes
        const ws_function *functions
        const ws_statement *statements
        const ws_opcode *opcodes
        const ws_item *items
        const ws_location *locations
        const ws_file *files
        uint32_t target_count, variable_count, function_count, statement_count, opcode_count, location_count, file_count
    ctypedef struct ws_place_in_text:
        uint32_t line, column
    ws_span ws_item_text(const ws_module *module, const ws_item *item)
    void ws_module_labels(const ws_module *module, uint8_t *is_label)
    uint32_t ws_module_statement_at(const ws_module *module, uint32_t line, uint32_t column)
    int ws_module_check(const ws_module *module, ws_error *error)
    ws_source_frames ws_source_frames_of(const ws_module *module, uint32_t statement)
    ws_place_in_text ws_module_place(const ws_module *module, size_t at)
    size_t ws_module_bytes(const char *text, size_t length)
    int ws_module_parse(const char *text, size_t length, void *memory, ws_module *module, ws_error *error)
    const char *ws_type_word(int type)
    uint64_t ws_function_address(uint32_t number)
    ctypedef struct ws_opcode_product:
        uint16_t m, n, k
        uint8_t d, a, warps
        bint is_sparse
    ctypedef struct ws_said:
        bint rounds, is_strong, is_noncoherent
    ctypedef struct ws_opcode_row:
        bint is_known, writes, is_tensor
        uint8_t event, space, source, type, elements
        uint16_t nbytes
        uint32_t how
        ws_said said
        ws_opcode_product product
    size_t ws_opcode_word(const char *text, size_t length)
    ws_span ws_ptx_token(const char *text, size_t length, size_t at, size_t *none_before)
    ws_opcode_row ws_opcode_row_of(const ws_opcode *opcode)
    const char *ws_opcode_choice(uint32_t how), *ws_event_word(int event)
