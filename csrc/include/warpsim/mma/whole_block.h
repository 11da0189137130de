/* Products of integers and of bits, at the level WS_LEVEL: included once per level, so without an include guard.
 *
 * Integers of 8 and 4 bits are multiplied and summed in float, which holds every such sum exactly. */

/* Integers as floats. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_decode_integers)(const ws_mma_format *format, const uint32_t *words, int count,
                                                  float *value) {
    const uint32_t mask = format->magnitude << 1 | 1, sign = format->is_signed ? format->magnitude + 1 : 0;
    int q, i;
    for (q = 0; q < format->parts; q++, value += count) {
        const int shift = q * format->bits;
        for (i = 0; i < count; i++) value[i] = (float)((int32_t)((words[i] >> shift & mask) ^ sign) - (int32_t)sign);
    }
}

/* Products of integers of four rows, summed: below 2^24, so exactly. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_sum_whole)(const ws_mma_group *group, float *sum) {
    WS_EIGHT(ws_floats) total[4];
    int r, k;
    for (r = 0; r < 4; r++) total[r] = WS_EIGHT(ws_floats_of)(0.0f);
    for (k = 0; k < group->count; k++) {
        const float *a = group->a + group->a_order[k] * WS_MMA_ROWS;
        WS_EIGHT(ws_floats) b = WS_EIGHT(ws_floats_at)(group->b + group->meets[0][k] * WS_MMA_COLS);
        for (r = 0; r < 4; r++) {
            if (group->is_sparse) b = WS_EIGHT(ws_floats_at)(group->b + group->meets[r][k] * WS_MMA_COLS);
            total[r] = WS_EIGHT(ws_floats_sum)(total[r], WS_EIGHT(ws_floats_product)(WS_EIGHT(ws_floats_of)(a[r]), b));
        }
    }
    for (r = 0; r < 4; r++) WS_EIGHT(ws_floats_store)(sum + 8 * r, total[r]);
}

/* D of a tile of integers, wrapped or limited once. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_integers)(const ws_mma_plan *plan, ws_mma_tile *tile, ws_mma_numbers *numbers) {
    int i, l;
    WS_LEVEL(ws_mma_decode_integers)(&plan->a, tile->a, plan->a_words * WS_MMA_ROWS, numbers->a);
    WS_LEVEL(ws_mma_decode_integers)(&plan->b, tile->b, plan->b_words * WS_MMA_COLS, numbers->b);
    for (i = 0; i < plan->rows; i += 4) {
        float sum[WS_MMA_GROUP];
        ws_mma_group group = ws_mma_group_of(plan, tile, numbers, i);
        WS_LEVEL(ws_mma_sum_whole)(&group, sum);
        for (l = 0; l < WS_MMA_GROUP; l++) {
            const uint32_t c = tile->c[8 * i + l], added = (uint32_t)(int32_t)sum[l], wrapped = c + added;
            const uint32_t limit = UINT32_C(0x7fffffff) + (c >> 31);
            const bool beyond = plan->mma.satfinite && (~(c ^ added) & (c ^ wrapped)) >> 31 != 0;
            tile->d[8 * i + l] = beyond ? limit : wrapped;
        }
    }
}

/* D of a tile of bits: those of a op b, counted. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_bit_counts)(const ws_mma_plan *plan, ws_mma_tile *tile) {
    const bool differ = plan->mma.bits == WS_MMA_XOR;
    int i, n, w;
    for (i = 0; i < plan->rows; i++) {
        for (n = 0; n < WS_MMA_COLS; n++) tile->d[8 * i + n] = tile->c[8 * i + n];
        for (w = 0; w < plan->a_words; w++) {
            const uint32_t a = tile->a[16 * w + i];
            for (n = 0; n < WS_MMA_COLS; n++) {
                const uint32_t b = tile->b[8 * w + n], x = differ ? a ^ b : a & b;
                const uint32_t two = x - (x >> 1 & UINT32_C(0x55555555));
                const uint32_t four = (two & UINT32_C(0x33333333)) + (two >> 2 & UINT32_C(0x33333333));
                tile->d[8 * i + n] += ((four + (four >> 4)) & UINT32_C(0x0f0f0f0f)) * UINT32_C(0x01010101) >> 24;
            }
        }
    }
}
