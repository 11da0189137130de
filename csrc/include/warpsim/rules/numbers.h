/* The numbers of rules: their places in the lists. The rules of kernels count from 1, as their identifiers do; all others are
 * rows of the whole table (rules.h). */
#ifndef WARPSIM_RULES_NUMBERS_H
#define WARPSIM_RULES_NUMBERS_H

/* Undefined behaviour comes first; ws_rule_find tells which. */
enum {
#define WS_RULE(id, kind, fault, ...) WS_UNDEFINED_##kind##_##fault,
#include "undefined.inc"
    WS_RULES_TILE
};

typedef enum ws_tile_rule {
    WS_TILE_NONE = WS_RULES_TILE - 1,
#define WS_RULE(id, name, ...) WS_TILE_##name,
#include "tiles.inc"
    WS_RULES_LINT
} ws_tile_rule;

typedef enum ws_lint_rule {
    WS_LINT_NONE = WS_RULES_LINT - 1,
#define WS_RULE(id, name, ...) WS_LINT_##name,
#include "lint.inc"
    WS_RULES_KERNEL
} ws_lint_rule;

typedef enum ws_kernel_rule {
    WS_RUN_NONE,
#define WS_RULE(id, name, ...) WS_RUN_##name,
#include "kernels.inc"
    WS_RUN_END
} ws_kernel_rule;

enum { WS_RULE_COUNT = (int)WS_RULES_KERNEL + (int)WS_RUN_END - 1 };

#endif
