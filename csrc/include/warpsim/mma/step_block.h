/* Products in the common case, at the level WS_LEVEL: included once per level, so without an include guard.
 *
 * A step in 32 bits, four rows of eight results at once: decoded to float, a product is exact; times 2^(fraction - E) it
 * is cut by its conversion to an integer; the integers are summed. Where a number is not finite, or E is so small or large
 * that a float would not do, the step is left to exact.h. Integers of 8 and 4 bits are summed in float, exactly.
 *
 * The loops are written for compilers to make vectors of. */

/* The elements of words as floats, part by part, and their exponents: WS_MMA_ABSENT for zero, WS_MMA_BEYOND for those that
 * are not finite. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_decode)(const ws_mma_format *format, const uint32_t *words, int count, float *value,
                                         int32_t *exponent) {
    const uint32_t magnitude = format->magnitude, top = format->top;
    const int left = 23 - format->format_mantissa, lowest = format->lowest;
    const int sign = 31 - (format->format >> 8) - format->format_mantissa;
    const float factor = format->factor;
    int q, i;
    for (q = 0; q < format->parts; q++, value += count, exponent += count) {
        const int shift = format->shift + q * format->bits;
        for (i = 0; i < count; i++) {
            const uint32_t bits = words[i] >> shift, size = bits & magnitude;
            const uint32_t scaled = ws_bits_of(ws_float_of(size << left) * factor);
            const int32_t e = (int32_t)(scaled >> 23) - 127, bounded = e < lowest ? lowest : e;
            const int32_t finite = size == 0 ? (int32_t)WS_MMA_ABSENT : bounded;
            exponent[i] = size >= top ? (int32_t)WS_MMA_BEYOND : finite;
            value[i] = ws_float_of(scaled | (bits << sign & UINT32_C(0x80000000)));
        }
    }
}

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

/* f16 or f32 bits of four rows as floats. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_decode_sums)(const uint32_t *bits, bool is_f16, float *value) {
    int l;
    for (l = 0; l < WS_MMA_GROUP; l++) {
        const uint32_t size = bits[l] & 0x7fff, sign = (bits[l] & 0x8000) << 16;
        const float narrow = ws_float_of(size << 13) * WS_MMA_TWO_112;
        const uint32_t wide = size >= 0x7c00 ? UINT32_C(0x7f800000) | size << 13 : ws_bits_of(narrow);
        value[l] = ws_float_of(is_f16 ? wide | sign : bits[l]);
    }
}

/* A double to f16, to nearest even. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_to_f16)(const double *value, bool signed_zero, uint32_t *bits) {
    int l;
    for (l = 0; l < WS_MMA_GROUP; l++) {
        const uint64_t u = ws_bits64_of(value[l]);
        const int64_t e = (int64_t)(u >> 52 & 0x7ff) - 1023, below = e < -14 ? -14 - e : 0;
        const uint64_t drop = (uint64_t)(42 + (below < 20 ? below : 20));
        const uint64_t m = (u & UINT64_C(0xfffffffffffff)) | UINT64_C(1) << 52;
        const uint64_t r = (m + (UINT64_C(1) << (drop - 1)) - 1 + (m >> drop & 1)) >> drop;
        const int64_t whole = (int64_t)r + (e < -14 ? 0 : (e + 14) * 1024);
        const uint32_t size = whole > 0x7c00 ? 0x7c00 : (uint32_t)whole;
        const uint32_t sign = size == 0 && !signed_zero ? 0 : (uint32_t)(u >> 48) & 0x8000;
        bits[l] = size | sign;
    }
}

/* Sums as f32, rounded toward zero: total x 2^(exponent - fraction). */
WS_AT_LEVEL void WS_LEVEL(ws_mma_to_f32)(const double *total, const int32_t *exponent, int fraction, uint32_t kept,
                                         float *value) {
    int l;
    for (l = 0; l < WS_MMA_GROUP; l++) {
        const uint64_t u = ws_bits64_of(total[l]);
        const uint32_t cut = (uint32_t)((u << 1 >> 30) - ((uint64_t)896 << 23));
        const uint32_t size = (cut + ((uint32_t)(exponent[l] - fraction) << 23)) & kept;
        value[l] = ws_float_of(u == 0 ? 0 : size | ((uint32_t)(u >> 32) & UINT32_C(0x80000000)));
    }
}

/* E of every result, from C and the products of a step; false: some E is out of the range of this way. */
WS_AT_LEVEL bool WS_LEVEL(ws_mma_exponents)(const ws_mma_group *group, const float *c, int lowest, int32_t *exponent) {
    const int32_t floor = group->floor < WS_MMA_LOWEST ? (int32_t)WS_MMA_LOWEST : group->floor;
    int32_t bad = 0;
    int l, r, n, k;
    for (l = 0; l < WS_MMA_GROUP; l++) {
        const uint32_t size = ws_bits_of(c[l]) & UINT32_C(0x7fffffff);
        const int32_t e = (int32_t)(size >> 23) - 127, bounded = e < lowest ? lowest : e;
        const int32_t finite = size == 0 ? (int32_t)WS_MMA_ABSENT : bounded;
        exponent[l] = size >= UINT32_C(0x7f800000) ? (int32_t)WS_MMA_BEYOND : finite;
    }
    for (k = 0; k < group->count; k++) {
        const int32_t *a = group->a_exponent + group->a_order[k] * WS_MMA_ROWS;
        for (r = 0; r < 4; r++) {
            const int32_t *b = group->b_exponent + group->meets[r][k] * WS_MMA_COLS;
            for (n = 0; n < WS_MMA_COLS; n++) {
                const int32_t e = a[r] + b[n], before = exponent[8 * r + n];
                exponent[8 * r + n] = e > before ? e : before;
            }
        }
    }
    for (l = 0; l < WS_MMA_GROUP; l++) {
        const int32_t e = exponent[l];
        bad |= (e > WS_MMA_HIGHEST) | ((e < WS_MMA_LOWEST) & (e > WS_MMA_ABSENT / 2));
        exponent[l] = e < floor ? floor : e;
    }
    return bad == 0;
}

/* One step of four rows: c becomes the sum. */
WS_AT_LEVEL bool WS_LEVEL(ws_mma_step_rows)(const ws_mma_group *group, const ws_mma_step *step, float *c) {
    int32_t exponent[WS_MMA_GROUP], sum[WS_MMA_GROUP];
    float scale[WS_MMA_GROUP];
    double total[WS_MMA_GROUP];
    uint32_t bits[WS_MMA_GROUP];
    int l, r, n, k;
    if (!WS_LEVEL(ws_mma_exponents)(group, c, step->is_f16 ? -14 : -126, exponent)) return false;
    for (l = 0; l < WS_MMA_GROUP; l++) {
        scale[l] = ws_float_of((uint32_t)(127 + step->fraction - exponent[l]) << 23);
        sum[l] = 0;
    }
    for (k = 0; k < group->count; k++) {
        const float *a = group->a + group->a_order[k] * WS_MMA_ROWS;
        for (r = 0; r < 4; r++) {
            const float *b = group->b + group->meets[r][k] * WS_MMA_COLS;
            for (n = 0; n < WS_MMA_COLS; n++) sum[8 * r + n] += (int32_t)(a[r] * b[n] * scale[8 * r + n]);
        }
    }
    for (l = 0; l < WS_MMA_GROUP; l++) total[l] = (double)sum[l] + (double)(int32_t)(c[l] * scale[l]);
    if (!step->is_f16) {
        WS_LEVEL(ws_mma_to_f32)(total, exponent, step->fraction, UINT32_MAX << (WS_MMA_F32_BITS - step->kept), c);
        return true;
    }
    for (l = 0; l < WS_MMA_GROUP; l++) {
        total[l] *= ws_double_of((uint64_t)(1023 + exponent[l] - step->fraction) << 52);
    }
    WS_LEVEL(ws_mma_to_f16)(total, false, bits);
    WS_LEVEL(ws_mma_decode_sums)(bits, true, c);
    return true;
}

/* D of four rows: c becomes the type of D; after widened steps the sum is added to C by an ordinary instruction. */
WS_AT_LEVEL bool WS_LEVEL(ws_mma_finish_rows)(const ws_mma_plan *plan, const float *c, const float *sum, uint32_t *d) {
    double wide[WS_MMA_GROUP];
    int l;
    bool finite = true;
    for (l = 0; l < WS_MMA_GROUP; l++) wide[l] = plan->is_widened ? (double)c[l] + (double)sum[l] : (double)sum[l];
    for (l = 0; l < WS_MMA_GROUP; l++) finite &= wide[l] - wide[l] == 0.0;
    if (!finite) return false;
    if (plan->mma.d == WS_TYPE_F16) {
        WS_LEVEL(ws_mma_to_f16)(wide, true, d);
    } else {
        for (l = 0; l < WS_MMA_GROUP; l++) d[l] = ws_bits_of((float)wide[l]);
    }
    return true;
}

/* D of a tile by steps; false: it is left to exact.h. */
WS_AT_LEVEL bool WS_LEVEL(ws_mma_steps)(const ws_mma_plan *plan, const ws_mma_step *step, ws_mma_tile *tile,
                                        ws_mma_numbers *numbers) {
    const uint32_t *b = ws_mma_has_halves(plan) ? tile->halves : tile->b;
    const int b_count = (ws_mma_has_halves(plan) ? 16 * plan->stored : plan->b_words) * WS_MMA_COLS;
    int i, r, at;
    WS_LEVEL(ws_mma_decode)(&plan->a, tile->a, plan->a_words * WS_MMA_ROWS, numbers->a, numbers->a_exponent);
    WS_LEVEL(ws_mma_decode)(&plan->b, b, b_count, numbers->b, numbers->b_exponent);
    for (i = 0; i < plan->rows; i += 4) {
        float c[WS_MMA_GROUP], sum[WS_MMA_GROUP];
        ws_mma_group group = ws_mma_group_of(plan, numbers, i);
        WS_LEVEL(ws_mma_decode_sums)(tile->c + 8 * i, plan->mma.c == WS_TYPE_F16, c);
        for (r = 0; r < WS_MMA_GROUP; r++) sum[r] = plan->is_widened ? 0.0f : c[r];
        for (at = 0; at < plan->stored; at += plan->step) {
            group.a_order = plan->a_order + at;
            for (r = 0; r < 4; r++) group.meets[r] = ws_mma_meets(plan, tile, i + r) + at;
            if (!WS_LEVEL(ws_mma_step_rows)(&group, step, sum)) return false;
        }
        if (!WS_LEVEL(ws_mma_finish_rows)(plan, c, sum, tile->d + 8 * i)) return false;
    }
    return true;
}

/* D of a tile of integers, wrapped or limited once. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_integers)(const ws_mma_plan *plan, ws_mma_tile *tile, ws_mma_numbers *numbers) {
    int i, l, r, n, k;
    WS_LEVEL(ws_mma_decode_integers)(&plan->a, tile->a, plan->a_words * WS_MMA_ROWS, numbers->a);
    WS_LEVEL(ws_mma_decode_integers)(&plan->b, tile->b, plan->b_words * WS_MMA_COLS, numbers->b);
    for (i = 0; i < plan->rows; i += 4) {
        const uint8_t *meets[4];
        float sum[WS_MMA_GROUP];
        for (r = 0; r < 4; r++) meets[r] = ws_mma_meets(plan, tile, i + r);
        for (l = 0; l < WS_MMA_GROUP; l++) sum[l] = 0.0f;
        for (k = 0; k < plan->stored; k++) {
            const float *a = numbers->a + plan->a_order[k] * WS_MMA_ROWS + i;
            for (r = 0; r < 4; r++) {
                const float *b = numbers->b + meets[r][k] * WS_MMA_COLS;
                for (n = 0; n < WS_MMA_COLS; n++) sum[8 * r + n] += a[r] * b[n];
            }
        }
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
