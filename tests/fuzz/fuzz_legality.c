/* ws_legality_of: every form at any target and PTX version; fields at random make an instruction exactly if the reference has it. */
#include "decode.h"

static bool text_is_whole(const char *bytes, size_t capacity) {
    const char *end = (const char *)memchr(bytes, 0, capacity);
    return end != NULL && end > bytes;
}

static void check_verdict(const ref_form *f, const ws_op *op, int target, int ptx) {
    const ws_legality legality = ws_legality_of(op, target, ptx);
    FUZZ_CHECK(strcmp(ws_target(target)->name, ref_targets[target].name) == 0);
    FUZZ_CHECK_EQUAL(legality.ok, ref_is_legal(f, target, ptx));
    FUZZ_CHECK_EQUAL(legality.min_ptx, f->least[target]);
    for (int i = 0; i < REF_TARGETS; i++) FUZZ_CHECK_EQUAL(legality.targets >> i & 1, (f->least[i] != 0));
    FUZZ_CHECK((legality.reason_count == 0) == legality.ok && legality.reason_count <= WS_MAX_REASONS);
    for (int i = 0; i < legality.reason_count; i++) FUZZ_CHECK(text_is_whole(legality.reasons[i], WS_REASON_BYTES));
}

static void check_names(fuzz_input *in) {
    char name[12];
    size_t i, length = fuzz_u8(in) % (sizeof name - 1);
    int ptx, target;
    for (i = 0; i < length; i++) name[i] = (char)fuzz_u8(in);
    name[length] = '\0';
    ptx = ws_ptx_find(name);
    FUZZ_CHECK(ptx == 0 ||
               (ref_ptx_exists(ptx) && name[0] - '0' == ptx / 10 && name[1] == '.' && name[2] - '0' == ptx % 10));
    target = ws_target_find(name);
    for (i = 0; i < REF_TARGETS; i++) FUZZ_CHECK((strcmp(ref_targets[i].name, name) == 0) == (target == (int)i));
}

/* The words of any fields, against those of a form. */
static bool is_form(const ws_op *op, const ref_form *f) {
    char of_op[32];
    if (op->num != f->num || op->trans != f->trans || op->vec != f->vec || op->size_bytes != f->size) return false;
    snprintf(of_op, sizeof of_op, op->operand != 0 ? "%s.%s" : "%s", ws_kind_word(op->kind),
             ws_operand_word(op->operand));
    return strcmp(f->opcode, of_op) == 0 && strcmp(f->shape, ws_shape_word(op->shape)) == 0 &&
           strcmp(f->type, ws_type_word(op->type)) == 0 && strcmp(f->space, ws_space_word(op->space)) == 0 &&
           strcmp(f->layout, ws_layout_word(op->layout)) == 0 && strcmp(f->cache, ws_cache_word(op->cache)) == 0;
}

static void check_fields(fuzz_input *in, int near) {
    ws_op op = fuzz_ops[near];
    ws_error error;
    const int changes = fuzz_u8(in) % 4;
    bool exists = false;
    ws_status status;
    for (int i = 0; i < changes; i++) {
        const uint8_t which = fuzz_u8(in), value = fuzz_u8(in);
        uint8_t *const fields[] = {&op.kind, &op.shape,      &op.type,  &op.space,   &op.num,   &op.trans,
                                   &op.vec,  &op.size_bytes, &op.cache, &op.operand, &op.layout};
        *fields[which % 11] = which >= 220 ? value : value % 18;
    }
    op.form = fuzz_u8(in);
    ws_error_clear(&error);
    status = ws_op_validate(&op, &error);
    for (int i = 0; i < REF_FORMS && !exists; i++) exists = is_form(&op, &ref_forms[i]);
    FUZZ_CHECK(exists ? status == WS_OK : status == WS_UNSUPPORTED || status == WS_NOT_MODELLED);
    FUZZ_CHECK_EQUAL(ws_op_is_valid(&op), exists);
    FUZZ_CHECK((op.form != 0) == exists);
    if (!exists) FUZZ_CHECK(text_is_whole(error.message, sizeof error.message));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_input_make(data, size);
    fuzz_case c;
    int ptx;
    fuzz_take_form(&in, &c);
    ptx = 60 + fuzz_u8(&in) % 36;
    while (!ref_ptx_exists(ptx)) ptx--;
    check_verdict(c.form, c.op, fuzz_u8(&in) % REF_TARGETS, ptx);
    check_fields(&in, c.number);
    check_names(&in);
    return 0;
}
