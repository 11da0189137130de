/* What is told of what the checks have found: one row for each rule and pair of accesses, and nothing twice.
 *
 *     ws_told_make(rows, count, module, arena, &told)     rows of all threads and pieces of a launch; statements, not steps
 *
 * Counts of one pair add up; the example is that of the first block and thread, of two blocks if there is one. A read is
 * not told as unused where it is used or an atomic's, nor as unwritten where it races, nor a race where the other access is
 * a copy in flight, nor what comes of an access outside of its array. Rows of the same lines are told together. */
#ifndef WARPSIM_FINDING_TOLD_H
#define WARPSIM_FINDING_TOLD_H

#include "../base/apart.h"
#include "../base/arena.h"
#include "changed.h"
#include "flag.h"
#include "words.h"

/* Where the two parties of a row are; without a line of the source nothing is one. */
typedef struct ws_told_places {
    uint32_t step, other;
} ws_told_places;

typedef struct ws_told {
    const ws_module *module;
    ws_found *rows; /* `step`, `other` and `via` are statements of the module */
    ws_told_places *places;
    uint32_t *first; /* of each row, the row that it is told with: itself, or an earlier one */
    uint32_t count;
} ws_told;

/* What rows say of a statement. */
enum {
    WS_TOLD_USED = 1,
    WS_TOLD_RACES = 2,
    WS_TOLD_MISSES = 4,
    WS_TOLD_FLIES = 8,  /* a copy that nobody waits for */
    WS_TOLD_FLAGS = 16, /* the store of a flag */
    WS_TOLD_MEETS = 32  /* warps race; 64 and 128: flag.h */
};

/* Does a copy in flight meet the same pair? The rows of a pair are side by side. */
static inline bool ws_told_in_flight(const ws_found *rows, uint32_t count, uint32_t at) {
    uint32_t first = at, i;
    while (first > 0 && rows[first - 1].step == rows[at].step && rows[first - 1].other == rows[at].other) first--;
    for (i = first; i < count && rows[i].step == rows[at].step && rows[i].other == rows[at].other; i++) {
        if (rows[i].rule == WS_RUN_IN_FLIGHT) return true;
    }
    return false;
}

static inline void ws_told_mark(const ws_found *row, uint32_t number, uint8_t *marks, uint32_t *reads) {
    const uint8_t races = row->rule == WS_RUN_WARP_RACE ? WS_TOLD_RACES : WS_TOLD_RACES | WS_TOLD_MEETS;
    if (row->rule == WS_RUN_UNUSED_READ && row->other_is_write)
        marks[row->step] |= WS_TOLD_USED; /* with another value */
    else if (row->rule == WS_RUN_UNUSED_READ && row->nbytes != 0) reads[row->step] = number + 1;
    if (row->rule == WS_RUN_UNWRITTEN) marks[row->step] |= WS_TOLD_USED;
    if (row->rule == WS_RUN_BOUNDS) marks[row->step] |= WS_TOLD_MISSES;
    if (row->rule == WS_RUN_IN_FLIGHT && row->other != WS_FOUND_NO_STEP)
        marks[row->is_copy ? row->step : row->other] |= WS_TOLD_FLIES;
    if (!ws_told_is_race(row->rule)) return;
    marks[row->step] |= races;
    if (row->other != WS_FOUND_NO_STEP) marks[row->other] |= races;
}

/* The flag is passed on by those who have seen it. */
static inline bool ws_told_is_passed(const ws_found *row, const uint8_t *marks) {
    return (row->rule == WS_RUN_VOLATILE || row->rule == WS_RUN_WARP_RACE) && row->is_write && row->other_is_write &&
           row->other != WS_FOUND_NO_STEP && (marks[row->step] & marks[row->other] & WS_TOLD_FLAGS) != 0;
}

/* Triton has one element in several threads, and all of them store it to shared memory: nobody who writes in Triton can say
 * otherwise. */
static inline bool ws_told_is_made(const ws_found *row, const ws_module *module) {
    const bool is_one = row->rule == WS_RUN_CLASH || row->rule == WS_RUN_SAME_VALUE;
    return is_one && row->space == WS_AT_SHARED && ws_language_of(module) == WS_TRITON;
}

/* Lanes of one store write one value in one place: a race, where each was to change it by its own. */
static inline ws_found ws_told_same_value(ws_found one, const ws_module *module, uint8_t *marks) {
    if (one.is_write == one.other_is_write || one.step != one.other || (marks[one.step] & WS_TOLD_RACES) != 0 ||
        !ws_update_counts(module, one.step))
        return one;
    one.rule = one.space == WS_AT_SHARED ? WS_RUN_RACE : WS_RUN_ARRAY_RACE;
    one.is_write = one.other_is_write = true;
    marks[one.step] |= WS_TOLD_RACES;
    return one;
}

/* Is something told already by another row? Lanes that run on after a barrier that others missed exit early, too. */
static inline bool ws_told_is_twice(const ws_found *rows, uint32_t count, uint32_t at, const uint8_t *marks,
                                    bool has_diverged) {
    const ws_found *row = &rows[at];
    const bool is_read = row->rule == WS_RUN_UNUSED_READ || row->rule == WS_RUN_UNWRITTEN;
    const bool misses = (marks[row->step] & WS_TOLD_MISSES) != 0 ||
                        (row->other != WS_FOUND_NO_STEP && (marks[row->other] & WS_TOLD_MISSES) != 0);
    const bool of_warp = row->block == row->other_block && row->thread / WS_LANES == row->other_thread / WS_LANES;
    if (row->rule == WS_RUN_ABSENT && has_diverged) return true;
    if (row->rule == WS_RUN_UNUSED_RACE) return ws_told_is_used(rows, count, at);
    if (row->rule == WS_RUN_READING && row->other == WS_FOUND_NO_STEP) return ws_told_is_overtaken(rows, count, at);
    if (misses && (is_read || ws_told_is_race(row->rule))) return true;
    if (row->rule == WS_RUN_SAME_VALUE && (marks[row->step] & (of_warp ? WS_TOLD_RACES : WS_TOLD_MEETS)) != 0)
        return true;
    if (row->rule == WS_RUN_READING && row->other != WS_FOUND_NO_STEP &&
        ((marks[row->step] | marks[row->other]) & WS_TOLD_FLIES) != 0)
        return true;
    if (is_read && row->space != WS_AT_REGISTER && (marks[row->step] & WS_TOLD_RACES)) return true;
    if (row->rule == WS_RUN_UNUSED_READ)
        return row->is_write || (marks[row->step] & WS_TOLD_USED) != 0 ||
               (row->other == WS_FOUND_NO_STEP && ws_told_is_stored(rows, count, row->step));
    return (row->rule == WS_RUN_RACE || row->rule == WS_RUN_WARP_RACE) && ws_told_in_flight(rows, count, at);
}

static inline ws_told_places ws_told_places_of(const ws_module *module, const ws_found *row) {
    ws_told_places places;
    places.step = ws_told_location(module, row->step);
    places.other = row->other != WS_FOUND_NO_STEP ? ws_told_location(module, row->other) : places.step;
    return places;
}

/* Do two rows tell the same of the same lines? Which of two parties came first does not matter. */
static inline bool ws_told_is_one(const ws_told *told, const ws_module *module, uint32_t a, uint32_t b) {
    const ws_found *one = &told->rows[a], *other = &told->rows[b];
    const ws_told_places here = told->places[a], there = told->places[b];
    const bool is_wider = one->rule == WS_RUN_RACE || one->rule == WS_RUN_ARRAY_RACE;
    const bool is_same = one->rule == other->rule || (is_wider && other->rule == WS_RUN_WARP_RACE);
    if (!is_same || (one->other == WS_FOUND_NO_STEP) != (other->other == WS_FOUND_NO_STEP) ||
        here.step == WS_NO_INDEX || !ws_location_is_known(module, here.step))
        return false;
    if (ws_told_is_one_place(module, here.step, there.step) && ws_told_is_one_place(module, here.other, there.other))
        return true;
    return ws_told_is_race(one->rule) && ws_told_is_one_place(module, here.step, there.other) &&
           ws_told_is_one_place(module, here.other, there.step);
}

/* What ends the race of a later row ends that of this one, too. */
static inline bool ws_told_yields(const ws_found *one, const ws_found *later) {
    return (one->rule == WS_RUN_WARP_RACE && later->rule != WS_RUN_WARP_RACE) ||
           (ws_told_is_race(one->rule) && ws_found_reaches(later) && !ws_found_reaches(one));
}

/* Rows of the same lines go with their first, or the first that reaches further; it has the sum of their counts. */
static inline void ws_told_fold(ws_told *told, const ws_module *module) {
    uint32_t i, k;
    for (i = 0; i < told->count; i++) told->places[i] = ws_told_places_of(module, &told->rows[i]);
    for (i = 0; i < told->count; i++) {
        told->first[i] = i;
        for (k = 0; k < told->count && told->first[i] == i; k++) {
            if ((k < i ? told->first[k] != k : k == i || !ws_told_yields(&told->rows[i], &told->rows[k])) ||
                !ws_told_is_one(told, module, k, i))
                continue;
            told->first[i] = k;
            told->rows[k].count += told->rows[i].count;
        }
    }
    for (i = told->count; i-- > 0;) told->first[i] = told->first[told->first[i]]; /* later rows may yield as well */
}

/* What all rows say of statements; true: some warp has diverged. */
static inline bool ws_told_marks(const ws_found *rows, uint32_t count, const ws_module *module, uint8_t *marks,
                                 uint32_t *reads) {
    bool has_diverged = false;
    uint32_t i;
    for (i = 0; i < count; i++) {
        ws_told_mark(&rows[i], i, marks, reads);
        has_diverged = has_diverged || rows[i].rule == WS_RUN_DIVERGED;
        if (ws_flag_is_flag(&rows[i], module, marks))
            marks[rows[i].is_write ? rows[i].step : rows[i].other] |= WS_TOLD_FLAGS;
    }
    return has_diverged;
}

/* Takes its tables, and room for the rows, from the arena; false if it is too small. */
WS_ONCE bool ws_told_make(const ws_found *rows, uint32_t count, const ws_module *module, ws_arena *arena,
                          ws_told *told) {
    const size_t statements = (size_t)module->statement_count + 1;
    ws_found *grouped = (ws_found *)ws_arena_take(arena, count, sizeof(ws_found));
    uint8_t *marks = (uint8_t *)ws_arena_take(arena, statements, 1);
    uint32_t *reads = (uint32_t *)ws_arena_take(arena, statements, sizeof(uint32_t));
    uint32_t groups, i;
    bool has_diverged;
    told->rows = (ws_found *)ws_arena_take(arena, count, sizeof(ws_found));
    told->places = (ws_told_places *)ws_arena_take(arena, count, sizeof(ws_told_places));
    told->first = (uint32_t *)ws_arena_take(arena, count, sizeof(uint32_t));
    told->count = 0;
    told->module = module;
    if (arena->wanted > arena->capacity) return false;
    for (i = 0; i < count; i++) grouped[i] = rows[i];
    for (i = 0; i < statements; i++) marks[i] = 0;
    for (i = 0; i < statements; i++) reads[i] = 0;
    ws_update_lose(grouped, count, module);
    groups = ws_told_group(grouped, count);
    has_diverged = ws_told_marks(grouped, groups, module, marks, reads);
    for (i = 0; i < groups; i++) {
        ws_found one = grouped[i];
        if (one.rule == WS_RUN_SAME_VALUE) one = grouped[i] = ws_told_same_value(one, module, marks);
        if (one.rule == WS_RUN_SAME_VALUE && one.is_write != one.other_is_write) continue;
        if (ws_told_is_twice(grouped, groups, i, marks, has_diverged) || ws_flag_is_flag(&one, module, marks) ||
            ws_told_is_passed(&one, marks) || ws_told_is_made(&one, module) ||
            ws_flag_may_be_stale(&one, module, marks))
            continue;
        if ((one.rule == WS_RUN_UNWRITTEN || (one.rule == WS_RUN_UNUSED_READ && one.nbytes == 0)) &&
            reads[one.step] != 0) { /* what is used or copied says where it was read */
            const ws_found *read = &grouped[reads[one.step] - 1];
            one.address = read->address;
            one.nbytes = read->nbytes;
            one.space = read->space;
        }
        told->rows[told->count++] = one;
    }
    ws_told_fold(told, module);
    return true;
}

static inline uint32_t ws_told_line(const ws_told *told, uint32_t statement) {
    return statement != WS_FOUND_NO_STEP ? ws_module_place(told->module, told->module->statements[statement].at).line
                                         : 0;
}

/* Lines of the PTX that are told with a row besides its own, each once, as many as there is room for; how many they are. */
WS_ONCE uint32_t ws_told_lines(const ws_told *told, uint32_t at, uint32_t *lines, uint32_t capacity) {
    const ws_found *own = &told->rows[at];
    const uint32_t sides = ws_told_has_other(own) ? 2 : 1;
    uint32_t count = 0, i, k, n;
    for (i = at + 1; i < told->count; i++) {
        for (k = 0; k < sides && told->first[i] == at && count < capacity; k++) {
            const uint32_t line = ws_told_line(told, k == 0 ? told->rows[i].step : told->rows[i].other);
            for (n = 0; n < count && lines[n] != line; n++) continue;
            if (n < count || line == 0 || line == ws_told_line(told, own->step) ||
                (sides == 2 && line == ws_told_line(told, own->other)))
                continue;
            lines[count++] = line;
        }
    }
    return count;
}

#endif
