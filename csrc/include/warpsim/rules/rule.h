/* What a rule is: something a finding can name, with its severity, what PTX says, what hardware does, and what to do.
 *
 * This file knows nothing about the rules (rules.h) and how they are checked. */
#ifndef WARPSIM_RULES_RULE_H
#define WARPSIM_RULES_RULE_H

#include "../isa/op.h"

/* What a warp does wrong, whatever the instruction. */
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
    WS_FAULT_DIVERGENT_STRIDE,
    WS_FAULT_DEADLOCK, /* from here on: of whole kernels alone */
    WS_FAULT_STEPS,
    WS_FAULT_TRAP,
    WS_FAULT_ASSERT,
    WS_FAULT_RACE,
    WS_FAULT_UNWRITTEN,
    WS_FAULT_OTHER,
    WS_FAULT_COUNT
} ws_fault;

static inline const char *ws_fault_word(int fault) {
    static const char *const words[] = {"misaligned",
                                        "out of bounds",
                                        "not shared",
                                        "nowhere",
                                        "misaligned source",
                                        "source out of bounds",
                                        "equal destinations",
                                        "inactive",
                                        "exited",
                                        "divergent",
                                        "unused lane",
                                        "misaligned stride",
                                        "stride below default",
                                        "stride off fragment",
                                        "divergent address",
                                        "divergent stride",
                                        "deadlock",
                                        "steps",
                                        "trap",
                                        "assert",
                                        "race",
                                        "unwritten",
                                        "other"};
    return fault >= 0 && fault < WS_FAULT_COUNT ? words[fault] : "?";
}

/* Faults of a stride, not of an address. */
static inline bool ws_fault_is_stride(ws_fault fault) {
    return fault >= WS_FAULT_STRIDE_ALIGNMENT && fault <= WS_FAULT_STRIDE_FRAGMENT;
}

typedef enum ws_severity { WS_ERROR = 0, WS_WARNING, WS_NOTE, WS_SEVERITY_COUNT } ws_severity;

static inline const char *ws_severity_word(int severity) {
    static const char *const words[] = {"error", "warning", "note"};
    return severity >= 0 && severity < WS_SEVERITY_COUNT ? words[severity] : "?";
}

typedef struct ws_rule {
    const char *id;      /* "WS-LDM-001" */
    uint8_t severity;    /* ws_severity */
    uint8_t kind, fault; /* ws_kind, ws_fault; kind: undefined behaviour only, fault: of kernels, too */
    const char *title;
    const char *ptx;      /* what PTX says, in our words; undefined behaviour and kernels only, else NULL */
    const char *hardware; /* what an H200 (sm_90) was measured to do; likewise */
    const char *fix;
} ws_rule;

#endif
