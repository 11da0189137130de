/* The ranking of the counted candidates, and those that nothing beats.
 *
 *     better: fewer cycles; then fewer bytes; then the simpler layout: no swizzle, less padding, row-major, smaller B,
 *     then M, then |S|, S above 0; then the earlier candidate
 *
 *     Pareto set: candidates that no other beats in cycles or bytes without losing in the other, ties included */
#ifndef WARPSIM_TILE_SEARCH_RANK_H
#define WARPSIM_TILE_SEARCH_RANK_H

#include "search.h"

/* Negative if candidate i is the better one; never 0 for different candidates. */
static inline int ws_search_compare(const ws_layout *candidate, const ws_search_row *row, int64_t i, int64_t j) {
    const ws_layout *a = &candidate[i], *b = &candidate[j];
    const ws_swizzle *p = &a->swizzle, *q = &b->swizzle;
    const int p_distance = p->shift < 0 ? -p->shift : p->shift, q_distance = q->shift < 0 ? -q->shift : q->shift;
    if (row[i].cycles < row[j].cycles) return -1;
    if (row[i].cycles > row[j].cycles) return 1;
    if (row[i].bytes != row[j].bytes) return row[i].bytes < row[j].bytes ? -1 : 1;
    if ((p->bits != 0) != (q->bits != 0)) return p->bits == 0 ? -1 : 1;
    if (a->pad != b->pad) return a->pad < b->pad ? -1 : 1;
    if (a->col_major != b->col_major) return a->col_major ? 1 : -1;
    if (p->bits != q->bits) return p->bits - q->bits;
    if (p->base != q->base) return p->base - q->base;
    if (p_distance != q_distance) return p_distance - q_distance;
    if (p->shift != q->shift) return q->shift - p->shift;
    return i < j ? -1 : i > j;
}

/* The counted candidates into order[], in array order; returns how many. */
static inline size_t ws_search_counted(const ws_search_row *row, size_t n, int64_t *order) {
    size_t kept = 0, i;
    for (i = 0; i < n; i++) {
        if (row[i].rejected == WS_SEARCH_COUNTED) order[kept++] = (int64_t)i;
    }
    return kept;
}

/* One pass of a merge sort: runs of `width` in order, two by two, become one. */
static inline void ws_search_merge(const ws_layout *candidate, const ws_search_row *row, size_t kept, size_t width,
                                   int64_t *order, int64_t *scratch) {
    size_t begin, i;
    for (begin = 0; begin < kept; begin += 2 * width) {
        const size_t middle = kept - begin > width ? begin + width : kept;
        const size_t end = kept - middle > width ? middle + width : kept;
        size_t left = begin, right = middle;
        for (i = begin; i < end; i++) {
            const bool first =
                right == end || (left < middle && ws_search_compare(candidate, row, order[left], order[right]) < 0);
            scratch[i] = order[first ? left++ : right++];
        }
    }
    for (i = 0; i < kept; i++) order[i] = scratch[i];
}

/* The counted candidates into order[], best first; returns how many. `order` and `scratch` have room for n. */
static inline size_t ws_search_rank(const ws_layout *candidate, const ws_search_row *row, size_t n, int64_t *order,
                                    int64_t *scratch) {
    const size_t kept = ws_search_counted(row, n, order);
    size_t width;
    for (width = 1; width < kept; width *= 2) ws_search_merge(candidate, row, kept, width, order, scratch);
    return kept;
}

/* Ranks of the candidates that nothing beats, into front[]; returns how many. */
static inline size_t ws_search_pareto(const ws_search_row *row, const int64_t *order, size_t kept, int64_t *front) {
    int64_t least = INT64_MAX, before = INT64_MAX; /* bytes: of all faster ones and these; of all faster ones */
    size_t i, count = 0;
    for (i = 0; i < kept; i++) {
        const ws_search_row *here = &row[order[i]];
        if (i == 0 || here->cycles > row[order[i - 1]].cycles) {
            before = least;
            if (here->bytes < least) least = here->bytes;
        }
        if (here->bytes == least && here->bytes < before) front[count++] = (int64_t)i;
    }
    return count;
}

#endif
