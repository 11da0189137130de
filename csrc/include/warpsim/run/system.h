/* Functions that the driver provides: vprintf, malloc, free, __assertfail.
 *
 * immediate: where the frame of the called function would begin; its parameters and results lie there as those of any
 * other. Source: "Formatted Output", "Dynamic Global Memory Allocation" and "Assertion" of the CUDA C++ guide. */
#ifndef WARPSIM_RUN_SYSTEM_H
#define WARPSIM_RUN_SYSTEM_H

#include "../base/apart.h"
#include "output.h"
#include "pieces.h"
#include "special.h"

static inline uint8_t *ws_system_frame(ws_lanes *lanes, const ws_step *step, int lane) {
    ws_warp *warp = ws_warp_of(lanes);
    const uint64_t at = (uint64_t)step->immediate + ws_warp_group(warp)->frame.locals;
    if (at + 64 > warp->local_bytes) {
        ws_stop_at(lanes, step, WS_RUN_STACK, UINT32_C(1) << lane);
        return NULL;
    }
    return warp->local + (size_t)lane * warp->local_bytes + at;
}

/* What one lane reads at a generic address. */
static inline ws_reach ws_system_reach(int lane, uint64_t address, uint32_t nbytes) {
    ws_reach reach;
    int i;
    reach.left = UINT32_C(1) << lane;
    reach.space = WS_AT_GENERIC;
    reach.is_write = false;
    reach.nbytes = nbytes;
    reach.alignment = 1;
    for (i = 0; i < WS_LANES; i++) reach.address[i] = address; /* all are compared, and those of `left` count */
    return reach;
}

/* `nbytes` bytes at a generic address as one lane sees it, or NULL after a fault. */
static inline const uint8_t *ws_system_bytes(ws_lanes *lanes, const ws_step *step, int lane, uint64_t address,
                                             uint32_t nbytes) {
    ws_reach reach = ws_system_reach(lane, address, nbytes);
    ws_piece piece;
    if (!ws_next_piece(&piece, &reach, lanes, step)) return NULL;
    return piece.bytes + piece.offset[lane];
}

enum { WS_TEXT_PIECE = 256 };

/* Where the bytes of a text go on, or NULL after a fault; `*count`: how many lie there, 1 where the memory may end. */
static inline const uint8_t *ws_system_text(ws_lanes *lanes, const ws_step *step, int lane, uint64_t address,
                                            uint32_t *count) {
    ws_reach reach = ws_system_reach(lane, address, *count = WS_TEXT_PIECE);
    ws_piece piece;
    if (ws_piece_find(&piece, &reach, lanes)) return piece.bytes + piece.offset[lane];
    *count = 1;
    return ws_system_bytes(lanes, step, lane, address, 1);
}

/* A record being written; `is_lost`: there was no room, or a fault. */
typedef struct ws_record {
    ws_output *output;
    size_t begin;
    uint64_t walked; /* bytes of texts, with those of records that are lost */
    bool is_lost;
} ws_record;

static inline void ws_record_byte(ws_record *record, uint8_t byte) {
    ws_output *output = record->output;
    if (output->used == output->capacity) record->is_lost = true;
    else output->bytes[output->used++] = byte;
}

static inline void ws_record_number(ws_record *record, uint64_t value, int nbytes) {
    for (; nbytes > 0; nbytes--, value >>= 8) ws_record_byte(record, (uint8_t)value);
}

/* A text in memory, with its zero; returns its length. */
static inline uint32_t ws_record_text(ws_record *record, ws_lanes *lanes, const ws_step *step, int lane,
                                      uint64_t address) {
    uint32_t length = 0, count = 0;
    const uint8_t *bytes = NULL;
    for (;; length++, count--, bytes++, record->walked++) {
        if (count == 0) bytes = ws_system_text(lanes, step, lane, address + length, &count);
        if (bytes == NULL) record->is_lost = true;
        if (record->is_lost) return length;
        ws_record_byte(record, *bytes);
        if (*bytes == '\0') return length;
    }
}

/* After the next % of a format that is not followed by another; at its end: the zero. */
static inline const uint8_t *ws_format_find(const uint8_t *p) {
    while (*p != '\0') {
        if (*p++ != '%') continue;
        if (*p != '%') return p;
        p++;
    }
    return p;
}

/* The next value that a format takes: its letter, * for a width or a precision, 0 at the end; whether it has 8 bytes.
 * `inside`: of a conversion whose width or precision was taken before. */
static inline uint8_t ws_format_next(const uint8_t **format, bool *inside, bool *is_long) {
    const uint8_t *p = *inside ? *format : ws_format_find(*format);
    uint8_t letter;
    *is_long = false;
    while (*p != '\0' && !((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '*')) p++;
    while (*p == 'l' || *p == 'h' || *p == 'z' || *p == 'j' || *p == 't' || *p == 'L') {
        *is_long = *is_long || *p != 'h';
        p++;
    }
    letter = *p;
    if (letter != '\0') p++;
    *inside = letter == '*';
    *format = p;
    if (letter == 's' || letter == 'p' || (letter >= 'e' && letter <= 'g') || (letter >= 'E' && letter <= 'G') ||
        letter == 'a' || letter == 'A') {
        *is_long = true;
    }
    return letter;
}

static inline void ws_record_values(ws_record *record, ws_lanes *lanes, const ws_step *step, int lane, size_t format,
                                    uint64_t values) {
    const uint8_t *at = record->output->bytes + format;
    uint8_t letter;
    bool is_long, inside = false;
    while (!record->is_lost && (letter = ws_format_next(&at, &inside, &is_long)) != 0) {
        const uint32_t nbytes = is_long ? 8 : 4;
        const uint8_t *bytes;
        uint64_t value;
        values = (values + nbytes - 1) / nbytes * nbytes;
        bytes = ws_system_bytes(lanes, step, lane, values, nbytes);
        values += nbytes;
        if (bytes == NULL) {
            record->is_lost = true;
            return;
        }
        value = is_long ? ws_load_u64(bytes) : ws_load_u32(bytes);
        if (letter == 's') ws_record_text(record, lanes, step, lane, value);
        else ws_record_number(record, value, 8);
    }
}

/* Returns the bytes of texts that it has looked at. */
static inline uint64_t ws_print_lane(ws_lanes *lanes, const ws_step *step, int lane) {
    ws_block *block = ws_block_of(lanes);
    ws_output *output = block->launch->output;
    uint8_t *frame = ws_system_frame(lanes, step, lane);
    ws_record record;
    size_t format;
    uint32_t result;
    int i;
    if (frame == NULL) return 0;
    record.output = output;
    record.begin = output->used;
    record.walked = 0;
    record.is_lost = false;
    ws_record_number(&record, 0, 4); /* its bytes, below */
    for (i = 0; i < 3; i++) ws_record_number(&record, block->index[i], 4);
    ws_record_number(&record, ws_warp_of(lanes)->number * WS_LANES + (uint32_t)lane, 4);
    format = output->used;
    ws_record_text(&record, lanes, step, lane, ws_load_u64(frame));
    if (!record.is_lost) ws_record_values(&record, lanes, step, lane, format, ws_load_u64(frame + 8));
    if (record.is_lost) output->used = record.begin;
    else ws_store_u32(output->bytes + record.begin, (uint32_t)(output->used - record.begin));
    output->records += !record.is_lost;
    output->lost += record.is_lost;
    result = record.is_lost ? UINT32_MAX : 1;
    ws_store_u32(frame + 16, result);
    return record.walked;
}

WS_ONCE void ws_do_vprintf_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_output *output = ws_block_of(lanes)->launch->output;
    uint64_t walked = 0;
    int lane;
    ws_lock(&output->lock);
    for (lane = 0; lane < WS_LANES; lane++) {
        if (mask >> lane & 1) walked += ws_print_lane(lanes, step, lane);
    }
    ws_unlock(&output->lock);
    if (lanes->event != WS_ASKS_STOP) ws_warp_moves_many(lanes, step, walked);
}

static inline void ws_do_malloc_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const ws_block *block = ws_block_of(lanes);
    const ws_launch *launch = block->launch;
    ws_output *output = launch->output;
    ws_heap_owner owner;
    int lane;
    owner.step = (uint32_t)(step - block->program->steps);
    owner.block = ws_linear(block->index, launch->grid);
    ws_lock(&output->lock);
    for (lane = 0; lane < WS_LANES; lane++) {
        uint8_t *frame = mask >> lane & 1 ? ws_system_frame(lanes, step, lane) : NULL;
        owner.thread = ws_warp_of(lanes)->number * WS_LANES + (uint32_t)lane;
        if (frame != NULL) ws_store_u64(frame + 8, ws_heap_take(output, ws_load_u64(frame), &owner));
    }
    ws_unlock(&output->lock);
}

static inline void ws_do_free_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    ws_output *output = ws_block_of(lanes)->launch->output;
    int lane;
    ws_lock(&output->lock);
    for (lane = 0; lane < WS_LANES; lane++) {
        const uint8_t *frame = mask >> lane & 1 ? ws_system_frame(lanes, step, lane) : NULL;
        if (frame != NULL && !ws_heap_give(output, ws_load_u64(frame))) {
            ws_stop_at(lanes, step, WS_RUN_FREE, UINT32_C(1) << lane);
            ws_block_of(lanes)->stop.address = ws_load_u64(frame);
        }
    }
    ws_unlock(&output->lock);
}

/* (message, file, line, function, size of a character) */
static inline void ws_do_assertfail_once(ws_lanes *lanes, const ws_step *step, uint32_t mask) {
    const uint8_t *frame = mask != 0 ? ws_system_frame(lanes, step, ws_first_lane(mask)) : NULL;
    if (frame == NULL) return;
    ws_stop_at(lanes, step, WS_RUN_ASSERT, mask);
    ws_block_of(lanes)->stop.address = ws_load_u64(frame);
    ws_block_of(lanes)->stop.nbytes = ws_load_u32(frame + 16);
}

/* clang-format off */
#define WS_MEANINGS_SYSTEM(X) X(VPRINTF, vprintf, SCALAR, NONE) X(MALLOC, malloc, SCALAR, NONE)                        \
    X(FREE, free, SCALAR, NONE) X(ASSERTFAIL, assertfail, SCALAR, NONE)
/* clang-format on */

#endif
