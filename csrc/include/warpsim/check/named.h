/* What the address of each statement names. */
#ifndef WARPSIM_CHECK_NAMED_H
#define WARPSIM_CHECK_NAMED_H

#include "../base/apart.h"
#include "../module/places.h"
#include "../object/origin.h"
#include "../shadow/arrays.h"
#include "../shadow/kinds.h"

#if WS_BODIES

/* Room for what ws_bounds_name finds out. */
typedef struct ws_bounds_room {
    int32_t *origins, *here; /* of each register of a function */
    uint32_t *named;         /* of each statement of a function */
    uint8_t *is_label;       /* of each statement of the module, and one more */
    uint8_t *pointers;       /* of each variable: a parameter that points into memory of the launch */
} ws_bounds_room;

static inline ws_bounds_room ws_bounds_room_make(const ws_module *module, ws_arena *arena) {
    ws_bounds_room room;
    room.origins = (int32_t *)ws_arena_take(arena, module->register_count, sizeof(int32_t));
    room.here = (int32_t *)ws_arena_take(arena, module->register_count, sizeof(int32_t));
    room.is_label = (uint8_t *)ws_arena_take(arena, (size_t)module->statement_count + 1, 1);
    room.named = (uint32_t *)ws_arena_take(arena, (size_t)module->statement_count + 1, sizeof(uint32_t));
    room.pointers = (uint8_t *)ws_arena_take(arena, (size_t)module->variable_count + 1, 1);
    return room;
}

/* Parameters that a function has in registers: it begins with two steps for each. */
static inline uint32_t ws_bounds_registers(const ws_module *module, const ws_function *function) {
    uint32_t count = 0, i;
    for (i = 0; i < function->parameter_count; i++)
        count += module->variables[function->first_parameter + i].reg != WS_NO_INDEX;
    return count;
}

/* What a parameter of the kernel holds; 0: it is no pointer's size. */
static inline uint64_t ws_bounds_pointer(const ws_launch *launch, const ws_module *module, uint32_t variable) {
    const uint32_t at = launch->program->offset_of[variable];
    return module->variables[variable].nbytes == 8 ? ws_load_u64(launch->parameters + at) : 0;
}

static inline void ws_bounds_pointers(const ws_launch *launch, const ws_module *module, uint8_t *pointers) {
    const ws_function *kernel = &module->functions[launch->program->callees[0].function];
    uint32_t i;
    for (i = 0; i < module->variable_count; i++) pointers[i] = 0;
    for (i = kernel->first_parameter; i < kernel->first_parameter + kernel->parameter_count; i++)
        pointers[i] = ws_space_find(&launch->memory, ws_bounds_pointer(launch, module, i), 1) != NULL;
}

/* What the statement of each step names. `origins`: of the registers of a function; NULL: the arena is being measured. */
WS_ONCE void ws_bounds_name(ws_checked *steps, const ws_launch *launch, const ws_module *module,
                            const ws_bounds_room *room) {
    const ws_kernel *program = launch->program;
    uint32_t callee, i;
    if (room->named == NULL) return;
    ws_module_labels(module, room->is_label);
    ws_bounds_pointers(launch, module, room->pointers);
    for (callee = 0; callee < program->num_callees; callee++) {
        const uint32_t end =
            callee + 1 < program->num_callees ? program->callees[callee + 1].entry : program->num_steps;
        const ws_function *function = &module->functions[program->callees[callee].function];
        uint32_t passed;
        ws_origins_find(module, function, room->pointers, room->origins);
        ws_origins_name(module, function, room->pointers, room->is_label, room->origins, room->here, room->named);
        passed = program->callees[callee].entry + 2 * ws_bounds_registers(module, function);
        for (i = program->callees[callee].entry; i < end; i++) {
            const uint32_t at = program->steps[i].statement - function->first_statement;
            const uint32_t named = at < function->statement_count ? room->named[at] : WS_NO_INDEX;
            steps[i].callee = callee;
            steps[i].is_passed = steps[i].is_passed || i < passed;
            if (steps[i].kind == WS_CHECKED_NONE || named == WS_NO_INDEX) continue;
            if (named & WS_ORIGIN_POINTED) steps[i].pointer = named & ~(uint32_t)WS_ORIGIN_POINTED;
            else steps[i].variable = named;
        }
    }
}

#endif /* WS_BODIES */

#endif
