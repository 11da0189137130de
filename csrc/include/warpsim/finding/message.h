/* What is wrong, in a sentence: the rule, where in memory, who, and at which lines. */
#ifndef WARPSIM_FINDING_MESSAGE_H
#define WARPSIM_FINDING_MESSAGE_H

#include "fix.h"
#include "where.h"

enum { WS_MESSAGE_LINES = 8 /* that a message names */ };

/* The launch whose findings are told, and the names that its messages have. */
typedef struct ws_told_launch {
    uint32_t grid[3], threads[3];
    uint32_t cluster[3]; /* blocks of a cluster; 1 each: none */
    ws_told_names names;
    const char *const *variables; /* of the module, by number */
} ws_told_launch;

/* "(x, y, z)" */
static inline void ws_message_add_triple(ws_text *text, const uint32_t index[3]) {
    int i;
    for (i = 0; i < 3; i++) {
        ws_text_add(text, i == 0 ? "(" : ", ");
        ws_text_add_uint(text, index[i]);
    }
    ws_text_add(text, ")");
}

/* "(x, y, z)" of a linear number. */
static inline void ws_message_add_index(ws_text *text, uint64_t number, const uint32_t extent[3]) {
    const uint64_t row = number / extent[0];
    const uint32_t index[3] = {(uint32_t)(number % extent[0]), (uint32_t)(row % extent[1]),
                               (uint32_t)(row / extent[1])};
    ws_message_add_triple(text, index);
}

/* "lane 5", "lanes 0-15, 31" */
static inline void ws_message_add_lanes(ws_text *text, uint32_t mask) {
    const char *between = (mask & (mask - 1)) == 0 ? "lane " : "lanes ";
    int lane, last;
    for (lane = 0; lane < WS_LANES; lane = last + 1) {
        last = lane;
        if (!(mask >> lane & 1)) continue;
        while (last + 1 < WS_LANES && (mask >> (last + 1) & 1)) last++;
        ws_text_add(text, between);
        ws_text_add_int(text, lane);
        if (last > lane) ws_text_add(text, "-");
        if (last > lane) ws_text_add_int(text, last);
        between = ", ";
    }
}

/* "line 12: ld.shared.f32" */
static inline void ws_message_add_statement(const ws_teller *teller, ws_text *text, uint32_t statement) {
    const ws_opcode *opcode = &teller->module->opcodes[teller->module->statements[statement].opcode];
    ws_text_add(text, "line ");
    ws_text_add_uint(text, ws_teller_line(teller, statement));
    ws_text_add(text, ": ");
    ws_text_add_bytes(text, opcode->text, opcode->length);
}

/* "line 12: ld.shared.f32 (gemm.cu:3)" */
static inline void ws_message_add_place(const ws_teller *teller, ws_text *text, uint32_t statement) {
    ws_message_add_statement(teller, text, statement);
    ws_teller_add_source(teller, text, statement);
}

/* The block whose shared memory an address of a block means. */
static inline uint64_t ws_message_owner(const ws_told_launch *launch, const ws_found *found) {
    const uint32_t *each = launch->cluster;
    const uint64_t rank = found->address / WS_SHARED_WINDOW_BYTES, plane = (uint64_t)launch->grid[0] * launch->grid[1];
    uint64_t x = found->block % launch->grid[0], y = found->block / launch->grid[0] % launch->grid[1],
             z = found->block / plane;
    const bool is_shared = found->space == WS_AT_SHARED || found->space == WS_AT_CLUSTER;
    if (!is_shared || rank >= (uint64_t)each[0] * each[1] * each[2])
        return found->block; /* of no block of it, or alone */
    x = x / each[0] * each[0] + rank % each[0];
    y = y / each[1] * each[1] + rank / each[0] % each[1];
    z = z / each[2] * each[2] + rank / each[0] / each[1];
    return x + y * launch->grid[0] + z * plane;
}

/* Names the object that the access reaches beyond; false: it is not known. */
WS_ONCE bool ws_message_object(const ws_teller *teller, const ws_told_launch *launch, const ws_found *found,
                               ws_text *text) {
    if (found->object.variable != WS_FOUND_NO_STEP) {
        const uint64_t base = found->address - (uint64_t)found->object.inside;
        const uint32_t next = ws_named_beyond(launch->names.arrays, launch->names.num_arrays, base);
        const bool is_array = found->space == WS_AT_GLOBAL && next != 0; /* an array of the launch: its first name */
        ws_text_add(text, is_array ? launch->names.arrays[next - 1].name : launch->variables[found->object.variable]);
        return true;
    }
    if (found->object.nbytes == 0) return false;
    ws_text_add(text, "the piece that malloc gave at line ");
    ws_text_add_uint(text, ws_teller_line(teller, found->other));
    return true;
}

static inline void ws_message_add_object(const ws_teller *teller, const ws_told_launch *launch, const ws_found *found,
                                         ws_text *text) {
    static const char ended[] = "no function that runs has a variable there";
    char words[256];
    ws_text name = ws_text_make(words, sizeof words);
    if (!ws_message_object(teller, launch, found, &name)) {
        ws_text_add(text, found->space == WS_AT_LOCAL ? ended : "malloc has given nothing there");
        return;
    }
    ws_where_add_beside(text, words, found->object.inside, found->object.nbytes, found->nbytes);
    if (!found->object.is_ended) return;
    ws_text_add(text, ": ");
    ws_text_add(text, ended);
}

static inline const char *ws_message_space(int space) {
    static const char *const words[] = {"generic", "shared", "global", "local", "const", "param", "shared::cluster"};
    return words[space];
}

/* Does a statement load a parameter or a result of a function, which has a name? */
static inline const ws_item *ws_message_passed(const ws_teller *teller, const ws_found *found) {
    const ws_statement *statement = &teller->module->statements[found->step];
    const bool is_one = found->space == WS_AT_LOCAL && statement->item_count == 2 &&
                        ws_said_reads_a_parameter(&teller->module->opcodes[statement->opcode]);
    return is_one ? &teller->module->items[statement->first_item + 1] : NULL;
}

/* "shared address 0x40 of block (1, 0, 0), 0 bytes into tile (256 bytes)" */
static inline void ws_message_add_address(const ws_teller *teller, const ws_told_launch *launch, const ws_found *found,
                                          ws_text *text) {
    const uint64_t owner = ws_message_owner(launch, found);
    const ws_item *passed = ws_message_passed(teller, found);
    if (passed != NULL) {
        ws_text_add(text, "parameter ");
        ws_teller_add_name(text, teller->module, passed->at);
        return;
    }
    ws_text_add(text, ws_message_space(found->space));
    ws_text_add(text, " address ");
    ws_text_add_hex(text, found->address);
    if (owner != found->block || found->other_block != found->block) {
        ws_text_add(text, " of block ");
        ws_message_add_index(text, owner, launch->grid);
    }
    ws_text_add(text, ", ");
    if (ws_told_is_missed(found->rule)) ws_message_add_object(teller, launch, found, text);
    else ws_where_add(text, &launch->names, found->space, found->address, found->nbytes);
}

static inline void ws_message_add_lanes_of(const ws_told_launch *launch, const ws_found *found, ws_text *text) {
    ws_text_add(text, "block ");
    ws_message_add_index(text, found->block, launch->grid);
    ws_text_add(text, ", warp ");
    ws_text_add_uint(text, found->thread / WS_LANES);
    ws_text_add(text, ", ");
    ws_message_add_lanes(text, found->lanes);
}

/* "\n  written by thread (0, 0, 0) of block (1, 0, 0), line 20: st.shared.u32" */
static inline void ws_message_add_party(const ws_teller *teller, const ws_told_launch *launch, ws_text *text,
                                        const ws_found *found, bool is_other) {
    const bool is_copy = is_other ? found->other_is_copy : found->is_copy,
               is_write = is_other ? found->other_is_write : found->is_write;
    ws_text_add(text, found->rule == WS_RUN_PHASE ? "\n  reached"
                      : is_copy                   ? "\n  copied"
                      : is_write                  ? "\n  written"
                                                  : "\n  read");
    ws_text_add(text, " by thread ");
    ws_message_add_index(text, is_other ? found->other_thread : found->thread, launch->threads);
    ws_text_add(text, " of block ");
    ws_message_add_index(text, is_other ? found->other_block : found->block, launch->grid);
    ws_text_add(text, ", ");
    ws_message_add_place(teller, text, is_other ? found->other : found->step);
}

/* What was read uninitialised, or stands in the wrong place, and where it is used. */
static inline void ws_message_add_use(const ws_teller *teller, const ws_told_launch *launch, const ws_found *found,
                                      ws_text *text) {
    if (found->nbytes == 0 && ws_teller_is(teller, found->step, WS_EVENT_MEMBERS_S3))
        ws_text_add(text, ": the value of a lane that does not take part");
    ws_text_add(text, "\n  ");
    ws_message_add_lanes_of(launch, found, text);
    ws_text_add(text, found->rule == WS_RUN_FRAGMENT ? "\n  loaded at " : "\n  read at ");
    ws_message_add_place(teller, text, found->step);
    ws_text_add(text, found->rule == WS_RUN_FRAGMENT      ? "\n  multiplied at "
                      : found->rule == WS_RUN_UNUSED_READ ? "\n  stored at "
                                                          : "\n  used at ");
    ws_message_add_place(teller, text, found->other);
}

/* "; and lines 14, 15": those that are told with a row, besides its own */
static inline void ws_message_add_also(const ws_told *told, uint32_t at, ws_text *text) {
    uint32_t lines[WS_MESSAGE_LINES + 1], i;
    const uint32_t count = ws_told_lines(told, at, lines, (uint32_t)WS_MESSAGE_LINES + 1);
    for (i = 0; i < count && i < WS_MESSAGE_LINES; i++) {
        ws_text_add(text, i != 0 ? ", " : count > 1 ? "; and lines " : "; and line ");
        ws_text_add_uint(text, lines[i]);
    }
    if (count > WS_MESSAGE_LINES) ws_text_add(text, " ...");
}

static inline const char *ws_message_title(const ws_found *found) {
    if (found->rule == WS_RUN_READING && found->other == WS_FOUND_NO_STEP)
        return "the block ends while an asynchronous copy may still read its shared memory";
    if (found->rule == WS_RUN_UNUSED_READ && found->other != WS_FOUND_NO_STEP)
        return "uninitialised bytes are stored to global memory beside others";
    if (found->space == WS_AT_REGISTER) return "use of a register that nobody has set";
    return ws_rule_at((int)WS_RULES_KERNEL + (int)found->rule - 1)->title;
}

/* Of a row of `told` that is its own first. */
WS_ONCE void ws_message_add(const ws_teller *teller, const ws_told_launch *launch, const ws_told *told, uint32_t at,
                            ws_text *text) {
    const ws_found *found = &told->rows[at];
    const bool is_missed = ws_told_is_missed(found->rule), is_alone = is_missed || found->other == WS_FOUND_NO_STEP;
    ws_text_add(text, ws_message_title(found));
    if (is_missed) {
        ws_text_add(text, found->is_write ? ": write of " : ": read of ");
        ws_text_add_uint(text, found->nbytes);
        ws_where_add_unit(text, found->nbytes);
        ws_text_add(text, " at ");
    } else if (found->nbytes != 0) {
        ws_text_add(text, ": ");
    } else if (found->space == WS_AT_REGISTER) {
        ws_teller_add_register(teller, text, found->step, found->address);
    }
    if (found->nbytes != 0) ws_message_add_address(teller, launch, found, text);
    if (is_alone) {
        ws_text_add(text, "; ");
        ws_message_add_lanes_of(launch, found, text);
        ws_text_add(text, ", ");
        ws_message_add_place(teller, text, found->step);
    } else if (found->rule == WS_RUN_UNWRITTEN || found->rule == WS_RUN_UNUSED_READ || found->rule == WS_RUN_FRAGMENT) {
        ws_message_add_use(teller, launch, found, text);
    } else {
        ws_message_add_party(teller, launch, text, found, false);
        ws_message_add_party(teller, launch, text, found, true);
    }
    ws_message_add_also(told, at, text);
    if (found->count <= 1 || (ws_told_is_race(found->rule) && found->block != found->other_block))
        return; /* how often blocks race is a matter of luck */
    ws_text_add(text, "\n  ");
    ws_text_add_grouped(text, found->count);
    ws_text_add(text, " times");
}

#endif
