/* The header as a C or C++ project uses it: prints the registers and counts that each translation unit gets. */
#include "embed.h"

#include <stdio.h>
#include <string.h>

static bool embed_a(embed *data) {
#include "embed.inc"
}

static void fill(embed *data) {
    for (unsigned i = 0; i < EMBED_NBYTES; i++) data->bytes[i] = (uint8_t)(i * 37 + i / 256 * 11 + 5);
    for (unsigned warp = 0; warp < EMBED_WARPS; warp++) {
        for (unsigned lane = 0; lane < 32; lane++)
            data->address[warp][lane] = (lane * (4 + warp) + 7 * warp) % 128 * 16;
    }
}

static void print(const char *unit, const embed *data) {
    const uint32_t *registers = &data->registers[0][0][0];
    const ws_counts *c = &data->counts;
    printf("%s registers", unit);
    for (int i = 0; i < EMBED_WARPS * 32 * 4; i++) printf(" %08lx", (unsigned long)registers[i]);
    printf("\n%s counts %lu %lu %lu %lu %lu %lu\n", unit, (unsigned long)c->instructions, (unsigned long)c->requests,
           (unsigned long)c->wavefronts, (unsigned long)c->ideal_wavefronts, (unsigned long)c->bank_conflicts,
           (unsigned long)c->sectors);
}

int main(void) {
    embed a, b;
    fill(&a);
    fill(&b);
    if (!embed_a(&a) || !ws_embed_b(&b)) return 1;
    print("a", &a);
    print("b", &b);
    return memcmp(a.registers, b.registers, sizeof a.registers) != 0 ||
           memcmp(&a.counts, &b.counts, sizeof a.counts) != 0;
}
