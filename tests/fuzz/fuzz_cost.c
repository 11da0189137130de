/* Cycles of instructions, programs and main loops: finite, never less than the busiest part has to do, never less for more work;
 * wavefronts of a main loop against the reference. */
#include "decode.h"
#include "reference/layout.h"

#include <math.h>

static ws_mainloop_storage storage;

static bool is_cycles(double value) { return isfinite(value) && value >= 0; }

/* The constants of a target, some of them the user's own. */
static ws_profile take_profile(fuzz_input *in) {
    static const double values[] = {0, 1, 2, 0.25, 1000, 7.5, 1e9, 4};
    ws_profile profile = ws_profile_of(fuzz_u8(in) % 4 == 0 ? fuzz_u8(in) % WS_TARGET_COUNT : ws_target_find("sm_90"));
    const int changes = fuzz_u8(in) % 8 - 4;
    for (int i = 0; i < changes; i++) profile.constant[fuzz_u8(in) % WS_CONSTANT_COUNT].value = FUZZ_CHOOSE(in, values);
    return profile;
}

static void take_counts(fuzz_input *in, ws_counts *counts) {
    counts->instructions = 1;
    counts->ideal_wavefronts = 1 + fuzz_u8(in) % 32u;
    counts->wavefronts = counts->ideal_wavefronts + fuzz_u8(in);
    counts->bank_conflicts = counts->wavefronts - counts->ideal_wavefronts;
    counts->requests = 1 + fuzz_u8(in) % 16u;
    counts->sectors = fuzz_u8(in);
}

static void check_cost(fuzz_input *in, const ws_op *op, const ws_profile *profile) {
    const int warps = 1 + fuzz_u8(in) % 64;
    ws_counts counts;
    ws_cost cost, more;
    take_counts(in, &counts);
    cost = ws_cost_of(op, &counts, profile, warps);
    FUZZ_CHECK(is_cycles(cost.latency) && is_cycles(cost.interval));
    FUZZ_CHECK(cost.bound >= 0 && cost.bound < WS_BOUND_COUNT);
    for (int i = 0; i < WS_BOUND_COUNT; i++) {
        if (i == WS_BOUND_LATENCY)
            continue; /* the part without wavefronts: a user's constants may make it less than nothing */
        FUZZ_CHECK(is_cycles(cost.part[i]) && cost.interval >= cost.part[i]);
    }
    FUZZ_CHECK(cost.interval <= cost.part[cost.bound] && cost.bound != WS_BOUND_LATENCY);
    counts.wavefronts += 1 + fuzz_u8(in) % 8u;
    more = ws_cost_of(op, &counts, profile, warps);
    FUZZ_CHECK(more.latency >= cost.latency - 1e-6 && more.interval >= cost.interval - 1e-6);
}

/* A program of a few warps: at least its pipe, its ports and its slowest warp. */
static void check_program(fuzz_input *in, const ws_profile *profile) {
    const int warps = 1 + fuzz_u8(in) % 9, steps = fuzz_u8(in) % 6;
    ws_program program = ws_program_begin(profile);
    ws_program_cost cost;
    double wavefronts = 0, latest = 0;
    for (int warp = 0; warp < warps; warp++) {
        ws_program_warp(&program);
        for (int step = 0; step < steps; step++) {
            fuzz_case c;
            ws_counts counts;
            ws_demand demand;
            fuzz_take_form(in, &c);
            take_counts(in, &counts);
            demand = ws_demand_of(c.op, &counts, profile);
            ws_program_add(&program, &demand);
            wavefronts += demand.wavefronts;
            latest = ws_max(latest, ws_demand_latency(&demand, profile));
        }
    }
    cost = ws_program_end(&program);
    FUZZ_CHECK(is_cycles(cost.cycles) && cost.bound >= 0 && cost.bound < WS_BOUND_COUNT);
    FUZZ_CHECK(cost.wavefronts >= wavefronts - 1e-6 && cost.wavefronts <= wavefronts + 1e-6);
    FUZZ_CHECK(cost.cycles >= wavefronts - 1e-6);
    for (int i = 0; i < WS_PROGRAM_PART_COUNT; i++) {
        FUZZ_CHECK(is_cycles(cost.part[i]) && cost.cycles >= cost.part[i] - 1e-6);
    }
}

static ref_layout take_layout(fuzz_input *in, int rows, int cols) {
    static const uint8_t pads[] = {0, 0, 8, 16, 24, 1, 4, 64};
    ref_layout l;
    const int distance = fuzz_u8(in) % 6;
    l.rows = rows;
    l.cols = cols;
    l.bits = 16;
    l.packed = l.by_col = l.in_bytes = false;
    l.pad = FUZZ_CHOOSE(in, pads);
    l.b = fuzz_u8(in) % 4;
    l.m = fuzz_u8(in) % 8 == 7 ? 2 : 3;
    l.s = distance < l.b ? l.b : distance;
    if (fuzz_u8(in) % 4 == 3) l.s = -l.s;
    if (l.b == 0) l.m = l.s = 0;
    return l;
}

static ws_layout core_layout(const ref_layout *l) {
    const ws_layout layout = {
        l->rows, l->cols, l->pad, 16, false, false, {(int8_t)l->b, (int8_t)l->m, (int8_t)l->s, false}, NULL, NULL};
    return layout;
}

/* ldmatrix.x4 over 16 rows (or columns) of a side, at every step of K, by every warp. -1: an address is not aligned. */
static int64_t reads_of(const ref_layout *l, bool is_b, bool trans, int k, int along, int across, uint64_t base) {
    const int outer_size = trans ? l->cols : l->rows;
    int64_t sum = 0;
    (void)along;
    for (int outer = 0; outer < outer_size; outer += 16) {
        for (int inner = 0; inner < k; inner += 16) {
            uint64_t address[REF_LANES];
            ref_counts counts = {0, 0, 0, 0, 0, 0};
            for (int lane = 0; lane < REF_LANES; lane++) {
                const int matrix = lane / 8, k_half = is_b && !trans ? matrix % 2 : trans ? matrix % 2 : matrix / 2;
                const int r_half = is_b && !trans ? matrix / 2 : trans ? matrix / 2 : matrix % 2;
                const int row = trans ? inner + 8 * k_half + lane % 8 : outer + 8 * r_half + lane % 8;
                const int col = trans ? outer + 8 * r_half : inner + 8 * k_half;
                address[lane] = base + ref_offset(l, row, col);
                if (address[lane] % 16 != 0) return -1;
            }
            ref_count_groups(address, UINT32_MAX, 16, 8, &counts);
            sum += (int64_t)counts.wavefronts * across;
        }
    }
    return sum;
}

/* cp.async.cg of 16 bytes a thread, along the rows. */
static int64_t fills_of(const ref_layout *l, int warps, uint64_t base) {
    const int per_row = l->cols / 8, pieces = l->rows * per_row;
    int64_t sum = 0;
    for (int first = 0; first < pieces; first += 32) {
        uint64_t to[REF_LANES], from[REF_LANES];
        uint32_t mask = 0;
        ref_counts counts = {0, 0, 0, 0, 0, 0};
        for (int lane = 0; lane < REF_LANES; lane++) {
            const int piece = first + lane < pieces ? first + lane : 0;
            if (first + lane < pieces) mask |= UINT32_C(1) << lane;
            to[lane] = base + ref_offset(l, piece / per_row, piece % per_row * 8);
            from[lane] = (uint64_t)piece * 16;
            if (to[lane] % 16 != 0) return -1;
        }
        ref_count_cg(to, from, mask, &counts);
        sum += (int64_t)counts.wavefronts;
    }
    (void)warps;
    return sum;
}

static void check_mainloop(fuzz_input *in, const ws_profile *profile) {
    static const uint8_t sizes[] = {16, 32, 64, 48, 8, 0}, grids[] = {1, 1, 2, 3, 4, 0};
    ws_mainloop loop;
    ws_mainloop_cost cost;
    ref_layout a, b;
    ws_error error;
    ws_status status;
    int64_t reads_a, reads_b, fills = 0, bytes_a;
    loop.m = FUZZ_CHOOSE(in, sizes);
    loop.n = FUZZ_CHOOSE(in, sizes);
    loop.k = FUZZ_CHOOSE(in, sizes);
    loop.warps_m = FUZZ_CHOOSE(in, grids);
    loop.warps_n = FUZZ_CHOOSE(in, grids);
    loop.stages = fuzz_u8(in) % 5;
    if (fuzz_u8(in) % 32 == 31) loop.stages = (int64_t)fuzz_u64(in);
    if (fuzz_u8(in) % 32 == 31) loop.m = (int64_t)fuzz_u64(in);
    loop.trans_b = fuzz_u8(in) % 2 == 1;
    loop.simd = fuzz_u8(in) % WS_SIMD_COUNT;
    loop.narrow_sums = fuzz_u8(in) % 2 == 1;
    loop.unpacked = fuzz_u8(in) % 2 == 1;
    loop.assembled = NULL;
    a = take_layout(in, (int)loop.m, (int)loop.k);
    b = loop.trans_b ? take_layout(in, (int)loop.k, (int)loop.n) : take_layout(in, (int)loop.n, (int)loop.k);
    loop.a = core_layout(&a);
    loop.b = core_layout(&b);
    status = ws_mainloop_cost_of(&loop, profile, &storage, &cost, &error);
    FUZZ_CHECK((status == WS_OK) == (error.message[0] == 0));
    if (status != WS_OK) {
        FUZZ_CHECK(status == WS_INVALID_ARGUMENT || status == WS_UNSUPPORTED);
        return;
    }
    bytes_a = (int64_t)ref_end_byte(&a);
    reads_a = reads_of(&a, false, false, (int)loop.k, (int)loop.warps_m, (int)loop.warps_n, 0);
    reads_b = reads_of(&b, true, loop.trans_b, (int)loop.k, (int)loop.warps_n, (int)loop.warps_m, (uint64_t)bytes_a);
    FUZZ_CHECK(reads_a >= 0 && reads_b >= 0);
    FUZZ_CHECK_EQUAL(cost.load_wavefronts, reads_a + reads_b);
    if (loop.stages > 0) fills = fills_of(&a, 1, 0) + fills_of(&b, 1, (uint64_t)bytes_a);
    FUZZ_CHECK_EQUAL(cost.store_wavefronts, fills);
    FUZZ_CHECK_EQUAL(cost.mma, loop.m / 16 * (loop.n / 8) * (loop.k / 16));
    FUZZ_CHECK_EQUAL(cost.global_bytes, loop.stages > 0 ? 2 * (loop.m + loop.n) * loop.k : 0);
    FUZZ_CHECK_EQUAL(cost.shared_bytes, (loop.stages > 1 ? loop.stages : 1) * (bytes_a + (int64_t)ref_end_byte(&b)));
    FUZZ_CHECK(is_cycles(cost.cycles) && cost.bound >= 0 && cost.bound < WS_BOUND_COUNT);
    for (int i = 0; i < WS_BOUND_COUNT; i++) FUZZ_CHECK(is_cycles(cost.part[i]) && cost.cycles >= cost.part[i] - 1e-6);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = fuzz_input_make(data, size);
    const uint8_t how = fuzz_u8(&in);
    const ws_profile profile = take_profile(&in);
    fuzz_case c;
    fuzz_take_form(&in, &c);
    check_cost(&in, c.op, &profile);
    if (how % 4 == 0) check_program(&in, &profile);
    if (how % 8 == 1) check_mainloop(&in, &profile);
    return 0;
}
