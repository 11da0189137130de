/* Waits that are of one thread alone: who waits for a bulk copy does not wait for others, nor they for it; and who arrives at a
 * barrier does not wait. */
#ifndef WARPSIM_PLACE_ALONE_H
#define WARPSIM_PLACE_ALONE_H

#include "paths.h"

#define WS_ALONE_BARRIERS                                                                                              \
    (WS_EVENT_BIT(WS_EVENT_BARRIER) | WS_EVENT_BIT(WS_EVENT_CLUSTER_WAIT) | WS_EVENT_BIT(WS_EVENT_OBJECT_TEST) |       \
     WS_EVENT_BIT(WS_EVENT_OBJECT_TEST_PARITY))

/* The wait for a bulk copy that comes before an access of other threads, with no barrier between: the last one before it in the text,
 * else any; WS_NO_INDEX: none, or the copy may come after the access. `once`: it may not at all, barrier or none. */
static inline uint32_t ws_alone_copied(const ws_paths *paths, uint32_t copy, uint32_t access, bool once) {
    const ws_kernel *program = paths->program;
    uint32_t found = WS_NO_INDEX, i;
    if (ws_kernel_meant(program, copy)->event != WS_EVENT_BULK ||
        ws_paths_lead_past(paths, access, copy, once ? 0 : WS_ALONE_BARRIERS))
        return WS_NO_INDEX;
    (void)ws_paths_lead(paths, copy, UINT32_MAX);
    ws_paths_lead_to(paths, access, WS_ALONE_BARRIERS);
    for (i = 0; i < program->num_steps; i++) {
        const uint32_t wait = program->steps[i].statement;
        if (program->meant[i].event == WS_EVENT_BULK_WAIT && (found == WS_NO_INDEX || wait < access) &&
            ws_paths_is_marked(paths, i) && ws_paths_leads(paths, i))
            found = wait;
    }
    return found;
}

/* Threads of the one access wait next at a barrier at which those of the other arrive before it, and do not wait. */
static inline uint32_t ws_alone_arrives(const ws_paths *paths, uint32_t stands, uint32_t one, uint32_t other) {
    const ws_kernel *program = paths->program;
    uint32_t at = 0, i;
    if (!ws_paths_lead_past(paths, one, stands, WS_ALONE_BARRIERS)) return WS_NO_INDEX;
    while (program->steps[at].statement != stands || program->meant[at].event == WS_EVENT_NONE) at++;
    for (i = 0; i < program->num_steps && program->meant[at].event == WS_EVENT_BARRIER; i++) {
        if (program->meant[i].event == WS_EVENT_BARRIER_ARRIVE &&
            program->steps[i].s[WS_S_BARRIER] == program->steps[at].s[WS_S_BARRIER] &&
            ws_paths_lead_past(paths, program->steps[i].statement, other, WS_ALONE_BARRIERS))
            return program->steps[i].statement;
    }
    return WS_NO_INDEX;
}

#endif
