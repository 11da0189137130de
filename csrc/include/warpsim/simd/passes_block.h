/* How many passes many groups of lanes need, at the level WS_LEVEL: included once per level, so without an include
 * guard.
 *
 * A lane wants a unit of 16, 8 or 4 bytes; a line of 128 bytes has 8, 16 or 32 of them, one in each bank. A 16-bit key
 * holds the bank in its high bits and the line in its low bits; a vector holds the keys of one lane of many groups. The
 * keys of every group are sorted; the longest run of distinct keys in one bank is the number of passes.
 *
 *     address[group][lane] -> keys -> transpose -> sort by networks -> longest run
 *
 * Networks: the 8-sorter of 19 comparators (Knuth, The Art of Computer Programming 3, 5.3.4), and Batcher's odd-even
 * merge. */
#define WS_PASTE_(a, b) a##_##b
#define WS_PASTE(a, b) WS_PASTE_(a, b)
#define WS_V(name) WS_PASTE(ws_v_##name, WS_LEVEL)
#define WS_VECTOR WS_PASTE(ws_v, WS_LEVEL)

#define WS_SORT2(i, j)                                                                                                 \
    do {                                                                                                               \
        const WS_VECTOR ws_lesser_ = WS_V(min)(v[i], v[j]);                                                            \
        v[j] = WS_V(max)(v[i], v[j]);                                                                                  \
        v[i] = ws_lesser_;                                                                                             \
    } while (0)
#define WS_SORT2_X2(i, j)                                                                                              \
    WS_SORT2(i, j);                                                                                                    \
    WS_SORT2((i) + 1, (j) + 1)
#define WS_SORT2_X4(i, j)                                                                                              \
    WS_SORT2_X2(i, j);                                                                                                 \
    WS_SORT2_X2((i) + 2, (j) + 2)
#define WS_SORT2_X8(i, j)                                                                                              \
    WS_SORT2_X4(i, j);                                                                                                 \
    WS_SORT2_X4((i) + 4, (j) + 4)

/* clang-format off */
/* 8 lanes, starting at `lane`, of all groups of a block, sorted: v[i] has one lane of every group. `last` is 7, or less
 * where the block has only `last` + 1 groups: then the last one is repeated. */
WS_ON void WS_V(octet)(const uint32_t *address, int last, int lane, int lanes, WS_VECTOR *v, WS_VECTOR *all) {
    WS_VECTOR t[8], u[8];
    int i;
    WS_UNROLL
    for (i = 0; i < 8; i++) {
        t[i] = WS_V(keys)(address + (i < last ? i : last) * lanes + lane, 8 * (size_t)lanes, all);
    }
    WS_UNROLL
    for (i = 0; i < 4; i++) {
        u[2 * i] = WS_V(low16)(t[2 * i], t[2 * i + 1]);
        u[2 * i + 1] = WS_V(high16)(t[2 * i], t[2 * i + 1]);
    }
    WS_UNROLL
    for (i = 0; i < 2; i++) {
        t[4 * i] = WS_V(low32)(u[4 * i], u[4 * i + 2]);
        t[4 * i + 1] = WS_V(high32)(u[4 * i], u[4 * i + 2]);
        t[4 * i + 2] = WS_V(low32)(u[4 * i + 1], u[4 * i + 3]);
        t[4 * i + 3] = WS_V(high32)(u[4 * i + 1], u[4 * i + 3]);
    }
    WS_UNROLL
    for (i = 0; i < 4; i++) {
        v[2 * i] = WS_V(low64)(t[i], t[i + 4]);
        v[2 * i + 1] = WS_V(high64)(t[i], t[i + 4]);
    }
    WS_SORT2_X2(0, 2); WS_SORT2_X2(4, 6);
    WS_SORT2_X4(0, 4);
    WS_SORT2(0, 1); WS_SORT2(2, 3); WS_SORT2(4, 5); WS_SORT2(6, 7);
    WS_SORT2_X2(2, 4);
    WS_SORT2(1, 4); WS_SORT2(3, 6);
    WS_SORT2(1, 2); WS_SORT2(3, 4); WS_SORT2(5, 6);
}

/* Two sorted runs of 8 become one of 16. */
WS_ON void WS_V(merge8)(WS_VECTOR *v) {
    WS_SORT2_X8(0, 8);
    WS_SORT2_X4(4, 8);
    WS_SORT2_X2(2, 4); WS_SORT2_X2(6, 8); WS_SORT2_X2(10, 12);
    WS_SORT2(1, 2); WS_SORT2(3, 4); WS_SORT2(5, 6); WS_SORT2(7, 8); WS_SORT2(9, 10); WS_SORT2(11, 12); WS_SORT2(13, 14);
}

/* Two sorted runs of 16 become one of 32. */
WS_ON void WS_V(merge16)(WS_VECTOR *v) {
    WS_SORT2_X8(0, 16); WS_SORT2_X8(8, 24);
    WS_SORT2_X8(8, 16);
    WS_SORT2_X4(4, 8); WS_SORT2_X4(12, 16); WS_SORT2_X4(20, 24);
    WS_SORT2_X2(2, 4); WS_SORT2_X2(6, 8); WS_SORT2_X2(10, 12); WS_SORT2_X2(14, 16); WS_SORT2_X2(18, 20); WS_SORT2_X2(22, 24);
    WS_SORT2_X2(26, 28);
    WS_SORT2(1, 2); WS_SORT2(3, 4); WS_SORT2(5, 6); WS_SORT2(7, 8); WS_SORT2(9, 10); WS_SORT2(11, 12); WS_SORT2(13, 14);
    WS_SORT2(15, 16); WS_SORT2(17, 18); WS_SORT2(19, 20); WS_SORT2(21, 22); WS_SORT2(23, 24); WS_SORT2(25, 26);
    WS_SORT2(27, 28); WS_SORT2(29, 30);
}
/* clang-format on */

/* Passes of every group of a block; false if a line does not fit into its key or an address is misaligned. */
WS_ON bool WS_V(block)(const uint32_t *address, int last, int lanes, int shift, uint8_t *passes) {
    WS_VECTOR v[32], all = WS_V(zero)(), run = WS_V(zero)(), longest = WS_V(zero)();
    int i;
    WS_V(octet)(address, last, 0, lanes, v, &all);
    if (lanes >= 16) {
        WS_V(octet)(address, last, 8, lanes, v + 8, &all);
        WS_V(merge8)(v);
    }
    if (lanes == 32) {
        WS_V(octet)(address, last, 16, lanes, v + 16, &all);
        WS_V(octet)(address, last, 24, lanes, v + 24, &all);
        WS_V(merge8)(v + 16);
        WS_V(merge16)(v);
    }
    WS_UNROLL
    for (i = 1; i < lanes; i++) {
        run = WS_V(run)(run, v[i - 1], v[i], 7 - shift);
        longest = WS_V(max)(longest, run);
    }
    WS_V(store)(passes, longest);
    return !WS_V(has)(all, ~((UINT32_C(1) << (16 + shift)) - (UINT32_C(1) << shift)));
}

/* Every group of a block wants every bank once. */
WS_ON bool WS_V(free_block)(const uint32_t *address, int lanes) {
    int i;
    for (i = 0; i < WS_LEVEL_GROUPS * lanes; i += WS_FREE_WARPS * 32) {
        if (!WS_V(is_conflict_free)(address + i, lanes)) return false;
    }
    return true;
}

/* Passes of all groups of whole blocks; false if some address has no key. Blocks without conflicts have a fast path,
 * tried while it succeeds and again every TRY_AGAIN blocks. */
WS_ON bool WS_V(blocks)(const uint32_t *address, size_t blocks, int lanes, int shift, uint8_t *passes) {
    enum { TRY_AGAIN = 16 /* blocks */ };
    bool is_free = true;
    size_t i;
    for (i = 0; i < blocks; i++, address += WS_LEVEL_GROUPS * lanes, passes += WS_LEVEL_GROUPS) {
        if (is_free || i % TRY_AGAIN == 0) is_free = WS_V(free_block)(address, lanes);
        if (is_free) WS_V(store)(passes, WS_V(zero)());
        else if (!WS_V(block)(address, 7, lanes, shift, passes)) return false;
    }
    return true;
}

WS_ENTRY bool WS_V(passes)(const uint32_t *address, size_t blocks, int lanes, uint8_t *passes) {
    switch (lanes) {
        case 8: return WS_V(blocks)(address, blocks, 8, 4, passes);
        case 16: return WS_V(blocks)(address, blocks, 16, 3, passes);
        default: return WS_V(blocks)(address, blocks, 32, 2, passes);
    }
}

#undef WS_SORT2
#undef WS_SORT2_X2
#undef WS_SORT2_X4
#undef WS_SORT2_X8
#undef WS_V
#undef WS_VECTOR
#undef WS_PASTE
#undef WS_PASTE_
#undef WS_LEVEL
#undef WS_LEVEL_GROUPS
#undef WS_FREE_WARPS
#undef WS_ON
#undef WS_ENTRY
