/* Rows of 16 bytes of shared memory <-> the registers of a warp, at the level WS_LEVEL: included once per level, so
 * without an include guard, after turns_block.h.
 *
 *     row r of matrices 0..3, 4 words each -> 4x4 transpose -> lanes 4r .. 4r + 3, one register per matrix
 *
 * Addresses were checked before. Those of a warp are read once more and bounded again, since the caller's array may
 * change meanwhile. */

#if WS_LEVEL_IS_BASE
typedef long long ws_loose_vector_128 __attribute__((vector_size(16), may_alias, aligned(1)));

/* Where the rows of so many lanes begin, each address read once; the last row in place of what is outside the memory.
 * `near`: the bits of all offsets together are tried first, as in fit.h; false: they did not fit. */
WS_ON_SSE2 bool ws_rows_bound_sse2(const ws_bounds *bounds, const uint32_t *address, int lanes, bool from_0, bool near,
                                   uint32_t *offset) {
    const __m128i base = _mm_set1_epi32((int)bounds->base), limit = _mm_set1_epi32((int)bounds->limit);
    __m128i all = _mm_setzero_si128(), beyond = _mm_setzero_si128(); /* in the top bits */
    int lane;
    for (lane = 0; lane < lanes; lane += 4) {
        const __m128i x = *(const volatile ws_loose_vector_128 *)(const void *)(address + lane);
        const __m128i at = from_0 ? x : _mm_sub_epi32(x, base);
        all = _mm_or_si128(all, at);
        if (!near) beyond = _mm_or_si128(beyond, _mm_sub_epi32(limit, at));
        _mm_storeu_si128((__m128i *)(void *)(offset + lane), at);
    }
    if (near && ws_fit_bits_sse2(all) <= bounds->limit) return true;
    for (lane = 0; near && lane < lanes; lane += 4) {
        const __m128i at = _mm_loadu_si128((const __m128i *)(const void *)(offset + lane));
        beyond = _mm_or_si128(beyond, _mm_sub_epi32(limit, at));
    }
    if (_mm_movemask_ps(_mm_castsi128_ps(_mm_or_si128(all, beyond))) == 0) return false;
    for (lane = 0; lane < lanes; lane++) offset[lane] = offset[lane] < bounds->limit ? offset[lane] : bounds->limit;
    return false;
}

WS_ENTRY_SSE2 bool ws_rows_offsets_sse2(const ws_bounds *bounds, const uint32_t *address, int lanes, bool near,
                                        uint32_t *offset) {
    if (lanes != WS_ROWS_AT_ONCE * 32 || bounds->base != 0)
        return ws_rows_bound_sse2(bounds, address, lanes, false, near, offset);
    return near ? ws_rows_bound_sse2(bounds, address, WS_ROWS_AT_ONCE * 32, true, true, offset)
                : ws_rows_bound_sse2(bounds, address, WS_ROWS_AT_ONCE * 32, true, false, offset);
}
#endif

/* Rows (or columns) r of some matrices -> that many registers of lanes 4r .. 4r + 3; `to` is the first of lane 4r. */
WS_ON void WS_R(deal)(const __m128i x[4], int registers, size_t words, uint32_t *to) {
    __m128i a = x[0], b = x[1], c = x[2], d = x[3];
    if (registers == 1) {
        WS_R(put)(to, a);
    } else if (registers == 2) {
        WS_R(put)(to, _mm_unpacklo_epi32(a, b));
        WS_R(put)(to + 4, _mm_unpackhi_epi32(a, b));
    } else {
        WS_R(turn4)(&a, &b, &c, &d);
        WS_R(put)(to, a);
        WS_R(put)(to + words, b);
        WS_R(put)(to + 2 * words, c);
        WS_R(put)(to + 3 * words, d);
    }
}

/* Four matrices, transposed while loading: the halves of rows 2k and 2k + 1 are the words of lanes 4c + k. */
WS_ON void WS_R(load4_trans)(const ws_rows *rows, const uint32_t *offset, uint32_t *to, size_t lane_words) {
    int k, i;
    WS_UNROLL
    for (k = 0; k < 4; k++) {
        __m128i low[4], high[4];
        WS_UNROLL
        for (i = 0; i < 4; i++) {
            const __m128i even = WS_R(get)(rows->bytes + offset[8 * i + 2 * k]);
            const __m128i odd = WS_R(get)(rows->bytes + offset[8 * i + 2 * k + 1]);
            low[i] = _mm_unpacklo_epi16(even, odd);
            high[i] = _mm_unpackhi_epi16(even, odd);
        }
        WS_R(turn4)(&low[0], &low[1], &low[2], &low[3]);
        WS_R(turn4)(&high[0], &high[1], &high[2], &high[3]);
        WS_UNROLL
        for (i = 0; i < 4; i++) {
            WS_R(put)(to + (size_t)(4 * i + k) * lane_words, low[i]);
            WS_R(put)(to + (size_t)(4 * i + 16 + k) * lane_words, high[i]);
        }
    }
}

/* Registers of one warp from 8 rows for each matrix. */
WS_ON void WS_R(load8)(const ws_rows *rows, const uint32_t *offset, const ws_rows_kernel *kernel, uint32_t *to) {
    const bool trans = kernel->turn == WS_ROWS_TURN_8X8;
    __m128i row[4][8], x[4];
    int i, r;
    if (trans && kernel->matrices == 4) {
        WS_R(load4_trans)(rows, offset, to, kernel->words);
        return;
    }
    for (i = 0; i < kernel->matrices && trans; i++) {
        WS_UNROLL
        for (r = 0; r < 8; r++) row[i][r] = WS_R(row)(rows->bytes + offset[8 * i + r], kernel->packing);
        WS_R(turn8)(row[i]);
    }
    WS_UNROLL
    for (r = 0; r < 8; r++, to += 4 * kernel->words) {
        WS_UNROLL
        for (i = 0; i < 4; i++) {
            if (i >= kernel->matrices) x[i] = x[0];
            else x[i] = trans ? row[i][r] : WS_R(row)(rows->bytes + offset[8 * i + r], kernel->packing);
        }
        WS_R(deal)(x, kernel->matrices, kernel->words, to);
    }
}

/* The same for 16 rows of 16 bytes for each matrix, transposed: two registers for each. */
WS_ON void WS_R(load16)(const ws_rows *rows, const uint32_t *offset, const ws_rows_kernel *kernel, uint32_t *to) {
    __m128i row[2][16], x[4];
    int i, r;
    WS_UNROLL
    for (i = 0; i < kernel->matrices; i++) {
        for (r = 0; r < 16; r++) row[i][r] = WS_R(row)(rows->bytes + offset[16 * i + r], kernel->packing);
        WS_R(turn16)(row[i]);
    }
    if (kernel->matrices == 1) {
        for (r = 0; r < 16; r++) row[1][r] = row[0][r];
    }
    WS_UNROLL
    for (r = 0; r < 8; r++, to += 4 * kernel->words) {
        x[0] = row[0][r];
        x[1] = row[0][r + 8];
        x[2] = row[1][r];
        x[3] = row[1][r + 8];
        WS_R(deal)(x, (int)kernel->words, kernel->words, to);
    }
}

/* All warps. */
WS_ON void WS_R(load_all)(const ws_rows *rows, const uint32_t *address, size_t warps, uint32_t *to,
                          const ws_rows_kernel *kernel) {
    const ws_rows own = *rows; /* `to` may not alias it */
    const bool pairs = kernel->turn == WS_ROWS_TURN_16X16;
    const int lanes = (pairs ? 16 : 8) * kernel->matrices;
    uint32_t offset[WS_ROWS_AT_ONCE * 32];
    size_t warp, some, i;
    bool near = true;
    for (warp = 0; warp < warps; warp += some) {
        some = lanes == 32 && warps - warp >= WS_ROWS_AT_ONCE ? WS_ROWS_AT_ONCE : 1;
        near = ws_rows_offsets_sse2(&own.bounds, address, (int)some * lanes, near || warp % WS_FIT_AGAIN == 0, offset);
        for (i = 0; i < some; i++, address += 32, to += 32 * kernel->words) {
            if (pairs) WS_R(load16)(&own, offset + 32 * i, kernel, to);
            else WS_R(load8)(&own, offset + 32 * i, kernel, to);
        }
    }
}

/* Packed rows, and 16x16 matrices: the packing is read from `rows` for each row. */
WS_ENTRY void WS_R(load_packed)(const ws_rows *rows, const uint32_t *address, size_t warps, uint32_t *to) {
    const ws_rows_kernel turned_1 = {1, rows->packing, WS_ROWS_TURN_16X16, 2};
    const ws_rows_kernel turned_2 = {2, rows->packing, WS_ROWS_TURN_16X16, 4};
    const ws_rows_kernel x1 = {1, rows->packing, WS_ROWS_NO_TURN, 1};
    const ws_rows_kernel x2 = {2, rows->packing, WS_ROWS_NO_TURN, 2};
    const ws_rows_kernel x4 = {4, rows->packing, WS_ROWS_NO_TURN, 4};
    if (rows->turn == WS_ROWS_TURN_16X16) {
        if (rows->matrices == 2) WS_R(load_all)(rows, address, warps, to, &turned_2);
        else WS_R(load_all)(rows, address, warps, to, &turned_1);
        return;
    }
    switch (rows->matrices) {
        case 4: WS_R(load_all)(rows, address, warps, to, &x4); break;
        case 2: WS_R(load_all)(rows, address, warps, to, &x2); break;
        default: WS_R(load_all)(rows, address, warps, to, &x1);
    }
}

#if WS_LEVEL_IS_BASE
WS_ON void WS_R(load_turn)(const ws_rows *rows, const uint32_t *address, size_t warps, uint32_t *to, int turn) {
    const ws_rows_kernel x1 = {1, WS_ROWS_PLAIN, turn, 1}, x2 = {2, WS_ROWS_PLAIN, turn, 2};
    const ws_rows_kernel x4 = {4, WS_ROWS_PLAIN, turn, 4}, in_eights = {4, WS_ROWS_PLAIN, turn, 8};
    if (rows->in_eights) {
        WS_R(load_all)(rows, address, warps, to, &in_eights);
        return;
    }
    switch (rows->matrices) {
        case 4: WS_R(load_all)(rows, address, warps, to, &x4); break;
        case 2: WS_R(load_all)(rows, address, warps, to, &x2); break;
        default: WS_R(load_all)(rows, address, warps, to, &x1);
    }
}

WS_ENTRY void WS_R(load)(const ws_rows *rows, const uint32_t *address, size_t warps, uint32_t *to) {
    if (rows->packing != WS_ROWS_PLAIN || rows->turn == WS_ROWS_TURN_16X16) WS_R(load_packed)(rows, address, warps, to);
    else if (rows->turn == WS_ROWS_TURN_8X8) WS_R(load_turn)(rows, address, warps, to, WS_ROWS_TURN_8X8);
    else WS_R(load_turn)(rows, address, warps, to, WS_ROWS_NO_TURN);
}

/* The rows of a warp's matrices, from its registers. */
WS_ON void WS_R(collect)(const uint32_t *from, int matrices, int turn, __m128i row[4][8]) {
    int i, r;
    WS_UNROLL
    for (r = 0; r < 8; r++, from += 4 * matrices) {
        __m128i a = WS_R(get)(from), b = a, c = a, d = a;
        if (matrices == 2) {
            const __m128i next = WS_R(get)(from + 4);
            const __m128i even = _mm_unpacklo_epi32(a, next), odd = _mm_unpackhi_epi32(a, next);
            a = _mm_unpacklo_epi32(even, odd);
            b = _mm_unpackhi_epi32(even, odd);
        } else if (matrices == 4) {
            b = WS_R(get)(from + 4);
            c = WS_R(get)(from + 8);
            d = WS_R(get)(from + 12);
            WS_R(turn4)(&a, &b, &c, &d);
        }
        row[0][r] = a;
        row[1][r] = b;
        row[2][r] = c;
        row[3][r] = d;
    }
    for (i = 0; i < matrices; i++) {
        if (turn == WS_ROWS_TURN_8X8) WS_R(turn8)(row[i]);
        if (turn == WS_ROWS_TURN_BYTES) WS_R(turn8_bytes)(row[i]);
    }
}

/* All warps. Overlapping rows: a later matrix wins, within a matrix the lowest row. */
WS_ON void WS_R(store_all)(const ws_rows *rows, const uint32_t *address, size_t warps, const uint32_t *from,
                           int matrices) {
    size_t warp;
    for (warp = 0; warp < warps; warp++, address += 32, from += 32 * matrices) {
        __m128i row[4][8];
        int i, r;
        WS_R(collect)(from, matrices, rows->turn, row);
        for (i = 0; i < matrices; i++) {
            for (r = 7; r >= 0; r--) WS_R(put)(ws_rows_at(rows, address + 8 * i + r), row[i][r]);
        }
    }
}

WS_ENTRY void WS_R(store)(const ws_rows *rows, const uint32_t *address, size_t warps, const uint32_t *from) {
    switch (rows->matrices) {
        case 4: WS_R(store_all)(rows, address, warps, from, 4); break;
        case 2: WS_R(store_all)(rows, address, warps, from, 2); break;
        default: WS_R(store_all)(rows, address, warps, from, 1);
    }
}

#endif

#undef WS_R
#undef WS_PASTE
#undef WS_PASTE_
#undef WS_LEVEL
#undef WS_LEVEL_IS_BASE
#undef WS_ON
#undef WS_ENTRY
