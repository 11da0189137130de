/* Which targets and PTX versions take a form: the assembler's verdicts, row by row. */
#ifndef REFERENCE_LEGALITY_H
#define REFERENCE_LEGALITY_H

#include "form.h"

REFERENCE_BEGIN

typedef struct ref_target {
    const char *name;
    int first, last; /* PTX versions that have it: 86 is 8.6 */
} ref_target;

static const ref_target ref_targets[] = {
    {"sm_60", 60, 99},   {"sm_61", 60, 99},   {"sm_62", 60, 99},   {"sm_70", 60, 99},   {"sm_72", 61, 99},
    {"sm_75", 63, 99},   {"sm_80", 70, 99},   {"sm_86", 71, 99},   {"sm_87", 74, 99},   {"sm_88", 90, 99},
    {"sm_89", 78, 99},   {"sm_90", 78, 99},   {"sm_90a", 80, 99},  {"sm_100", 86, 99},  {"sm_100a", 86, 99},
    {"sm_100f", 88, 99}, {"sm_101", 86, 88},  {"sm_101a", 86, 88}, {"sm_101f", 88, 88}, {"sm_103", 88, 99},
    {"sm_103a", 88, 99}, {"sm_103f", 88, 99}, {"sm_107", 94, 99},  {"sm_107a", 94, 99}, {"sm_107f", 94, 99},
    {"sm_110", 90, 99},  {"sm_110a", 90, 99}, {"sm_110f", 90, 99}, {"sm_120", 87, 99},  {"sm_120a", 87, 99},
    {"sm_120f", 88, 99}, {"sm_121", 88, 99},  {"sm_121a", 88, 99}, {"sm_121f", 88, 99}};

enum { REF_TARGETS = sizeof ref_targets / sizeof ref_targets[0] };

static inline int ref_target_number(const ref_target *target) { return atoi(target->name + 3); }

static inline char ref_target_suffix(const ref_target *target) {
    const char last = target->name[strlen(target->name) - 1];
    return last == 'a' || last == 'f' ? last : 0;
}

/* 6.0-6.5, 7.0-7.8, 8.0-8.8, 9.0-9.5. */
static inline bool ref_ptx_exists(int ptx) {
    return (ptx >= 60 && ptx <= 65) || (ptx >= 70 && ptx <= 78) || (ptx >= 80 && ptx <= 88) || (ptx >= 90 && ptx <= 95);
}

/* The first PTX version of a form, its state space included. */
static inline int ref_min_ptx(const ref_form *f) {
    int ptx = 60;
    if (f->kind == REF_LDMATRIX) ptx = ref_is(f->shape, "m8n8") ? 65 : f->is_s8s4 ? 94 : 86;
    else if (f->kind == REF_STMATRIX) ptx = ref_is(f->shape, "m8n8") ? 78 : 86;
    else if (f->kind == REF_MOVMATRIX) ptx = 78;
    else if (f->kind == REF_CP_ASYNC) ptx = 70;
    else if (ref_is_wmma(f)) {
        const bool young = ref_is(f->type, "bf16") || ref_is(f->type, "tf32") || ref_is(f->type, "f64") ||
                           ref_is(f->shape, "m16n16k8");
        ptx = young ? 70 : 63; /* with .aligned */
    }
    return ref_is(f->space, "shared::cta") && ptx < 78 ? 78 : ptx;
}

static inline bool ref_target_takes(const ref_form *f, const ref_target *target) {
    const int number = ref_target_number(target);
    const bool specific = ref_target_suffix(target) != 0 && number >= 100;
    if (f->kind == REF_LDMATRIX && f->is_s8s4) return specific || ref_is(target->name, "sm_90a");
    if (ref_is_matrix(f) && !ref_is(f->shape, "m8n8")) return specific;
    if (f->kind == REF_LDMATRIX || f->kind == REF_MOVMATRIX) return number >= 75;
    if (f->kind == REF_STMATRIX) return number >= 90;
    if (f->kind == REF_CP_ASYNC) return number >= 80;
    if (!ref_is_wmma(f)) return true;
    if (ref_is(f->type, "bf16") || ref_is(f->type, "tf32") || ref_is(f->type, "f64") || ref_is(f->shape, "m16n16k8"))
        return number >= 80;
    if (f->k == 32 || f->k == 128) return number >= 75;
    return number >= (ref_is(f->type, "f16") || ref_is(f->type, "f32") ? 70 : 72);
}

static inline bool ref_is_legal(const ref_form *f, const ref_target *target, int ptx) {
    return ref_ptx_exists(ptx) && ptx >= target->first && ptx <= target->last && ptx >= ref_min_ptx(f) &&
           ref_target_takes(f, target);
}

/* The lowest version at which the target takes the form; 0: never. */
static inline int ref_min_ptx_at(const ref_form *f, const ref_target *target) {
    const int form_from = ref_min_ptx(f), from = form_from > target->first ? form_from : target->first;
    int ptx;
    if (!ref_target_takes(f, target)) return 0;
    for (ptx = from; ptx <= target->last && ptx <= 95; ptx++) {
        if (ref_ptx_exists(ptx)) return ptx;
    }
    return 0;
}

REFERENCE_END

#endif
