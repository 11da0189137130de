/* Which qualifiers after an opcode make an instruction: those of one form, each once, in any order but for three
 * pairs. */
#ifndef REFERENCE_PARSE_H
#define REFERENCE_PARSE_H

#include "form.h"

REFERENCE_BEGIN

static inline int ref_index(const char *const *word, int count, const char *wanted) {
    for (int i = 0; i < count; i++) {
        if (ref_is(word[i], wanted)) return i;
    }
    return -1;
}

/* Does `first` come after `second`? */
static inline bool ref_turned(const char *const *word, int count, const char *first, const char *second) {
    const int a = ref_index(word, count, first), b = ref_index(word, count, second);
    return a >= 0 && b >= 0 && a > b;
}

/* The number of the form that the opcode and these qualifiers name, or -1. cp.async has its size among the operands: `size`, or 0
 * where there are none (.cg then has 16). */
static inline int ref_parse(const char *opcode, const char *const *word, int count, int size) {
    for (int i = 0; i < REF_FORMS; i++) {
        const ref_form *f = &ref_forms[i];
        int wanted = f->words, used = 0;
        bool all = true, turned;
        if (!ref_is(opcode, f->opcode)) continue;
        for (int j = 0; j < count; j++) {
            const bool optional = ref_is_plain(f) && ref_is(word[j], "weak");
            const bool cta = f->kind == REF_CP_ASYNC && ref_is(word[j], "shared::cta");
            all &= ref_index(word, j, word[j]) < 0; /* none twice */
            if (ref_index(f->word, f->words, word[j]) >= 0 || (cta && ref_index(word, count, "shared") < 0)) used++;
            else all &= optional;
        }
        if (ref_is_wmma(f) && ref_index(word, count, "aligned") < 0) wanted--; /* before PTX 6.3 it was left out */
        turned = ref_turned(word, count, "b8x16", "b6x16_p32") || ref_turned(word, count, "b8x16", "b4x16_p64");
        turned |= f->is_s8s4 && ref_turned(word, count, "s8", "s4");
        if (f->kind == REF_CP_ASYNC) {
            turned |= ref_turned(word, count, "shared", "global") || ref_turned(word, count, "shared::cta", "global");
            if (size != f->size && !(size == 0 && f->is_cg)) continue;
        }
        if (all && used == wanted && !turned) return i;
    }
    return -1;
}

REFERENCE_END

#endif
