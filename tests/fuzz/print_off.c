/* libFuzzer prints nothing. */
int fuzz_prints = 0;
unsigned long fuzz_launches = 0;
