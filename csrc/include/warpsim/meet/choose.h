/* Which group of lanes of a warp runs next, and for how long. */
#ifndef WARPSIM_MEET_CHOOSE_H
#define WARPSIM_MEET_CHOOSE_H

#include "../run/warp.h"

static inline bool ws_group_before(const ws_group *a, const ws_group *b) {
    if (a->frame.depth != b->frame.depth) return a->frame.depth > b->frame.depth;
    return a->pc < b->pc;
}

/* A group whose lanes have met others at an instruction and have not executed it; -1: none. */
static inline int ws_warp_meeting(const ws_warp *warp) {
    int i;
    for (i = 0; i < warp->groups; i++) {
        if (warp->group[i].state == WS_GROUP_GO_ON && warp->group[i].instruction != 0) return i;
    }
    return -1;
}

/* The group that runs next, or -1 if all wait. What lanes have met for, all of them do before any of them goes on. */
static inline int ws_warp_choose(ws_warp *warp) {
    int i, best = ws_warp_meeting(warp), other = -1;
    if (best >= 0) return best;
    for (i = 0; i < warp->groups; i++) {
        const ws_group *group = &warp->group[i];
        if (!ws_group_can_run(group)) continue;
        if (best < 0 || ws_group_before(group, &warp->group[best])) best = i;
    }
    if (best < 0 || warp->group[best].backward < WS_PATIENCE) return best;
    for (i = 0; i < warp->groups; i++) { /* it spins: the one that has jumped least */
        const ws_group *group = &warp->group[i];
        if (!ws_group_can_run(group)) continue;
        if (other < 0 || group->backward < warp->group[other].backward) other = i;
    }
    if (warp->group[other].backward >= WS_PATIENCE) {
        for (i = 0; i < warp->groups; i++) warp->group[i].backward = 0;
    }
    return other;
}

/* The pc at which the chosen group meets or passes another one. */
static inline uint32_t ws_warp_limit(const ws_warp *warp) {
    const ws_group *group = &warp->group[warp->current];
    uint32_t limit = UINT32_MAX;
    int i;
    for (i = 0; i < warp->groups; i++) {
        const ws_group *other = &warp->group[i];
        if (i == warp->current || !ws_group_can_run(other) || other->frame.depth != group->frame.depth) continue;
        if (other->pc > group->pc && other->pc < limit) limit = other->pc;
    }
    return limit;
}

#endif
