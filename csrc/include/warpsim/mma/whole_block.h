/* Products of integers and of bits, at the level WS_LEVEL: included once per level, so without an include guard.
 *
 * Integers of 8 and 4 bits are widened to 16, two in a word: one instruction multiplies and adds pairs. In mma.sp, where
 * neighbours meet strangers, a word holds one and a zero. */

/* Elements of words as 16 bits: in pairs that are half a word apart, or (`single`) each with a zero. */
WS_OF_LEVEL WS_TARGET void WS_LEVEL(ws_mma_decode_pairs)(const ws_mma_format *format, const uint32_t *words, int count,
                                                         bool single, int32_t *pair) {
    const uint32_t mask = format->magnitude << 1 | 1, sign = format->is_signed ? format->magnitude + 1 : 0;
    const uint32_t second = single ? 0 : UINT32_C(0xffff0000);
    const int parts = single ? format->parts : format->parts / 2;
    int q, i;
    for (q = 0; q < parts; q++, pair += count) {
        const int shift = q * format->bits, other = single ? 0 : shift + 16;
        for (i = 0; i < count; i++) {
            const uint32_t low = ((words[i] >> shift & mask) ^ sign) - sign;
            const uint32_t high = ((words[i] >> other & mask) ^ sign) - sign;
            pair[i] = (int32_t)((low & 0xffff) | (high << 16 & second));
        }
    }
}

/* Products of integers of four rows, summed. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_sum_whole)(const ws_mma_group *group, int32_t *sum) {
    WS_EIGHT(ws_ints) total[4];
    int r, k;
    for (r = 0; r < 4; r++) total[r] = WS_EIGHT(ws_ints_of)(0);
    for (k = 0; k < group->count; k++) {
        const int32_t *a = group->a_exponent + group->a_order[k] * WS_MMA_ROWS;
        WS_EIGHT(ws_ints) b = WS_EIGHT(ws_ints_at)(group->b_exponent + group->meets[0][k] * WS_MMA_COLS);
        for (r = 0; r < 4; r++) {
            if (group->is_sparse) b = WS_EIGHT(ws_ints_at)(group->b_exponent + group->meets[r][k] * WS_MMA_COLS);
            total[r] = WS_EIGHT(ws_ints_sum)(total[r], WS_EIGHT(ws_ints_pairs)(WS_EIGHT(ws_ints_of)(a[r]), b));
        }
    }
    for (r = 0; r < 4; r++) WS_EIGHT(ws_ints_store)(sum + 8 * r, total[r]);
}

/* D of a tile of integers whose elements are decoded, wrapped or limited once. */
WS_OF_LEVEL WS_TARGET void WS_LEVEL(ws_mma_whole_tile)(const ws_mma_plan *plan, const ws_mma_factors *factors,
                                                       ws_mma_tile *tile) {
    int i, l;
    for (i = 0; i < plan->rows; i += 4) {
        int32_t sum[WS_MMA_GROUP];
        ws_mma_group group = ws_mma_group_of(plan, tile, factors, i);
        WS_LEVEL(ws_mma_sum_whole)(&group, sum);
        for (l = 0; l < WS_MMA_GROUP; l++) {
            const uint32_t c = tile->c[8 * i + l], added = (uint32_t)sum[l], wrapped = c + added;
            const uint32_t limit = UINT32_C(0x7fffffff) + (c >> 31);
            const bool beyond = plan->mma.satfinite && (~(c ^ added) & (c ^ wrapped)) >> 31 != 0;
            tile->d[8 * i + l] = beyond ? limit : wrapped;
        }
    }
}

/* The same from its words. */
WS_OF_LEVEL WS_TARGET void WS_LEVEL(ws_mma_integers)(const ws_mma_plan *plan, ws_mma_tile *tile,
                                                     ws_mma_numbers *numbers) {
    const ws_mma_factors factors = ws_mma_factors_of(numbers);
    const bool single = ws_mma_is_sparse(&plan->mma);
    WS_LEVEL(ws_mma_decode_pairs)(&plan->a, tile->a, plan->a_words * WS_MMA_ROWS, single, numbers->a_exponent);
    WS_LEVEL(ws_mma_decode_pairs)(&plan->b, tile->b, plan->b_words * WS_MMA_COLS, single, numbers->b_exponent);
    WS_LEVEL(ws_mma_whole_tile)(plan, &factors, tile);
}

/* D of a tile of bits: those of a op b, counted. */
WS_OF_LEVEL WS_TARGET void WS_LEVEL(ws_mma_bit_counts)(const ws_mma_plan *plan, ws_mma_tile *tile) {
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
