/* The accesses of a wmma form, read from the table of the disassembled code. */
#ifndef REFERENCE_LOWERING_H
#define REFERENCE_LOWERING_H

#include "lowering_table.h"
#include "map.h"
#include "memory.h"

REFERENCE_BEGIN

enum { REF_MOST_ACCESSES = 16 };

typedef struct ref_access {
    int line[REF_LANES]; /* an access begins at p + line * S + byte */
    int byte[REF_LANES];
    int first; /* the value of a lane's fragment that it begins with */
} ref_access;

typedef struct ref_lowering {
    ref_access access[REF_MOST_ACCESSES]; /* in the order of the registers */
    int accesses;
    int width;      /* bytes of a lane's access, or of a row */
    int lanes;      /* that give addresses: 8, 16, 32 */
    bool rows;      /* ldmatrix */
    bool trans;     /* .trans of that */
    bool movmatrix; /* each register is transposed */
} ref_lowering;

/* A sum of products of numbers, S, l, l&3, l>>2, l>>3&1, in brackets or not. */
static inline long ref_sum(const char **at, long l, long s);

static inline long ref_factor(const char **at, long l, long s) {
    long value;
    while (**at == ' ') (*at)++;
    if (**at == '(') {
        (*at)++;
        value = ref_sum(at, l, s);
        if (**at != ')') abort();
        (*at)++;
        return value;
    }
    if (**at == 'S') {
        (*at)++;
        return s;
    }
    if (**at == 'l') {
        (*at)++;
        value = l;
        if (strncmp(*at, ">>", 2) == 0) value >>= strtol(*at + 2, (char **)at, 10);
        if (**at == '&') value &= strtol(*at + 1, (char **)at, 10);
        return value;
    }
    return strtol(*at, (char **)at, 10);
}

static inline long ref_sum(const char **at, long l, long s) {
    long sum = 0;
    for (;;) {
        long product = ref_factor(at, l, s);
        while (**at == '*') {
            (*at)++;
            product *= ref_factor(at, l, s);
        }
        sum += product;
        while (**at == ' ') (*at)++;
        if (**at != '+' || (*at)[2] == '{') return sum;
        (*at)++;
    }
}

static inline bool ref_has_word(const char *words, const char *word) {
    const char *found = strstr(words, word);
    const size_t length = strlen(word);
    while (found != NULL && ((found != words && found[-1] != ' ') || (found[length] != '\0' && found[length] != ' '))) {
        found = strstr(found + 1, word);
    }
    return found != NULL;
}

static inline const ref_lowering_row *ref_lowering_find(const ref_form *f, bool sm_75) {
    const char operand = f->operand == 'd' ? 'c' : f->operand;
    size_t i;
    for (i = 0; i < REF_LOWERING_ROWS; i++) {
        const ref_lowering_row *row = &ref_lowering_rows[i];
        const char *unwanted = sm_75 ? "sm_80+" : "sm_75";
        if (row->operand[0] != operand || !ref_is(row->layout, f->layout) || !ref_is(row->shape, f->shape)) continue;
        if (row->space[0] != '*' && row->space[0] != (f->shared ? 's' : 'g')) continue;
        if (ref_has_word(row->types, f->type) && !ref_is(row->targets, unwanted)) return row;
    }
    return NULL;
}

/* The value of lane 0 that lies where its access begins. */
static inline int ref_first_value(const ref_form *f, const ref_access *access, bool sm_75) {
    int i, line, index;
    for (i = 0; i < ref_wmma_values(f); i++) {
        ref_wmma_place(f, 0, i, sm_75, &line, &index);
        if (line == access->line[0] && index * f->bits == 8 * access->byte[0]) return i;
    }
    abort();
}

/* Does sm_75 have the form? */
static inline bool ref_lowers_on_sm_75(const ref_form *f) {
    return f->bits != 64 && !ref_is(f->type, "bf16") && !ref_is(f->shape, "m16n16k8");
}

/* `sm_75`: on a target before sm_80. */
static inline void ref_lowering_make(const ref_form *f, bool sm_75, ref_lowering *all) {
    const ref_lowering_row *row = ref_lowering_find(f, sm_75);
    const char *code, *at, *of_lanes, *more;
    int i, j, lane;
    if (row == NULL) abort();
    code = strstr(row->code, "LD");
    all->accesses = atoi(row->code);
    all->rows = strncmp(code, "LDSM", 4) == 0;
    all->trans = strncmp(code, "LDSM.MT88", 9) == 0;
    all->movmatrix = strstr(code, "MOVM") != NULL;
    of_lanes = strstr(code, "@ ") + 2;
    more = strchr(code, '{');
    all->width = strncmp(code, "LD.64", 5) == 0    ? 8
                 : strncmp(code, "LD.128", 6) == 0 ? 16
                 : strncmp(code, "LD.U8", 5) == 0  ? 1
                                                   : 4;
    all->lanes = REF_LANES;
    if (all->rows) {
        const char *count = code + (all->trans ? 9 : 8);
        all->width = 16;
        all->lanes = *count == '.' ? 8 * atoi(count + 1) : 8;
    }
    for (i = 0; i < all->accesses; i++) {
        ref_access *access = &all->access[i];
        long added = 0, added_line = 0;
        if (more != NULL) {
            at = more + 1;
            added = ref_sum(&at, 0, 0);
            at = more + 1;
            added_line = ref_sum(&at, 0, 1) - added;
            more = at;
        }
        for (lane = 0; lane < REF_LANES; lane++) {
            long byte;
            at = of_lanes;
            byte = ref_sum(&at, lane, 0);
            at = of_lanes;
            access->line[lane] = (int)(ref_sum(&at, lane, 1) - byte + added_line);
            access->byte[lane] = (int)(byte + added);
        }
        access->first = ref_first_value(f, access, sm_75);
        for (j = i; j > 0 && all->access[j - 1].first > all->access[j].first; j--) {
            const ref_access moved = all->access[j];
            all->access[j] = all->access[j - 1];
            all->access[j - 1] = moved;
        }
    }
}

/* The multiple to which the code rounds the stride down, in elements. Observed in code for sm_90a: below a byte the elements of a
 * register; accesses of a pair of 16 or 32 bits 2, where few blocks of 8 lines follow each other. */
static inline uint32_t ref_stride_unit(const ref_form *f, const ref_lowering *all) {
    const bool pairs = f->bits == 16 || (f->bits == 32 && all->width == 8);
    const int blocks = f->lines / 8;
    if (f->bits < 8) return (uint32_t)(32 / f->bits);
    if (all->rows || !pairs) return 1;
    return blocks <= (ref_is_accumulator(f) ? 2 : 1) ? 2 : 1;
}

/* The address of a lane's access, formed from the lane's own p and stride. Shared addresses wrap at 32 bits. */
static inline uint64_t ref_access_address(const ref_form *f, const ref_lowering *all, const ref_access *access,
                                          const ref_issue *issue, int lane) {
    const uint64_t stride = issue->stride[lane], line = (uint64_t)access->line[lane], bits = (uint64_t)f->bits;
    const uint64_t unit = ref_stride_unit(f, all);
    uint64_t run = line * (stride - stride % unit) * bits / 8, address;
    if (!ref_is_accumulator(f) && f->bits == 16 && f->m == 16 && f->k == 16 && !all->rows) {
        run = line / 8 * 8 * stride * 2 + line % 8 * (stride - stride % 2) * 2; /* whole only from block to block */
    }
    address = issue->address[lane] + run + (uint64_t)access->byte[lane];
    return f->shared ? address & UINT32_MAX : address;
}

REFERENCE_END

#endif
