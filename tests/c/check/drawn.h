/* Random numbers of the tests that compare with brute force: the same ones in each run. */
#include <stdint.h>

static uint64_t drawn = 1;

static uint32_t draw(uint32_t below) {
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(drawn >> 33) % below;
}
