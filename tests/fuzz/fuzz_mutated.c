/* Kernels of real PTX texts, in which something was changed: read, decoded and launched with arrays and small numbers, with
 * both observers and without. Nothing outside of the launch is touched, and two levels of instructions end alike.
 *
 * An input is 8 bytes that say how it is launched, and the text; drive.c makes them. */
#include "launch/launch.h"

enum { MOST_BLOCKS = 2, MOST_STEPS = 20000, ARGUMENT = 4096, MOST_VARIABLE = 65536, DYNAMIC = 2048 };

/* Region number `launch->count`, from a place that is its own. */
static uint64_t add_region(fuzz_launch *launch, uint64_t nbytes, uint8_t kind, bool is_read_only, uint64_t seed) {
    static uint8_t bytes[FUZZ_REGIONS][MOST_VARIABLE];
    const uint32_t i = launch->count++;
    const ws_region region = {WS_FIRST_GLOBAL + UINT64_C(0x100000) * i, nbytes, bytes[i], i, kind, is_read_only, NULL};
    memset(bytes[i], 0, (size_t)nbytes);
    if (seed != 0) fuzz_fill(seed, bytes[i], (size_t)nbytes);
    launch->regions[i] = region;
    return region.base;
}

/* The module's variables: where each lies. False: too many, or too large. */
static bool place_variables(const fuzz_kernel *kernel, fuzz_launch *launch) {
    const ws_module *module = &kernel->module;
    uint32_t i;
    for (i = 0; i < module->variable_count; i++) {
        const ws_variable *variable = &module->variables[i];
        const bool is_constant = variable->space == WS_NAME_CONST;
        launch->variables[i] = kernel->programs[0].offset_of[i] != WS_NO_INDEX ? kernel->programs[0].offset_of[i] : 0;
        if (variable->space != WS_NAME_GLOBAL && !is_constant) continue;
        if (variable->nbytes == 0 || variable->nbytes > MOST_VARIABLE || launch->count == FUZZ_REGIONS) return false;
        launch->variables[i] =
            add_region(launch, variable->nbytes, is_constant ? WS_REGION_CONSTANT : WS_REGION_VARIABLE, is_constant, 0);
    }
    return true;
}

/* Arguments: arrays where a parameter has 64 bits, mostly; else small numbers. */
static bool draw_arguments(const fuzz_kernel *kernel, const ws_function *entry, fuzz_launch *launch, fuzz_input *in) {
    static uint8_t parameters[8192];
    const ws_kernel *program = &kernel->programs[0];
    const uint8_t how = fuzz_u8(in);
    uint32_t i;
    memset(parameters, 0, sizeof parameters);
    if (program->parameter_bytes > sizeof parameters - 8) return false;
    for (i = entry->first_parameter; i < entry->first_parameter + entry->parameter_count; i++) {
        const uint32_t at = program->offset_of[i];
        const uint64_t nbytes = kernel->module.variables[i].nbytes;
        uint64_t value = (uint64_t)(how * (i + 1)) % 65;
        if (at == WS_NO_INDEX || at + nbytes > program->parameter_bytes) continue;
        if (nbytes == 8 && launch->count < FUZZ_REGIONS && (how + i) % 16 != 0) {
            launch->unwritten[launch->count] = (how + i) % 3 == 0;
            value = add_region(launch, how % 32 == 0 ? 36 : ARGUMENT, WS_REGION_ARGUMENT, false, how % 4);
        }
        if (nbytes > 8) fuzz_fill(how, parameters + at, (size_t)nbytes);
        else
            for (uint64_t k = 0; k < nbytes; k++) parameters[at + k] = (uint8_t)(value >> 8 * k);
    }
    launch->parameters = parameters;
    return true;
}

static bool draw_launch(const fuzz_kernel *kernel, const ws_function *entry, fuzz_launch *launch, fuzz_input *in) {
    static const uint32_t threads[] = {32, 64, 33, 128};
    const ws_extent wanted =
        entry->reqntid.x * entry->reqntid.y * entry->reqntid.z > 1 ? entry->reqntid : entry->maxntid;
    const uint64_t all = (uint64_t)wanted.x * wanted.y * wanted.z;
    const uint32_t clusters[3] = {entry->cluster.x, entry->cluster.y, entry->cluster.z};
    uint32_t i;
    memset(launch, 0, sizeof *launch);
    for (i = 0; i < 3; i++) {
        launch->cluster[i] = clusters[i] == 0 ? 1 : clusters[i];
        launch->threads[i] = launch->grid[i] = 1;
        if (launch->cluster[i] > 2) return false;
    }
    launch->threads[0] = FUZZ_CHOOSE(in, threads);
    if (all > 1 && all <= 256) {
        launch->threads[0] = wanted.x;
        launch->threads[1] = wanted.y;
        launch->threads[2] = wanted.z;
    }
    memcpy(launch->grid, launch->cluster, sizeof launch->grid);
    launch->grid[0] *= 1 + fuzz_u8(in) % MOST_BLOCKS;
    launch->order = fuzz_u8(in) % 3;
    launch->steps = MOST_STEPS;
    launch->stack_bytes = 1024;
    launch->shared_bytes = kernel->programs[0].static_shared_bytes + DYNAMIC;
    if (launch->shared_bytes > 233472) return false;
    return place_variables(kernel, launch) && draw_arguments(kernel, entry, launch, in);
}

static void launch_entry(fuzz_kernel *kernel, uint32_t number, fuzz_input in) {
    static fuzz_left first, second;
    const ws_module *module = &kernel->module;
    const ws_span name = module->target_count > 0 ? module->targets[0] : module->functions[number].name;
    fuzz_launch launch;
    char target[32] = "sm_90a";
    const size_t length = name.end - name.begin;
    if (module->target_count > 0 && length < sizeof target) {
        memcpy(target, kernel->text + name.begin, length);
        target[length] = '\0';
    }
    if (ws_target_find(target) < 0 || module->variable_count > FUZZ_VARIABLES) return;
    if (fuzz_kernel_decode(kernel, number, target) != WS_OK) return;
    if (!draw_launch(kernel, &module->functions[number], &launch, &in)) return;
    fuzz_run(kernel, 0, &launch, FUZZ_CHECKED | FUZZ_WATCHED, &first);
    fuzz_run(kernel, kernel->levels - 1, &launch, fuzz_u8(&in) % 2 ? 0 : FUZZ_CHECKED, &second);
    fuzz_same(&launch, &first, &second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const size_t head = size < 8 ? size : 8;
    fuzz_kernel kernel;
    ws_error error;
    uint32_t i;
    if (fuzz_prints) fwrite(data + head, 1, size - head, stdout);
    if (fuzz_kernel_read(&kernel, (const char *)data + head, size - head, &error)) {
        for (i = 0; i < kernel.module.function_count; i++) {
            const ws_function *entry = &kernel.module.functions[i];
            if (entry->is_entry && !entry->is_declaration) launch_entry(&kernel, i, fuzz_input_make(data, head));
        }
    }
    fuzz_kernel_free(&kernel);
    return 0;
}
