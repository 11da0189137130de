/* The rules of lint, as data: identifier (never used twice), severity, title, and what to do. */
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
    WS_LINT_GENERIC,
    WS_LINT_RULE_COUNT
} ws_lint_rule_name;

typedef struct ws_lint_rule {
    const char *id;
    const char *severity; /* "error", "warning" or "note" */
    const char *title;
    const char *fix;
} ws_lint_rule;

static inline const ws_lint_rule *ws_lint_rule_at(int index) {
    /* clang-format off */
    static const ws_lint_rule rules[WS_LINT_RULE_COUNT] = {
        {"WS-LINT-001", "error", "malformed text, or a word that PTX does not have",
         "Correct the place that the caret marks."},
        {"WS-LINT-002", "error", "known words in a combination that is legal nowhere",
         "Take a combination of qualifiers that exists; the message names what does not fit."},
        {"WS-LINT-003", "error", "not legal at this target or PTX version",
         "Name a target and a PTX version that have the instruction, or take another one."},
        {"WS-LINT-004", "error", "wmma has .aligned from PTX 6.3 on, and not before",
         "Write .aligned where .version is 6.3 or later, and leave it out before."},
        {"WS-LINT-005", "error", "the target does not exist at this PTX version",
         "Raise .version, or name a target that exists at this one."},
        {"WS-LINT-006", "note", "a target or PTX version not known here: legality is not judged",
         "Judge for a target and a version that are known: --target, --ptx-version."},
        {"WS-LINT-007", "error", "a name that nothing declares",
         "Declare the name before it is used, in this block or one around it."},
        {"WS-LINT-008", "error", "a register of a type that the instruction does not take",
         "Use a register of the kind and size that the instruction moves."},
        {"WS-LINT-009", "error", "registers that do not go together in one vector",
         "Use registers of one type in a vector."},
        {"WS-LINT-010", "error", "a constant of a kind that the instruction does not take",
         "Use a register instead, or a constant of the right kind."},
        {"WS-LINT-011", "error", "a register that is no address",
         "Use a 32- or 64-bit integer register as the address."},
        {"WS-LINT-012", "error", "a symbol outside the state space of the instruction",
         "Name the state space that the symbol was declared in."},
        {"WS-LINT-013", "note", "an address offset that takes an aligned base out of alignment",
         "Make the offset a multiple of the access, unless the base makes up for it."},
        {"WS-LINT-014", "error", "a stride that is no 32-bit integer",
         "Give the stride as a 32-bit integer register or constant."},
        {"WS-LINT-015", "error", "a constant stride for which PTX leaves the behaviour undefined",
         "Make the stride at least the length of a row, and a multiple of 16 bytes."},
        {"WS-LINT-016", "warning", "a constant stride that is no multiple of the fragment's size",
         "Pad rows by the fragment's size; nothing, if NVIDIA's other documents are enough for you."},
        {"WS-LINT-017", "error", "a guard that is no predicate",
         "Guard with a register that was declared .pred."},
        {"WS-LINT-018", "warning", "a generic address in 32 bits, which hold an address of .shared but no generic one",
         "Write .shared for an address that came from cvta.to.shared; pass a generic address in 64 bits."},
    };
    /* clang-format on */
    return &rules[index >= 0 && index < WS_LINT_RULE_COUNT ? index : 0];
}

#endif
