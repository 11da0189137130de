/* Lanes of a warp that wait for each other by a member mask.
 *
 * Lanes execute such a step once all living lanes of their member mask have come to the same instruction with that mask,
 * wherever it stands: what they give is kept while they wait. Lanes at another instruction are waited for, on the H200 for
 * ever.
 *
 * Source: "bar.warp.sync" of the PTX ISA; of lanes at several places, an H200. */
#ifndef WARPSIM_MEET_MEMBERS_H
#define WARPSIM_MEET_MEMBERS_H

#include "../run/control.h"

/* What a lane gives. */
typedef enum ws_giving { WS_GIVES_NOTHING, WS_GIVES_PREDICATE, WS_GIVES_ROW, WS_GIVES_PAIR } ws_giving;

/* The lanes of one step by member mask: `same` have one mask; they exchange what `met` give, some at other places. */
typedef struct ws_sets {
    const uint32_t *members, *given[2]; /* rows of low and high words */
    uint32_t left, same, met, holds;
    bool has_met; /* they have waited, and `met` is known */
} ws_sets;

/* Lanes that are not in their own mask, or in masks of each other that differ. */
static inline bool ws_members_agree(ws_lanes *lanes, const ws_step *step, const uint32_t *members, uint32_t mask) {
    uint32_t left = mask;
    while (left != 0) {
        const uint32_t same = ws_lanes_like_first(members, left), named = members[ws_first_lane(left)];
        if (same & ~named) ws_stop_at(lanes, step, WS_RUN_MEMBERS, same & ~named);
        else if (mask & named & ~same) ws_stop_at(lanes, step, WS_RUN_MASKS, same | (mask & named));
        if (lanes->event == WS_ASKS_STOP) return false;
        left &= ~same;
    }
    return true;
}

static inline bool ws_members_are_here(const ws_warp *warp, const uint32_t *members, uint32_t mask) {
    uint32_t left = mask;
    while (left != 0) {
        if (members[ws_first_lane(left)] & warp->living & ~mask) return false;
        left &= ~ws_lanes_like_first(members, left);
    }
    return true;
}

/* What lanes give, kept while they wait: others may need it when these have no row of their own any more. */
static inline void ws_members_give(ws_lanes *lanes, const ws_step *step, uint32_t mask, ws_giving giving) {
    ws_warp *warp = ws_warp_of(lanes);
    const uint32_t *row = giving >= WS_GIVES_ROW ? ws_row(lanes, step->s[WS_S_GIVEN]) : NULL;
    int lane;
    if (giving == WS_GIVES_PREDICATE)
        warp->holds = (warp->holds & ~mask) | (ws_predicate(lanes, step->s[WS_S_GIVEN]) & mask);
    for (lane = 0; lane < WS_LANES && row != NULL; lane++) {
        if (!(mask >> lane & 1)) continue;
        warp->given[0][lane] = row[lane];
        if (giving == WS_GIVES_PAIR) warp->given[1][lane] = row[WS_LANES + lane];
    }
}

/* Which instruction it is, with its qualifiers. */
static inline uint64_t ws_members_instruction(const ws_warp *warp, const ws_step *step) {
    const ws_meant *meant = &warp->block->program->meant[ws_step_pc(warp->block, step)];
    return (uint64_t)meant->meaning << 48 | (uint64_t)step->type << 32 | step->how;
}

/* May the lanes execute now? If not, they wait. `met`: whom they have met, if they have waited. */
static inline bool ws_members_meet(ws_lanes *lanes, const ws_step *step, const uint32_t *members, uint32_t mask,
                                   ws_giving giving, uint32_t *met) {
    ws_warp *warp = ws_warp_of(lanes);
    ws_departure departure;
    *met = 0;
    if (mask == 0) return false;
    if (ws_warp_goes_on(warp, met)) return true;
    if (!ws_members_agree(lanes, step, members, mask)) return false;
    if (ws_members_are_here(warp, members, mask)) return true;
    ws_members_give(lanes, step, mask, giving);
    departure = ws_departure_make(warp, step, mask);
    while (departure.left != 0) {
        const uint32_t same = ws_lanes_like_first(members, departure.left);
        ws_group *group = ws_warp_add(warp, ws_step_pc(warp->block, step), same, &departure.frame);
        group->state = WS_GROUP_AT_MEMBERS;
        group->members = members[ws_first_lane(same)];
        group->instruction = ws_members_instruction(warp, step);
        departure.left &= ~same;
    }
    ws_warp_release(warp);
    lanes->event = WS_ASKS_WAIT;
    return false;
}

/* Source `at` has the member masks. */
static inline ws_sets ws_sets_make(ws_lanes *lanes, const ws_step *step, int at, uint32_t mask, ws_giving giving) {
    const ws_warp *warp = ws_warp_of(lanes);
    const uint32_t *row = giving >= WS_GIVES_ROW ? ws_row(lanes, step->s[WS_S_GIVEN]) : NULL;
    ws_sets sets;
    sets.members = ws_row(lanes, step->s[at]);
    sets.left = ws_members_meet(lanes, step, sets.members, mask, giving, &sets.met) ? mask : 0;
    sets.same = 0;
    sets.has_met = sets.met != 0;
    sets.given[0] = sets.has_met ? warp->given[0] : row;
    sets.given[1] = sets.has_met ? warp->given[1] : giving == WS_GIVES_PAIR ? row + WS_LANES : NULL;
    sets.holds = giving != WS_GIVES_PREDICATE ? 0
                 : sets.has_met               ? warp->holds
                                              : ws_predicate(lanes, step->s[WS_S_GIVEN]);
    return sets;
}

static inline bool ws_sets_next(ws_sets *sets) {
    if (sets->left == 0) return false;
    sets->same = ws_lanes_like_first(sets->members, sets->left);
    sets->left &= ~sets->same;
    if (!sets->has_met) sets->met = sets->same;
    return true;
}

#endif
