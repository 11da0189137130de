/* Every rule that a finding can name, as data: undefined behaviour of instructions, then tiles, lint, and kernels.
 *
 * A rule is its row in one of the lists beside this file. Identifiers are never reused. This file knows nothing about how a
 * rule is checked. */
#ifndef WARPSIM_RULES_RULES_H
#define WARPSIM_RULES_RULES_H

#include "numbers.h"
#include "rule.h"

static inline const ws_rule *ws_rule_at(int index) {
    static const ws_rule rules[] = {
#define WS_RULE(id, kind, fault, severity, title, ptx, hardware, fix)                                                  \
    {"WS-" id, WS_##severity, WS_##kind, WS_FAULT_##fault, title, ptx, hardware, fix},
#include "undefined.inc"
#define WS_RULE(id, name, severity, title, fix) {"WS-" id, WS_##severity, 0, 0, title, NULL, NULL, fix},
#include "tiles.inc"
#define WS_RULE(id, name, severity, title, fix) {"WS-" id, WS_##severity, 0, 0, title, NULL, NULL, fix},
#include "lint.inc"
#define WS_RULE(id, name, severity, fault, title, ptx, hardware, fix)                                                  \
    {"WS-RUN-" id, WS_##severity, 0, WS_FAULT_##fault, title, ptx, hardware, fix},
#include "kernels.inc"
    };
    return &rules[index >= 0 && index < WS_RULE_COUNT ? index : 0];
}

static inline const char *ws_rule_section(int rule) {
    return rule >= WS_RULES_KERNEL ? "kernels"
           : rule >= WS_RULES_LINT ? "lint"
           : rule >= WS_RULES_TILE ? "tiles"
                                   : "undefined behaviour";
}

/* The name of a kernel's rule, "RACE". */
static inline const char *ws_kernel_rule_name(int rule) {
    static const char *const names[] = {
        "NONE",
#define WS_RULE(id, name, ...) #name,
#include "kernels.inc"
    };
    return names[rule > WS_RUN_NONE && rule < WS_RUN_END ? rule : WS_RUN_NONE];
}

/* The rule for a fault of an instruction; every pair that undefined/check.h reports has one. */
static inline int ws_rule_find(int kind, ws_fault fault) {
    int i;
    for (i = 0; i < WS_RULES_TILE; i++) {
        if (ws_rule_at(i)->kind == kind && ws_rule_at(i)->fault == (uint8_t)fault) return i;
    }
    return 0;
}

#endif
