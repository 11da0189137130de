/* Video instructions as steps: of two or four numbers, and vmad. */
#ifndef WARPSIM_DECODE_VIDEO_H
#define WARPSIM_DECODE_VIDEO_H

#include "../number/video.h"
#include "form.h"
#include "forms.h"

/* clang-format off */
#define WS_VIDEO_TYPE "(.u32|.s32)"
#define WS_VIDEO_TYPES WS_VIDEO_TYPE WS_VIDEO_TYPE
#define WS_VIDEO_ROWS(word)                                                                                            \
    {word "2" WS_VIDEO_TYPE WS_VIDEO_TYPES "{.sat|.add}", "2" word, WS_DECODE_VIDEO},                                  \
    {word "4" WS_VIDEO_TYPE WS_VIDEO_TYPES "{.sat|.add}", "4" word, WS_DECODE_VIDEO}

/* Here the operands name how many numbers there are, and what is done with them. */
static inline ws_form_table ws_forms_video(void) {
    static const ws_statement_form rows[] = {
        WS_VIDEO_ROWS("vadd"), WS_VIDEO_ROWS("vsub"), WS_VIDEO_ROWS("vavrg"), WS_VIDEO_ROWS("vabsdiff"),
        WS_VIDEO_ROWS("vmin"), WS_VIDEO_ROWS("vmax"),
        {"vset2" WS_VIDEO_TYPES "(.eq|.ne|.lt|.le|.gt|.ge){.add}", "2", WS_DECODE_VIDEO},
        {"vset4" WS_VIDEO_TYPES "(.eq|.ne|.lt|.le|.gt|.ge){.add}", "4", WS_DECODE_VIDEO},
        {"vmad" WS_VIDEO_TYPE WS_VIDEO_TYPES "{.po}{.sat}{.shr7|.shr15}", "", WS_DECODE_VIDEO_MAD},
    };
    const ws_form_table table = {rows, sizeof rows / sizeof rows[0]};
    return table;
}
/* clang-format on */

#undef WS_VIDEO_ROWS
#undef WS_VIDEO_TYPES
#undef WS_VIDEO_TYPE

/* The digits of .h10 or .b3210, the last first, 4 bits each, and how many; *parts stays without them. */
static inline int ws_video_parts(ws_decoder *decoder, const ws_item *item, int numbers, uint64_t *parts) {
    const char *text = decoder->module->text + item->selector;
    int count = 0;
    if (item->selector == 0) return numbers;
    *parts = 0;
    while (count <= numbers && (uint32_t)(text[2 + count] - '0') < 2 * (uint32_t)numbers) {
        *parts = *parts << 4 | (uint64_t)(text[2 + count++] - '0');
    }
    if (text[1] != (numbers == 4 ? 'b' : 'h') || count == 0 || count > numbers) {
        ws_decode_refuse(decoder, item->at, "expected parts of the register, as .h10 or .b3210");
    }
    return count;
}

static inline bool ws_video_is_complete(ws_decoder *decoder) {
    if (decoder->statement->item_count == 4) return true;
    ws_decode_refuse(decoder, decoder->statement->at, "expected a destination and three sources");
    return false;
}

/* A source without its sign, and whether it had one. */
static inline bool ws_video_is_minus(ws_item *item) {
    const bool is_minus = item->kind == WS_ITEM_REGISTER && item->is_negative;
    if (is_minus) item->is_negative = false;
    return is_minus;
}

/* The whole register of an operand, without its part and its sign. */
static inline ws_item ws_video_whole(const ws_decoder *decoder, uint32_t number) {
    ws_item whole = *ws_decode_item(decoder, number);
    whole.selector = 0;
    (void)ws_video_is_minus(&whole);
    return whole;
}

/* The parts of all operands, as number/video.h packs them. */
static inline uint64_t ws_video_pack(ws_decoder *decoder, int numbers) {
    const uint64_t all = numbers == 4 ? 0x3210 : 0x10;
    uint64_t taken = all, a = all, b = all + (numbers == 4 ? 0x4444 : 0x22), mask = 0;
    int count = ws_video_parts(decoder, ws_decode_item(decoder, 0), numbers, &taken);
    for (; count > 0; count--, taken >>= 4) mask |= UINT64_C(1) << (taken & 3);
    (void)ws_video_parts(decoder, ws_decode_item(decoder, 1), numbers, &a);
    (void)ws_video_parts(decoder, ws_decode_item(decoder, 2), numbers, &b);
    return a | b << 16 | mask << WS_VIDEO_MASK_AT | (uint64_t)(32 / numbers) << WS_VIDEO_BITS_AT;
}

static inline void ws_video_takes_no_part(ws_decoder *decoder, uint32_t number) {
    const ws_item *item = ws_decode_item(decoder, number);
    if (item->selector != 0) ws_decode_refuse(decoder, item->at, "expected a whole register here");
}

/* d, a, b, c as whole registers. */
static inline ws_step *ws_video_step(ws_decoder *decoder, const ws_opcode_form *opcode, int meaning) {
    ws_item whole = ws_video_whole(decoder, 0);
    const uint32_t d = ws_decode_destination(decoder, &whole, WS_TYPE_B32);
    uint32_t s[3], i;
    ws_step *step;
    ws_video_takes_no_part(decoder, 3);
    if (meaning == WS_DO_VIDEO_MAD) ws_video_takes_no_part(decoder, 0);
    for (i = 0; i < 3; i++) {
        whole = ws_video_whole(decoder, i + 1);
        s[i] = meaning == WS_DO_VIDEO_MAD && i < 2 ? 0 : ws_decode_source(decoder, &whole, WS_TYPE_B32);
    }
    step = ws_decode_emit(decoder, meaning);
    step->d[0] = d;
    for (i = 0; i < 3; i++) step->s[i] = s[i];
    step->how = opcode->match.how;
    return step;
}

WS_ONCE void ws_decode_video(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const ws_opcode *text = &decoder->module->opcodes[decoder->statement->opcode];
    const char *operation = opcode->form->operands + 1;
    const uint8_t *type = opcode->match.type;
    const bool is_set = *operation == '\0';
    uint64_t video;
    ws_step *step;
    if (!ws_video_is_complete(decoder)) return;
    video = ws_video_pack(decoder, opcode->form->operands[0] - '0');
    video |= (uint64_t)(text->text[text->length - 1] == 'd') << WS_VIDEO_ADD_AT;
    video |= (uint64_t)(!is_set && ws_type_is_signed(type[0])) << WS_VIDEO_D_AT;
    video |= (uint64_t)ws_type_is_signed(type[is_set ? 0 : 1]) << WS_VIDEO_A_AT;
    video |= (uint64_t)ws_type_is_signed(type[is_set ? 1 : 2]) << WS_VIDEO_B_AT;
    step = ws_video_step(decoder, opcode, WS_DO_VIDEO);
    step->how |= ws_how_of_word(operation, ws_string_length(operation));
    step->immediate = (int64_t)video;
}

static inline bool ws_video_has_word(const ws_opcode *opcode, const char *word) {
    uint32_t at;
    for (at = 0; at < opcode->length; at++) {
        if (ws_ptx_take(opcode->text, at, opcode->length, word) > at) return true;
    }
    return false;
}

WS_ONCE void ws_decode_video_mad(ws_decoder *decoder, const ws_opcode_form *opcode) {
    const uint8_t *type = opcode->match.type;
    const bool plus_one = ws_video_has_word(&decoder->module->opcodes[decoder->statement->opcode], ".po");
    ws_item item[3];
    uint32_t s[2], i;
    int minus = 0, flags;
    ws_step *step;
    if (!ws_video_is_complete(decoder)) return;
    for (i = 0; i < 3; i++) {
        item[i] = *ws_decode_item(decoder, i + 1);
        if (ws_video_is_minus(&item[i])) minus ^= i < 2 ? (int)WS_VIDEO_MINUS_PRODUCT : (int)WS_VIDEO_MINUS_C;
    }
    flags = minus | (plus_one ? (int)WS_VIDEO_PLUS_ONE : 0);
    if ((flags & (flags - 1)) != 0) {
        ws_decode_refuse(decoder, decoder->statement->at, "expected .po, a negative product, or a negative addend");
    }
    if (ws_type_is_signed(type[1]) || ws_type_is_signed(type[2]) || minus != 0) flags |= WS_VIDEO_SIGNED;
    for (i = 0; i < 2; i++) s[i] = ws_decode_part(decoder, &item[i], type[i + 1]);
    step = ws_video_step(decoder, opcode, WS_DO_VIDEO_MAD);
    for (i = 0; i < 2; i++) step->s[i] = s[i];
    step->immediate = flags;
}

#endif
