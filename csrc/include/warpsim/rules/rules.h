/* Every rule that a finding can name, as data: undefined behaviour, then tiles, lint, and kernels (kernels.h).
 *
 * A rule is its row in the table. Identifiers are never reused. Sources: the descriptions of the PTX ISA; for hardware,
 * measurements on one H200. This file knows nothing about how a rule is checked. */
#ifndef WARPSIM_RULES_RULES_H
#define WARPSIM_RULES_RULES_H

#include "kernels.h"

/* Sentences that several rules share: what PTX says, what an H200 was measured to do, what to do. */
/* clang-format off */
#define WS_SAYS_ALIGNED "Every row address must be a multiple of the row's size in bytes."
#define WS_SAYS_BOUNDS "The access must lie inside the memory of the address space."
#define WS_SAYS_SHARED "A generic address must point into shared memory."
#define WS_SAYS_ACTIVE \
    "With .aligned, all threads of the warp must execute the same instruction: in conditional code, all threads " \
    "must evaluate the condition identically."
#define WS_SAYS_EXITED "The behaviour is undefined if any thread of the warp has exited."
#define WS_SAYS_SAME "The behaviour is undefined if the threads do not all use the same qualifiers."
#define WS_SAYS_PLAIN \
    "The address must be a multiple of the access size: the bytes of one element times the vector length."
#define WS_SAYS_COPY "Both addresses of cp.async must be multiples of the copy size."
#define WS_SAYS_P "p must be a multiple of the bytes of a lane's fragment."
#define WS_SAYS_STRIDE \
    "Every row must start at a multiple of the bytes of a lane's fragment, so the stride must be one as well."
#define WS_SAYS_DEFAULT "A stride below the default, the length of a row, is undefined."
#define WS_SAYS_ALIKE "The behaviour is undefined if the threads do not all use the same values of p and stride."
#define WS_SAYS_SPACES "Only global and shared memory may be used, and generic addresses that point there."

#define WS_DOES_TRAP "CUDA_ERROR_MISALIGNED_ADDRESS"
#define WS_DOES_BOUNDS \
    "CUDA_ERROR_ILLEGAL_ADDRESS beyond absolute address 1024 + the dynamic size rounded up to 128 bytes, " \
    "CUDA_ERROR_ILLEGAL_INSTRUCTION at 2^24 and above; the bytes in between can be used"
#define WS_DOES_NOTHING "nothing happens: no register changes, and no error is reported"
#define WS_DOES_LOWERED \
    "CUDA_ERROR_MISALIGNED_ADDRESS exactly if one of the accesses that it is lowered to is not aligned to its own width"
#define WS_DOES_OWN "every lane forms its own addresses from its own p and stride"
#define WS_DOES_NOT_KNOW "not measured"

#define WS_FIX_ALIGN \
    "Make base, pitch and column offset multiples of the row's size in bytes; pad rows by whole 16-byte pieces."
#define WS_FIX_BOUNDS "Check the tile's offset, the pitch and the lane formula against the size of the allocation."
#define WS_FIX_SHARED "Pass a shared address and write .shared, or pass the generic address of shared memory."
#define WS_FIX_ACTIVE "Move the instruction out of the divergent branch, or make the whole warp take it."
#define WS_FIX_EXITED "Keep all 32 threads running until after the instruction."
#define WS_FIX_SAME "Make the whole warp execute the same instruction."
#define WS_FIX_PLAIN "Align the address to the whole access, not to its element."
#define WS_FIX_POINTER "Check the pointer: it is neither in the shared window nor in global memory."
#define WS_FIX_STRIDE "Pad rows by whole 16-byte pieces."
/* clang-format on */

static inline const ws_rule *ws_rule_at(int index) {
    /* clang-format off */
#define WS_UB(id, kind, fault, severity, title, ptx, hardware, fix) \
        {"WS-" id, WS_##severity, WS_##kind, WS_FAULT_##fault, title, ptx, hardware, fix}
#define WS_UB_WARP(name, a, b, c, kind, does_inactive, does_exited, does_divergent) \
        WS_UB(name a, kind, INACTIVE, ERROR, "lane does not execute the instruction", WS_SAYS_ACTIVE, does_inactive, WS_FIX_ACTIVE), \
        WS_UB(name b, kind, EXITED, ERROR, "lane has exited", WS_SAYS_EXITED, does_exited, WS_FIX_EXITED), \
        WS_UB(name c, kind, DIVERGENT, ERROR, "lanes differ in their qualifiers", WS_SAYS_SAME, does_divergent, WS_FIX_SAME)
#define WS_UB_ROWS(name, kind, does_non_shared) \
        WS_UB(name "001", kind, MISALIGNED, ERROR, "misaligned row address", WS_SAYS_ALIGNED, WS_DOES_TRAP, WS_FIX_ALIGN), \
        WS_UB(name "002", kind, OUT_OF_BOUNDS, ERROR, "row outside shared memory", WS_SAYS_BOUNDS, WS_DOES_BOUNDS, WS_FIX_BOUNDS), \
        WS_UB(name "003", kind, NON_SHARED, ERROR, "generic address outside shared memory", WS_SAYS_SHARED, does_non_shared, WS_FIX_SHARED)
#define WS_UB_PLAIN(name, kind) \
        WS_UB(name "001", kind, MISALIGNED, ERROR, "misaligned address", WS_SAYS_PLAIN, WS_DOES_TRAP, WS_FIX_PLAIN), \
        WS_UB(name "002", kind, OUT_OF_BOUNDS, ERROR, "access outside the memory", WS_SAYS_BOUNDS, WS_DOES_BOUNDS, WS_FIX_BOUNDS), \
        WS_UB(name "003", kind, NOWHERE, ERROR, "generic address outside every window", WS_SAYS_BOUNDS, WS_DOES_NOT_KNOW, WS_FIX_POINTER)
#define WS_UB_WMMA(name, kind) \
        WS_UB(name "001", kind, MISALIGNED, ERROR, "misaligned p", WS_SAYS_P, WS_DOES_LOWERED, \
              "Start every tile at a multiple of the fragment's bytes (at most 32)."), \
        WS_UB(name "002", kind, STRIDE_ALIGNMENT, ERROR, "misaligned stride", WS_SAYS_STRIDE, WS_DOES_LOWERED, WS_FIX_STRIDE), \
        WS_UB(name "003", kind, STRIDE_BELOW_DEFAULT, ERROR, "stride below the default", WS_SAYS_DEFAULT, \
              "the plain address formula: rows overlap, and no error is reported", \
              "Pass the pitch of the matrix in elements; leave it out if the matrix is dense."), \
        WS_UB(name "004", kind, STRIDE_FRAGMENT, WARNING, "stride is not a multiple of the fragment", WS_SAYS_STRIDE, \
              "works as the plain address formula says", \
              "Pad rows by the fragment's size, or ignore this if NVIDIA's other documents are enough for you."), \
        WS_UB(name "005", kind, OUT_OF_BOUNDS, ERROR, "row outside the memory", WS_SAYS_BOUNDS, WS_DOES_BOUNDS, WS_FIX_BOUNDS), \
        WS_UB(name "006", kind, NOWHERE, ERROR, "generic address outside every window", WS_SAYS_SPACES, \
              "CUDA_ERROR_ILLEGAL_ADDRESS or CUDA_ERROR_INVALID_ADDRESS_SPACE", WS_FIX_POINTER), \
        WS_UB(name "007", kind, DIVERGENT_ADDRESS, ERROR, "lanes differ in p", WS_SAYS_ALIKE, WS_DOES_OWN, \
              "Pass the same pointer in all lanes."), \
        WS_UB(name "008", kind, DIVERGENT_STRIDE, ERROR, "lanes differ in the stride", WS_SAYS_ALIKE, WS_DOES_OWN, \
              "Pass the same stride in all lanes."), \
        WS_UB_WARP(name, "009", "010", "011", kind, WS_DOES_NOT_KNOW, WS_DOES_NOT_KNOW, WS_DOES_NOT_KNOW)
#define WS_CHECK(id, severity, title, fix) {"WS-" id, WS_##severity, 0, 0, title, NULL, NULL, fix}
    static const ws_rule rules[WS_RULES_KERNEL] = {
        WS_UB_ROWS("LDM-", LDMATRIX, "the upper 32 bits are dropped, the low 32 bits are used as an absolute shared address"),
        WS_UB_WARP("LDM-", "004", "005", "006", LDMATRIX, WS_DOES_NOTHING, WS_DOES_NOTHING, "the warp hangs (.x4 against .x4.trans)"),
        WS_UB("LDM-007", LDMATRIX, UNUSED_LANE, ERROR, "invalid address in a lane that supplies no row",
              "On sm_75 and below all threads must hold valid addresses, even those of .x1 and .x2 that supply no row.",
              "ignored on sm_80 and later; sm_75 is reported to trap", "Copy the addresses of the lower lanes to the higher ones."),
        WS_UB_ROWS("STM-", STMATRIX, WS_DOES_NOT_KNOW),
        WS_UB_WARP("STM-", "004", "005", "006", STMATRIX, "the warp hangs", "nothing is stored, and no error is reported", WS_DOES_NOT_KNOW),
        WS_UB_WARP("MOV-", "001", "002", "003", MOVMATRIX, WS_DOES_NOT_KNOW, WS_DOES_NOT_KNOW, WS_DOES_NOT_KNOW),
        WS_UB_PLAIN("LD-", LD),
        WS_UB_PLAIN("ST-", ST),
        WS_UB("CPA-001", CP_ASYNC, MISALIGNED, ERROR, "misaligned destination", WS_SAYS_COPY, WS_DOES_NOT_KNOW,
              "Align the shared address to the copy size."),
        WS_UB("CPA-002", CP_ASYNC, OUT_OF_BOUNDS, ERROR, "destination outside shared memory", WS_SAYS_BOUNDS, WS_DOES_NOT_KNOW,
              WS_FIX_BOUNDS),
        WS_UB("CPA-003", CP_ASYNC, SOURCE_MISALIGNED, ERROR, "misaligned source", WS_SAYS_COPY, WS_DOES_NOT_KNOW,
              "Align the global address to the copy size, or copy fewer bytes at a time."),
        WS_UB("CPA-004", CP_ASYNC, SOURCE_OUT_OF_BOUNDS, ERROR, "source outside global memory", WS_SAYS_BOUNDS, WS_DOES_NOT_KNOW,
              WS_FIX_BOUNDS),
        WS_UB("CPA-005", CP_ASYNC, EQUAL_DESTINATIONS, WARNING, "two lanes copy to the same address",
              "The order of the copies is not specified.", "the data of one lane remains; no simple rule says which",
              "Give every lane its own destination."),
        WS_UB_WMMA("WML-", WMMA_LOAD),
        WS_UB_WMMA("WMS-", WMMA_STORE),

        WS_CHECK("TILE-001", ERROR, "an instruction that the target does not have",
                 "Use an instruction that the target has, or another target."),
        WS_CHECK("TILE-002", ERROR, "a pitch that misaligns rows", "Pad to a pitch that the finding names."),
        WS_CHECK("TILE-003", ERROR, "a swizzle that splits or misaligns accesses",
                 "Use at least the M that the finding names."),
        WS_CHECK("TILE-004", ERROR, "more shared memory than a block can have",
                 "Make the tile smaller, or choose a target whose blocks have more shared memory."),

        WS_CHECK("LINT-001", ERROR, "malformed text, or an unknown word", "Correct the text above the caret."),
        WS_CHECK("LINT-002", ERROR, "known words in a combination that is never legal",
                 "Use a combination of qualifiers that exists; the message names what does not fit."),
        WS_CHECK("LINT-003", ERROR, "not legal for this target or PTX version",
                 "Choose a target and a PTX version that have the instruction, or use another one."),
        WS_CHECK("LINT-004", ERROR, ".aligned on wmma before PTX 6.3, or missing in 6.3 and later",
                 "Write .aligned if .version is 6.3 or later; leave it out before."),
        WS_CHECK("LINT-005", ERROR, "the target does not exist in this PTX version",
                 "Raise .version, or choose a target that exists in this one."),
        WS_CHECK("LINT-006", NOTE, "an unknown target or PTX version: legality is not checked",
                 "Check for a known target and version: --target, --ptx-version."),
        WS_CHECK("LINT-007", ERROR, "an undeclared name", "Declare the name before it is used, in this block or one around it."),
        WS_CHECK("LINT-008", ERROR, "a register of a type that the instruction does not take",
                 "Use a register of the kind and size that the instruction moves."),
        WS_CHECK("LINT-009", ERROR, "registers that cannot share one vector", "Use registers of one type in a vector."),
        WS_CHECK("LINT-010", ERROR, "a constant of a kind that the instruction does not take",
                 "Use a register instead, or a constant of the right kind."),
        WS_CHECK("LINT-011", ERROR, "a register that cannot hold an address",
                 "Use a 32- or 64-bit integer register as the address."),
        WS_CHECK("LINT-012", ERROR, "a symbol outside the state space of the instruction",
                 "Use the state space that the symbol was declared in."),
        WS_CHECK("LINT-013", NOTE, "an address offset that misaligns an aligned base",
                 "Make the offset a multiple of the access size, unless the base makes up for it."),
        WS_CHECK("LINT-014", ERROR, "a stride that is not a 32-bit integer",
                 "Give the stride as a 32-bit integer register or constant."),
        WS_CHECK("LINT-015", ERROR, "a constant stride for which PTX leaves the behaviour undefined",
                 "Make the stride at least the length of a row, and a multiple of 16 bytes."),
        WS_CHECK("LINT-016", WARNING, "a constant stride that is not a multiple of the fragment's size",
                 "Pad rows by the fragment's size, or ignore this if NVIDIA's other documents are enough for you."),
        WS_CHECK("LINT-017", ERROR, "a guard that is not a predicate", "Guard with a register that was declared .pred."),
        WS_CHECK("LINT-018", WARNING, "a generic address in 32 bits, which can hold an address of .shared but not a generic one",
                 "Write .shared for an address that came from cvta.to.shared; pass a generic address in 64 bits."),
    };
#undef WS_UB
#undef WS_UB_WARP
#undef WS_UB_ROWS
#undef WS_UB_PLAIN
#undef WS_UB_WMMA
#undef WS_CHECK
    /* clang-format on */
    if (index >= WS_RULES_KERNEL && index < WS_RULE_COUNT) return ws_kernel_rule_at(index - WS_RULES_KERNEL);
    return &rules[index >= 0 && index < WS_RULES_KERNEL ? index : 0];
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
