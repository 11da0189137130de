/* What is not PTX: where the error points, and what it says. ptxas 13.0.88 refuses each of these texts, too. */
#include "module.h"

/* ^ is before the byte that the error is about. */
static const char *const refused[][2] = {
    {"mov.u32 ^%q, 1;", "'%q' is not declared"},
    {"mov.u32 ^%r10, 1;", "is not declared"},
    {"mov.u32 %r1, ^%z; .reg .b32 %z;", "is not declared"},
    {"{ .reg .b32 %z; mov.b32 %z, 1; } mov.u32 %r1, ^%z;", "is not declared"},
    {"mov.u32 %r1, ^%tidy;", "is not declared"},
    {"mov.u32 %r1, ^%envreg32;", "is not declared"},
    {"ld.global.u32 %r1, [^x];", "'x' is not declared"},
    {"bra ^NONE;", "'NONE' is not declared"},
    {"bra ^L; { L: }", "'L' is not declared"},
    {"call (%r1), F, (^x);", "is not declared"},
    {".reg .b32 ^%r5;", "is declared twice"},
    {".reg .b32 ^%r<20>;", "is declared twice"},
    {"{ .reg .b32 %x, ^%x; }", "is declared twice"},
    {".shared .b32 ^n;", "is declared twice"},
    {"^n: ret;", "is declared twice"},
    {"L: ^L:", "is declared twice"},
    {"!.global .u32 a; .global .u64 ^a;", "is declared twice"},
    {"!.global .u32 a; .entry ^a() { ret; }", "is declared twice"},
    {"!.func f() { ret; } .func ^f() { ret; }", "has two bodies"},
    {"!.entry k(.param .u32 a, .param .u32 ^a) { ret; }", "is declared twice"},
    {"!.entry k(.reg .u32 ^a) { ret; }", "parameters of an entry are in .param"},
    {"!.func f(.param .b32 ^_) { ret; }", "is not a name for a parameter"},
    {"ret ^}", "expected an operand or ';', found '}'"},
    {"ret ^\x01;", "found '\\x01'"},
    {"ret ^\x7f;", "found '\\x7f'"},
    {"add.s32 %r1, %r2, ^}", "expected a constant, found '}'"},
    {"add.s32 %r1 ^%r2, %r3;", "expected ',' or ';', found '%'"},
    {"add.s32 %r1, ^, %r3;", "expected a constant, found ','"},
    {"add.s32 %r1, %r2, %r3, ^;", "expected a constant, found ';'"},
    {"add.^ s32 %r1, %r2, %r3;", "expected a qualifier, found ' '"},
    {"ld.shared ^::cta.b32 %r1, [S];", "expected a constant, found ':'"},
    {"^;", "expected an instruction, a directive or '}', found ';'"},
    {"L: ^;", "expected an instruction, found ';'"},
    {"@%p1 ^;", "expected an instruction, found ';'"},
    {"@^%r1 ret;", "'%r1' is not a predicate"},
    {"@^0 ret;", "expected a predicate, found '0'"},
    {"@%p1 ^@%p2 ret;", "expected an instruction, found '@'"},
    {"mov.b64 {%r1, %r2, ^}, %d1;", "expected a constant"},
    {"mov.b64 {^}, %d1;", "expected a constant"},
    {"mov.b64 {%r1, %r2, %d1^;", "expected ',' or '}'"},
    {"mov.b64 %d1, {^{%r1}, %r2};", "expected a constant, found '{'"},
    {"mov.b64 %d1, {^%v, 1};", "name one component"},
    {"ld.global.u32 %r1, [%d1^-4];", "expected ']', or '+' and an offset, found '-'"},
    {"ld.global.u32 %r1, [4+^%d1];", "expected"},
    {"ld.global.u32 %r1, [%d1+^%d2];", "expected a constant, found '%'"},
    {"ld.global.u32 %r1, [%d1+^1.0];", "expected an integer, found '1'"},
    {"ld.global.u32 %r1, [^%tid.x];", "is not an address"},
    {"ld.global.u32 %r1, [%d1^;", "expected ']'"},
    {"mov.u32 %r1, %tid^.q;", "expected .x, .y, .z or .w"},
    {"mov.u32 %r1, %v^.q;", "expected a component such as .x"},
    {"mov.u32 %r1, %r2^.q;", "expected a part of a register"},
    {"setp.eq.s32 %p1|^3, %r1, %r2;", "a register or '_' goes after '|'"},
    {"ld.global.u32 %r1, [%d1]^.foo;", "expected ',' or ';', found '.'"},
    {"mov.u64 %d1, -^G;", "'G' is not a register: a sign does not fit here"},
    {"mov.u64 %d1, !^F;", "'F' is not a register: a sign does not fit here"},
    {"T: .branchtargets ^G;", "'G' is not a label"},
    {"T: .branchtargets L, ^F; L: ret;", "'F' is not a label"},
    {"T: .branchtargets ^%r1;", "'%r1' is not a label"},
    {"T: .branchtargets L, ^; L: ret;", "expected a label, found ';'"},
    {"L: ret; C: .calltargets F, ^L;", "'L' is not a function"},
    {"C: .calltargets ^L; L: ret;", "'L' is not declared"},
    {"C: .calltargets ^G;", "'G' is not a function"},
    {"C: .calltargets ^;", "expected the name of a function, found ';'"},
    {"mov.u64 %d1, G^-4;", "expected ',' or ';', found '-'"},
    {"mov.u64 %d1, 4+^G;", "expected a constant"},
    {"add.s32 %r1, %r2, ^08;", "expected a number, found '08'"},
    {"add.s32 %r1, %r2, ^0x;", "expected a number, found '0x'"},
    {"add.s32 %r1, %r2, ^5u;", "expected a number, found '5u'"},
    {"add.s32 %r1, %r2, ^99999999999999999999;", "does not fit in 64 bits"},
    {"add.s32 %r1, %r2, 3^/0;", "divides by zero"},
    {"add.s32 %r1, %r2, (.^s32)5;", "expected a cast"},
    {"add.f32 %f1, %f2, ^-0f3F800000;", "this sign does not go before such a number"},
    {"add.f32 %f1, %f2, ^0f3F8;", "expected a number"},
    {"add.f32 %f1, %f2, ^1e400;", "too large for a double"},
    {"add.f32 %f1, %f2, 1.0^f;", "expected the end of a number"},
    {"add.f32 %f1, %f2, 1.0 ^+ 2;", "expected two integers, or two numbers such as 1.0"},
    {"add.f32 %f1, %f2, 2 ^+ 1.0;", "expected two integers, or two numbers such as 1.0"},
    {"add.f32 %f1, %f2, 0f3F800000 ^+ 1.0;", "expected the end of a constant"},
    {"add.f32 %f1, %f2, 1.0 ^% 2.0;", "this operator takes integers alone"},
    {"add.f32 %f1, %f2, 1.0 ^&& 2.0;", "this operator takes integers alone"},
    {"add.f32 %f1, %f2, 1.0 ^/ 0.0;", "this divides by zero"},
    {".reg ^.e4m3 %x;", "expected a type that variables can have"},
    {".reg ^b32 %x;", "expected a type that variables can have"},
    {".reg .v4 ^.b64 %x;", "expected a vector of at most 128 bits"},
    {".reg .v4 ^.pred %x;", "expected a vector of at most 128 bits"},
    {".reg .b32 ^1x;", "expected a name"},
    {".reg .b32 ^_;", "expected a name"},
    {".reg .b32 y ^z;", "expected ',' or ';'"},
    {".reg .b32 y, ^;", "expected a name"},
    {".reg .b32 y<^-1>;", "expected a number"},
    {".reg .b32 y<^4294967296>;", "this number is too large"},
    {".reg .b32 y^[4];", "expected ',' or ';'"},
    {".shared .b8 ^X[];", "does not say how large it is"},
    {".shared .b8 X[8] ^= {1};", "only .global and .const have initial values"},
    {".local ^.align 3 .b8 X;", "an alignment is a power of two"},
    {"!.global ^.pred p;", "expected a type"},
    {"!.global .attribute(^.foo) .u32 a;", "expected .managed or .unified"},
    {"!.global .attribute(.unified(19^)) .u32 a;", "expected ',', found ')'"},
    {"!^.local .b32 x;", "only functions have variables in this space"},
    {"!^.glob .u32 a;", "expected a state space such as .global"},
    {"!^foo;", "expected a directive such as .entry"},
    {"!^}", "expected a directive"},
    {"!.global .u32 a = ^{5};", "expected a constant, found '{'"},
    {"!.global .u32 a[2] = ^1;", "expected '{', found '1'"},
    {"!.global .u32 a[2] = {1, 2^, 3};", "there are no more elements"},
    {"!.global .u32 a[2] = {1, ^};", "expected a constant"},
    {"!.global .u32 a[2][2] = {^1, 2};", "expected '{'"},
    {"!.global .v2 .u32 a = {1^};", "a vector has all its elements"},
    {"!.global .f32 a = ^1;", "takes numbers such as 1.0"},
    {"!.global .u32 a = ^1.0;", "takes integers"},
    {"!.global .u64 b = ^b;", "'b' is not declared"},
    {"!.shared .u32 a; .global .u64 b = ^a;", "has no address that is known"},
    {"!.global .u32 a; .global .u8 b[8] = {^a};", "an address takes 32 or 64 bits"},
    {"!.global .u32 a; .global .u8 b[8] = {^0xff0(a)};", "a mask has one byte"},
    {"!.global .b8 x[^-1];", "expected a number"},
    {"!.entry k(.param .u32 a, ^) { ret; }", "expected a state space"},
    {"!.entry k(.param .u32 a ^.param .u32 b) { ret; }", "expected ',' or ')'"},
    {"!.entry k() ^.foo { ret; }", "expected a directive such as .maxntid, '{' or ';'"},
    {"!.entry k() .maxntid 32, ^{ ret; }", "expected a number"},
    {"!.entry k() .maxntid ^0 { ret; }", "this number must be at least 1"},
    {"!.entry k() .reqntid 32, 1, ^0x0 { ret; }", "this number must be at least 1"},
    {"!.entry k() .maxnreg ^0 { ret; }", "this number must be at least 1"},
    {"!.entry k() .minnctapersm ^0 { ret; }", "this number must be at least 1"},
    {"!.entry ^1k() { ret; }", "expected the name of a function"},
    {"!.entry k() ^{ ret;", "does not end; close it with '}'"},
    {"!.file 1 ^a", "expected a text in quotes"},
    {"!.entry k() { .loc 1 2 ^ret; }", "expected a number"},
    {"!.entry k() { .loc 1 ^2147483648 3\n ret; }", "this number is too large"},
    {"!.entry k() { .loc 1 2 ^2147483648\n ret; }", "this number is too large"},
    {"!.entry k() { .loc 1 2 3, ^function_name x, inlined_at 1 2 3\n ret; }", "no .loc before this one"},
    {"!.alias ^g, f;", "expected the name of a function that is declared"},
    {"^/* x", "this comment does not end; close it with */"},
};

static void test_errors_point_at_what_is_wrong(void) {
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *text = refused[i][0];
        const char *mark = strchr(text, '^');
        const size_t before = *text == '!' ? strlen(HEAD) - 1 : strlen(BEFORE);
        char bytes[256];
        bool ok;
        snprintf(bytes, sizeof bytes, "%.*s%s", (int)(mark - text), text, mark + 1);
        ok = CHECK_EQUAL(test_take(bytes), WS_SYNTAX);
        ok = CHECK_HAS(test_error.message, refused[i][1]) && ok;
        ok = CHECK_EQUAL(test_error.column, before + (size_t)(mark - text)) && ok;
        if (!ok) fprintf(stderr, "    %s\n    %s at %d\n", text, test_error.message, test_error.column);
    }
}

static void test_head_comes_first(void) {
    static const char *const texts[][2] = {
        {"", "expected .version, found the end of the text"},
        {".target sm_90", "expected .version, found '.'"},
        {".version 8.6", "expected .target, found the end of the text"},
        {".version 8 .target sm_90", "expected a version such as 8.0"},
        {".version 8.6.1 .target sm_90", "expected the end of the version"},
        {".version 8.6 .target debug, sm_90", "expected a target such as sm_90, found 'debug'"},
        {".version 8.6 .target sm_90, foo", "expected a target such as sm_90, found 'foo'"},
        {".version 8.6 .target sm_90 .address_size 16", ".address_size is 32 or 64"},
        {".version 8.6 .target sm_90 sm_80", "expected a directive such as .entry or .global, found 'sm_80'"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK_EQUAL(test_parse(texts[i][0]), WS_SYNTAX);
        CHECK_HAS(test_error.message, texts[i][1]);
    }
    CHECK_EQUAL(test_parse(".version 8.6 .target sm_90 .address_size 0x10 .entry k() { ret; }"), WS_SYNTAX);
    CHECK(test_error.column == 41 && test_error.length == 4);
}

/* What the assembler takes: a cluster of 0 says nothing, as 0 ranks do. */
static void test_least_numbers_are_taken(void) {
    CHECK_EQUAL(test_take("!.entry k() .reqntid 1, 1, 1 .maxnreg 1 .minnctapersm 1 { ret; }"), WS_OK);
    CHECK_EQUAL(test_take("!.entry k() .reqnctapercluster 0 .maxclusterrank 0 { ret; }"), WS_OK);
}

/* Legal, but nobody has met it: families of variables that are not registers. */
static void test_families_of_variables_are_not_modelled(void) {
    CHECK_EQUAL(test_take(".shared .b32 x<4>;"), WS_NOT_MODELLED);
    CHECK_HAS(test_error.message, "name each of these variables");
}

/* Tables have room for what a text seems to declare. No number of PTX ends so, and behind it .entry looks like a fraction. */
static void test_a_text_that_declares_more_than_it_seems_to_is_refused(void) {
    const char *text = HEAD ".file 1 \"a\", 1, 2.entry a() {}\n.file 2 \"b\", 1, 2.entry b() {}\n";
    CHECK_EQUAL(test_parse(text), WS_SYNTAX);
    CHECK_HAS(test_error.message, "expected a simpler text here: this declares more than it seems to");
    CHECK_EQUAL(test_error.column, strstr(text, "b()") - text);
    test_is_fine("!.file 1 \"a\", 1, 2 .entry a() {}\n.file 2 \"b\", 1, 2 .entry b() {}");
    CHECK_EQUAL(m.function_count, 2);
}

CHECK_MAIN(test_errors_point_at_what_is_wrong, test_head_comes_first, test_least_numbers_are_taken,
           test_families_of_variables_are_not_modelled, test_a_text_that_declares_more_than_it_seems_to_is_refused)
