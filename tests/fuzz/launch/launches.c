/* What launches whole kernels at every level of instructions, as one program: the engine is compiled once for all of it.
 *
 *     launches kernels             test_kernels.c of tests/c
 *     launches wrong ...           fuzz_wrong.c, with the arguments of drive.c
 *     launches mutated ...         fuzz_mutated.c */
#define LLVMFuzzerTestOneInput fuzz_wrong
#include "../fuzz_wrong.c"
#undef LLVMFuzzerTestOneInput

int fuzz_mutated(const uint8_t *data, size_t size);
#define LLVMFuzzerTestOneInput fuzz_mutated
#include "../fuzz_mutated.c"
#undef LLVMFuzzerTestOneInput

#define main main_of_kernels
#include "../../c/run/test_kernels.c"
#undef main

static int (*entry)(const uint8_t *, size_t);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return entry(data, size); }
#define main main_of_drive
#include "../drive.c"
#undef main

int main(int argc, char **argv) {
    const char *name = argc < 2 ? "" : argv[1];
    if (strcmp(name, "kernels") == 0) return main_of_kernels();
    entry = strcmp(name, "wrong") == 0 ? fuzz_wrong : strcmp(name, "mutated") == 0 ? fuzz_mutated : NULL;
    if (entry != NULL) return main_of_drive(argc - 1, argv + 1);
    fputs("launches kernels, wrong or mutated\n", stderr);
    return 2;
}
