/* Rows of 16 bytes as 128-bit vectors: their packed formats, and transposition; at the level WS_LEVEL: included once
 * per level, so without an include guard. rows_block.h comes after it and undefines the names. */
#define WS_PASTE_(a, b) a##_##b
#define WS_PASTE(a, b) WS_PASTE_(a, b)
#define WS_R(name) WS_PASTE(ws_r_##name, WS_LEVEL)

WS_ON __m128i WS_R(get)(const void *from) { return _mm_loadu_si128((const __m128i *)from); }

WS_ON void WS_R(put)(void *to, __m128i x) { _mm_storeu_si128((__m128i *)to, x); }

/* 16 elements of 6 bits -> 16 bytes. */
WS_ON __m128i WS_R(b6)(const uint8_t *row) {
#if !WS_LEVEL_IS_BASE
    /* four elements lie in three bytes: at bits 0 and 6 of the first two, at bits 4 and 10 of the last two */
    const __m128i pairs = _mm_setr_epi8(0, 1, 0, 1, 1, 2, 1, 2, 3, 4, 3, 4, 4, 5, 4, 5), six = _mm_set1_epi8(6);
    const __m128i to_top = _mm_setr_epi16(1 << 10, 1 << 4, 1 << 6, 1, 1 << 10, 1 << 4, 1 << 6, 1);
    const __m128i x = WS_R(get)(row);
    const __m128i low = _mm_mullo_epi16(_mm_shuffle_epi8(x, pairs), to_top);
    const __m128i high = _mm_mullo_epi16(_mm_shuffle_epi8(x, _mm_add_epi8(pairs, six)), to_top);
    return _mm_packus_epi16(_mm_srli_epi16(low, 10), _mm_srli_epi16(high, 10));
#else
    return _mm_set_epi64x((long long)ws_decompress_b6_high(row), (long long)ws_decompress_b6_low(row));
#endif
}

#if !WS_LEVEL_IS_BASE
/* Two rows at once. */
WS_ON __m256i WS_R(b6_pair)(__m256i x) {
    const __m256i pairs = _mm256_setr_epi8(0, 1, 0, 1, 1, 2, 1, 2, 3, 4, 3, 4, 4, 5, 4, 5, 0, 1, 0, 1, 1, 2, 1, 2, 3, 4,
                                           3, 4, 4, 5, 4, 5);
    const __m256i to_top = _mm256_setr_epi16(1 << 10, 1 << 4, 1 << 6, 1, 1 << 10, 1 << 4, 1 << 6, 1, 1 << 10, 1 << 4,
                                             1 << 6, 1, 1 << 10, 1 << 4, 1 << 6, 1);
    const __m256i low = _mm256_mullo_epi16(_mm256_shuffle_epi8(x, pairs), to_top);
    const __m256i high =
        _mm256_mullo_epi16(_mm256_shuffle_epi8(x, _mm256_add_epi8(pairs, _mm256_set1_epi8(6))), to_top);
    return _mm256_packus_epi16(_mm256_srli_epi16(low, 10), _mm256_srli_epi16(high, 10));
}
#endif

/* A row as its packing has it in registers. */
WS_ON __m128i WS_R(row)(const uint8_t *row, int packing) {
    const __m128i low_nibble = _mm_set1_epi8(0x0f), eight = _mm_set1_epi8(8);
    __m128i x;
    if (packing == WS_ROWS_PLAIN) return WS_R(get)(row);
    if (packing == WS_ROWS_B6) return WS_R(b6)(row);
    x = _mm_loadl_epi64((const __m128i *)(const void *)row);
    x = _mm_and_si128(_mm_unpacklo_epi8(x, _mm_srli_epi16(x, 4)), low_nibble);
    return packing == WS_ROWS_S4 ? _mm_sub_epi8(_mm_xor_si128(x, eight), eight) : x;
}

/* n consecutive rows. */
WS_ENTRY void WS_R(unpack)(int packing, const uint8_t *rows, size_t n, uint8_t *out) {
    size_t i = 0;
    if (packing == WS_ROWS_B6) {
#if !WS_LEVEL_IS_BASE
        for (; i + 2 <= n; i += 2) {
            const __m256i two = _mm256_loadu_si256((const __m256i *)(const void *)(rows + 16 * i));
            _mm256_storeu_si256((__m256i *)(void *)(out + 16 * i), WS_R(b6_pair)(two));
        }
#endif
        for (; i < n; i++) WS_R(put)(out + 16 * i, WS_R(row)(rows + 16 * i, WS_ROWS_B6));
    } else if (packing == WS_ROWS_B4) {
#if !WS_LEVEL_IS_BASE
        for (; i + 2 <= n; i += 2) {
            const __m256i two = _mm256_loadu_si256((const __m256i *)(const void *)(rows + 16 * i));
            const __m256i nibbles = _mm256_unpacklo_epi8(two, _mm256_srli_epi16(two, 4));
            _mm256_storeu_si256((__m256i *)(void *)(out + 16 * i), _mm256_and_si256(nibbles, _mm256_set1_epi8(0x0f)));
        }
#endif
        for (; i < n; i++) WS_R(put)(out + 16 * i, WS_R(row)(rows + 16 * i, WS_ROWS_B4));
    } else if (packing == WS_ROWS_S4) {
        for (i = 0; i < n; i++) WS_R(put)(out + 16 * i, WS_R(row)(rows + 16 * i, WS_ROWS_S4));
    } else {
        for (i = 0; i < n; i++) WS_R(put)(out + 16 * i, WS_R(row)(rows + 16 * i, WS_ROWS_PLAIN));
    }
}

/* Word i of four vectors -> vector i. */
WS_ON void WS_R(turn4)(__m128i *a, __m128i *b, __m128i *c, __m128i *d) {
    const __m128i ab = _mm_unpacklo_epi32(*a, *b), ab_high = _mm_unpackhi_epi32(*a, *b);
    const __m128i cd = _mm_unpacklo_epi32(*c, *d), cd_high = _mm_unpackhi_epi32(*c, *d);
    *a = _mm_unpacklo_epi64(ab, cd);
    *b = _mm_unpackhi_epi64(ab, cd);
    *c = _mm_unpacklo_epi64(ab_high, cd_high);
    *d = _mm_unpackhi_epi64(ab_high, cd_high);
}

/* 8x8 elements of 16 bits: rows -> columns. */
WS_ON void WS_R(turn8)(__m128i *x) {
    __m128i t[8];
    int i;
    WS_UNROLL
    for (i = 0; i < 4; i++) {
        t[i] = _mm_unpacklo_epi16(x[2 * i], x[2 * i + 1]);
        t[i + 4] = _mm_unpackhi_epi16(x[2 * i], x[2 * i + 1]);
    }
    WS_R(turn4)(&t[0], &t[1], &t[2], &t[3]);
    WS_R(turn4)(&t[4], &t[5], &t[6], &t[7]);
    WS_UNROLL
    for (i = 0; i < 8; i++) x[i] = t[i];
}

/* 16x16 elements of 8 bits: rows -> columns. */
WS_ON void WS_R(turn16)(__m128i *x) {
    __m128i t[16];
    int i;
    WS_UNROLL
    for (i = 0; i < 8; i++) {
        t[i] = _mm_unpacklo_epi8(x[2 * i], x[2 * i + 1]);
        t[i + 8] = _mm_unpackhi_epi8(x[2 * i], x[2 * i + 1]);
    }
    WS_R(turn8)(t);
    WS_R(turn8)(t + 8);
    WS_UNROLL
    for (i = 0; i < 16; i++) x[i] = t[i];
}

/* 8x16 elements of 8 bits, two rows in a word: the low half of each lane's word is a column of the left half, the high
 * half one of the right half. */
WS_ON void WS_R(turn8_bytes)(__m128i *x) {
    const __m128i low = _mm_set1_epi16(0xff);
    int t;
    WS_R(turn8)(x);
    WS_UNROLL
    for (t = 0; t < 8; t += 2) {
        const __m128i left = x[t], right = x[t + 1];
        x[t] = _mm_packus_epi16(_mm_and_si128(left, low), _mm_and_si128(right, low));
        x[t + 1] = _mm_packus_epi16(_mm_srli_epi16(left, 8), _mm_srli_epi16(right, 8));
    }
}
