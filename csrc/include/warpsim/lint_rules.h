/* The rules of lint, as data: identifier (never used twice), severity and title. */
#ifndef WARPSIM_LINT_RULES_H
#define WARPSIM_LINT_RULES_H

typedef enum ws_lint_rule_name {
    WS_LINT_SYNTAX = 0,
    WS_LINT_NOWHERE,
    WS_LINT_NOT_HERE,
    WS_LINT_ALIGNED,
    WS_LINT_NO_SUCH_TARGET,
    WS_LINT_NOT_JUDGED,
    WS_LINT_UNDECLARED,
    WS_LINT_REGISTER,
    WS_LINT_VECTOR,
    WS_LINT_CONSTANT,
    WS_LINT_ADDRESS,
    WS_LINT_SPACE,
    WS_LINT_OFFSET,
    WS_LINT_STRIDE,
    WS_LINT_STRIDE_UNDEFINED,
    WS_LINT_STRIDE_FRAGMENT,
    WS_LINT_GUARD,
    WS_LINT_RULE_COUNT
} ws_lint_rule_name;

typedef struct ws_lint_rule {
    const char *id;
    const char *severity; /* "error", "warning" or "note" */
    const char *title;
} ws_lint_rule;

static inline const ws_lint_rule *ws_lint_rule_at(int index) {
    static const ws_lint_rule rules[WS_LINT_RULE_COUNT] = {
        {"WS-LINT-001", "error", "malformed text, or a word that PTX does not have"},
        {"WS-LINT-002", "error", "known words in a combination that is legal nowhere"},
        {"WS-LINT-003", "error", "not legal at this target or PTX version"},
        {"WS-LINT-004", "error", "wmma has .aligned from PTX 6.3 on, and not before"},
        {"WS-LINT-005", "error", "the target does not exist at this PTX version"},
        {"WS-LINT-006", "note", "a target or PTX version not known here: legality is not judged"},
        {"WS-LINT-007", "error", "a name that nothing declares"},
        {"WS-LINT-008", "error", "a register of a type that the instruction does not take"},
        {"WS-LINT-009", "error", "registers that do not go together in one vector"},
        {"WS-LINT-010", "error", "a constant of a kind that the instruction does not take"},
        {"WS-LINT-011", "error", "a register that is no address"},
        {"WS-LINT-012", "error", "a symbol outside the state space of the instruction"},
        {"WS-LINT-013", "note", "an address offset that takes an aligned base out of alignment"},
        {"WS-LINT-014", "error", "a stride that is no 32-bit integer"},
        {"WS-LINT-015", "error", "a constant stride for which PTX leaves the behaviour undefined"},
        {"WS-LINT-016", "warning", "a constant stride that is no multiple of the fragment's size"},
        {"WS-LINT-017", "error", "a guard that is no predicate"},
    };
    return &rules[index >= 0 && index < WS_LINT_RULE_COUNT ? index : 0];
}

#endif
