/* Four plain matrices in vectors of 256 bits: ldmatrix.x4, and the same with .trans. Each half of a vector does for two
 * matrices what rows_block.h does for four, with half as many shuffles. Included by rows.h. */

static inline bool ws_rows_are_four(const ws_rows *rows) {
    return rows->matrices == 4 && rows->packing == WS_ROWS_PLAIN && !rows->in_eights &&
           (rows->turn == WS_ROWS_NO_TURN || rows->turn == WS_ROWS_TURN_8X8);
}

typedef long long ws_loose_vector_256 __attribute__((vector_size(32), may_alias, aligned(1)));

/* Where the rows of a warp begin, each address read once; the last row in place of what is outside the memory. */
WS_ON_AVX2 void ws_rows_offsets_avx2(const ws_bounds *bounds, const uint32_t *address, uint32_t offset[32]) {
    const __m256i base = _mm256_set1_epi32((int)bounds->base), limit = _mm256_set1_epi32((int)bounds->limit);
    int lane;
    WS_UNROLL
    for (lane = 0; lane < 32; lane += 8) {
        const __m256i x = *(const volatile ws_loose_vector_256 *)(const void *)(address + lane);
        _mm256_storeu_si256((__m256i *)(void *)(offset + lane), _mm256_min_epu32(_mm256_sub_epi32(x, base), limit));
    }
}

/* The row of a matrix, and that of the second after it. */
WS_ON_AVX2 __m256i ws_rows_two(const uint8_t *bytes, const uint32_t *offset) {
    return _mm256_inserti128_si256(_mm256_castsi128_si256(ws_r_get_avx2(bytes + offset[0])),
                                   ws_r_get_avx2(bytes + offset[16]), 1);
}

/* Words of matrices 0 and 2, and of 1 and 3: two registers of two lanes each -> four registers of those lanes. */
WS_ON_AVX2 __m256i ws_rows_four_words(__m256i words) { return _mm256_permute4x64_epi64(words, 0xd8); }

WS_ON_AVX2 void ws_rows_four(const uint8_t *bytes, const uint32_t *offset, uint32_t *to) {
    int r;
    WS_UNROLL
    for (r = 0; r < 8; r++, to += 16) {
        const __m256i even = ws_rows_two(bytes, offset + r), odd = ws_rows_two(bytes, offset + 8 + r);
        _mm256_storeu_si256((__m256i *)(void *)to, ws_rows_four_words(_mm256_unpacklo_epi32(even, odd)));
        _mm256_storeu_si256((__m256i *)(void *)(to + 8), ws_rows_four_words(_mm256_unpackhi_epi32(even, odd)));
    }
}

/* The registers of lanes 4c + k and 4c + 4 + k. */
WS_ON_AVX2 void ws_rows_put_two(uint32_t *to, __m256i words) {
    const __m256i x = ws_rows_four_words(words);
    ws_r_put_avx2(to, _mm256_castsi256_si128(x));
    ws_r_put_avx2(to + 16, _mm256_extracti128_si256(x, 1));
}

/* Rows 2k and 2k + 1 are the words of lanes 4c + k. */
WS_ON_AVX2 void ws_rows_four_trans(const uint8_t *bytes, const uint32_t *offset, uint32_t *to) {
    int k;
    WS_UNROLL
    for (k = 0; k < 4; k++, offset += 2, to += 4) {
        const __m256i a = ws_rows_two(bytes, offset), b = ws_rows_two(bytes, offset + 1);
        const __m256i c = ws_rows_two(bytes, offset + 8), d = ws_rows_two(bytes, offset + 9);
        const __m256i even = _mm256_unpacklo_epi16(a, b), even_high = _mm256_unpackhi_epi16(a, b);
        const __m256i odd = _mm256_unpacklo_epi16(c, d), odd_high = _mm256_unpackhi_epi16(c, d);
        ws_rows_put_two(to, _mm256_unpacklo_epi32(even, odd));
        ws_rows_put_two(to + 32, _mm256_unpackhi_epi32(even, odd));
        ws_rows_put_two(to + 64, _mm256_unpacklo_epi32(even_high, odd_high));
        ws_rows_put_two(to + 96, _mm256_unpackhi_epi32(even_high, odd_high));
    }
}

/* All warps. */
WS_ENTRY_AVX2 void ws_rows_load_four(const ws_rows *rows, const uint32_t *address, size_t warps, uint32_t *to) {
    const ws_rows own = *rows; /* `to` may not alias it */
    size_t warp;
    for (warp = 0; warp < warps; warp++, address += 32, to += 128) {
        uint32_t offset[32];
        ws_rows_offsets_avx2(&own.bounds, address, offset);
        if (own.turn == WS_ROWS_NO_TURN) ws_rows_four(own.bytes, offset, to);
        else ws_rows_four_trans(own.bytes, offset, to);
    }
}
