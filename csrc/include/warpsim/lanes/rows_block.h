/* Writing a row, for one level: included by levels.h. */

/* The lanes of the mask of a row. */
WS_AT_LEVEL void WS_LEVEL(ws_row_write)(uint32_t *row, const uint32_t *values, uint32_t mask) {
    int lane;
    if (mask == WS_ALL_LANES) {
        for (lane = 0; lane < WS_LANES; lane++) row[lane] = values[lane];
    } else {
        for (lane = 0; lane < WS_LANES; lane++) {
            const uint32_t chosen = 0u - (mask >> lane & 1);
            row[lane] = (values[lane] & chosen) | (row[lane] & ~chosen);
        }
    }
}
