/* Runs a fuzzer's entry point on inputs drawn by chance, without libFuzzer: as fast as the sanitizers allow.
 *
 *     drive FIRST COUNT PREFIX LENGTH KEPT GROUP      inputs of LENGTH bytes, the first KEPT the same in each GROUP of them
 *     drive FIRST COUNT PREFIX TEXT ...               inputs of 8 bytes and one of the texts (files), changed by chance
 *
 *     drive 0 0 PREFIX -r FILE ...                    inputs that were left
 *
 * COUNT inputs from number FIRST on. One that ends the process is left as PREFIX and its number. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "launch/mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__asan_default_options(void);
const char *__ubsan_default_options(void);

int fuzz_prints = 0;
unsigned long fuzz_launches = 0;

static unsigned long number;
static const char *prefix;
static uint8_t *input;
static size_t length;

const char *__asan_default_options(void) { return "abort_on_error=1:detect_leaks=0:malloc_context_size=0"; }
const char *__ubsan_default_options(void) { return "abort_on_error=1:print_stacktrace=1"; }

static void leave_input(int signal_number) {
    char name[512];
    FILE *file;
    snprintf(name, sizeof name, "%s%lu", prefix, number);
    fprintf(stderr, "signal %d in input %lu, left as %s\n", signal_number, number, name);
    file = fopen(name, "wb");
    if (file != NULL) {
        fwrite(input, 1, length, file);
        fclose(file);
    }
    _Exit(1);
}

static void draw(uint64_t seed, uint8_t *bytes, size_t count) {
    size_t i;
    seed = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
    for (i = 0; i < count; i++) bytes[i] = (uint8_t)(check_random(&seed) >> 24);
}

/* The bytes of a file, with room for changes. */
static mutated_text read_text(const char *name) {
    mutated_text text = {NULL, 0, 1 << 18};
    FILE *file = fopen(name, "rb");
    text.bytes = (char *)malloc(text.room);
    if (file == NULL || text.bytes == NULL) {
        perror(name);
        exit(2);
    }
    text.length = fread(text.bytes, 1, text.room, file);
    fclose(file);
    return text;
}

static void one_input(void) {
    uint8_t *exact = (uint8_t *)malloc(length == 0 ? 1 : length); /* a read beyond it is seen */
    if (exact == NULL) abort();
    memcpy(exact, input, length);
    (void)LLVMFuzzerTestOneInput(exact, length);
    free(exact);
}

/* Texts are taken in turn; one of 32 stays as it is. */
static void drive_texts(unsigned long first, unsigned long count, char **names, unsigned long texts) {
    input = (uint8_t *)malloc((1 << 18) + 8);
    if (input == NULL) abort();
    for (number = first; number < first + count; number++) {
        uint64_t random = number * UINT64_C(0x9E3779B97F4A7C15) + 1;
        mutated_text text = read_text(names[number % texts]);
        size_t changes = mutate_below(&random, 32);
        for (changes = changes == 0 ? 0 : changes < 20 ? 1 : changes % 4; changes > 0; changes--)
            mutate_once(&text, &random);
        draw(number * 2 + 1, input, 8);
        memcpy(input + 8, text.bytes, text.length);
        length = text.length + 8;
        free(text.bytes);
        one_input();
    }
}

static void drive_again(char **names, unsigned long count) {
    input = (uint8_t *)malloc(1 << 18);
    if (input == NULL) abort();
    for (number = 0; number < count; number++) {
        mutated_text file = read_text(names[number]);
        memcpy(input, file.bytes, file.length);
        length = file.length;
        free(file.bytes);
        one_input();
    }
}

static void drive_bytes(unsigned long first, unsigned long count, char **numbers) {
    const unsigned long kept = strtoul(numbers[1], NULL, 10), group = strtoul(numbers[2], NULL, 10);
    length = strtoul(numbers[0], NULL, 10);
    input = (uint8_t *)malloc(length);
    if (input == NULL || kept > length || group == 0) exit(2);
    for (number = first; number < first + count; number++) {
        draw(number / group * 2, input, kept);
        draw(number * 2 + 1, input + kept, length - kept);
        one_input();
    }
}

int main(int argc, char **argv) {
    const clock_t began = clock();
    unsigned long first, count;
    if (argc < 5) return 2;
    first = strtoul(argv[1], NULL, 10);
    count = strtoul(argv[2], NULL, 10);
    prefix = argv[3];
    signal(SIGABRT, leave_input);
    signal(SIGSEGV, leave_input);
    if (strcmp(argv[4], "-r") == 0) drive_again(argv + 5, (unsigned long)argc - 5);
    else if (argv[4][0] >= '0' && argv[4][0] <= '9') drive_bytes(first, count, argv + 4);
    else drive_texts(first, count, argv + 4, (unsigned long)argc - 4);
    free(input);
    printf("%lu inputs, %lu launches, %.1f s\n", count, fuzz_launches, (double)(clock() - began) / CLOCKS_PER_SEC);
    return 0;
}
