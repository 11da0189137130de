/* How much a search may look at: what is told beside the findings of a launch must not take longer than the launch. Counted,
 * not timed, so that the same launch always tells the same. */
#ifndef WARPSIM_BASE_EFFORT_H
#define WARPSIM_BASE_EFFORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ws_effort {
    uint64_t left; /* statements */
} ws_effort;

/* Looks at so many statements; false: that is more than is left, now and from now on. NULL: there is no bound. */
static inline bool ws_effort_take(ws_effort *effort, uint64_t statements) {
    if (effort == NULL) return true;
    if (effort->left < statements) effort->left = 0;
    else effort->left -= statements;
    return effort->left != 0;
}

static inline bool ws_effort_is_spent(const ws_effort *effort) { return effort != NULL && effort->left == 0; }

#endif
