/* The padding of structs: a copy takes it along, and nobody uses it.
 *
 *     ld.v4.u32 {x, y, z, -}                one access, of which some bytes are never written
 *     ld.f64 [p]; ld.u32 [p+8]; ld.v4.u8 [p+12]   the compiler copies a field of padding as bytes
 *     .pragma "used_bytes_mask 1"; ld.u32   it says so itself
 *
 * Such bytes may go to global memory beside others, as long as nobody computes with them. */
#ifndef WARPSIM_USE_PADDING_H
#define WARPSIM_USE_PADDING_H

#include "marks.h"

#if WS_BODIES

enum { WS_PADDING_NEAR = 16 /* statements, where the other fields of a copy are loaded */ };

/* The number in a text such as used_bytes_mask 0x1f; 0: another text. */
static inline uint32_t ws_padding_mask(const ws_module *module, ws_span text) {
    static const char word[] = "used_bytes_mask ";
    const char *bytes = module->text + text.begin;
    const size_t length = text.end - text.begin;
    const uint32_t base = length > sizeof word && bytes[sizeof word] == 'x' ? 16 : 10;
    uint32_t number = 0;
    size_t i = 0;
    while (i + 1 < sizeof word && i < length && bytes[i] == word[i]) i++;
    if (i + 1 != sizeof word) return 0;
    for (i += base == 16 ? 2 : 0; i < length; i++) {
        const char c = bytes[i];
        const uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t)(c - '0')
                               : c >= 'a' && c <= 'f' ? (uint32_t)(c - 'a') + 10
                               : c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A') + 10
                                                      : base;
        if (digit >= base) return 0;
        number = number * base + digit;
    }
    return number;
}

/* The mask of the last pragma of a statement that has one; 0: none. Pragmas stand in the order of their statements. */
static inline uint32_t ws_padding_used(const ws_module *module, uint32_t statement) {
    uint32_t low = 0, high = module->pragma_count, used = 0;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (module->pragmas[middle].statement <= statement) low = middle + 1;
        else high = middle;
    }
    while (used == 0 && low > 0 && module->pragmas[low - 1].statement == statement)
        used = ws_padding_mask(module, module->pragmas[--low].text);
    return used;
}

/* Loads of which the compiler says that it uses some bytes alone. */
static inline void ws_padding_ignore(const ws_module *module, const ws_kernel *program, ws_checked *steps) {
    uint32_t k;
    for (k = 0; k < program->num_steps && module->pragma_count != 0; k++) {
        const uint32_t used = steps[k].use == WS_USE_LOAD ? ws_padding_used(module, program->steps[k].statement) : 0;
        if (used != 0) steps[k].ignored = ~used;
    }
}

/* A load of a statement: where from its register or variable, and of what. */
typedef struct ws_padding_load {
    const ws_item *address;
    uint32_t nbytes, element; /* bytes; 0: no such load */
} ws_padding_load;

static inline ws_padding_load ws_padding_load_of(const ws_module *module, const ws_statement *statement) {
    const ws_opcode *opcode = &module->opcodes[statement->opcode];
    ws_padding_load load = {NULL, 0, 0};
    uint32_t end = opcode->length, parts;
    const ws_bits_type type = ws_bits_type_of(opcode, &end);
    if (!ws_opcode_begins(opcode, "ld.") || statement->item_count < 2) return load;
    load.address = &module->items[statement->first_item + 1];
    parts = module->items[statement->first_item].part_count;
    if (load.address->kind != WS_ITEM_ADDRESS || load.address->part_count != 0) return load;
    load.element = type.bits / 8;
    load.nbytes = load.element * (parts != 0 ? parts : 1);
    return load;
}

/* Does a struct's copy load these bytes? They are taken as bytes, or begin behind such that are; beside them lies a field of
 * another size; and some of them were written, or they are fewer than the greatest field has. */
static inline bool ws_padding_is_field(const ws_module *module, uint32_t number, bool has_some) {
    const ws_function *function = &module->functions[module->statements[number].function];
    const ws_padding_load own = ws_padding_load_of(module, &module->statements[number]);
    const uint32_t end = function->first_statement + function->statement_count;
    uint32_t i =
        number < function->first_statement + WS_PADDING_NEAR ? function->first_statement : number - WS_PADDING_NEAR;
    uint32_t greatest = 0;
    bool is_beside = false;
    if (own.element == 0) return false;
    for (; i < end && i <= number + WS_PADDING_NEAR; i++) {
        const ws_padding_load one = ws_padding_load_of(module, &module->statements[i]);
        if (one.element == 0 || one.address->base_kind != own.address->base_kind ||
            one.address->index != own.address->index)
            continue;
        greatest = one.element > greatest ? one.element : greatest;
        if (one.address->value + one.nbytes != own.address->value) continue;
        is_beside = is_beside || (own.element == 1 && own.nbytes > 1 && one.element != 1) ||
                    (own.element != 1 && one.element == 1 && one.address->value % own.nbytes != 0);
    }
    return is_beside && (has_some || own.nbytes < greatest);
}

/* Does the copy put bytes back among more of them, in shared or local memory? */
static inline bool ws_padding_is_packed(const ws_module *module, uint32_t number) {
    static const char *const words[] = {"st.shared.v", "st.local.v", "st.v"};
    const ws_statement *load = &module->statements[number];
    const ws_padding_load own = ws_padding_load_of(module, load);
    const ws_function *function = &module->functions[load->function];
    const uint32_t end = function->first_statement + function->statement_count;
    const ws_item *to = &module->items[load->first_item];
    uint32_t i, k;
    if (own.element != 1) return false;
    if (to->part_count != 0) to = &module->items[to->first_part];
    for (i = number; i < end && i <= number + WS_PADDING_NEAR; i++) {
        const ws_statement *store = &module->statements[i];
        const ws_item *from = &module->items[store->first_item + 1];
        if (ws_opcode_first(&module->opcodes[store->opcode], words, 3) == 3 || store->item_count < 2) continue;
        for (k = 0; k < from->part_count && from->part_count > own.nbytes; k++) {
            const ws_item *part = &module->items[from->first_part + k];
            if (part->kind == WS_ITEM_REGISTER && to->kind == part->kind && part->index == to->index) return true;
        }
    }
    return false;
}

/* Do all lanes, or several, lack the same bytes, and none all of them? What one lane of many lacks is the end of an array. */
static inline bool ws_padding_is_beside(const ws_pass *pass) {
    const uint32_t size = ws_pass_element(pass);
    uint32_t whole = WS_ALL_LANES, some = 0, i;
    for (i = 0; i < WS_PASS_ELEMENTS && (i + 1) * size <= pass->nbytes; i++) {
        const uint32_t lanes = pass->holes[i] | pass->carries[i];
        if (lanes != 0 && some != 0 && lanes != some) return false;
        whole &= ws_pass_lacks(pass, i) == ws_bits_low(8 * (uint64_t)size) ? lanes : 0;
        some |= lanes;
    }
    return whole == 0 && (some == pass->asked || (some & (some - 1)) != 0);
}

/* What a load has read uninitialised: may it be padding? */
static inline uint8_t ws_padding_of(const ws_check *check, const ws_step *step, const ws_pass *pass) {
    const ws_module *module = check->uses.module;
    bool is_beside;
    if (pass == NULL || check->steps[pass->step].use != WS_USE_LOAD || pass->values.rows != NULL ||
        check->steps[pass->step].kind != WS_CHECKED_ACCESS || pass->unwritten == 0 || pass->ignored != 0)
        return WS_PADDING_NONE;
    is_beside = ws_padding_is_beside(pass);
    if (ws_padding_is_field(module, step->statement, is_beside)) return WS_PADDING_MOST;
    return is_beside || ws_padding_is_packed(module, step->statement) ? WS_PADDING_BESIDE : WS_PADDING_NONE;
}

/* Does each element of a load hold bytes that were written? */
static inline bool ws_padding_is_inside(const ws_pass *pass) {
    const uint64_t every = ws_bits_low(8 * (uint64_t)ws_pass_element(pass));
    uint32_t i;
    for (i = 0; i < WS_PASS_ELEMENTS; i++) {
        if (pass->holes[i] != 0 && ws_pass_lacks(pass, i) == every) return false;
    }
    return true;
}

/* Lanes of a store that take padding along: beside other bytes, if that is how it was read. */
static inline uint32_t ws_padding_lanes(const ws_pass *pass) {
    const uint32_t size = ws_pass_element(pass);
    uint32_t beside = 0, i;
    if (pass->padding != WS_PADDING_BESIDE) return pass->padding == WS_PADDING_NONE ? 0 : WS_ALL_LANES;
    for (i = 0; i < WS_PASS_ELEMENTS && (i + 1) * size <= pass->nbytes; i++) beside |= ~ws_pass_whole(pass, i);
    return beside;
}

#endif /* WS_BODIES */
#endif
