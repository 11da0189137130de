/* Which statements are of one line of the source, as its user sees it. */
#ifndef WARPSIM_FINDING_LINES_H
#define WARPSIM_FINDING_LINES_H

#include "../module/frames.h"

/* The innermost line of a statement that is no system header's; if all are, its own. */
static inline uint32_t ws_told_location(const ws_module *module, uint32_t statement) {
    const uint32_t own = ws_source_location(module, statement);
    uint32_t at = own;
    while (at != WS_NO_INDEX && ws_location_is_known(module, at) && ws_location_is_system(module, at))
        at = module->locations[at].inlined_at;
    return at != WS_NO_INDEX ? at : own;
}

/* Are two locations one line of the source, inlined at the same lines? */
static inline bool ws_told_is_one_place(const ws_module *module, uint32_t one, uint32_t other) {
    while (one != WS_NO_INDEX && other != WS_NO_INDEX) {
        const ws_location *here = &module->locations[one], *there = &module->locations[other];
        if (here->file != there->file || here->line != there->line) return false;
        one = here->inlined_at;
        other = there->inlined_at;
    }
    return one == other;
}

/* Are two statements of one line of the source? What a library does in one call is one line. */
static inline bool ws_told_is_one_line(const ws_module *module, uint32_t a, uint32_t b) {
    const uint32_t one = ws_told_location(module, a), other = ws_told_location(module, b);
    if (one == WS_NO_INDEX || !ws_location_is_known(module, one)) return a == b;
    return ws_told_is_one_place(module, one, other);
}

#endif
