/* A kernel as decoded steps, and what a launch needs to run it. Everything lies in the caller's arena. */
#ifndef WARPSIM_RUN_KERNEL_H
#define WARPSIM_RUN_KERNEL_H

#include "../lanes/step.h"
#include "../mma/plan.h"
#include "../rules/numbers.h"
#include "../step/meant.h"
#include "../step/slots.h"
#include "space.h"

/* What a pointer to function `number` of the module holds. */
static inline uint64_t ws_function_address(uint32_t number) { return UINT64_C(0x100000) + 16 * (uint64_t)number; }

/* A function of the program: where it begins and what one call of it needs. */
typedef struct ws_callee {
    uint32_t entry;      /* first step */
    uint32_t rows;       /* of its frame */
    uint32_t predicates; /* with the one that is always true */
    uint32_t locals;     /* bytes: parameters, results, .local variables, a multiple of 16 */
    uint32_t function;   /* of the module */
    uint64_t address;    /* what a function pointer holds */
} ws_callee;

/* What a constant row holds. */
typedef enum ws_constant_source {
    WS_CONSTANT_VALUE,     /* value */
    WS_CONSTANT_PARAMETER, /* `nbytes` bytes of the kernel's parameters from `value`, extended by the sign if is_signed */
    WS_CONSTANT_GLOBAL,    /* address of variable `variable` of the module, plus value */
    WS_CONSTANT_SHARED,    /* likewise, of shared memory; WS_NO_VARIABLE: value alone is the offset */
    WS_CONSTANT_SPECIAL,   /* special register `variable`, uniform over the block */
    WS_CONSTANT_LANE       /* lane number, lane masks: special register `variable`, the same in each warp */
} ws_constant_source;

#define WS_NO_VARIABLE UINT32_MAX

typedef struct ws_constant_rows {
    uint64_t value;
    uint32_t row; /* first of `rows` rows in WS_BLOCK_ROWS */
    uint32_t variable;
    uint8_t kind; /* ws_constant_source */
    uint8_t rows; /* 1 or 2 */
    uint8_t nbytes;
    bool is_signed;
} ws_constant_rows;

typedef struct ws_kernel {
    ws_step *steps;
    ws_meant *meant; /* of each step */
    uint32_t *list;
    ws_constant_rows *constants;
    ws_callee *callees; /* [0] is the kernel */
    ws_op *ops;         /* matrix instructions */
    ws_mma_plan *plans; /* products */
    uint32_t *plan_opcode;
    const uint32_t *offset_of; /* of each variable of the module: in shared memory, a frame, the kernel's parameters */
    uint32_t *targets;         /* tables of indirect jumps: count, then steps */
    uint32_t num_steps, num_list, num_constants, num_callees, num_targets, num_ops, num_plans, plan_capacity;
    uint32_t block_rows; /* rows of constants */
    uint32_t static_shared_bytes;
    uint32_t parameter_bytes;
    uint32_t num_copies;       /* steps of cp.async */
    uint32_t num_bulks;        /* steps of cp.async.bulk and its kin, commits of their groups among them */
    uint32_t num_system_calls; /* of vprintf, malloc and the like: without, no ws_output is used */
    uint32_t num_inexact;      /* steps that have no exact rule */
    uint32_t most_rows, most_predicates, most_locals; /* of the deepest chain of calls; with recursion, of one round */
    bool is_recursive;
    int target; /* row of ws_target: the GPU to emulate */
} ws_kernel;

#define WS_STOP_FOUND WS_RUN_END /* a check has found what the launch is to stop at */

/* Why a launch ended early. */
typedef struct ws_stop {
    uint8_t kind;  /* ws_kernel_rule, or WS_STOP_FOUND */
    uint8_t space; /* of the access */
    bool is_write;
    uint32_t statement, warp, lanes; /* where, and the lanes that it happened to */
    uint64_t address;                /* of the lowest such lane */
    uint32_t nbytes;
    int32_t rule;               /* of rules/rules.h, or -1 */
    uint32_t other, other_warp; /* the statement that it contradicts, and whose; WS_NONE: none */
    uint8_t refusal;            /* of a bulk copy: ws_tensor_refusal */
    int64_t given, wanted;      /* the numbers that it is about: two counts of a barrier, or of a refusal */
} ws_stop;

/* What a statement is: its first step that is more than registers. */
static inline const ws_meant *ws_kernel_meant(const ws_kernel *program, uint32_t statement) {
    const ws_meant *found = &program->meant[0];
    uint32_t i;
    for (i = 0; i < program->num_steps; i++) {
        if (program->steps[i].statement != statement) continue;
        found = &program->meant[i];
        if (found->event != WS_EVENT_NONE) break;
    }
    return found;
}

static inline ws_kernel ws_kernel_empty(int target) {
    ws_kernel program;
    program.num_steps = program.num_list = program.num_constants = program.num_callees = program.num_targets = 0;
    program.num_ops = program.num_plans = program.block_rows = program.num_copies = program.num_bulks = 0;
    program.num_system_calls = program.num_inexact = 0;
    program.static_shared_bytes = program.parameter_bytes = 0;
    program.most_rows = program.most_predicates = program.most_locals = 0;
    program.is_recursive = false;
    program.target = target;
    return program;
}

/* Does what a block does depend on how far others have come? Atomics and strong loads give what is there by now, and malloc
 * what is left. */
static inline bool ws_kernel_needs_order(const ws_kernel *program) {
    uint32_t i;
    for (i = 0; i < program->num_steps; i++) {
        const ws_step *step = &program->steps[i];
        const ws_meant *meant = &program->meant[i];
        const bool looks = meant->event == WS_EVENT_LOAD ? meant->said.is_strong
                                                         : ws_event_is_atomic(meant->event) && step->d[0] != WS_NONE;
        if (looks && (step->space == WS_AT_GLOBAL || step->space == WS_AT_GENERIC)) return true;
    }
    return program->num_system_calls != 0;
}

#endif
