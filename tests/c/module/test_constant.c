/* Constants as ptxas 13.0.88 folds them: each was read from the bytes of a .global in its cubin. */
#include "module.h"

typedef struct folded_text {
    const char *text;
    uint64_t bits;
    int kind;
} folded_text;

static const folded_text folded[] = {
    {"-4/2", (uint64_t)-2, WS_CONSTANT_S64},
    {"7/-2", (uint64_t)-3, WS_CONSTANT_S64},
    {"7 % -3", 1, WS_CONSTANT_S64},
    {"-7 % 3", (uint64_t)-1, WS_CONSTANT_S64},
    {"(-6)/2U", UINT64_C(0x7FFFFFFFFFFFFFFD), WS_CONSTANT_U64},
    {"0x8000000000000000/2", UINT64_C(1) << 62, WS_CONSTANT_U64},
    {"-9223372036854775808/2", UINT64_C(1) << 62, WS_CONSTANT_U64},
    {"-8>>1", (uint64_t)-4, WS_CONSTANT_S64},
    {"-5 >> 1U", (uint64_t)-3, WS_CONSTANT_S64},
    {"1<<63>>63", (uint64_t)-1, WS_CONSTANT_S64},
    {"1<<64", 1, WS_CONSTANT_S64},
    {"1<<-1", UINT64_C(1) << 63, WS_CONSTANT_S64},
    {"-1<1", 1, WS_CONSTANT_S64},
    {"-1U<1", 0, WS_CONSTANT_S64},
    {"(.u64)-1<1", 0, WS_CONSTANT_S64},
    {"(.s64)0xFFFFFFFFFFFFFFFF<1", 1, WS_CONSTANT_S64},
    {"0xFFFFFFFFFFFFFFFF>1", 1, WS_CONSTANT_S64},
    {"1?-1:2", (uint64_t)-1, WS_CONSTANT_S64},
    {"0 ? 2 : 0 ? 3 : 4", 4, WS_CONSTANT_S64},
    {"5&&0", 0, WS_CONSTANT_S64},
    {"1.0 / 3.0", UINT64_C(0x3FD5555555555555), WS_CONSTANT_F64},
    {"0.1 + 0.2", UINT64_C(0x3FD3333333333334), WS_CONSTANT_F64},
    {"0.1 * 3.0", UINT64_C(0x3FD3333333333334), WS_CONSTANT_F64},
    {"1.0 - 0.9", UINT64_C(0x3FB9999999999998), WS_CONSTANT_F64},
    {"1.0e308 * 10.0", UINT64_C(0x7FF0000000000000), WS_CONSTANT_F64},
    {"1.0 < 2.0", 1, WS_CONSTANT_S64},
    {"1.0 == 1.0", 1, WS_CONSTANT_S64},
    {"1.0 >= 2.0", 0, WS_CONSTANT_S64},
    {"1.0 != 2.0", 1, WS_CONSTANT_S64},
    {"5||0", 1, WS_CONSTANT_S64},
    {"2+3*4-1", 13, WS_CONSTANT_S64},
    {"1 == 1 != 0", 1, WS_CONSTANT_S64},
    {"~0 ^ 5 & 6 | 8", ~UINT64_C(4), WS_CONSTANT_S64},
    {"!3+!0", 1, WS_CONSTANT_S64},
    {"0b101 + 017 + 0x1fU", 51, WS_CONSTANT_U64},
    {"18446744073709551615", UINT64_MAX, WS_CONSTANT_U64},
    {"0F3f800000", 0x3F800000, WS_CONSTANT_F32},
    {"0d3FF0000000000001", UINT64_C(0x3FF0000000000001), WS_CONSTANT_F64},
    {"-(1.5)", UINT64_C(0xBFF8000000000000), WS_CONSTANT_F64},
    {".5", UINT64_C(0x3FE0000000000000), WS_CONSTANT_F64},
    {"3.", UINT64_C(0x4008000000000000), WS_CONSTANT_F64},
    {"1e3", UINT64_C(0x408F400000000000), WS_CONSTANT_F64},
};

static void test_constants_fold_as_the_assembler_does(void) {
    for (size_t i = 0; i < sizeof folded / sizeof folded[0]; i++) {
        ws_cursor cursor = {folded[i].text, strlen(folded[i].text), 0, NULL};
        ws_folded value = {0, 0};
        bool ok = CHECK_EQUAL(ws_fold(&cursor, 0, 0, &value), WS_OK) && CHECK_EQUAL(value.bits, folded[i].bits);
        ok = CHECK_EQUAL(value.kind, folded[i].kind) && CHECK_EQUAL(cursor.at, cursor.length) && ok;
        if (!ok) fprintf(stderr, "    %s\n", folded[i].text);
    }
}

static uint64_t bits_of(const char *text) {
    ws_cursor cursor = {text, strlen(text), 0, NULL};
    ws_folded value = {0, 0};
    return ws_fold(&cursor, 0, 0, &value) == WS_OK ? value.bits : UINT64_MAX;
}

/* The C library rounds correctly, too. */
static void test_decimals_are_the_nearest_doubles(void) {
    static const char *const formats[] = {"%.17e", "%.3e", "%.60e", "%.800e", "%.1e"};
    uint64_t state = 3, bits;
    char text[900];
    double value;
    int i;
    for (i = 0; i < 20000; i++) {
        const uint64_t random = check_random(&state) >> 1;
        memcpy(&value, &random, sizeof value);
        if (random >> 52 == 0x7FF) continue;
        snprintf(text, sizeof text, formats[i % 5], value);
        value = strtod(text, NULL);
        memcpy(&bits, &value, sizeof bits);
        if (bits >> 52 != 0x7FF && !CHECK_EQUAL(bits_of(text), bits)) fprintf(stderr, "    %s\n", text);
    }
    CHECK_EQUAL(bits_of("2.4703282292062327208e-324"), 0);
    CHECK_EQUAL(bits_of("2.4703282292062327209e-324"), 1);
    CHECK_EQUAL(bits_of("1.7976931348623158e308"), UINT64_C(0x7FEFFFFFFFFFFFFF));
    CHECK_EQUAL(bits_of("1.7976931348623159e308"), UINT64_MAX);
    CHECK_EQUAL(bits_of("1e-99999999999"), 0);
}

static void test_doubles_round_to_floats_and_back(void) {
    uint64_t state = 4;
    for (int i = 0; i < 20000; i++) {
        uint64_t bits = check_random(&state), wide;
        double value, back;
        float narrow;
        uint32_t expected;
        if (i % 2 == 0) bits = (bits & ~(UINT64_C(0x7FF) << 52)) | (800 + bits % 400) << 52;
        if (i % 7 == 0) bits &= ~UINT64_C(0xFFFFFFF);
        memcpy(&value, &bits, sizeof value);
        if (value != value) continue;
        if (value > 3.5e38 || value < -3.5e38) continue; /* C leaves these open */
        narrow = (float)value;
        back = (double)narrow;
        memcpy(&expected, &narrow, sizeof expected);
        memcpy(&wide, &back, sizeof wide);
        CHECK_EQUAL(ws_float32_of_float64(bits), expected);
        CHECK_EQUAL(ws_float64_of_float32(expected), wide);
    }
}

/* Deep texts end in an error, not in a crash. */
static void test_nesting_is_bounded(void) {
    static char text[4000];
    memset(text, '(', sizeof text - 1);
    CHECK_EQUAL(bits_of(text), UINT64_MAX);
    memset(text, '-', sizeof text - 1);
    CHECK_EQUAL(bits_of(text), UINT64_MAX);
    for (size_t i = 0; i + 2 < sizeof text; i += 2) memcpy(text + i, "1+", 2);
    text[sizeof text - 2] = '1';
    CHECK_EQUAL(bits_of(text), (sizeof text - 2) / 2 + 1);
}

CHECK_MAIN(test_constants_fold_as_the_assembler_does, test_decimals_are_the_nearest_doubles,
           test_doubles_round_to_floats_and_back, test_nesting_is_bounded)
