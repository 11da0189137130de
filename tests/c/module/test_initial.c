/* Variables: sizes, alignment, initial bytes and addresses. The bytes are those of a cubin by ptxas 13.0.88. */
#include "module.h"

/* The bytes that a variable begins with, as hexadecimal digits; "??" where an address goes. */
static const char *bytes_of(const ws_variable *variable) {
    static char text[2 * 64 + 1];
    const uint64_t count = variable->nbytes < 64 ? variable->nbytes : 64;
    uint64_t i;
    uint32_t j;
    for (i = 0; i < count; i++) memcpy(text + 2 * i, "00", 3);
    text[2 * count] = '\0';
    for (j = variable->first_run; j < variable->first_run + variable->run_count; j++) {
        for (i = 0; i < m.runs[j].count; i++) {
            char two[3];
            snprintf(two, sizeof two, "%02x", m.bytes[m.runs[j].first + i]);
            memcpy(text + 2 * (m.runs[j].at + i), two, 2);
        }
    }
    for (j = variable->first_relocation; j < variable->first_relocation + variable->relocation_count; j++) {
        for (i = 0; i < m.relocations[j].nbytes; i++) memcpy(text + 2 * (m.relocations[j].at + i), "??", 2);
    }
    return text;
}

static void test_initial_bytes(void) {
    static const char *const cases[][2] = {
        {".u32 x = 5", "05000000"},
        {".u16 x = 70000", "7011"},
        {".u8 x = -1", "ff"},
        {".u64 x = (1+2)*3", "0900000000000000"},
        {".u32 x[3] = {1, -2}", "01000000feffffff00000000"},
        {".u8 x[] = {1, 2, 3}", "010203"},
        {".u8 x[2][2] = {{1}, {2, 3}}", "01000203"},
        {".u8 x[2][2] = {{}, {2, 3}}", "00000203"},
        {".u8 x[][2] = {{1}, {2}, {3, 4}}", "010002000304"},
        {".u8 x[2] = {}", "0000"},
        {".v2 .u8 x[2] = {{1, 2}, {3, 4}}", "01020304"},
        {".v2 .u8 x = {1, 2}", "0102"},
        {".b32 x = 1.0", "0000803f"},
        {".b64 x = 1.0", "000000000000f03f"},
        {".b64 x = 0f3F800000", "0000803f00000000"},
        {".f32 x = 0.1", "cdcccc3d"},
        {".f64 x = 0.1", "9a9999999999b93f"},
        {".f64 x = 0f3F800000", "0000803f00000000"},
        {".f32 x = 0d3FF0000010000000", "0000803f"},
        {".b128 x = -5", "fbffffffffffffff0000000000000000"},
        {".u64 x = y", "????????????????"},
        {".u64 x[3] = {1, generic(y)+4, 2}", "0100000000000000????????????????0200000000000000"},
        {".u8 x[4] = {0xFF(y), 0xFF00(y+1), 7}", "????0700"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        snprintf(text, sizeof text, "!.global .u32 y[2]; .global %s;", cases[i][0]);
        test_is_fine(text);
        CHECK(m.variables[1].has_initial);
        if (!CHECK_TEXT(bytes_of(&m.variables[1]), cases[i][1])) fprintf(stderr, "    %s\n", cases[i][0]);
    }
}

static void test_every_name_has_room_after_initial_values(void) {
    test_is_fine("!.global .b8 a = 1, b[2] = {1, 2}, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;");
    CHECK_EQUAL(m.variable_count, 8);
}

static void test_addresses_as_initial_values(void) {
    const ws_relocation *r;
    test_is_fine("!.func f() { ret; } .const .u32 y[2]; .global .u64 x[3] = {f, y+8, generic(y)+4};\n"
                 ".global .u8 z[9] = {1, 0xFF(generic(y)), 0xFF00000000000000(y+2)};");
    r = m.relocations;
    CHECK_EQUAL(m.relocation_count, 5);
    CHECK(r[0].is_function && r[0].symbol == 0 && r[0].at == 0 && r[0].nbytes == 8);
    CHECK(!r[1].is_function && r[1].symbol == 0 && r[1].addend == 8 && r[1].at == 8 && !r[1].is_generic);
    CHECK(r[2].is_generic && r[2].addend == 4 && r[2].at == 16);
    CHECK(r[3].is_generic && r[3].at == 1 && r[3].nbytes == 1 && r[3].shift == 0);
    CHECK(r[4].at == 2 && r[4].addend == 2 && r[4].shift == 56);
    CHECK_EQUAL(m.variables[2].first_relocation, 3);
}

static void test_variables_have_size_and_alignment(void) {
    const ws_variable *v;
    test_is_fine(
        "!.visible .global .align 16 .b8 a[4][6], b; .const .v4 .f32 c[2]; .extern .shared .align 128 .b8 d[];\n"
        ".common .global .f64 e; .global .attribute(.managed) .u16 f = 1; .global .texref g; .weak .global .b128 h;\n"
        ".align 4 .shared .b16 i; .global .samplerref j = { addr_mode_0 = clamp_to_edge, filter_mode = linear };");
    v = m.variables;
    CHECK_EQUAL(m.variable_count, 10);
    CHECK(v[0].nbytes == 24 && v[0].align == 16 && v[0].is_array && v[0].linkage == WS_LINKAGE_VISIBLE);
    CHECK(v[1].nbytes == 1 && v[1].align == 16 && !v[1].is_array);
    CHECK(v[2].nbytes == 32 && v[2].align == 16 && v[2].vec == 4 && v[2].space == WS_NAME_CONST &&
          v[2].type == WS_TYPE_F32);
    CHECK(v[3].nbytes == 0 && v[3].align == 128 && v[3].space == WS_NAME_SHARED && v[3].linkage == WS_LINKAGE_EXTERN);
    CHECK(v[4].nbytes == 8 && v[4].align == 8 && v[4].linkage == WS_LINKAGE_COMMON && !v[4].has_initial);
    CHECK(v[5].is_managed && v[5].has_initial);
    CHECK(v[6].nbytes == 8 && v[6].type == WS_TYPE_NONE);
    CHECK(v[7].nbytes == 16 && v[7].align == 16 && v[7].linkage == WS_LINKAGE_WEAK);
    CHECK(v[8].align == 4);
    CHECK_EQUAL(v[9].nbytes, 8);
}

static void test_variables_of_functions_know_theirs(void) {
    test_is_fine(".local .align 8 .b8 L[40]; { .param .b32 q; .shared .f32 T[2]; x [q], L, T; }");
    CHECK_EQUAL(m.variables[m.variable_count - 3].function, 1);
    CHECK_EQUAL(m.variables[m.variable_count - 3].space, WS_NAME_LOCAL);
    CHECK_EQUAL(m.variables[0].function, WS_NO_INDEX);
    CHECK_EQUAL(test_item(0, 0)->base_kind, WS_ITEM_VARIABLE);
    CHECK_EQUAL(test_item(0, 0)->index, m.variable_count - 2);
    CHECK_EQUAL(test_item(0, 2)->index, m.variable_count - 1);
}

CHECK_MAIN(test_initial_bytes, test_every_name_has_room_after_initial_values, test_addresses_as_initial_values,
           test_variables_have_size_and_alignment, test_variables_of_functions_know_theirs)
