/* Tables of kernels: what the check finds in each, every level of vector instructions alike. */
#ifndef FOUND_H
#define FOUND_H

#include "../run/rows.h"

/* A body, and what is found: "17:96" is 96 times rule 17, all of its rows together. */
typedef struct checked_row {
    const char *name, *body;
    int threads;
    uint32_t blocks;
    const char *found;
} checked_row;

/* The rules that were found, in ascending order, each with the sum of its counts. */
static inline void spell(char *text, size_t room) {
    uint32_t rule, i;
    text[0] = '\0';
    for (rule = 0; rule < 64; rule++) {
        uint64_t count = 0;
        for (i = 0; i < WS_FOUND_CAPACITY; i++) {
            const ws_found *one = &check.judge.found.rows[i];
            if (one->count != 0 && one->rule == rule) count += one->count;
        }
        if (count == 0) continue;
        snprintf(text + strlen(text), room - strlen(text), "%s%u:%llu", text[0] != '\0' ? " " : "", (unsigned)rule,
                 (unsigned long long)count);
    }
}

static inline void check_findings(const checked_row *rows, size_t num_rows) {
    size_t i;
    int simd;
    for (i = 0; i < num_rows; i++) {
        const checked_row *one = &rows[i];
        char text[4096], found[256];
        snprintf(text, sizeof text, "%s%s%s", HEAD, one->body, TAIL);
        for (simd = WS_SIMD_PORTABLE; simd <= ws_simd_best(); simd++) {
            uint8_t out[4 * THREADS] = {0};
            blocks = one->blocks;
            if (!CHECK_EQUAL(run(text, one->threads, simd, out), WS_RUN_NONE)) fprintf(stderr, "    %s\n", one->name);
            spell(found, sizeof found);
            if (!CHECK(strcmp(found, one->found) == 0))
                fprintf(stderr, "    %s: expected '%s', found '%s'\n", one->name, one->found, found);
        }
    }
}

#endif
