/* Rows of what was found, one for each rule and pair of accesses, in the order of the text; and which statements are of one line
 * of the source. */
#ifndef WARPSIM_FINDING_GROUP_H
#define WARPSIM_FINDING_GROUP_H

#include "../module/frames.h"
#include "../shadow/found.h"

static inline bool ws_told_is_race(uint32_t rule) {
    return rule == WS_RUN_RACE || rule == WS_RUN_WARP_RACE || rule == WS_RUN_ARRAY_RACE || rule == WS_RUN_IN_FLIGHT ||
           rule == WS_RUN_UNACQUIRED || rule == WS_RUN_GUESS;
}

/* It is about one access and one object, and has no other party. */
static inline bool ws_told_is_missed(uint32_t rule) { return rule == WS_RUN_BOUNDS || rule == WS_RUN_FREED; }

/* The two parties of a race in the order of the text, whoever came first. */
static inline ws_found ws_told_one_way(ws_found found) {
    const bool keeps = found.other == WS_FOUND_NO_STEP || found.rule == WS_RUN_UNWRITTEN ||
                       found.rule == WS_RUN_UNUSED_READ || found.rule == WS_RUN_FRAGMENT ||
                       found.rule == WS_RUN_STALE || ws_told_is_missed(found.rule);
    const bool is_ordered =
        found.step < found.other || (found.step == found.other && found.is_write <= found.other_is_write);
    ws_found turned = found;
    if (keeps || is_ordered) return found;
    turned.is_turned = !found.is_turned;
    turned.step = found.other;
    turned.other = found.step;
    turned.block = found.other_block;
    turned.other_block = found.block;
    turned.thread = found.other_thread;
    turned.other_thread = found.thread;
    turned.lanes = UINT32_C(1) << found.other_thread % 32;
    turned.is_write = found.other_is_write;
    turned.other_is_write = found.is_write;
    turned.is_copy = found.other_is_copy;
    turned.other_is_copy = found.is_copy;
    return turned;
}

#define WS_TOLD_COMPARE(field)                                                                                         \
    if (a->field != b->field) return a->field < b->field

/* None comes before all others. */
static inline uint64_t ws_told_other(const ws_found *found) {
    return found->other == WS_FOUND_NO_STEP ? 0 : (uint64_t)found->other + 1;
}

/* One use of what was read is enough. */
static inline bool ws_told_has_other(const ws_found *found) { return found->rule != WS_RUN_UNWRITTEN; }

static inline bool ws_told_is_group(const ws_found *a, const ws_found *b) {
    return a->rule == b->rule && a->step == b->step && a->is_write == b->is_write &&
           a->other_is_write == b->other_is_write && a->is_seen == b->is_seen &&
           (!ws_told_has_other(a) || a->other == b->other);
}

/* By group, and in it the example first. */
static inline bool ws_told_by_group(const ws_found *a, const ws_found *b) {
    WS_TOLD_COMPARE(rule);
    WS_TOLD_COMPARE(step);
    if (ws_told_has_other(a)) WS_TOLD_COMPARE(other);
    WS_TOLD_COMPARE(is_write);
    WS_TOLD_COMPARE(other_is_write);
    WS_TOLD_COMPARE(is_seen);
    if (ws_found_reaches(a) != ws_found_reaches(b)) return ws_found_reaches(a);
    WS_TOLD_COMPARE(block);
    WS_TOLD_COMPARE(thread);
    WS_TOLD_COMPARE(address);
    WS_TOLD_COMPARE(other_block);
    WS_TOLD_COMPARE(other_thread);
    WS_TOLD_COMPARE(other);
    return false;
}

/* As they are told: by the text. */
static inline bool ws_told_by_text(const ws_found *a, const ws_found *b) {
    WS_TOLD_COMPARE(step);
    if (ws_told_other(a) != ws_told_other(b)) return ws_told_other(a) < ws_told_other(b);
    WS_TOLD_COMPARE(rule);
    WS_TOLD_COMPARE(is_write);
    WS_TOLD_COMPARE(other_is_write);
    return false;
}
#undef WS_TOLD_COMPARE

typedef bool ws_told_order(const ws_found *a, const ws_found *b);

static inline void ws_told_sink(ws_found *rows, uint32_t at, uint32_t count, ws_told_order *before) {
    const ws_found held = rows[at];
    uint32_t below;
    while ((below = 2 * at + 1) < count) {
        if (below + 1 < count && before(&rows[below], &rows[below + 1])) below++;
        if (!before(&held, &rows[below])) break;
        rows[at] = rows[below];
        at = below;
    }
    rows[at] = held;
}

/* A heap: no allocation, and no case that takes long. */
static inline void ws_told_sort(ws_found *rows, uint32_t count, ws_told_order *before) {
    uint32_t i;
    for (i = count / 2; i-- > 0;) ws_told_sink(rows, i, count, before);
    for (i = count; i-- > 1;) {
        const ws_found last = rows[i];
        rows[i] = rows[0];
        rows[0] = last;
        ws_told_sink(rows, 0, i, before);
    }
}

/* One row for each group. */
static inline uint32_t ws_told_group(ws_found *rows, uint32_t count) {
    uint32_t i, kept = 0;
    for (i = 0; i < count; i++) rows[i] = ws_told_one_way(rows[i]);
    ws_told_sort(rows, count, ws_told_by_group);
    for (i = 0; i < count; i++) {
        if (kept > 0 && ws_told_is_group(&rows[kept - 1], &rows[i])) rows[kept - 1].count += rows[i].count;
        else rows[kept++] = rows[i];
    }
    ws_told_sort(rows, kept, ws_told_by_text);
    return kept;
}

/* The innermost line of a statement that is no system header's; if all are, its own. */
static inline uint32_t ws_told_location(const ws_module *module, uint32_t statement) {
    const uint32_t own = ws_source_location(module, statement);
    uint32_t at = own;
    while (at != WS_NO_INDEX && ws_location_is_known(module, at) && ws_location_is_system(module, at))
        at = module->locations[at].inlined_at;
    return at != WS_NO_INDEX ? at : own;
}

/* Are two locations one line of the source, inlined at the same lines? */
static inline bool ws_told_is_one_place(const ws_module *module, uint32_t one, uint32_t other) {
    while (one != WS_NO_INDEX && other != WS_NO_INDEX) {
        const ws_location *here = &module->locations[one], *there = &module->locations[other];
        if (here->file != there->file || here->line != there->line) return false;
        one = here->inlined_at;
        other = there->inlined_at;
    }
    return one == other;
}

/* Are two statements of one line of the source? What a library does in one call is one line. */
static inline bool ws_told_is_one_line(const ws_module *module, uint32_t a, uint32_t b) {
    const uint32_t one = ws_told_location(module, a), other = ws_told_location(module, b);
    if (one == WS_NO_INDEX || !ws_location_is_known(module, one)) return a == b;
    return ws_told_is_one_place(module, one, other);
}

/* Is it told, too, that somebody uses what the same pair of statements raced for? */
static inline bool ws_told_is_used(const ws_found *rows, uint32_t count, uint32_t at) {
    uint32_t i;
    for (i = 0; i < count; i++) {
        if (i != at && rows[i].rule != WS_RUN_UNUSED_RACE && rows[i].other != WS_FOUND_NO_STEP &&
            rows[i].step == rows[at].step && rows[i].other == rows[at].other)
            return true;
    }
    return false;
}

/* Is it told, too, where a value is stored that was read here? */
static inline bool ws_told_is_stored(const ws_found *rows, uint32_t count, uint32_t step) {
    uint32_t i;
    for (i = 0; i < count; i++) {
        if (rows[i].rule == WS_RUN_UNUSED_READ && rows[i].step == step && rows[i].other != WS_FOUND_NO_STEP)
            return true;
    }
    return false;
}

/* Is it told, too, that something is written which a copy still reads at the end of its block? */
static inline bool ws_told_is_overtaken(const ws_found *rows, uint32_t count, uint32_t at) {
    uint32_t i;
    for (i = 0; i < count; i++) {
        if (i != at && rows[i].rule == WS_RUN_READING &&
            (rows[i].step == rows[at].step || rows[i].other == rows[at].step))
            return true;
    }
    return false;
}

#endif
