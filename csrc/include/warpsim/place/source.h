/* Where two statements are in their source: in which function of it, and which of them comes first there. Compilers move
 * statements, and unroll loops: what comes first in the text need not come first in the source. */
#ifndef WARPSIM_PLACE_SOURCE_H
#define WARPSIM_PLACE_SOURCE_H

#include "../module/frames.h"

static inline bool ws_location_is_same(const ws_module *module, uint32_t a, uint32_t b) {
    const ws_location *one = &module->locations[a], *other = &module->locations[b];
    return one->file == other->file && one->line == other->line && one->column == other->column;
}

/* How many calls lie around both statements, down to the innermost function that is the user's. */
static inline uint32_t ws_source_common(const ws_module *module, uint32_t a, uint32_t b) {
    const ws_source_frames one = ws_source_frames_of(module, a), other = ws_source_frames_of(module, b);
    uint32_t depth = 0;
    while (depth + 1 < one.count && depth + 1 < other.count &&
           ws_location_is_same(module, one.location[depth], other.location[depth]) &&
           !ws_location_is_system(module, one.location[depth + 1]) &&
           !ws_location_is_system(module, other.location[depth + 1]))
        depth++;
    return depth;
}

/* Less than 0: the first of them comes earlier in the source; 0: they are of one line or of two functions, or nothing is known. */
static inline int ws_source_compare(const ws_module *module, uint32_t a, uint32_t b) {
    const uint32_t depth = ws_source_common(module, a, b);
    const ws_source_frames one = ws_source_frames_of(module, a), other = ws_source_frames_of(module, b);
    const ws_location *here, *there;
    if (depth >= one.count || depth >= other.count) return 0;
    if (module->statements[a].function != module->statements[b].function) return 0;
    here = &module->locations[one.location[depth]];
    there = &module->locations[other.location[depth]];
    if (here->file != there->file || here->line == there->line) return 0;
    return here->line < there->line ? -1 : 1;
}

/* Does one come later, in the source where that is known, else in the text? */
static inline bool ws_source_is_later(const ws_module *module, uint32_t a, uint32_t b) {
    const int order = ws_source_compare(module, a, b);
    return order != 0 ? order > 0 : a > b;
}

#endif
