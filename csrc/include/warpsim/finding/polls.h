/* What warps poll that do not go on. */
#ifndef WARPSIM_FINDING_POLLS_H
#define WARPSIM_FINDING_POLLS_H

#include "../place/polls.h"
#include "../watch/poll.h"
#include "waits.h"

#if WS_BODIES

/* Does a jump of a loop around a load depend on its value? */
WS_ONCE bool ws_waits_decides(const ws_module *module, uint32_t load) {
    const ws_function *function = &module->functions[module->statements[load].function];
    const uint32_t end = function->first_statement + function->statement_count;
    uint32_t i, k;
    for (i = load; i < end && ws_effort_take(module->effort, 1); i++) {
        const uint32_t first = ws_trail_target(module, i);
        for (k = first; first <= load && k <= i; k++) {
            if (ws_trail_target(module, k) != WS_NO_INDEX && ws_polls_guards(module, load, k, first, i)) return true;
        }
    }
    return false;
}

/* What the warps of a cluster poll, after `told` others; how many are told now. */
WS_ONCE uint32_t ws_waits_add_polls(const ws_teller *teller, const ws_told_launch *launch, ws_text *text,
                                    const ws_waits *waits, const ws_poll *poll, uint32_t told) {
    uint32_t i;
    for (i = 0; poll != NULL && i < waits->count * poll->warps; i++) {
        const ws_polled *row = &poll->polled[i];
        if (row->lanes == 0 || (poll->found != WS_POLL_ONLY && !ws_waits_decides(teller->module, row->statement)))
            continue;
        if (told++ >= WS_WAITS_MOST) continue;
        ws_text_add(text, "\n  ");
        ws_waits_add_block(text, &waits->blocks[i / poll->warps]);
        ws_text_add(text, ", warp ");
        ws_text_add_uint(text, i % poll->warps);
        ws_text_add(text, ", ");
        ws_message_add_lanes(text, row->lanes);
        ws_text_add(text, ws_lane_count(row->lanes) == 1 ? " polls" : " poll");
        ws_text_add(text, " an address ");
        ws_where_add(text, &launch->names, row->space, row->address, 1);
        ws_text_add(text, ", ");
        ws_message_add_place(teller, text, row->statement);
    }
    return told;
}

/* After all clusters: how many more poll; and who has not started, beside so many that run if all of them wait for ever. */
static inline void ws_waits_end_polls(ws_text *text, uint32_t told, uint64_t residents, uint64_t unstarted) {
    if (told > WS_WAITS_MOST) {
        ws_text_add(text, "\n  and ");
        ws_text_add_grouped(text, told - WS_WAITS_MOST);
        ws_text_add(text, " more warps poll");
    }
    if (told == 0 || unstarted == 0) return;
    ws_text_add(text, "\n  ");
    ws_text_add_grouped(text, unstarted);
    ws_text_add(text, " clusters or blocks have not started");
    if (residents == 0) return;
    ws_text_add(text, ": ");
    ws_text_add_grouped(text, residents);
    ws_text_add(text, " run at once, as many as fit, and others start when some of them end");
}

#endif /* WS_BODIES */
#endif
