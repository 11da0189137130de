/* The rules of undefined behaviour, as data.
 *
 * One row per rule: identifier (never used twice), instruction, condition, severity, and the sentences that help,
 * documentation and messages print. Sources: the descriptions of the PTX ISA; for hardware, measurements on one H200. */
#ifndef WARPSIM_UNDEFINED_RULES_H
#define WARPSIM_UNDEFINED_RULES_H

#include "../isa/form.h"

typedef enum ws_fault {
    WS_FAULT_MISALIGNED = 0,
    WS_FAULT_OUT_OF_BOUNDS,
    WS_FAULT_NON_SHARED,
    WS_FAULT_NOWHERE,
    WS_FAULT_SOURCE_MISALIGNED,
    WS_FAULT_SOURCE_OUT_OF_BOUNDS,
    WS_FAULT_EQUAL_DESTINATIONS,
    WS_FAULT_INACTIVE,
    WS_FAULT_EXITED,
    WS_FAULT_DIVERGENT,
    WS_FAULT_UNUSED_LANE,
    WS_FAULT_STRIDE_ALIGNMENT,
    WS_FAULT_STRIDE_BELOW_DEFAULT,
    WS_FAULT_STRIDE_FRAGMENT,
    WS_FAULT_DIVERGENT_ADDRESS,
    WS_FAULT_DIVERGENT_STRIDE
} ws_fault;

/* Faults that are about a stride and not about an address. */
static inline bool ws_fault_is_stride(ws_fault fault) {
    return fault >= WS_FAULT_STRIDE_ALIGNMENT && fault <= WS_FAULT_STRIDE_FRAGMENT;
}

typedef struct ws_rule {
    const char *id;    /* "WS-LDM-001" */
    uint8_t kind;      /* ws_kind */
    uint8_t fault;     /* ws_fault */
    bool warning;      /* false: undefined by PTX */
    const char *error; /* name of the exception class */
    const char *title;
    const char *ptx;      /* what PTX says, in our words */
    const char *hardware; /* what an H200 (sm_90) was measured to do */
    const char *fix;
} ws_rule;

enum { WS_RULE_COUNT = 49 };

#define WS_SAYS_ALIGNED "Every row address must be a multiple of the bytes that the row has."
#define WS_SAYS_BOUNDS "The access must lie inside the memory that the address space has."
#define WS_SAYS_ACTIVE                                                                                                 \
    "With .aligned all threads of the warp must execute the same instruction: in conditional code all threads "        \
    "must evaluate the condition alike."
#define WS_SAYS_EXITED "The behaviour is undefined if any thread of the warp has exited."
#define WS_SAYS_SAME "The behaviour is undefined if the threads do not all use the same qualifiers."
#define WS_SAYS_PLAIN                                                                                                  \
    "The address must be a multiple of the access size: the bytes of one element times the vector length."
#define WS_SAYS_COPY "Both addresses of cp.async must be multiples of the copy size."
#define WS_DOES_TRAP "CUDA_ERROR_MISALIGNED_ADDRESS"
#define WS_DOES_BOUNDS                                                                                                 \
    "CUDA_ERROR_ILLEGAL_ADDRESS beyond absolute 1024 + dynamic size rounded up to 128 bytes, "                         \
    "CUDA_ERROR_ILLEGAL_INSTRUCTION from absolute 2^24 on; the bytes in between can be used"
#define WS_DOES_NOT_KNOW "not measured"
#define WS_FIX_ALIGN                                                                                                   \
    "Make base, pitch and column offset multiples of the row's bytes; pad rows by whole 16-byte pieces."
#define WS_FIX_BOUNDS "Check the tile's offset, the pitch and the lane formula against the size of the allocation."
#define WS_FIX_ACTIVE "Move the instruction out of the divergent branch, or make the whole warp take it."

#define WS_SAYS_P "p must be a multiple of the bytes of a lane's fragment."
#define WS_SAYS_STRIDE                                                                                                 \
    "The start of every row must be a multiple of the bytes of a lane's fragment, so the stride must be, too."
#define WS_SAYS_DEFAULT "A stride below the default, the length of a row, is undefined."
#define WS_SAYS_ALIKE "The behaviour is undefined if the threads do not all use the same values of p and stride."
#define WS_SAYS_SPACES "Only the global and shared spaces may be used, and generic addresses that point there."
#define WS_DOES_LOWERED                                                                                                \
    "CUDA_ERROR_MISALIGNED_ADDRESS exactly if one of the accesses that the assembler makes of it is not aligned to "   \
    "its own width"
#define WS_DOES_OWN "every lane forms its own addresses from its own p and stride"
#define WS_FIX_STRIDE "Pad rows by whole 16-byte pieces."
/* wmma.load and wmma.store have the same rules under their own names. */
#define WS_WMMA_RULES(NAME, KIND)                                                                                      \
    {NAME "001",                                                                                                       \
     KIND,                                                                                                             \
     WS_FAULT_MISALIGNED,                                                                                              \
     false,                                                                                                            \
     "MisalignedAddressError",                                                                                         \
     "misaligned p",                                                                                                   \
     WS_SAYS_P,                                                                                                        \
     WS_DOES_LOWERED,                                                                                                  \
     "Let every tile begin at a multiple of the fragment's bytes (at most 32)."},                                      \
        {NAME "002",          KIND,           WS_FAULT_STRIDE_ALIGNMENT, false,        "StrideError",                  \
         "misaligned stride", WS_SAYS_STRIDE, WS_DOES_LOWERED,           WS_FIX_STRIDE},                               \
        {NAME "003",                                                                                                   \
         KIND,                                                                                                         \
         WS_FAULT_STRIDE_BELOW_DEFAULT,                                                                                \
         false,                                                                                                        \
         "StrideError",                                                                                                \
         "stride below the default",                                                                                   \
         WS_SAYS_DEFAULT,                                                                                              \
         "the plain address formula: rows overlap, and no error tells",                                                \
         "Give the pitch of the matrix in elements; leave it out if the matrix is dense."},                            \
        {NAME "004",                                                                                                   \
         KIND,                                                                                                         \
         WS_FAULT_STRIDE_FRAGMENT,                                                                                     \
         true,                                                                                                         \
         "StrideError",                                                                                                \
         "stride is no multiple of the fragment",                                                                      \
         WS_SAYS_STRIDE,                                                                                               \
         "works as the plain address formula says",                                                                    \
         "Nothing, if NVIDIA's other documents are enough for you; else pad by the fragment."},                        \
        {NAME "005",     KIND,           WS_FAULT_OUT_OF_BOUNDS, false, "OutOfBoundsError", "row outside the memory",  \
         WS_SAYS_BOUNDS, WS_DOES_BOUNDS, WS_FIX_BOUNDS},                                                               \
        {NAME "006",                                                                                                   \
         KIND,                                                                                                         \
         WS_FAULT_NOWHERE,                                                                                             \
         false,                                                                                                        \
         "OutOfBoundsError",                                                                                           \
         "generic address in no window",                                                                               \
         WS_SAYS_SPACES,                                                                                               \
         "CUDA_ERROR_ILLEGAL_ADDRESS or CUDA_ERROR_INVALID_ADDRESS_SPACE",                                             \
         "Check the pointer: it is neither in the shared window nor in global memory."},                               \
        {NAME "007",                                                                                                   \
         KIND,                                                                                                         \
         WS_FAULT_DIVERGENT_ADDRESS,                                                                                   \
         false,                                                                                                        \
         "DivergentOperandsError",                                                                                     \
         "lanes differ in p",                                                                                          \
         WS_SAYS_ALIKE,                                                                                                \
         WS_DOES_OWN,                                                                                                  \
         "Pass the same pointer in all lanes."},                                                                       \
        {NAME "008",                                                                                                   \
         KIND,                                                                                                         \
         WS_FAULT_DIVERGENT_STRIDE,                                                                                    \
         false,                                                                                                        \
         "DivergentOperandsError",                                                                                     \
         "lanes differ in the stride",                                                                                 \
         WS_SAYS_ALIKE,                                                                                                \
         WS_DOES_OWN,                                                                                                  \
         "Pass the same stride in all lanes."},                                                                        \
        {NAME "009",          KIND,                                                                                    \
         WS_FAULT_INACTIVE,   false,                                                                                   \
         "InactiveLaneError", "lane does not execute the instruction",                                                 \
         WS_SAYS_ACTIVE,      WS_DOES_NOT_KNOW,                                                                        \
         WS_FIX_ACTIVE},                                                                                               \
        {NAME "010",                                                                                                   \
         KIND,                                                                                                         \
         WS_FAULT_EXITED,                                                                                              \
         false,                                                                                                        \
         "ExitedThreadError",                                                                                          \
         "lane has exited",                                                                                            \
         WS_SAYS_EXITED,                                                                                               \
         WS_DOES_NOT_KNOW,                                                                                             \
         "Keep all 32 threads until after the instruction."},                                                          \
    {                                                                                                                  \
        NAME "011", KIND, WS_FAULT_DIVERGENT, false, "DivergentQualifiersError", "lanes differ in their qualifiers",   \
            WS_SAYS_SAME, WS_DOES_NOT_KNOW, "Let the whole warp execute one instruction."                              \
    }

static inline const ws_rule *ws_rule_at(int index) {
    /* clang-format off */
    static const ws_rule rules[WS_RULE_COUNT] = {
        {"WS-LDM-001", WS_LDMATRIX, WS_FAULT_MISALIGNED, false, "MisalignedAddressError", "misaligned row address",
         WS_SAYS_ALIGNED, WS_DOES_TRAP, WS_FIX_ALIGN},
        {"WS-LDM-002", WS_LDMATRIX, WS_FAULT_OUT_OF_BOUNDS, false, "OutOfBoundsError", "row outside shared memory",
         WS_SAYS_BOUNDS, WS_DOES_BOUNDS, WS_FIX_BOUNDS},
        {"WS-LDM-003", WS_LDMATRIX, WS_FAULT_NON_SHARED, false, "NonSharedAddressError",
         "generic address outside shared memory", "A generic address must fall into .shared.",
         "the upper 32 bits are dropped, the low 32 bits are used as an absolute shared address",
         "Pass a shared address and write .shared, or the generic address of shared memory."},
        {"WS-LDM-004", WS_LDMATRIX, WS_FAULT_INACTIVE, false, "InactiveLaneError", "lane does not execute the instruction",
         WS_SAYS_ACTIVE, "nothing happens: no register changes, and no error tells", WS_FIX_ACTIVE},
        {"WS-LDM-005", WS_LDMATRIX, WS_FAULT_EXITED, false, "ExitedThreadError", "lane has exited", WS_SAYS_EXITED,
         "nothing happens: no register changes, and no error tells", "Keep all 32 threads until after the instruction."},
        {"WS-LDM-006", WS_LDMATRIX, WS_FAULT_DIVERGENT, false, "DivergentQualifiersError", "lanes differ in their qualifiers",
         WS_SAYS_SAME, "the warp hangs (.x4 against .x4.trans)", "Let the whole warp execute one instruction."},
        {"WS-LDM-007", WS_LDMATRIX, WS_FAULT_UNUSED_LANE, false, "InvalidLaneAddressError",
         "invalid address in a lane that supplies no row",
         "For sm_75 and below all threads must hold valid addresses, also those of .x1 and .x2 that supply no row.",
         "ignored on sm_80 and later; sm_75 is reported to trap", "Copy the addresses of the lower lanes to the higher ones."},
        {"WS-STM-001", WS_STMATRIX, WS_FAULT_MISALIGNED, false, "MisalignedAddressError", "misaligned row address",
         WS_SAYS_ALIGNED, WS_DOES_TRAP, WS_FIX_ALIGN},
        {"WS-STM-002", WS_STMATRIX, WS_FAULT_OUT_OF_BOUNDS, false, "OutOfBoundsError", "row outside shared memory",
         WS_SAYS_BOUNDS, WS_DOES_BOUNDS, WS_FIX_BOUNDS},
        {"WS-STM-003", WS_STMATRIX, WS_FAULT_NON_SHARED, false, "NonSharedAddressError",
         "generic address outside shared memory", "A generic address must fall into .shared.", WS_DOES_NOT_KNOW,
         "Pass a shared address and write .shared, or the generic address of shared memory."},
        {"WS-STM-004", WS_STMATRIX, WS_FAULT_INACTIVE, false, "InactiveLaneError", "lane does not execute the instruction",
         WS_SAYS_ACTIVE, "the warp hangs", WS_FIX_ACTIVE},
        {"WS-STM-005", WS_STMATRIX, WS_FAULT_EXITED, false, "ExitedThreadError", "lane has exited", WS_SAYS_EXITED,
         "nothing is stored, and no error tells", "Keep all 32 threads until after the instruction."},
        {"WS-STM-006", WS_STMATRIX, WS_FAULT_DIVERGENT, false, "DivergentQualifiersError", "lanes differ in their qualifiers",
         WS_SAYS_SAME, WS_DOES_NOT_KNOW, "Let the whole warp execute one instruction."},
        {"WS-MOV-001", WS_MOVMATRIX, WS_FAULT_INACTIVE, false, "InactiveLaneError", "lane does not execute the instruction",
         WS_SAYS_ACTIVE, WS_DOES_NOT_KNOW, WS_FIX_ACTIVE},
        {"WS-MOV-002", WS_MOVMATRIX, WS_FAULT_EXITED, false, "ExitedThreadError", "lane has exited", WS_SAYS_EXITED,
         WS_DOES_NOT_KNOW, "Keep all 32 threads until after the instruction."},
        {"WS-MOV-003", WS_MOVMATRIX, WS_FAULT_DIVERGENT, false, "DivergentQualifiersError", "lanes differ in their qualifiers",
         WS_SAYS_SAME, WS_DOES_NOT_KNOW, "Let the whole warp execute one instruction."},
        {"WS-LD-001", WS_LD, WS_FAULT_MISALIGNED, false, "MisalignedAddressError", "misaligned address", WS_SAYS_PLAIN,
         WS_DOES_TRAP, "Align the address to the whole access, not to its element."},
        {"WS-LD-002", WS_LD, WS_FAULT_OUT_OF_BOUNDS, false, "OutOfBoundsError", "access outside the memory", WS_SAYS_BOUNDS,
         WS_DOES_BOUNDS, WS_FIX_BOUNDS},
        {"WS-LD-003", WS_LD, WS_FAULT_NOWHERE, false, "OutOfBoundsError", "generic address in no window", WS_SAYS_BOUNDS,
         WS_DOES_NOT_KNOW, "Check the pointer: it is neither in the shared window nor in global memory."},
        {"WS-ST-001", WS_ST, WS_FAULT_MISALIGNED, false, "MisalignedAddressError", "misaligned address", WS_SAYS_PLAIN,
         WS_DOES_TRAP, "Align the address to the whole access, not to its element."},
        {"WS-ST-002", WS_ST, WS_FAULT_OUT_OF_BOUNDS, false, "OutOfBoundsError", "access outside the memory", WS_SAYS_BOUNDS,
         WS_DOES_BOUNDS, WS_FIX_BOUNDS},
        {"WS-ST-003", WS_ST, WS_FAULT_NOWHERE, false, "OutOfBoundsError", "generic address in no window", WS_SAYS_BOUNDS,
         WS_DOES_NOT_KNOW, "Check the pointer: it is neither in the shared window nor in global memory."},
        {"WS-CPA-001", WS_CP_ASYNC, WS_FAULT_MISALIGNED, false, "MisalignedAddressError", "misaligned destination", WS_SAYS_COPY,
         WS_DOES_NOT_KNOW, "Align the shared address to the copy size."},
        {"WS-CPA-002", WS_CP_ASYNC, WS_FAULT_OUT_OF_BOUNDS, false, "OutOfBoundsError", "destination outside shared memory",
         WS_SAYS_BOUNDS, WS_DOES_NOT_KNOW, WS_FIX_BOUNDS},
        {"WS-CPA-003", WS_CP_ASYNC, WS_FAULT_SOURCE_MISALIGNED, false, "MisalignedAddressError", "misaligned source",
         WS_SAYS_COPY, WS_DOES_NOT_KNOW, "Align the global address to the copy size, or copy fewer bytes at a time."},
        {"WS-CPA-004", WS_CP_ASYNC, WS_FAULT_SOURCE_OUT_OF_BOUNDS, false, "OutOfBoundsError", "source outside global memory",
         WS_SAYS_BOUNDS, WS_DOES_NOT_KNOW, WS_FIX_BOUNDS},
        {"WS-CPA-005", WS_CP_ASYNC, WS_FAULT_EQUAL_DESTINATIONS, true, "UndefinedBehaviorError",
         "two lanes copy to the same address", "The order of the copies is not specified.",
         "one of the lanes' data stays; which one follows no simple rule", "Give every lane a destination of its own."},
        WS_WMMA_RULES("WS-WML-", WS_WMMA_LOAD),
        WS_WMMA_RULES("WS-WMS-", WS_WMMA_STORE),
    };
    /* clang-format on */
    return &rules[index >= 0 && index < WS_RULE_COUNT ? index : 0];
}

/* The rule for a condition of an instruction; every pair that undefined.h reports has one. */
static inline int ws_rule_find(int kind, ws_fault fault) {
    int i;
    for (i = 0; i < WS_RULE_COUNT; i++) {
        if (ws_rule_at(i)->kind == kind && ws_rule_at(i)->fault == (uint8_t)fault) return i;
    }
    return 0;
}

#endif
