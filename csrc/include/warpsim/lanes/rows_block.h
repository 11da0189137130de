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

#if WS_VECTOR_WORDS > 0
/* Of each four lanes from a row on, the first two or the second two, as doubles. */
WS_AT_LEVEL WS_DOUBLES WS_LEVEL(ws_doubles)(const uint32_t *row, int second) {
    const WS_FLOATS low = WS_MM(loadu_ps)((const float *)(const void *)row);
    const WS_FLOATS high = WS_MM(loadu_ps)((const float *)(const void *)(row + WS_LANES));
    return WS_MM(castps_pd)(second ? WS_MM(unpackhi_ps)(low, high) : WS_MM(unpacklo_ps)(low, high));
}

WS_AT_LEVEL void WS_LEVEL(ws_doubles_write)(uint32_t *row, WS_DOUBLES first, WS_DOUBLES second) {
    const WS_FLOATS a = WS_MM(castpd_ps)(first), b = WS_MM(castpd_ps)(second);
    WS_MM(storeu_ps)((float *)(void *)row, WS_MM(shuffle_ps)(a, b, 0x88));
    WS_MM(storeu_ps)((float *)(void *)(row + WS_LANES), WS_MM(shuffle_ps)(a, b, 0xdd));
}
#endif
