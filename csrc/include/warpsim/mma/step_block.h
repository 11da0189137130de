/* Products in the common case, at the level WS_LEVEL: included once per level, so without an include guard.
 *
 * A step in 32 bits, four rows of eight results at once: decoded to float, a product is exact; times 2^(fraction - E) it
 * is cut by its conversion to an integer; the integers are summed. Where a number is not finite, or E is so small or large
 * that a float would not do, the step is left to exact.h.
 *
 * The loops are written for compilers to make vectors of. */

/* The elements of words as floats, part by part, and their exponents: WS_MMA_ABSENT for zero, WS_MMA_BEYOND for those that
 * are not finite. */
WS_OF_LEVEL WS_TARGET void WS_LEVEL(ws_mma_decode)(const ws_mma_format *format, const uint32_t *words, int count,
                                                   float *value, int32_t *exponent) {
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

/* To the nearest f16, as floats; ties to even. Beyond the largest f16 the numbers only have its precision. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_to_f16)(const double *wide, float *value) {
    int l;
    for (l = 0; l < WS_MMA_GROUP; l++) value[l] = (float)ws_to_grid(wide[l], 10, -14);
}

/* The bits of floats that are f16 numbers, or beyond them: infinity. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_f16_bits)(const float *value, uint32_t *bits) {
    int l;
    for (l = 0; l < WS_MMA_GROUP; l++) {
        const uint32_t u = ws_bits_of(value[l] * WS_MMA_TWO_MINUS_112), size = u >> 13 & 0x3ffff;
        bits[l] = (size < 0x7c00 ? size : 0x7c00) | (u >> 16 & 0x8000);
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
WS_AT_LEVEL bool WS_LEVEL(ws_mma_exponents)(const ws_mma_group *group, const float *c, bool is_f16, int32_t *exponent) {
    const uint32_t top = is_f16 ? UINT32_C(0x47800000) : UINT32_C(0x7f800000); /* 2^16, infinity */
    const int32_t lowest = is_f16 ? -14 : -126;
    const int32_t floor = group->floor < WS_MMA_LOWEST ? (int32_t)WS_MMA_LOWEST : group->floor;
    WS_EIGHT(ws_ints) most[4];
    int32_t bad = 0;
    int l, r, k;
    for (l = 0; l < WS_MMA_GROUP; l++) {
        const uint32_t size = ws_bits_of(c[l]) & UINT32_C(0x7fffffff);
        const int32_t e = (int32_t)(size >> 23) - 127, bounded = e < lowest ? lowest : e;
        const int32_t finite = size == 0 ? (int32_t)WS_MMA_ABSENT : bounded;
        exponent[l] = size >= top ? (int32_t)WS_MMA_BEYOND : finite;
    }
    for (r = 0; r < 4; r++) most[r] = WS_EIGHT(ws_ints_at)(exponent + 8 * r);
    for (k = 0; k < group->count; k++) {
        const int32_t *a = group->a_exponent + group->a_order[k] * WS_MMA_ROWS;
        WS_EIGHT(ws_ints) b = WS_EIGHT(ws_ints_at)(group->b_exponent + group->meets[0][k] * WS_MMA_COLS);
        for (r = 0; r < 4; r++) {
            if (group->is_sparse) b = WS_EIGHT(ws_ints_at)(group->b_exponent + group->meets[r][k] * WS_MMA_COLS);
            most[r] = WS_EIGHT(ws_ints_max)(most[r], WS_EIGHT(ws_ints_sum)(WS_EIGHT(ws_ints_of)(a[r]), b));
        }
    }
    for (r = 0; r < 4; r++) WS_EIGHT(ws_ints_store)(exponent + 8 * r, most[r]);
    for (l = 0; l < WS_MMA_GROUP; l++) {
        const int32_t e = exponent[l];
        bad |= (e > WS_MMA_HIGHEST) | ((e < WS_MMA_LOWEST) & (e > WS_MMA_ABSENT / 2));
        exponent[l] = e < floor ? floor : e;
    }
    return bad == 0;
}

/* The products of a step, cut and summed. */
WS_AT_LEVEL void WS_LEVEL(ws_mma_sum_products)(const ws_mma_group *group, const float *scale, int32_t *sum) {
    WS_EIGHT(ws_floats) unit[4];
    WS_EIGHT(ws_ints) cuts[4];
    int r, k;
    for (r = 0; r < 4; r++) {
        unit[r] = WS_EIGHT(ws_floats_at)(scale + 8 * r);
        cuts[r] = WS_EIGHT(ws_ints_of)(0);
    }
    for (k = 0; k < group->count; k++) {
        const float *a = group->a + group->a_order[k] * WS_MMA_ROWS;
        WS_EIGHT(ws_floats) b = WS_EIGHT(ws_floats_at)(group->b + group->meets[0][k] * WS_MMA_COLS);
        for (r = 0; r < 4; r++) {
            WS_EIGHT(ws_floats) product;
            if (group->is_sparse) b = WS_EIGHT(ws_floats_at)(group->b + group->meets[r][k] * WS_MMA_COLS);
            product = WS_EIGHT(ws_floats_product)(WS_EIGHT(ws_floats_of)(a[r]), b);
            product = WS_EIGHT(ws_floats_product)(product, unit[r]);
            cuts[r] = WS_EIGHT(ws_ints_sum)(cuts[r], WS_EIGHT(ws_ints_cut)(product));
        }
    }
    for (r = 0; r < 4; r++) WS_EIGHT(ws_ints_store)(sum + 8 * r, cuts[r]);
}

/* One step of four rows: c becomes the sum. */
WS_AT_LEVEL bool WS_LEVEL(ws_mma_step_rows)(const ws_mma_group *group, const ws_mma_step *step, float *c) {
    int32_t exponent[WS_MMA_GROUP], sum[WS_MMA_GROUP];
    float scale[WS_MMA_GROUP];
    double total[WS_MMA_GROUP];
    int l;
    if (!WS_LEVEL(ws_mma_exponents)(group, c, step->is_f16, exponent)) return false;
    for (l = 0; l < WS_MMA_GROUP; l++) {
        scale[l] = ws_float_of((uint32_t)(127 + step->fraction - exponent[l]) << 23);
    }
    WS_LEVEL(ws_mma_sum_products)(group, scale, sum);
    for (l = 0; l < WS_MMA_GROUP; l++) total[l] = (double)sum[l] + (double)(int32_t)(c[l] * scale[l]);
    if (!step->is_f16) {
        WS_LEVEL(ws_mma_to_f32)(total, exponent, step->fraction, UINT32_MAX << (WS_MMA_F32_BITS - step->kept), c);
        return true;
    }
    for (l = 0; l < WS_MMA_GROUP; l++) {
        total[l] *= ws_double_of((uint64_t)(1023 + exponent[l] - step->fraction) << 52);
    }
    WS_LEVEL(ws_mma_to_f16)(total, c);
    for (l = 0; l < WS_MMA_GROUP; l++) c[l] += 0.0f; /* what rounds to -0 is +0 */
    return true;
}

/* D of four rows, whose sum is of the accumulator's type; after widened steps it is added to C by an ordinary
 * instruction. */
WS_AT_LEVEL bool WS_LEVEL(ws_mma_finish_rows)(const ws_mma_plan *plan, const float *c, float *sum, uint32_t *d) {
    const float limit = plan->is_f16 ? 65536.0f : 3.4028235e38f;
    const double most = 1.0e39; /* beyond any sum of two floats */
    double wide[WS_MMA_GROUP];
    bool finite = true;
    int l;
    if (plan->is_widened) {
        for (l = 0; l < WS_MMA_GROUP; l++) {
            wide[l] = (double)c[l] + (double)sum[l];
            finite &= wide[l] < most && wide[l] > -most && sum[l] < limit && sum[l] > -limit;
        }
        if (!finite) return false;
        for (l = 0; l < WS_MMA_GROUP; l++) sum[l] = (float)wide[l];
    }
    if (plan->mma.d == WS_TYPE_F16) {
        for (l = 0; l < WS_MMA_GROUP; l++) wide[l] = plan->is_widened ? wide[l] : (double)sum[l];
        if (plan->is_widened || !plan->is_f16) WS_LEVEL(ws_mma_to_f16)(wide, sum);
        WS_LEVEL(ws_mma_f16_bits)(sum, d);
    } else {
        for (l = 0; l < WS_MMA_GROUP; l++) d[l] = ws_bits_of(sum[l]);
    }
    return true;
}

/* D of a tile whose elements are decoded, by steps; false: it is left to exact.h. */
WS_OF_LEVEL WS_TARGET bool WS_LEVEL(ws_mma_step_tile)(const ws_mma_plan *plan, const ws_mma_step *step,
                                                      const ws_mma_factors *factors, ws_mma_tile *tile) {
    int i, r, at;
    for (i = 0; i < plan->rows; i += 4) {
        float c[WS_MMA_GROUP], sum[WS_MMA_GROUP];
        ws_mma_group group = ws_mma_group_of(plan, tile, factors, i);
        WS_LEVEL(ws_mma_decode_sums)(tile->c + 8 * i, plan->mma.c == WS_TYPE_F16, c);
        for (r = 0; r < WS_MMA_GROUP; r++) sum[r] = plan->is_widened ? 0.0f : c[r];
        for (at = 0; at < plan->stored; at += plan->step) {
            if (!WS_LEVEL(ws_mma_step_rows)(&group, step, sum)) return false;
            group.a_order += plan->step;
            for (r = 0; r < 4; r++) group.meets[r] += plan->step;
        }
        if (!WS_LEVEL(ws_mma_finish_rows)(plan, c, sum, tile->d + 8 * i)) return false;
    }
    return true;
}

/* The same from its words. */
WS_OF_LEVEL WS_TARGET bool WS_LEVEL(ws_mma_steps)(const ws_mma_plan *plan, const ws_mma_step *step, ws_mma_tile *tile,
                                                  ws_mma_numbers *numbers) {
    const ws_mma_factors factors = ws_mma_factors_of(numbers);
    const uint32_t *b = ws_mma_has_halves(plan) ? tile->halves : tile->b;
    const int b_count = (ws_mma_has_halves(plan) ? 16 * plan->stored : plan->b_words) * WS_MMA_COLS;
    WS_LEVEL(ws_mma_decode)(&plan->a, tile->a, plan->a_words * WS_MMA_ROWS, numbers->a, numbers->a_exponent);
    WS_LEVEL(ws_mma_decode)(&plan->b, b, b_count, numbers->b, numbers->b_exponent);
    return WS_LEVEL(ws_mma_step_tile)(plan, step, &factors, tile);
}
