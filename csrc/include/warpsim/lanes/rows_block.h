/* Writing a row, for one level: included by levels.h. */

/* The lanes of the mask of a row. */
WS_AT_LEVEL void WS_LEVEL(ws_row_write)(uint32_t *row, const uint32_t *values, uint32_t mask) {
    const uint32_t *const bits = ws_lane_bits();
    int lane;
    WS_LANES_INDEPENDENT
    for (lane = 0; lane < WS_LANES; lane++) {
#if WS_HAS_MASKS
        row[lane] = mask & bits[lane] ? values[lane] : row[lane];
#else
        const uint32_t chosen = 0u - (uint32_t)((mask & bits[lane]) != 0);
        row[lane] = (values[lane] & chosen) | (row[lane] & ~chosen);
#endif
    }
}
