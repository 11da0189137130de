/* The words after the dots: which qualifier of which kind each is, and what a set of them means.
 *
 * NVIDIA's assembler accepts the qualifiers in any order, except for three pairs: .b8x16 before its source format, .s8
 * before .s4, and .shared before .global in cp.async. Each may occur once. Words that PTX has for other instructions
 * are distinguished from words that do not exist. */
#ifndef WARPSIM_PTX_QUALIFIERS_H
#define WARPSIM_PTX_QUALIFIERS_H

#include "../base/apart.h"
#include "../isa/isa.h"
#include "lex.h"

typedef enum ws_slot {
    WS_SLOT_SYNC = 0,
    WS_SLOT_ALIGNED,
    WS_SLOT_SHAPE,
    WS_SLOT_NUM,
    WS_SLOT_TRANS,
    WS_SLOT_TYPE,
    WS_SLOT_SPACE,
    WS_SLOT_VEC,
    WS_SLOT_CACHE,
    WS_SLOT_WEAK,
    WS_SLOT_LAYOUT,
    WS_SLOT_COUNT,
    WS_SLOT_FOREIGN, /* known to PTX, on other instructions */
    WS_SLOT_UNKNOWN  /* not a PTX word */
} ws_slot;

/* What the qualifiers of one instruction have said so far. */
typedef struct ws_qualifiers {
    ws_op op;
    uint32_t seen;       /* bit set of ws_slot */
    const char *type[2]; /* the type words in their order */
    size_t type_count[2];
    int types;      /* 0, 1, 2 */
    bool cp_global; /* cp.async: .global seen */
} ws_qualifiers;

static inline ws_qualifiers ws_qualifiers_none(void) {
    ws_qualifiers q;
    q.op = ws_op_none();
    q.seen = 0;
    q.type[0] = q.type[1] = NULL;
    q.type_count[0] = q.type_count[1] = 0;
    q.types = 0;
    q.cp_global = false;
    return q;
}

static inline bool ws_word_in(const char *word, size_t count, const char *list) {
    for (;;) {
        size_t i = 0;
        while (i < count && list[i] == word[i] && list[i] != '\0') i++;
        if (i == count && (list[i] == ' ' || list[i] == '\0')) return true;
        for (list += i; *list != ' '; list++) {
            if (*list == '\0') return false;
        }
        list++;
    }
}

/* The value that has this word, 1 or more; 0 if no value has it. */
static inline int ws_word_find(const char *(*word_of)(int), int values, const char *word, size_t count) {
    int i;
    for (i = 1; i < values; i++) {
        if (ws_bytes_equal(word, count, word_of(i))) return i;
    }
    return 0;
}

/* Whether a type's word, or one part of it (".b8x16" of "b8x16.b6x16_p32"), is this. */
static inline bool ws_word_is_of_type(const char *word, size_t count) {
    int type;
    for (type = 1; type < WS_TYPE_COUNT; type++) {
        const char *part = ws_type_word(type);
        while (*part != '\0') {
            size_t i = 0;
            while (i < count && part[i] != '\0' && part[i] == word[i]) i++;
            if (i == count && (part[i] == '.' || part[i] == '\0')) return true;
            while (*part != '\0' && *part++ != '.') continue;
        }
    }
    return false;
}

static inline ws_slot ws_qualifier_slot(const char *word, size_t count) {
    if (ws_bytes_equal(word, count, "sync")) return WS_SLOT_SYNC;
    if (ws_bytes_equal(word, count, "aligned")) return WS_SLOT_ALIGNED;
    if (ws_bytes_equal(word, count, "trans")) return WS_SLOT_TRANS;
    if (ws_bytes_equal(word, count, "weak")) return WS_SLOT_WEAK;
    if (count == 3 && ws_word_find(ws_layout_word, WS_LAYOUT_COUNT, word, count) != 0) return WS_SLOT_LAYOUT;
    if (word[0] == 'm' && ws_word_find(ws_shape_word, WS_SHAPE_COUNT, word, count) != 0) return WS_SLOT_SHAPE;
    if (word[0] == 'x' && ws_word_in(word, count, "x1 x2 x4 x8 x16 x32 x64 x128")) return WS_SLOT_NUM;
    if (word[0] == 'v' && ws_word_in(word, count, "v2 v4 v8")) return WS_SLOT_VEC;
    if (count == 2 &&
        (ws_word_find(ws_cache_word, WS_CACHE_COUNT, word, count) != 0 || ws_word_in(word, count, "cs lu cv wb wt")))
        return WS_SLOT_CACHE;
    if (count >= 5 && (ws_word_find(ws_space_word, WS_SPACE_COUNT, word, count) != 0 ||
                       ws_word_in(word, count, "shared::cluster local const param param::entry param::func")))
        return WS_SLOT_SPACE;
    if (ws_word_is_of_type(word, count) ||
        ws_word_in(word, count, "b128 f16x2 bf16x2 pred e4m3 e5m2 e3m2 e2m3 e2m1")) /* of other instructions */
        return WS_SLOT_TYPE;
    if (ws_word_in(word, count,
                   "volatile relaxed acquire release mmio cta cluster gpu sys nc unified noftz ftz sat rn rz rm rp "
                   "a b c r all any "
                   "cta_group::1 cta_group::2 multicast::cluster L1::evict_normal L1::evict_unchanged "
                   "L1::evict_first L1::evict_last L1::no_allocate L1::cache_hint L2::cache_hint L2::evict_normal "
                   "L2::evict_first L2::evict_last L2::64B L2::128B L2::256B bulk commit_group wait_group wait_all "
                   "mbarrier tensor"))
        return WS_SLOT_FOREIGN;
    return WS_SLOT_UNKNOWN;
}

/* The slots of a kind; the mandatory ones are in the table of forms. */
static inline uint32_t ws_kind_slots(int kind) {
    const uint32_t matrix = WS_BIT(WS_SLOT_SYNC) | WS_BIT(WS_SLOT_ALIGNED) | WS_BIT(WS_SLOT_SHAPE) |
                            WS_BIT(WS_SLOT_TRANS) | WS_BIT(WS_SLOT_TYPE);
    switch (kind) {
        case WS_MOVMATRIX: return matrix;
        case WS_WMMA_LOAD:
        case WS_WMMA_STORE: return (matrix & ~WS_BIT(WS_SLOT_TRANS)) | WS_BIT(WS_SLOT_LAYOUT) | WS_BIT(WS_SLOT_SPACE);
        case WS_CP_ASYNC: return WS_BIT(WS_SLOT_CACHE) | WS_BIT(WS_SLOT_SPACE);
        case WS_LD:
        case WS_ST: return WS_BIT(WS_SLOT_WEAK) | WS_BIT(WS_SLOT_SPACE) | WS_BIT(WS_SLOT_VEC) | WS_BIT(WS_SLOT_TYPE);
        default: return matrix | WS_BIT(WS_SLOT_NUM) | WS_BIT(WS_SLOT_SPACE);
    }
}

/* Legal on this kind, but outside what is modelled. */
static inline bool ws_qualifier_is_unmodelled(int kind, ws_slot slot, const char *word, size_t count) {
    if (kind == WS_CP_ASYNC) {
        return slot == WS_SLOT_FOREIGN &&
               ws_word_in(word, count,
                          "L2::cache_hint L2::64B L2::128B L2::256B bulk commit_group wait_group wait_all mbarrier");
    }
    if (kind != WS_LD && kind != WS_ST) return false;
    switch (slot) {
        case WS_SLOT_CACHE: return true;
        case WS_SLOT_VEC: return word[1] == '8';
        case WS_SLOT_TYPE: return ws_bytes_equal(word, count, "b128");
        case WS_SLOT_SPACE: return ws_word_find(ws_space_word, WS_SPACE_COUNT, word, count) == 0;
        case WS_SLOT_FOREIGN:
            return ws_word_in(
                word, count,
                "volatile relaxed acquire release mmio cta cluster gpu sys nc unified L1::evict_normal "
                "L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate L1::cache_hint "
                "L2::cache_hint L2::evict_normal L2::evict_first L2::evict_last L2::64B L2::128B L2::256B");
        default: return false;
    }
}

WS_ONCE ws_status ws_qualifier_error(ws_cursor *cursor, const ws_op *op, size_t at, size_t count, ws_status status,
                                     const char *what) {
    ws_text text = ws_lex_complain(cursor, at, count);
    ws_text_add(&text, ws_kind_word(op->kind));
    ws_text_add(&text, ": ");
    ws_text_add(&text, what);
    if (count > 0) {
        ws_text_add(&text, " '.");
        ws_text_add_bytes(&text, cursor->text + at, count < 60 ? count : 60);
        ws_text_add(&text, "'");
    }
    return status;
}

/* Stores one known word; 0 means a word that no form has. */
static inline void ws_qualifier_store(ws_qualifiers *q, ws_slot slot, const char *word, size_t count) {
    switch (slot) {
        case WS_SLOT_SHAPE: q->op.shape = (uint8_t)ws_word_find(ws_shape_word, WS_SHAPE_COUNT, word, count); break;
        case WS_SLOT_NUM: q->op.num = count == 2 ? (uint8_t)(word[1] - '0') : 255; break;
        case WS_SLOT_VEC: q->op.vec = (uint8_t)(word[1] - '0'); break;
        case WS_SLOT_TRANS: q->op.trans = 1; break;
        case WS_SLOT_LAYOUT: q->op.layout = (uint8_t)ws_word_find(ws_layout_word, WS_LAYOUT_COUNT, word, count); break;
        case WS_SLOT_CACHE: q->op.cache = (uint8_t)ws_word_find(ws_cache_word, WS_CACHE_COUNT, word, count); break;
        case WS_SLOT_SPACE: q->op.space = (uint8_t)ws_word_find(ws_space_word, WS_SPACE_COUNT, word, count); break;
        default: break;
    }
}

/* cp.async names two spaces, .shared or .shared::cta and then .global. */
static inline ws_status ws_qualifier_copy_space(ws_cursor *cursor, ws_qualifiers *q, size_t at, size_t count) {
    const int space = ws_word_find(ws_space_word, WS_SPACE_COUNT, cursor->text + at, count);
    const bool shared = space == WS_SPACE_SHARED || space == WS_SPACE_SHARED_CTA, global = space == WS_SPACE_GLOBAL;
    const bool had_shared = (q->seen & WS_BIT(WS_SLOT_SPACE)) != 0;
    if (shared && !had_shared && !q->cp_global) {
        q->seen |= WS_BIT(WS_SLOT_SPACE);
        return WS_OK;
    }
    if (global && had_shared && !q->cp_global) {
        q->cp_global = true;
        return WS_OK;
    }
    return ws_qualifier_error(cursor, &q->op, at, count, WS_UNSUPPORTED,
                              "copies from .global to .shared, written '.shared.global'; unexpected");
}

static inline ws_status ws_qualifier_take(ws_cursor *cursor, ws_qualifiers *q, size_t at, size_t count) {
    const char *word = cursor->text + at;
    const ws_slot slot = ws_qualifier_slot(word, count);
    if (slot == WS_SLOT_UNKNOWN) {
        return ws_qualifier_error(cursor, &q->op, at, count, WS_SYNTAX, "PTX has no qualifier");
    }
    if (ws_qualifier_is_unmodelled(q->op.kind, slot, word, count)) {
        return ws_qualifier_error(cursor, &q->op, at, count, WS_NOT_MODELLED, "not modelled: the qualifier");
    }
    if (slot == WS_SLOT_FOREIGN || (ws_kind_slots(q->op.kind) & WS_BIT(slot)) == 0) {
        return ws_qualifier_error(cursor, &q->op, at, count, WS_UNSUPPORTED, "does not take the qualifier");
    }
    if (q->op.kind == WS_CP_ASYNC && slot == WS_SLOT_SPACE) return ws_qualifier_copy_space(cursor, q, at, count);
    if (slot == WS_SLOT_TYPE && q->types < 2) {
        q->type[q->types] = word;
        q->type_count[q->types++] = count;
        return WS_OK;
    }
    if (slot == WS_SLOT_TYPE || (q->seen & WS_BIT(slot))) {
        return ws_qualifier_error(cursor, &q->op, at, count, WS_UNSUPPORTED, "one qualifier of its kind too many:");
    }
    q->seen |= WS_BIT(slot);
    ws_qualifier_store(q, slot, word, count);
    if (slot == WS_SLOT_SPACE && q->op.space == 0) {
        return ws_qualifier_error(cursor, &q->op, at, count, WS_UNSUPPORTED, "does not take the state space");
    }
    return WS_OK;
}

/* "b16", or "b8x16.b6x16_p32" of two words: the type that they name; 0 if they do not name one. */
static inline int ws_qualifier_type(const ws_qualifiers *q) {
    char joined[24];
    ws_text text = ws_text_make(joined, sizeof joined);
    int i;
    for (i = 0; i < q->types; i++) {
        if (i > 0) ws_text_add(&text, ".");
        ws_text_add_bytes(&text, q->type[i], q->type_count[i]);
    }
    return ws_word_find(ws_type_word, WS_TYPE_COUNT, joined, text.length);
}

#endif
