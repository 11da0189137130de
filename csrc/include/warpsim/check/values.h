/* What the lanes of a store write, byte by byte: two lanes that meet at one place, or a value that is there already. */
#ifndef WARPSIM_CHECK_VALUES_H
#define WARPSIM_CHECK_VALUES_H

#include "../run/block.h"

/* The rows of a plain store. */
typedef struct ws_values {
    const ws_lanes *lanes;
    const ws_step *step; /* NULL: nobody can tell */
    uint32_t element;    /* bytes of one */
} ws_values;

static inline uint8_t ws_value_byte(const ws_values *values, int lane, uint32_t at) {
    const uint32_t reference = values->lanes->list[values->step->list + at / values->element];
    const uint32_t within = at % values->element;
    const uint32_t *row = ws_row(values->lanes, reference) + (size_t)(within / 4) * WS_LANES;
    return (uint8_t)(row[lane] >> (8 * (within % 4)));
}

/* Does the lane write what `memory` holds, `nbytes` bytes from byte `at` of its access? */
static inline bool ws_value_is_there(const ws_values *values, int lane, uint32_t at, uint32_t nbytes,
                                     const uint8_t *memory) {
    uint32_t i;
    if (values->step == NULL) return false;
    for (i = 0; i < nbytes; i++) {
        if (ws_value_byte(values, lane, at + i) != memory[i]) return false;
    }
    return true;
}

/* Do two lanes write different bytes to the same `nbytes` addresses? Each from its own byte `at`. */
static inline bool ws_values_differ(const ws_values *values, const int lane[2], const uint32_t at[2], uint32_t nbytes) {
    uint32_t i;
    for (i = 0; i < nbytes && values->step != NULL; i++) {
        if (ws_value_byte(values, lane[0], at[0] + i) != ws_value_byte(values, lane[1], at[1] + i)) return true;
    }
    return false;
}

#endif
