/* libFuzzer prints nothing. */
int fuzz_prints = 0;
