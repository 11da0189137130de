/* Runs a kernel of a PTX file in memory that this program owns, checks it, and prints what is wrong with it.
 *
 *     cc $(python3 -m warpsim --includes) run.c -o run
 *     ./run saxpy.ptx saxpy 2 64 0 x.bin y.bin 3.0      grid, threads of a block, bytes of dynamic shared memory, arguments
 *
 * Grid and block may be x,y,z. An argument is a number; a file, whose bytes are an array; or 4096B, an array of so many
 * zeros. A "?" before it says that nobody has written the array yet. The exit status is 1 where the launch could not go
 * on to its end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <warpsim/run.h>

enum { MOST_NAMES = 256, MOST_FOUND = WS_FOUND_CAPACITY + 256, NAME = 128, PIECES = 256, PRINTED = 1 << 20, GAP = 512 };
#define HEAP_BYTES ((size_t)8 << 20)
#define MOST_SHARED (UINT32_C(227) << 10) /* bytes of a block, on any GPU */
#define MAX_STEPS UINT64_C(10000000)

/* Arrays and variables by name, each in bytes of its own. */
typedef struct names {
    ws_named rows[MOST_NAMES];
    char words[MOST_NAMES][NAME];
    uint32_t count;
} names;

typedef struct job {
    ws_module module;
    ws_kernel program;
    ws_launch launch;
    ws_output output;
    ws_heap_piece pieces[PIECES];
    ws_region regions[MOST_NAMES];
    bool unwritten[MOST_NAMES];
    uint64_t variables[MOST_NAMES], next;
    uint8_t parameters[4096];
    names arrays, shared;
    const char *plain[MOST_NAMES];
    char words[MOST_NAMES][NAME];
    uint32_t chosen;
} job;

static void give_up(const char *what, const char *about) {
    fprintf(stderr, "%s: %s\n", about, what);
    exit(2);
}

static void *zeros(size_t count) {
    void *bytes = calloc(count != 0 ? count : 1, 1);
    if (bytes == NULL) give_up("out of memory", "run");
    return bytes;
}

static uint8_t *contents(const char *name, size_t *count) {
    FILE *file = fopen(name, "rb");
    uint8_t *bytes;
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) give_up("cannot be read", name);
    *count = (size_t)ftell(file);
    bytes = (uint8_t *)zeros(*count + 1);
    rewind(file);
    if (fread(bytes, 1, *count, file) != *count) give_up("cannot be read", name);
    fclose(file);
    return bytes;
}

static void name_it(names *of, const char *name, uint64_t base, uint64_t nbytes) {
    ws_named *row = &of->rows[of->count];
    if (of->count == MOST_NAMES) give_up("too many arrays and variables", name);
    snprintf(of->words[of->count], NAME, "%s", name);
    row->name = of->words[of->count++];
    row->base = base;
    row->nbytes = nbytes;
}

static void place_at(job *of, uint64_t base, uint8_t *bytes, size_t count, ws_region_kind kind, const char *name) {
    ws_region *region = &of->regions[of->launch.memory.count];
    if (of->launch.memory.count == MOST_NAMES) give_up("too many arrays and variables", name);
    name_it(&of->arrays, name, base, count);
    region->base = base;
    region->nbytes = count;
    region->bytes = bytes;
    region->owner = of->launch.memory.count++;
    region->kind = (uint8_t)kind;
    region->is_read_only = kind == WS_REGION_CONSTANT || kind == WS_REGION_PARAMETERS;
}

/* Bytes at the next free address, with a gap behind them, so that no index leads from one array to another. */
static uint64_t place(job *of, uint8_t *bytes, size_t count, ws_region_kind kind, const char *name) {
    const uint64_t base = of->next;
    of->next = (base + (count != 0 ? count : 1) + 2 * GAP - 1) / GAP * GAP;
    if (count != 0) place_at(of, base, bytes, count, kind, name);
    return base;
}

static void decode(job *of, const char *file, const char *name) {
    ws_chosen one = {0, 0, WS_SIMD_AUTO, true};
    ws_arena arena = ws_arena_make(NULL, 0);
    ws_refused refused;
    ws_error error;
    size_t length;
    char *text = (char *)contents(file, &length);
    if (ws_module_parse(text, length, zeros(ws_module_bytes(text, length)), &of->module, &error) != WS_OK)
        give_up(error.message, file);
    one.kernel = of->chosen = ws_module_kernel(&of->module, name);
    one.target = ws_target_find("sm_90a");
    if (one.kernel == WS_NO_INDEX) give_up("no such kernel", name);
    (void)ws_kernel_make(&of->module, &one, &arena, &of->program, &refused, &error);
    arena = ws_arena_make(zeros(arena.wanted), arena.wanted);
    if (ws_kernel_make(&of->module, &one, &arena, &of->program, &refused, &error) != WS_OK)
        give_up(error.message, name);
    of->launch = ws_launch_make(&of->program, 1, 1);
}

/* The bytes that a variable begins with. */
static uint8_t *initial(const ws_module *module, const ws_variable *variable) {
    uint8_t *bytes = (uint8_t *)zeros((size_t)variable->nbytes);
    uint32_t i;
    for (i = 0; i < variable->run_count; i++) {
        const ws_initial_run *part = &module->runs[variable->first_run + i];
        memcpy(bytes + part->at, module->bytes + part->first, (size_t)part->count);
    }
    return bytes;
}

/* The module's variables: those of shared memory in each block, the others at an address of their own. */
static void place_variables(job *of, uint32_t dynamic) {
    const ws_module *module = &of->module;
    uint32_t i;
    if (module->variable_count > MOST_NAMES) give_up("too many variables", "run");
    of->launch.shared_bytes += dynamic;
    place_at(of, WS_FIRST_PARAMETER, of->parameters, of->program.parameter_bytes, WS_REGION_PARAMETERS,
             "the parameters");
    for (i = 0; i < module->variable_count; i++) {
        const ws_variable *variable = &module->variables[i];
        const uint32_t at = of->program.offset_of[i];
        const bool is_dynamic = ws_variable_is_dynamic(variable);
        ws_text plain = ws_text_make(of->words[i], NAME);
        ws_text_add_plain_variable(&plain, module->text + variable->name.begin,
                                   variable->name.end - variable->name.begin);
        of->plain[i] = of->words[i];
        of->variables[i] = at == WS_NO_INDEX ? 0 : variable->space == WS_NAME_PARAM ? WS_FIRST_PARAMETER + at : at;
        if (variable->space == WS_NAME_SHARED && is_dynamic) of->variables[i] = of->program.static_shared_bytes;
        if (variable->space == WS_NAME_SHARED && (is_dynamic ? dynamic != 0 : at != WS_NO_INDEX))
            name_it(&of->shared, of->plain[i], of->variables[i], is_dynamic ? dynamic : variable->nbytes);
        if (variable->space != WS_NAME_GLOBAL && variable->space != WS_NAME_CONST) continue;
        of->variables[i] =
            place(of, initial(module, variable), (size_t)variable->nbytes,
                  variable->space == WS_NAME_CONST ? WS_REGION_CONSTANT : WS_REGION_VARIABLE, of->plain[i]);
    }
    if (of->shared.count == 0) name_it(&of->shared, "shared memory", 0, of->launch.shared_bytes);
}

/* A number, or a file's bytes as an array; what its parameter then holds. */
static uint64_t argument(job *of, const char *text, const char *name, uint64_t nbytes, bool is_float) {
    const bool is_unwritten = text[0] == '?';
    const char *file = text + is_unwritten;
    char *end;
    double value = strtod(file, &end);
    size_t count = 0;
    uint8_t *bytes = NULL;
    if (*end == '\0' && end != file) {
        uint64_t word = 0;
        const float single = (float)value;
        if (is_float && nbytes == 4) memcpy(&word, &single, sizeof single);
        else if (is_float) memcpy(&word, &value, sizeof value);
        else word = value < 0 ? (uint64_t)strtoll(text, NULL, 10) : strtoull(text, NULL, 10);
        return word;
    }
    if (end != file && strcmp(end, "B") == 0) bytes = (uint8_t *)zeros(count = (size_t)value);
    else bytes = contents(file, &count);
    of->unwritten[of->launch.memory.count] = is_unwritten;
    return place(of, bytes, count, WS_REGION_ARGUMENT, name);
}

static void place_arguments(job *of, char **given, int count) {
    const ws_function *entry = &of->module.functions[of->chosen];
    uint32_t i, k;
    if ((uint32_t)count != entry->parameter_count) give_up("expected one argument for each parameter", "run");
    for (i = 0; i < entry->parameter_count; i++) {
        const uint32_t number = entry->first_parameter + i, at = of->program.offset_of[number];
        const ws_variable *parameter = &of->module.variables[number];
        const bool is_float = parameter->type == WS_TYPE_F32 || parameter->type == WS_TYPE_F64;
        const uint64_t word = argument(of, given[i], of->plain[number], parameter->nbytes, is_float);
        for (k = 0; k < 8 && k < parameter->nbytes; k++) of->parameters[at + k] = (uint8_t)(word >> 8 * k);
    }
    if (of->program.num_system_calls == 0) return;
    of->output.heap_base = place(of, (uint8_t *)zeros(HEAP_BYTES), HEAP_BYTES, WS_REGION_HEAP, "the heap");
    of->output.heap_bytes = HEAP_BYTES;
}

/* What observes a launch: memory of its own for each array, and for what orders blocks. */
static void check_it(job *of, ws_check *check) {
    ws_journal *journal = (ws_journal *)zeros(sizeof(ws_journal));
    ws_crowd *crowd = (ws_crowd *)zeros(sizeof(ws_crowd));
    ws_arrays arrays = {NULL, ws_check_shift(&of->launch, WS_AT_GLOBAL), NULL, crowd};
    ws_arena arena = ws_arena_make(NULL, 0);
    uint32_t i;
    arrays.shadows = (ws_array_shadow *)zeros(of->launch.memory.count * sizeof(ws_array_shadow));
    for (i = 0; i < of->launch.memory.count; i++) {
        const ws_region *region = &of->regions[i];
        const size_t nbytes = (size_t)ws_array_shadow_bytes(region->nbytes, arrays.shift);
        arrays.shadows[i].is_unwritten = of->unwritten[i];
        if (!region->is_read_only) ws_array_shadow_make(&arrays.shadows[i], region, (ws_array_cell *)zeros(nbytes));
    }
    *crowd = ws_crowd_make((ws_crowd_row *)zeros(WS_CROWD_MOST * sizeof(ws_crowd_row)), WS_CROWD_MOST, WS_CROWD_LIST);
    ws_journal_begin(journal);
    memset(check, 0, sizeof *check);
    (void)ws_check_make(&of->launch, &of->module, &arrays, journal, &arena, check);
    arena = ws_arena_make(zeros(arena.wanted), arena.wanted);
    if (!ws_check_make(&of->launch, &of->module, &arrays, journal, &arena, check)) give_up("too many steps", "run");
}

static void print_finding(const char *rule_id, int severity, const char *message, const char *fix) {
    printf("%s %s: %s\n  fix: %s\n", ws_severity_word(severity), rule_id, message, fix);
}

static void print_stop(const job *of, const ws_told_launch *launch, const ws_cluster *cluster) {
    static char message[1 << 16], fix[1024];
    const ws_teller teller = ws_teller_make(&of->module, &of->program, (int)ws_language_of(&of->module));
    const ws_block *block = ws_cluster_stopped(cluster);
    const ws_stop *stop = &block->stop;
    const ws_rule *rule = ws_rule_at((int)WS_RULES_KERNEL + (int)ws_stop_rule(stop) - 1);
    const ws_waits waits = {cluster->blocks, cluster->count};
    ws_text text = ws_text_make(message, sizeof message), remedy = ws_text_make(fix, sizeof fix);
    ws_stop_add(&teller, launch, &of->launch.memory, block, &text);
    if (stop->kind == WS_RUN_DEADLOCK || stop->kind == WS_RUN_STEPS) ws_waits_add(&teller, &text, &waits);
    ws_stop_add_fix(&teller, stop, false, &waits, &remedy);
    print_finding(rule->id, rule->severity, message, fix);
}

static void print_found(const job *of, const ws_told_launch *launch, const ws_check *check, bool has_ended) {
    static ws_found rows[MOST_FOUND];
    static char message[8192], fix[8192];
    const ws_teller teller = ws_teller_make(&of->module, &of->program, (int)ws_language_of(&of->module));
    uint32_t count = ws_told_take(&check->judge.found, &of->program, rows), i;
    ws_arena arena = ws_arena_make(NULL, 0);
    const ws_ran unknown = ws_ran_unknown(); /* nobody counts who comes where */
    ws_told told;
    ws_repair *repairs;
    if (has_ended) count += ws_told_leaks(&of->output, &of->program, rows + count, MOST_FOUND - count);
    (void)ws_told_make(rows, count, &of->module, &arena, &told);
    told.count = count;
    (void)ws_repairs_make(&told, &of->program, &unknown, &arena);
    arena = ws_arena_make(zeros(arena.wanted), arena.wanted);
    (void)ws_told_make(rows, count, &of->module, &arena, &told);
    repairs = ws_repairs_make(&told, &of->program, &unknown, &arena);
    for (i = 0; i < told.count; i++) {
        const ws_rule *rule = ws_rule_at((int)WS_RULES_KERNEL + (int)told.rows[i].rule - 1);
        ws_text text = ws_text_make(message, sizeof message), remedy = ws_text_make(fix, sizeof fix);
        if (told.first[i] != i) continue;
        ws_message_add(&teller, launch, &told, i, &text);
        ws_fix_add(&teller, &remedy, &told.rows[i], &repairs[i]);
        print_finding(rule->id, rule->severity, message, fix);
    }
}

/* All clusters, one after the other, until one stops; true: all have ended. */
static bool run(job *of, ws_check *check, ws_cluster *cluster) {
    const uint64_t clusters = (uint64_t)ws_launch_clusters(&of->launch, 0) * ws_launch_clusters(&of->launch, 1) *
                              ws_launch_clusters(&of->launch, 2);
    ws_arena arena = ws_arena_make(NULL, 0);
    uint64_t steps = 0, i;
    (void)ws_cluster_make(&of->launch, &arena, cluster);
    arena = ws_arena_make(zeros(arena.wanted), arena.wanted);
    (void)ws_cluster_make(&of->launch, &arena, cluster);
    ws_cluster_observe(cluster, &check->observer);
    for (i = 0; i < clusters; i++) {
        ws_check_start(check, (uint32_t)i);
        ws_cluster_start(cluster, i);
        if (!ws_cluster_go_on(cluster, MAX_STEPS - steps)) cluster->blocks[0].stop.kind = WS_RUN_STEPS;
        if (ws_cluster_stopped(cluster) != NULL) return false;
        steps += ws_cluster_steps(cluster);
    }
    return true;
}

static void extent(uint32_t to[3], const char *text) {
    unsigned long x, y = 1, z = 1;
    if (sscanf(text, "%lu,%lu,%lu", &x, &y, &z) < 1) give_up("expected a number, or up to three", text);
    to[0] = (uint32_t)x;
    to[1] = (uint32_t)y;
    to[2] = (uint32_t)z;
}

/* The core trusts its caller: a grid or a block that no GPU launches, or more parameters than there is room for. */
static bool is_possible(const job *of) {
    const uint32_t *grid = of->launch.grid, *threads = of->launch.threads;
    const uint64_t all = (uint64_t)threads[0] * threads[1];
    if (of->program.parameter_bytes > sizeof of->parameters || grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
        return false;
    return all != 0 && threads[2] != 0 && all <= WS_MOST_THREADS && all * threads[2] <= WS_MOST_THREADS;
}

int main(int count, char **given) {
    static job of;
    static ws_check check;
    ws_told_launch launch;
    ws_cluster cluster;
    unsigned long dynamic;
    bool has_ended;
    if (count < 6) give_up("expected FILE.ptx KERNEL GRID BLOCK BYTES ARGUMENT ...", given[0]);
    of.next = WS_FIRST_GLOBAL;
    decode(&of, given[1], given[2]);
    extent(of.launch.grid, given[3]);
    extent(of.launch.threads, given[4]);
    if (!is_possible(&of)) give_up("no GPU launches this grid of such blocks, or it has too many parameters", given[2]);
    dynamic = strtoul(given[5], NULL, 10);
    if (dynamic > MOST_SHARED || of.launch.shared_bytes > MOST_SHARED - dynamic)
        give_up("no GPU has so much shared memory for a block", given[5]);
    place_variables(&of, (uint32_t)dynamic);
    place_arguments(&of, given + 6, count - 6);
    of.output.bytes = (uint8_t *)zeros(of.output.capacity = PRINTED);
    of.output.pieces = of.pieces;
    of.output.piece_capacity = PIECES;
    of.launch.output = &of.output;
    of.launch.memory.regions = of.regions;
    of.launch.variables = of.variables;
    of.launch.parameters = of.parameters;
    memcpy(launch.grid, of.launch.grid, sizeof launch.grid);
    memcpy(launch.threads, of.launch.threads, sizeof launch.threads);
    memcpy(launch.cluster, of.launch.cluster, sizeof launch.cluster);
    launch.names.arrays = of.arrays.rows;
    launch.names.num_arrays = of.arrays.count;
    launch.names.shared = of.shared.rows;
    launch.names.num_shared = of.shared.count;
    launch.variables = of.plain;
    check_it(&of, &check);
    has_ended = run(&of, &check, &cluster);
    if (!has_ended) print_stop(&of, &launch, &cluster);
    print_found(&of, &launch, &check, has_ended);
    return has_ended ? 0 : 1;
}
