/* The addresses of the accesses that a wmma form becomes. */
#ifndef REFERENCE_LOWERING_H
#define REFERENCE_LOWERING_H

#include "memory.h"

REFERENCE_BEGIN

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
