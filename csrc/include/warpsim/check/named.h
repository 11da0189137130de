/* What the address of each statement names. */
#ifndef WARPSIM_CHECK_NAMED_H
#define WARPSIM_CHECK_NAMED_H

#include "../shadow/arrays.h"
#include "../shadow/kinds.h"

#if WS_BODIES

/* Room for what ws_bounds_name finds out. */
typedef struct ws_bounds_room {
    int32_t *origins, *here; /* of each register of a function */
    uint32_t *named;         /* of each statement of a function */
    uint8_t *is_label;       /* of each statement of the module, and one more */
} ws_bounds_room;

static inline ws_bounds_room ws_bounds_room_make(const ws_module *module, ws_arena *arena) {
    ws_bounds_room room;
    room.origins = (int32_t *)ws_arena_take(arena, module->register_count, sizeof(int32_t));
    room.here = (int32_t *)ws_arena_take(arena, module->register_count, sizeof(int32_t));
    room.is_label = (uint8_t *)ws_arena_take(arena, (size_t)module->statement_count + 1, 1);
    room.named = (uint32_t *)ws_arena_take(arena, (size_t)module->statement_count + 1, sizeof(uint32_t));
    return room;
}

/* Parameters that a function has in registers: it begins with two steps for each. */
static inline uint32_t ws_bounds_registers(const ws_module *module, const ws_function *function) {
    uint32_t count = 0, i;
    for (i = 0; i < function->parameter_count; i++)
        count += module->variables[function->first_parameter + i].reg != WS_NO_INDEX;
    return count;
}

/* What the statement of each step names. `origins`: of the registers of a function; NULL: the arena is being measured. */
static inline void ws_bounds_name(ws_checked *steps, const ws_kernel *program, const ws_module *module,
                                  const ws_bounds_room *room) {
    uint32_t callee, i;
    if (room->named == NULL) return;
    ws_module_labels(module, room->is_label);
    for (callee = 0; callee < program->num_callees; callee++) {
        const uint32_t end =
            callee + 1 < program->num_callees ? program->callees[callee + 1].entry : program->num_steps;
        const ws_function *function = &module->functions[program->callees[callee].function];
        uint32_t passed;
        ws_origins_find(module, function, room->origins);
        ws_origins_name(module, function, room->is_label, room->origins, room->here, room->named);
        passed = program->callees[callee].entry + 2 * ws_bounds_registers(module, function);
        for (i = program->callees[callee].entry; i < end; i++) {
            steps[i].callee = callee;
            steps[i].is_passed = steps[i].is_passed || i < passed;
            if (steps[i].kind != WS_CHECKED_NONE && program->steps[i].statement >= function->first_statement &&
                program->steps[i].statement - function->first_statement < function->statement_count)
                steps[i].variable = room->named[program->steps[i].statement - function->first_statement];
        }
    }
}

#endif /* WS_BODIES */

#endif
