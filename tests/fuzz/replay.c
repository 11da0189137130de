/* Replays inputs through a fuzzer's entry point, without libFuzzer.
 *
 *     replay [-p] FILE ...      -p: print every case and the reference's answer, a line of JSON each
 *
 * A file is one input; a corpus (.corpus) is many: each a length of 4 bytes, low first, and that many bytes. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int fuzz_prints = 0;

static unsigned long inputs;
static const char *file_name = "";

static void say_which(int number) {
    (void)number;
    fprintf(stderr, "in input %lu, of %s\n", inputs, file_name);
}

static void run(const uint8_t *data, size_t size) {
    uint8_t *block = (uint8_t *)malloc(size == 0 ? 1 : size); /* a block of its own: a read beyond it is seen */
    if (block == NULL) abort();
    if (size > 0) memcpy(block, data, size);
    (void)LLVMFuzzerTestOneInput(block, size);
    free(block);
    inputs++;
}

static int run_file(const char *name) {
    const char *dot = strrchr(name, '.');
    FILE *file = fopen(name, "rb");
    uint8_t *bytes = NULL;
    size_t size = 0, room = 0, got, at = 0;
    file_name = name;
    if (file == NULL) {
        perror(name);
        return 1;
    }
    do {
        room = 2 * room + 65536;
        bytes = (uint8_t *)realloc(bytes, room);
        if (bytes == NULL) abort();
        got = fread(bytes + size, 1, room - size, file);
        size += got;
    } while (size == room);
    fclose(file);
    if (dot == NULL || strcmp(dot, ".corpus") != 0) {
        run(bytes, size);
    } else {
        while (at + 4 <= size) {
            const size_t length =
                bytes[at] | (size_t)bytes[at + 1] << 8 | (size_t)bytes[at + 2] << 16 | (size_t)bytes[at + 3] << 24;
            if (length > size - at - 4) break;
            run(bytes + at + 4, length);
            at += 4 + length;
        }
        if (at != size) fprintf(stderr, "%s: it ends in the middle of an input\n", name);
    }
    free(bytes);
    return at != size && dot != NULL && strcmp(dot, ".corpus") == 0;
}

int main(int argc, char **argv) {
    int failed = 0;
    signal(SIGABRT, say_which);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-p") == 0) fuzz_prints = 1;
        else failed |= run_file(argv[i]);
    }
    fprintf(stderr, "%lu inputs\n", inputs);
    return failed || inputs == 0;
}
