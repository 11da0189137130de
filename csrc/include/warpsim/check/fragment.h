/* Registers of ldmatrix that reach a product in another's place: A of mma takes, of 16 rows and two halves of k,
 *
 *     rows 0-7, first half     rows 8-15, first half     rows 0-7, second half     rows 8-15, second half
 *
 * It is told where the second matrix lies in the rows of the first one, beside it, and the third one eight rows below it: where
 * rows lie in other ways, as swizzled ones of other widths do, nothing is known. */
#ifndef WARPSIM_CHECK_FRAGMENT_H
#define WARPSIM_CHECK_FRAGMENT_H

#include "access.h"

#if WS_BODIES

enum {
    WS_FRAGMENT_A = 4 /* matrices of A */,
    WS_FRAGMENT_EACH = 8 /* rows of each */,
    WS_FRAGMENT_LINE = 128,
    WS_FRAGMENT_FAR = 2048
};

/* The latest statement before another, in the text, that writes a register. */
static inline uint32_t ws_fragment_writer(const ws_uses *uses, uint32_t statement, uint32_t reg, uint32_t *element) {
    const uint32_t first = uses->module->functions[uses->module->statements[statement].function].first_statement;
    const uint32_t last = statement;
    while (statement-- > first && last - statement < WS_FRAGMENT_FAR) {
        ws_use_walk walk = ws_use_walk_of(uses, statement);
        uint32_t one;
        for (one = ws_use_next(&walk); one != WS_NO_INDEX && walk.is_first; one = ws_use_next(&walk)) {
            if (one != reg || walk.is_address) continue;
            *element = walk.element;
            return statement;
        }
    }
    return WS_NO_INDEX;
}

/* Where all registers of A come from one ldmatrix.x4: its statement, and which of its matrices stands in which place, two bits
 * each. */
static inline uint32_t ws_fragment_of(const ws_uses *uses, uint32_t statement, uint32_t *places) {
    ws_use_walk walk = ws_use_walk_of(uses, statement);
    uint32_t from = WS_NO_INDEX, count = 0, element, reg;
    *places = 0;
    while ((reg = ws_use_next(&walk)) != WS_NO_INDEX) {
        uint32_t writer;
        if (walk.operand != 1) continue;
        writer = ws_fragment_writer(uses, statement, reg, &element);
        if (writer == WS_NO_INDEX || (count != 0 && writer != from) || count == WS_FRAGMENT_A) return WS_NO_INDEX;
        from = writer;
        *places |= (element & 3) << 2 * count++;
    }
    return count == WS_FRAGMENT_A ? from : WS_NO_INDEX;
}

/* Notes at each ldmatrix.x4 the product that takes its registers. */
static inline void ws_fragments_find(const ws_uses *uses, const ws_kernel *program, ws_checked *steps) {
    uint32_t i, k, places;
    for (i = 0; i < program->num_steps; i++) {
        const uint32_t from = steps[i].use == WS_USE_PRODUCT && steps[i].is_begin
                                  ? ws_fragment_of(uses, program->steps[i].statement, &places)
                                  : WS_NO_INDEX;
        for (k = 0; from != WS_NO_INDEX && k < program->num_steps; k++) {
            if (program->steps[k].statement != from || steps[k].kind != WS_CHECKED_MATRIX) continue;
            steps[k].product = i;
            steps[k].places = (uint8_t)places;
        }
    }
}

/* Is matrix `b` beside matrix `a`, in the same rows? */
static inline bool ws_fragment_beside(const uint64_t *a, const uint64_t *b, bool has_lines) {
    const uint64_t pitch = a[1] > a[0] ? a[1] - a[0] : a[0] - a[1];
    uint32_t i;
    for (i = 0; i < WS_FRAGMENT_EACH; i++) {
        const uint64_t apart = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        if (has_lines ? a[i] / WS_FRAGMENT_LINE != b[i] / WS_FRAGMENT_LINE : apart != 16 || pitch <= 16) return false;
    }
    return true;
}

/* Is it eight rows further? */
static inline bool ws_fragment_below(const uint64_t *a, const uint64_t *b, bool has_lines) {
    const uint64_t unit = has_lines ? (uint64_t)WS_FRAGMENT_LINE : 1, pitch = a[1] / unit - a[0] / unit;
    uint32_t i;
    for (i = 0; i < WS_FRAGMENT_EACH; i++) {
        if (b[i] / unit - a[i] / unit != pitch * WS_FRAGMENT_EACH || (i != 0 && a[i] / unit - a[i - 1] / unit != pitch))
            return false;
    }
    return pitch != 0;
}

/* Lanes of an ldmatrix.x4 name its rows: each row lies in 128 bytes of its own, or the rows are evenly far apart. */
static inline void ws_fragment_judge(ws_check *check, const ws_warp *warp, uint32_t number,
                                     const uint64_t address[WS_LANES]) {
    const ws_checked *checked = &check->steps[number];
    const uint64_t *row[WS_FRAGMENT_A];
    bool has_lines = false;
    uint32_t i;
    for (i = 0; i < WS_FRAGMENT_A; i++) row[i] = address + WS_FRAGMENT_EACH * (checked->places >> 2 * i & 3);
    for (i = 0; i < 2; i++, has_lines = true) {
        if (!ws_fragment_beside(row[0], row[1], has_lines) || !ws_fragment_beside(row[2], row[3], has_lines) ||
            !ws_fragment_below(row[0], row[2], has_lines) || !ws_fragment_below(row[1], row[3], has_lines))
            continue;
        {
            ws_found one = ws_check_about_lanes(check, WS_RUN_FRAGMENT, number, warp->place, WS_ALL_LANES);
            one.other = checked->product;
            one.other_thread = one.thread;
            ws_found_add(&check->judge.found, &one);
        }
        return;
    }
}

#endif /* WS_BODIES */
#endif
