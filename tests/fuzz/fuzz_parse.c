/* ws_parse: an instruction written in any legal way comes back; words at random parse exactly if the reference has them; raw bytes give
 * an instruction or an error inside the text, never both. What parses prints, and parses again to the same. */
#include "decode.h"
#include "reference/parse.h"

enum { MOST_TEXT = 2048 };

#include "text.h"

static const char *const spaces[] = {"",     "",          "",       "",     " ",  "\t", "\n",
                                     "/**/", " /* . */ ", "// x\n", "\r\n", "\f", "\v"};

static void add_space(fuzz_input *in, text_of *text) {
    if (in->at < in->end) add(text, FUZZ_CHOOSE(in, spaces));
}

static bool same_words(const ws_op *op, const ref_form *f) {
    return strcmp(f->shape, ws_shape_word(op->shape)) == 0 && strcmp(f->type, ws_type_word(op->type)) == 0 &&
           strcmp(f->space, ws_space_word(op->space)) == 0 && strcmp(f->layout, ws_layout_word(op->layout)) == 0 &&
           strcmp(f->cache, ws_cache_word(op->cache)) == 0 && op->num == f->num && op->trans == f->trans &&
           op->vec == f->vec && op->size_bytes == f->size && ws_op_register_bits(op) == f->register_bits &&
           (f->registers == 0 || ws_op_num_registers(op) == f->registers);
}

/* A text in a block of its size, without a zero after it. */
static ws_status parse(const char *bytes, size_t length, ws_op *op, ws_error *error) {
    char *block = (char *)fuzz_copy(bytes, length);
    ws_status status = ws_parse_text(block, length, op, error);
    const ws_op none = ws_op_none();
    free(block);
    FUZZ_CHECK(memchr(error->message, 0, sizeof error->message) != NULL);
    FUZZ_CHECK((status == WS_OK) == (error->message[0] == 0));
    FUZZ_CHECK((status == WS_OK) == (op->kind != WS_KIND_NONE));
    if (status != WS_OK) {
        FUZZ_CHECK(status == WS_SYNTAX || status == WS_UNSUPPORTED || status == WS_NOT_MODELLED);
        FUZZ_CHECK(memcmp(op, &none, sizeof none) == 0);
        FUZZ_CHECK(error->column >= 0 && (size_t)error->column <= length);
        FUZZ_CHECK(error->length >= 0); /* 1 at the end of the text, for a caret */
        FUZZ_CHECK((size_t)error->length <= length - (size_t)error->column ||
                   (size_t)error->column + (size_t)error->length == length + 1);
        return status;
    }
    FUZZ_CHECK(ws_op_is_valid(op));
    return status;
}

static void check_round_trip(const ws_op *op) {
    char bytes[160], again[160];
    ws_text text = ws_text_make(bytes, sizeof bytes), second = ws_text_make(again, sizeof again);
    ws_error error;
    ws_op back;
    ws_op_write(op, &text);
    FUZZ_CHECK(text.wanted < sizeof bytes);
    FUZZ_CHECK_EQUAL(ws_parse(bytes, &back, &error), WS_OK);
    FUZZ_CHECK(memcmp(&back, op, sizeof back) == 0);
    ws_op_write(&back, &second);
    FUZZ_CHECK(strcmp(bytes, again) == 0);
}

static void add_register(fuzz_input *in, text_of *text, bool load, bool first) {
    static const char *const names[] = {"%r1", "r2", "%rd10", "$L", "a_b$1", "_x", "%f0", "%_"};
    if (load && !first && fuzz_u8(in) % 8 == 7) add(text, "_");
    else add(text, FUZZ_CHOOSE(in, names));
}

static void add_address(fuzz_input *in, text_of *text) {
    static const char *const offsets[] = {"",       "",     "+16",      "+-32",        "+0x10",
                                          " + 16 ", "+020", "+0b10000", "+2147483647", "+-2147483648"};
    add(text, "[");
    add_space(in, text);
    add_register(in, text, false, true);
    add_space(in, text);
    add(text, FUZZ_CHOOSE(in, offsets));
    add_space(in, text);
    add(text, "]");
}

static void add_vector(fuzz_input *in, text_of *text, const ref_form *f, int count) {
    const bool load = ref_is_load(f);
    if (ref_is_plain(f) && count == 1 && fuzz_u8(in) % 2 == 0) {
        add_register(in, text, false, true);
        return;
    }
    add(text, "{");
    for (int i = 0; i < count; i++) {
        if (i > 0) add(text, ",");
        add_space(in, text);
        add_register(in, text, load, i == 0);
        add_space(in, text);
    }
    add(text, "}");
}

/* Operands, with `more` registers than the form has. */
static void add_operands(fuzz_input *in, text_of *text, const ref_form *f, int more) {
    static const char *const strides[] = {"", "", ", %r9", ", 64", ",%r9+16", ", 16*2", ", WARP_SZ", " , 0x40"};
    char size[8];
    if (f->kind == REF_MOVMATRIX) {
        add_register(in, text, false, true);
        add(text, ", ");
        add_register(in, text, false, true);
    } else if (f->kind == REF_CP_ASYNC) {
        add_address(in, text);
        add(text, ", ");
        add_address(in, text);
        snprintf(size, sizeof size, ", %d", f->size);
        add(text, size);
    } else if (ref_is_load(f)) {
        add_vector(in, text, f, f->registers + more);
        add(text, ", ");
        add_address(in, text);
    } else {
        add_address(in, text);
        add(text, ", ");
        add_vector(in, text, f, f->registers + more);
    }
    if (ref_is_wmma(f)) add(text, FUZZ_CHOOSE(in, strides));
    add_space(in, text);
}

/* A form written down: order, white space, guard, operands; it must come back. One thing wrong: it must not. */
static void check_written(fuzz_input *in) {
    static const char *const guards[] = {"", "", "@p0 ", "@!%p1 ", "@ p ", "L1: ", "$L__BB0_2: @p "};
    const uint8_t how = fuzz_u8(in);
    const bool is_missing = how / 2 % 4 == 2; /* one word of the form */
    const char *word[REF_MOST_WORDS], *const bad[] = {"x8",       "sat",  "row", "global",
                                                      "volatile", "m8n8", "b16", "nonsense"};
    const ref_form *f;
    fuzz_case c;
    text_of text;
    ws_error error;
    ws_op op;
    bool wrong;
    int count, i;
    fuzz_take_form(in, &c);
    f = c.form;
    text.length = 0;
    count = f->words;
    memcpy(word, f->word, sizeof word);
    for (i = 0; i + 1 < count && how % 2 == 1; i++) { /* any order, the pairs apart */
        const int j = i + fuzz_below(in, count - i);
        const char *const moved = word[i];
        word[i] = word[j];
        word[j] = moved;
    }
    if (is_missing) {
        const int missing = fuzz_below(in, count);
        for (count--, i = missing; i < count; i++) word[i] = word[i + 1];
    }
    i = ref_parse(f->opcode, word, count, f->size);
    if (i >= 0 && i != c.number) return; /* another form: its operands are others */
    wrong = i < 0;
    add(&text, FUZZ_CHOOSE(in, guards));
    add(&text, f->opcode);
    for (i = 0; i < count; i++) {
        if (ref_is_wmma(f) && ref_is(word[i], "aligned") && how / 2 % 4 == 1) continue;
        add_space(in, &text);
        add(&text, ".");
        add(&text, word[i]);
    }
    if (how / 8 % 8 == 7 && !is_missing) { /* which could be what is missing */
        const char *extra = FUZZ_CHOOSE(in, bad);
        add(&text, ".");
        add(&text, extra);
        wrong = true; /* no form has any of them twice, or at all beside its own */
        if (ref_is(extra, "global") && ref_is_plain(f) && f->space[0] == '\0') wrong = false;
        if (ref_is(extra, "global") && ref_is_wmma(f) && f->space[0] == '\0') wrong = false;
    }
    if (how / 64 != 3 || (f->kind == REF_CP_ASYNC && !f->is_cg)) {
        const int more = how / 64 == 2 && f->registers > 0 && f->kind != REF_MOVMATRIX ? 1 + fuzz_u8(in) % 3 : 0;
        add(&text, " ");
        add_operands(in, &text, f, more);
        wrong |= more > 0;
        add(&text, ";");
    }
    add_space(in, &text);
    if (fuzz_prints) printf("{\"text\": \"%d bytes\", \"legal\": %d}\n", (int)text.length, !wrong);
    if (wrong) {
        FUZZ_CHECK(parse(text.bytes, text.length, &op, &error) != WS_OK);
        return;
    }
    if (parse(text.bytes, text.length, &op, &error) != WS_OK) {
        fprintf(stderr, "%s\n%s\n", text.bytes, error.message);
        abort();
    }
    if (how / 8 % 8 != 7) FUZZ_CHECK(same_words(&op, f));
    FUZZ_CHECK(strcmp(ws_kind_word(op.kind), f->mnemonic) == 0);
    check_round_trip(&op);
}

/* An opcode and qualifiers at random. */
static void check_words(fuzz_input *in) {
    static const char *const opcodes[] = {"ldmatrix", "stmatrix",    "movmatrix",   "ld",          "st",
                                          "cp.async", "wmma.load.a", "wmma.load.b", "wmma.load.c", "wmma.store.d"};
    static const char *const words[] = {
        "sync",        "aligned", "m8n8",      "m16n16",    "m8n16", "m16n8", "m16n16k16", "m8n32k16", "m32n8k16",
        "m16n16k8",    "m8n8k4",  "m8n8k32",   "m8n8k128",  "x1",    "x2",    "x4",        "trans",    "b16",
        "b8",          "b8x16",   "b6x16_p32", "b4x16_p64", "s8",    "s4",    "row",       "col",      "shared",
        "shared::cta", "global",  "v2",        "v4",        "b32",   "b64",   "u8",        "u16",      "u32",
        "u64",         "s16",     "s32",       "s64",       "f32",   "f64",   "f16",       "bf16",     "tf32",
        "u4",          "b1",      "ca",        "cg",        "weak",  "x8",    "cta",       "volatile", "local"};
    const char *word[14], *opcode = FUZZ_CHOOSE(in, opcodes);
    const int count = fuzz_u8(in) % 10;
    text_of text;
    ws_error error;
    ws_op op;
    int wanted;
    fuzz_ops_make();
    text.length = 0;
    add(&text, opcode);
    for (int i = 0; i < count; i++) {
        word[i] = FUZZ_CHOOSE(in, words);
        add(&text, ".");
        add(&text, word[i]);
    }
    wanted = ref_parse(opcode, word, count, 0);
    if (wanted < 0) {
        const ws_status status = parse(text.bytes, text.length, &op, &error);
        FUZZ_CHECK(status == WS_UNSUPPORTED || status == WS_NOT_MODELLED);
        return;
    }
    FUZZ_CHECK_EQUAL(parse(text.bytes, text.length, &op, &error), WS_OK);
    FUZZ_CHECK(same_words(&op, &ref_forms[wanted]));
    check_round_trip(&op);
}

static void check_raw(const char *bytes, size_t length) {
    ws_error error;
    ws_op op, second;
    if (parse(bytes, length, &op, &error) != WS_OK) return;
    check_round_trip(&op);
    if (memchr(bytes, 0, length) == NULL) { /* the same with a zero after it */
        char *whole = (char *)fuzz_block(length + 1);
        memcpy(whole, bytes, length);
        whole[length] = '\0';
        FUZZ_CHECK_EQUAL(ws_parse(whole, &second, NULL), WS_OK);
        FUZZ_CHECK(memcmp(&op, &second, sizeof op) == 0);
        free(whole);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_input_make(data, size);
    const uint8_t how = fuzz_u8(&in);
    if (size == 0) return 0;
    if (how % 4 == 0) check_written(&in);
    else if (how % 4 == 1) check_words(&in);
    else check_raw((const char *)in.at, (size_t)(in.end - in.at));
    return 0;
}
