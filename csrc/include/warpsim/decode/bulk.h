/* Bulk copies as steps. Their forms say the operands in letters of their own:
 *
 *     S shared address   G global address   B barrier   D other shared address   n size   T [map, {coordinates}]
 *     I offsets of im2col   c ranks of a multicast   k byte mask   p policy of a cache hint (nothing here)
 *
 * c, k and p are there if the opcode names them. Source: "Bulk copy", "Tensor copy" of the PTX ISA. */
#ifndef WARPSIM_DECODE_BULK_H
#define WARPSIM_DECODE_BULK_H

#include "forms.h"
#include "move.h"

/* clang-format off */
#define WS_BULK_TO "(.shared::cluster|.shared::cta)"
#define WS_BULK_COUNTS ".mbarrier::complete_tx::bytes"
#define WS_BULK_HINT "{.L2::cache_hint}"
#define WS_BULK_MANY "{.multicast::cluster}"
#define WS_BULK_DIMS "(.1d|.2d|.3d|.4d|.5d)"
#define WS_BULK_OPS "(.add|.min|.max|.inc|.dec|.and|.or|.xor)"
#define WS_BULK_TYPES "(.u32|.s32|.u64|.s64|.b32|.b64|.f16|.bf16|.f32|.f64)"
#define WS_BULK_REDUCE "cp.reduce.async.bulk"
#define WS_MAP_ROW(field, type, operands, NAME)                                                                        \
    {"tensormap.replace.tile." field "{.global|.shared::cta}.b1024" type, operands, WS_DO_MAP_##NAME}
/* clang-format on */

static inline ws_form_table ws_forms_bulk(void) {
    static const ws_statement_form rows[] = {
        {"cp.async.bulk" WS_BULK_TO ".global" WS_BULK_COUNTS WS_BULK_MANY WS_BULK_HINT, "SGnBcp", WS_DECODE_BULK},
        {"cp.async.bulk" WS_BULK_TO ".shared::cta" WS_BULK_COUNTS, "DSnB", WS_DECODE_BULK},
        {"cp.async.bulk.global.shared::cta.bulk_group" WS_BULK_HINT "{.cp_mask}", "GSnpk", WS_DECODE_BULK},
        {WS_BULK_REDUCE WS_BULK_TO ".shared::cta" WS_BULK_COUNTS WS_BULK_OPS WS_BULK_TYPES, "DSnB", WS_DECODE_BULK},
        {WS_BULK_REDUCE ".global.shared::cta.bulk_group" WS_BULK_HINT WS_BULK_OPS "{.noftz}" WS_BULK_TYPES, "GSnp",
         WS_DECODE_BULK},
        {"cp.async.bulk.prefetch.L2.global" WS_BULK_HINT, "Gnp", WS_DECODE_BULK},
        {"cp.async.bulk.tensor" WS_BULK_DIMS WS_BULK_TO ".global{.tile|.im2col}" WS_BULK_COUNTS WS_BULK_MANY
         "{.cta_group::1|.cta_group::2}" WS_BULK_HINT,
         "STBIcp", WS_DECODE_BULK},
        {"cp.async.bulk.tensor" WS_BULK_DIMS ".global.shared::cta{.tile|.im2col_no_offs}.bulk_group" WS_BULK_HINT,
         "TSp", WS_DECODE_BULK},
        {WS_BULK_REDUCE ".tensor" WS_BULK_DIMS ".global.shared::cta" WS_BULK_OPS
                        "{.tile|.im2col_no_offs}.bulk_group" WS_BULK_HINT,
         "TSp", WS_DECODE_BULK},
        {"cp.async.bulk.prefetch.tensor" WS_BULK_DIMS ".L2.global{.tile|.im2col}" WS_BULK_HINT, "TIp", WS_DECODE_BULK},
        WS_MAP_ROW("global_address", ".b64", "m s.b64", ADDRESS),
        WS_MAP_ROW("rank", ".b32", "m s.u32", RANK),
        WS_MAP_ROW("box_dim", ".b32", "m s.u32 s.u32", BOX),
        WS_MAP_ROW("global_dim", ".b32", "m s.u32 s.u32", DIM),
        WS_MAP_ROW("global_stride", ".b64", "m s.u32 s.b64", STRIDE),
        WS_MAP_ROW("element_stride", ".b32", "m s.u32 s.u32", STEP),
        WS_MAP_ROW("elemtype", ".b32", "m s.u32", TYPE),
        WS_MAP_ROW("interleave_layout", ".b32", "m s.u32", INTERLEAVE),
        WS_MAP_ROW("swizzle_mode", ".b32", "m s.u32", SWIZZLE),
        WS_MAP_ROW("fill_mode", ".b32", "m s.u32", FILL),
        {"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release(.cta|.cluster|.gpu|.sys).sync.aligned",
         "m m s.u32", WS_DO_MAP_COPY},
        {"cp.async.bulk.commit_group", "", WS_DO_BULK_COMMIT},
        {"cp.async.bulk.wait_group{.read}", "i", WS_DO_BULK_WAIT},
    };
    const ws_form_table table = {rows, sizeof rows / sizeof rows[0]};
    return table;
}

static inline bool ws_decode_names(const ws_decoder *decoder, const char *word) {
    const ws_opcode *opcode = &decoder->module->opcodes[decoder->statement->opcode];
    const size_t length = ws_string_length(word);
    size_t i;
    for (i = 0; i + length <= opcode->length; i++) {
        if (ws_form_same(opcode->text + i, word, length) &&
            (i + length == opcode->length || opcode->text[i + length] == '.'))
            return true;
    }
    return false;
}

/* What the opcode says about its copy: ws_step.immediate. */
static inline int64_t ws_decode_bulk_how(const ws_decoder *decoder, const char *operands) {
    static const char *const ops[] = {".add", ".min", ".max", ".inc", ".dec"};
    static const char *const dims[] = {".1d", ".2d", ".3d", ".4d", ".5d"};
    const char first = operands[0];
    int64_t how = first == 'S' ? WS_BULK_LOAD : first == 'D' ? WS_BULK_SHARE : WS_BULK_STORE;
    int i;
    if (ws_decode_names(decoder, ".prefetch")) how = WS_BULK_PREFETCH;
    for (i = 0; i < 5; i++) {
        if (ws_decode_names(decoder, dims[i])) how |= WS_BULK_TENSOR | (int64_t)(i + 1) << WS_BULK_RANK;
        if (ws_decode_names(decoder, ops[i])) how |= (int64_t)(1 + WS_ATOMIC_ADD + i) << WS_BULK_REDUCES;
    }
    if (ws_decode_names(decoder, ".and") || ws_decode_names(decoder, ".or") || ws_decode_names(decoder, ".xor"))
        how |= (int64_t)(1 + WS_ATOMIC_LOGIC) << WS_BULK_REDUCES;
    if (ws_decode_names(decoder, ".im2col") || ws_decode_names(decoder, ".im2col_no_offs")) how |= WS_BULK_IM2COL;
    return how;
}

/* An address, in two places of the list. */
static inline void ws_decode_bulk_address(ws_decoder *decoder, const ws_item *item, uint32_t *to) {
    const ws_decoded_address address = ws_decode_address(decoder, item);
    to[0] = address.row;
    to[1] = ws_decode_value(decoder, (uint64_t)address.offset, 2);
}

/* {a, b}: as many as there are places at most. */
static inline void ws_decode_bulk_vector(ws_decoder *decoder, const ws_item *item, uint32_t *to, uint32_t count,
                                         int type) {
    uint32_t i;
    if (item->kind != WS_ITEM_VECTOR || item->part_count != count) {
        ws_decode_refuse(decoder, item->at, "expected a vector with one number for each dimension here");
        return;
    }
    for (i = 0; i < count; i++) to[i] = ws_decode_source(decoder, &decoder->module->items[item->first_part + i], type);
}

/* [map, {coordinates}] */
static inline void ws_decode_bulk_tensor(ws_decoder *decoder, const ws_item *item, uint32_t *list, uint32_t rank) {
    ws_item map = *item;
    map.part_count = 0;
    if (item->kind != WS_ITEM_ADDRESS || item->part_count != 1) {
        ws_decode_refuse(decoder, item->at, "expected [tensor map, {coordinates}] here");
        return;
    }
    ws_decode_bulk_address(decoder, &map, list + WS_BULK_AT_GLOBAL);
    ws_decode_bulk_vector(decoder, &decoder->module->items[item->first_part], list + WS_BULK_AT_PLACE, rank,
                          WS_TYPE_S32);
}

/* Is the operand that a letter stands for there? */
static inline bool ws_decode_bulk_has(const ws_decoder *decoder, char letter, int64_t how) {
    switch (letter) {
        case 'I': return (how & WS_BULK_IM2COL) != 0;
        case 'c': return ws_decode_names(decoder, ".multicast::cluster");
        case 'k': return ws_decode_names(decoder, ".cp_mask");
        case 'p': return ws_decode_names(decoder, ".L2::cache_hint");
        default: return true;
    }
}

static inline void ws_decode_bulk_operand(ws_decoder *decoder, char letter, const ws_item *item, uint32_t *list,
                                          uint32_t rank) {
    switch (letter) {
        case 'S': ws_decode_bulk_address(decoder, item, list + WS_BULK_AT_SHARED); break;
        case 'G': ws_decode_bulk_address(decoder, item, list + WS_BULK_AT_GLOBAL); break;
        case 'B': ws_decode_bulk_address(decoder, item, list + WS_BULK_AT_BARRIER); break;
        case 'D': ws_decode_bulk_address(decoder, item, list + WS_BULK_AT_OTHER); break;
        case 'T': ws_decode_bulk_tensor(decoder, item, list, rank); break;
        case 'I': ws_decode_bulk_vector(decoder, item, list + WS_BULK_AT_OFFSETS, rank - 2, WS_TYPE_U16); break;
        case 'n': list[WS_BULK_AT_SIZE] = ws_decode_source(decoder, item, WS_TYPE_U32); break;
        case 'c': list[WS_BULK_AT_RANKS] = ws_decode_source(decoder, item, WS_TYPE_U16); break;
        case 'k': list[WS_BULK_AT_MASK] = ws_decode_source(decoder, item, WS_TYPE_U16); break;
        default: break;
    }
}

WS_ONCE void ws_decode_bulk(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const int64_t how = ws_decode_bulk_how(decoder, opcode->form->operands);
    const uint32_t rank = (uint32_t)(how >> WS_BULK_RANK & 7);
    uint32_t list[WS_BULK_OPERANDS], number = 0, i;
    const char *letter;
    ws_step *step;
    for (i = 0; i < WS_BULK_OPERANDS; i++) list[i] = WS_NONE;
    for (letter = opcode->form->operands; *letter != '\0'; letter++) {
        if (!ws_decode_bulk_has(decoder, *letter, how)) continue;
        if (number == decoder->statement->item_count) {
            ws_decode_refuse(decoder, decoder->statement->at, "an operand is missing");
            return;
        }
        ws_decode_bulk_operand(decoder, *letter, ws_decode_item(decoder, number++), list, rank);
    }
    if (number < decoder->statement->item_count)
        ws_decode_refuse(decoder, ws_decode_item(decoder, number)->at, "expected no further operand");
    step = ws_decode_emit(decoder, WS_DO_BULK);
    step->immediate = how;
    step->how = opcode->match.how;
    step->type = opcode->match.type[0];
    step->list = decoder->program->num_list;
    for (i = 0; i < WS_BULK_OPERANDS; i++) ws_decode_list(decoder, list[i]);
    decoder->program->num_bulks++;
}

#endif
