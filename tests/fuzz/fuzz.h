/* What every fuzzer has: bytes to draw from, a check that stops, blocks of exactly the size that was asked for.
 *
 * A block is a heap block of its own, so that AddressSanitizer sees the first byte beyond it. */
#ifndef FUZZ_H
#define FUZZ_H

#include <warpsim/warpsim.h>

#include "../c/check.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Set by the replay program: print the case and the reference's answer, a line of JSON each. */
extern int fuzz_prints;

#define FUZZ_CHECK(condition) ((void)(CHECK(condition) || (abort(), 0)))
#define FUZZ_CHECK_EQUAL(actual, expected) ((void)(CHECK_EQUAL(actual, expected) || (abort(), 0)))

/* The bytes of an input; after their end come zeros. */
typedef struct fuzz_input {
    const uint8_t *at, *end;
} fuzz_input;

static inline fuzz_input fuzz_input_make(const uint8_t *data, size_t size) {
    fuzz_input in;
    in.at = data;
    in.end = size == 0 ? data : data + size;
    return in;
}

static inline uint8_t fuzz_u8(fuzz_input *in) { return in->at < in->end ? *in->at++ : 0; }

static inline uint16_t fuzz_u16(fuzz_input *in) {
    const uint16_t low = fuzz_u8(in);
    return (uint16_t)(low | fuzz_u8(in) << 8);
}

static inline uint32_t fuzz_u32(fuzz_input *in) {
    const uint32_t low = fuzz_u16(in);
    return low | (uint32_t)fuzz_u16(in) << 16;
}

static inline uint64_t fuzz_u64(fuzz_input *in) {
    const uint64_t low = fuzz_u32(in);
    return low | (uint64_t)fuzz_u32(in) << 32;
}

/* Below `count`, at most 65536. */
static inline int fuzz_below(fuzz_input *in, int count) {
    return (int)((count <= 256 ? fuzz_u8(in) : fuzz_u16(in)) % (unsigned)count);
}

#define FUZZ_CHOOSE(in, array) ((array)[fuzz_below(in, (int)(sizeof(array) / sizeof((array)[0])))])

/* Contents that no byte of the input is spent on. */
static inline void fuzz_fill(uint64_t seed, uint8_t *bytes, size_t count) {
    size_t i;
    for (i = 0; i + 8 <= count; i += 8) {
        const uint64_t word = check_random(&seed);
        memcpy(bytes + i, &word, 8);
    }
    for (; i < count; i++) bytes[i] = (uint8_t)check_random(&seed);
}

static inline void *fuzz_block(size_t count) {
    void *block = malloc(count == 0 ? 1 : count);
    if (block == NULL) abort();
    return block;
}

static inline void *fuzz_copy(const void *from, size_t count) {
    void *block = fuzz_block(count);
    if (count > 0) memcpy(block, from, count);
    return block;
}

#endif
