/* Assertions that count themselves: a program that checked nothing has failed. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHECK_SHOWN = 20 };

static unsigned long check_made, check_failed;

static inline bool check_note(bool ok, const char *file, int line, const char *what) {
    check_made++;
    if (!ok && check_failed++ < CHECK_SHOWN) fprintf(stderr, "%s:%d: failed: %s\n", file, line, what);
#ifdef CHECK_STOPS
    if (!ok) exit(1); /* who breaks the core on purpose needs to know no more */
#endif
    return ok;
}

static inline bool check_note_equal(uint64_t actual, uint64_t expected, const char *file, int line, const char *what) {
    const bool ok = check_note(actual == expected, file, line, what);
    if (!ok && check_failed <= CHECK_SHOWN) {
        fprintf(stderr, "    got %lld (0x%llx), expected %lld (0x%llx)\n", (long long)actual,
                (unsigned long long)actual, (long long)expected, (unsigned long long)expected);
    }
    return ok;
}

static inline bool check_note_text(const char *actual, const char *expected, const char *file, int line,
                                   const char *what) {
    const bool ok = check_note(strcmp(actual, expected) == 0, file, line, what);
    if (!ok && check_failed <= CHECK_SHOWN) fprintf(stderr, "    got \"%s\", expected \"%s\"\n", actual, expected);
    return ok;
}

/* Each gives true if all is well, so that a loop can say more about its case. */
#define CHECK(condition) check_note((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQUAL(actual, expected)                                                                                  \
    check_note_equal((uint64_t)(actual), (uint64_t)(expected), __FILE__, __LINE__, #actual " == " #expected)
#define CHECK_TEXT(actual, expected) check_note_text((actual), (expected), __FILE__, __LINE__, #actual " is " #expected)
#define CHECK_HAS(text, part) check_note(strstr((text), (part)) != NULL, __FILE__, __LINE__, #text " has " #part)

/* The exit status of the program. */
static inline int check_report(void) {
    printf("%lu checks, %lu failed\n", check_made, check_failed);
    return check_made == 0 || check_failed != 0;
}

/* A program of these tests. */
#define CHECK_MAIN(...)                                                                                                \
    int main(void) {                                                                                                   \
        static void (*const tests[])(void) = {__VA_ARGS__};                                                            \
        for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) tests[i]();                                        \
        return check_report();                                                                                         \
    }

/* SplitMix64: the same numbers on every machine. */
static inline uint64_t check_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline void check_random_bytes(uint64_t *state, uint8_t *bytes, size_t count) {
    size_t i;
    for (i = 0; i < count; i++) bytes[i] = (uint8_t)check_random(state);
}

#endif
