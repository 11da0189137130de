/* What the lanes of a store write, byte by byte: two lanes that meet at one place, or a value that is there already. */
#ifndef WARPSIM_SHADOW_VALUES_H
#define WARPSIM_SHADOW_VALUES_H

#include "../data/matrix_rows.h"
#include "../run/matrix.h"

/* The registers of a store. */
typedef struct ws_values {
    const ws_lanes *lanes;
    const ws_step *step;                /* plain; NULL: nobody can tell */
    uint32_t element;                   /* bytes of one */
    const ws_step *rows;                /* stmatrix; NULL: another access */
    const ws_op *op;                    /* that instruction */
    bool has_image;                     /* made when somebody asks: */
    uint8_t image[WS_ROW_BUFFER_BYTES]; /* the row that each lane names, in a slot of its own */
} ws_values;

static inline void ws_values_make_image(ws_values *values) {
    const ws_rows rows = ws_rows_of_buffer(values->op, values->image);
    uint32_t registers[(int)WS_LANES * WS_MATRIX_REGISTERS];
    ws_matrix_gather(values->lanes, values->rows, registers);
    ws_rows_store(&rows, ws_row_slots(), 1, registers, WS_SIMD_PORTABLE);
    values->has_image = true;
}

static inline uint8_t ws_value_byte(const ws_values *values, int lane, uint32_t at) {
    const uint32_t reference = values->lanes->list[values->step->list + at / values->element];
    const uint32_t within = at % values->element;
    const uint32_t *row = ws_row(values->lanes, reference) + (size_t)(within / 4) * WS_LANES;
    return (uint8_t)(row[lane] >> (8 * (within % 4)));
}

/* Can anybody tell what lanes write? */
static inline bool ws_values_are_known(ws_values *values) {
    if (values->rows != NULL && !values->has_image) ws_values_make_image(values);
    return values->rows != NULL || values->step != NULL;
}

static inline uint8_t ws_values_byte(const ws_values *values, int lane, uint32_t at) {
    if (values->rows != NULL) return values->image[WS_ROW_SLOT_BYTES * (uint32_t)lane + at];
    return ws_value_byte(values, lane, at);
}

/* Does the lane write what `memory` holds, `nbytes` bytes from byte `at` of its access? */
static inline bool ws_value_is_there(ws_values *values, int lane, uint32_t at, uint32_t nbytes, const uint8_t *memory) {
    uint32_t i;
    if (!ws_values_are_known(values)) return false;
    for (i = 0; i < nbytes; i++) {
        if (ws_values_byte(values, lane, at + i) != memory[i]) return false;
    }
    return true;
}

/* Do two lanes write different bytes to the same `nbytes` addresses? Each from its own byte `at`. */
static inline bool ws_values_differ(ws_values *values, const int lane[2], const uint32_t at[2], uint32_t nbytes) {
    uint32_t i;
    if (!ws_values_are_known(values)) return false;
    for (i = 0; i < nbytes; i++) {
        if (ws_values_byte(values, lane[0], at[0] + i) != ws_values_byte(values, lane[1], at[1] + i)) return true;
    }
    return false;
}

#endif
