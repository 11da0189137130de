/* f16 and bf16: fma by sums of C and by whole numbers, which machines without exact sums of C take. */
#include "../check.h"

#include <warpsim/number/half.h>

enum { DRAWN = 100000 };

/* Any bits; every fourth is a bound: zeros, subnormals, one, the largest, infinities and NaNs. */
static uint32_t drawn(uint64_t *state) {
    static const uint32_t bounds[] = {0,      1,      0x3ff,  0x400,  0x80,   0x7f,  0x3c00,
                                      0x3f80, 0x7bff, 0x7c00, 0x7f7f, 0x7f80, 0x7fff};
    const uint64_t bits = check_random(state);
    const uint32_t sign = (uint32_t)(bits >> 20) & 0x8000;
    if ((bits & 3) != 0) return (uint32_t)(bits >> 8) & 0xffff;
    return sign | bounds[(bits >> 40) % (sizeof bounds / sizeof bounds[0])];
}

static void test_fma_is_the_same_in_both_ways(void) {
    static const uint32_t ways[] = {
        0, WS_HOW_RELU, WS_HOW_SAT, WS_HOW_FTZ, WS_HOW_FTZ | WS_HOW_SAT, WS_HOW_FTZ | WS_HOW_RELU};
    uint64_t state = 7;
    size_t way;
    int i;
    for (way = 0; way < sizeof ways / sizeof ways[0]; way++) {
        for (i = 0; i < DRAWN; i++) {
            const uint32_t a = drawn(&state), b = drawn(&state), c = drawn(&state);
            CHECK_EQUAL(ws_half_fma(WS_FORMAT_F16, a, b, c, ways[way]),
                        ws_half_fma_exact(WS_FORMAT_F16, a, b, c, ways[way]));
            if (way < 2) { /* PTX has no others of bf16 */
                CHECK_EQUAL(ws_half_fma(WS_FORMAT_BF16, a, b, c, ways[way]),
                            ws_half_fma_exact(WS_FORMAT_BF16, a, b, c, ways[way]));
            }
        }
    }
}

CHECK_MAIN(test_fma_is_the_same_in_both_ways)
