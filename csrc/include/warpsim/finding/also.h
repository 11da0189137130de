/* Which lines are told with a finding besides those of its own two parties: those of the rows that are told with its row. */
#ifndef WARPSIM_FINDING_ALSO_H
#define WARPSIM_FINDING_ALSO_H

#include "teller.h"
#include "told.h"

static inline bool ws_also_has(const uint32_t *lines, uint32_t count, uint32_t line) {
    uint32_t i;
    for (i = 0; i < count && lines[i] != line; i++) continue;
    return i < count;
}

/* Lines of the PTX, each once, as many as there is room for; how many they are. */
static inline uint32_t ws_also_lines(const ws_teller *teller, const ws_told *told, uint32_t at, uint32_t *lines,
                                     uint32_t capacity) {
    const ws_found *own = &told->rows[at];
    const bool has_other = ws_told_has_other(own);
    const uint32_t line = ws_teller_line(teller, own->step);
    const uint32_t other = has_other && own->other != WS_FOUND_NO_STEP ? ws_teller_line(teller, own->other) : line;
    uint32_t count = 0, i;
    int side;
    for (i = at + 1; i < told->count; i++) {
        for (side = 0; side < (has_other ? 2 : 1) && told->first[i] == at; side++) {
            const uint32_t step = side == 0 ? told->rows[i].step : told->rows[i].other;
            const uint32_t one = step != WS_FOUND_NO_STEP ? ws_teller_line(teller, step) : line;
            if (one != line && one != other && count < capacity && !ws_also_has(lines, count, one))
                lines[count++] = one;
        }
    }
    return count;
}

#endif
