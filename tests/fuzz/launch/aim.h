/* Where the lanes of a launch aim: in patterns that fit, and then beside them. */
#ifndef FUZZ_LAUNCH_AIM_H
#define FUZZ_LAUNCH_AIM_H

#include "kernel.h"

/* Regions of every launch, in the order of their addresses. */
enum {
    AIM_PARAMETERS,
    AIM_CONSTANT,
    AIM_VARIABLE,
    AIM_FIRST, /* written before the launch */
    AIM_SECOND,
    AIM_THIRD, /* never written, as the second one; it begins at no multiple of 16 */
    AIM_HEAP,
    AIM_TABLE,
    AIM_OUT,
    AIM_REGIONS
};

static const uint32_t aim_bytes[AIM_REGIONS] = {
    16, 72, 200, 256, 1000, 36, 512, 2 * WRONG_THREADS *WRONG_OPS * sizeof(wrong_entry), 2 * WRONG_THREADS * 4};

/* A stretch of memory by its first address, in the space of an operation. */
typedef struct aim_stretch {
    uint64_t base;
    uint32_t nbytes;
} aim_stretch;

static void aim_regions(fuzz_launch *launch) {
    static const uint8_t kinds[AIM_REGIONS] = {WS_REGION_PARAMETERS, WS_REGION_CONSTANT, WS_REGION_VARIABLE,
                                               WS_REGION_ARGUMENT,   WS_REGION_ARGUMENT, WS_REGION_ARGUMENT,
                                               WS_REGION_HEAP,       WS_REGION_ARGUMENT, WS_REGION_ARGUMENT};
    static uint8_t bytes[AIM_REGIONS][12288];
    uint32_t i;
    for (i = 0; i < AIM_REGIONS; i++) {
        const bool is_read_only = i == AIM_PARAMETERS || i == AIM_CONSTANT || i == AIM_TABLE;
        const uint64_t base =
            i == AIM_PARAMETERS ? WS_FIRST_PARAMETER : WS_FIRST_GLOBAL + 32768 * (uint64_t)i + (i == AIM_THIRD ? 4 : 0);
        const ws_region region = {base, aim_bytes[i], bytes[i], i, kinds[i], is_read_only, NULL};
        launch->regions[i] = region;
        launch->unwritten[i] = i == AIM_SECOND || i == AIM_THIRD;
        if (i < AIM_TABLE) fuzz_fill(i + 1, bytes[i], aim_bytes[i]);
    }
    launch->count = AIM_REGIONS;
    ws_store_u64(bytes[AIM_PARAMETERS], launch->regions[AIM_TABLE].base);
    ws_store_u64(bytes[AIM_PARAMETERS] + 8, launch->regions[AIM_OUT].base);
    launch->parameters = bytes[AIM_PARAMETERS];
}

static wrong_entry *aim_entry(const fuzz_launch *launch, uint32_t block, uint32_t thread, int op) {
    wrong_entry *table = (wrong_entry *)(void *)launch->regions[AIM_TABLE].bytes;
    return &table[(block * WRONG_THREADS + thread) * WRONG_OPS + (uint32_t)op];
}

/* Where the module's M lies in a thread's memory. */
static uint32_t aim_local(const wrong_kernel *kernel) {
    const ws_module *module = &kernel->decoded.module;
    uint32_t i;
    for (i = 0; i < module->variable_count; i++) {
        if (module->variables[i].space == WS_NAME_LOCAL) return kernel->decoded.programs[0].offset_of[i];
    }
    return 0;
}

/* Memory that the operation may mean: mostly of its own space. */
static aim_stretch aim_at(const wrong_kernel *kernel, const fuzz_launch *launch, uint8_t space, uint32_t block,
                          fuzz_input *in) {
    static const uint8_t any[] = {AIM_FIRST,    AIM_FIRST, AIM_FIRST,    AIM_SECOND,     AIM_SECOND, AIM_THIRD,
                                  AIM_VARIABLE, AIM_HEAP,  AIM_CONSTANT, AIM_PARAMETERS, AIM_TABLE,  AIM_OUT};
    const uint32_t rank = block % kernel->ranks;
    const uint8_t how = fuzz_u8(in);
    uint64_t window = 0;
    uint32_t to = rank;
    if (space == WS_AT_GENERIC) {
        window = WS_SHARED_WINDOW;
        space = how % 8 < 4 ? WS_AT_GLOBAL : how % 8 < 6 ? WS_AT_CLUSTER : how % 8 == 6 ? WS_AT_SHARED : WS_AT_LOCAL;
    }
    if (space == WS_AT_LOCAL) {
        const aim_stretch local = {(window != 0 ? WS_LOCAL_WINDOW : 0) + aim_local(kernel), WRONG_LOCAL};
        return local;
    }
    if (space == WS_AT_CLUSTER) to = how / 8 % kernel->ranks;
    if (space == WS_AT_SHARED || space == WS_AT_CLUSTER) {
        const aim_stretch shared = {window + ((uint64_t)to << WS_RANK_SHIFT), launch->shared_bytes};
        return shared;
    }
    to = space == WS_AT_CONST ? (uint32_t)AIM_CONSTANT : any[how / 8 % (how % 3 == 0 ? 12 : 6)];
    {
        const aim_stretch region = {launch->regions[to].base, (uint32_t)launch->regions[to].nbytes};
        return region;
    }
}

/* Addresses of a warp, `nbytes` bytes at each: from a place of the stretch, at steps; `fits`: inside and aligned. */
static void aim_pattern(const aim_stretch *stretch, uint32_t nbytes, bool fits, fuzz_input *in,
                        uint64_t address[WS_LANES]) {
    static const int32_t steps[] = {1, 1, 1, 1, 0, 2, 3, 4, 8, 16, -1, -2, 5, 33};
    static const int32_t odd[] = {4, 8, 12, 16, 20, 1, 2, 24, 32, 3, 6, 48, 64, 100, 0};
    const uint8_t how = fuzz_u8(in), flip = fuzz_u8(in) % 32;
    const uint32_t places = stretch->nbytes / nbytes;
    const uint64_t skew = (nbytes - stretch->base % nbytes) % nbytes; /* to the first that is aligned */
    int64_t step = (int64_t)FUZZ_CHOOSE(in, steps) * nbytes, at = 0;
    int lane;
    if (!fits && how % 2) step = (how & 2 ? -1 : 1) * (int64_t)FUZZ_CHOOSE(in, odd);
    if (how & 4) at = (int64_t)stretch->nbytes - (how & 8 ? nbytes : 32 * step);
    if ((how & 16) && !fits) at += (int8_t)fuzz_u8(in);
    for (lane = 0; lane < WS_LANES; lane++) {
        const int64_t turn = how & 32 ? 31 - lane : how & 64 ? lane ^ flip : lane;
        int64_t offset = at + turn * step;
        if (fits && places != 0) {
            offset = offset / nbytes % places;
            offset = (int64_t)skew + (offset < 0 ? offset + places : offset) * nbytes;
            if (offset + nbytes > stretch->nbytes) offset = (int64_t)skew;
        }
        address[lane] = stretch->base + (uint64_t)offset;
    }
}

/* One address that is far from everything, or just beside. */
static uint64_t aim_wild(const aim_stretch *stretch, uint32_t nbytes, fuzz_input *in) {
    const uint64_t ends[] = {0,
                             UINT64_C(1) << 32,
                             UINT64_C(1) << 31,
                             UINT64_C(1) << 63,
                             WS_SHARED_WINDOW,
                             WS_SHARED_WINDOW + WS_SHARED_WINDOW_BYTES,
                             WS_SHARED_WINDOW + WS_CLUSTER_WINDOW_BYTES,
                             WS_LOCAL_WINDOW,
                             WS_LOCAL_WINDOW + WS_LOCAL_WINDOW_BYTES,
                             WS_SHARED_WINDOW_BYTES,
                             WS_FIRST_GLOBAL,
                             stretch->base,
                             stretch->base + stretch->nbytes,
                             stretch->base + stretch->nbytes,
                             stretch->base + stretch->nbytes};
    const uint64_t end = FUZZ_CHOOSE(in, ends);
    const uint8_t how = fuzz_u8(in);
    return end + (uint64_t)(int64_t)((int)(how % 8) - 4) * (how & 8 ? 1 : how & 16 ? 4 : nbytes);
}

static uint32_t aim_flags(fuzz_input *in) {
    const uint8_t how = fuzz_u8(in);
    if (how < 128) return WS_ALL_LANES;
    if (how < 144) return UINT32_C(1) << how % 32;
    if (how < 152) return 0;
    return how < 176 ? 0xffffu << how % 17 : fuzz_u32(in);
}

/* One operation of a warp. */
static void aim_operation(const wrong_kernel *kernel, const fuzz_launch *launch, const wrong_op *op, uint32_t block,
                          fuzz_input *in, wrong_entry of[WS_LANES]) {
    const aim_stretch at = aim_at(kernel, launch, op->space, block, in);
    const aim_stretch from = aim_at(kernel, launch, WS_AT_GLOBAL, block, in);
    const uint8_t how = fuzz_u8(in);
    const uint32_t flags = op->kind == WRONG_ROWS && how % 4 ? WS_ALL_LANES : aim_flags(in);
    uint64_t address[WS_LANES], source[WS_LANES];
    uint32_t nbytes = fuzz_u8(in);
    int lane, wild;
    aim_pattern(&at, op->nbytes, how % 8 != 0, in, address);
    aim_pattern(&from, op->nbytes, how % 16 < 14, in, source);
    for (wild = how / 16 < 3 ? 1 + how / 16 : 0; wild > 0; wild--) {
        const int one = fuzz_below(in, WS_LANES);
        address[one] = aim_wild(&at, op->nbytes, in);
        if (wild == 2) source[one] = aim_wild(&from, op->nbytes, in);
    }
    if (nbytes % 4 != 0) nbytes = nbytes % 5 * 16;
    for (lane = 0; lane < WS_LANES; lane++) {
        of[lane].at = address[lane] - (uint64_t)op->offset;
        of[lane].from = source[lane];
        of[lane].flag = flags >> lane & 1;
        of[lane].nbytes = nbytes;
    }
}

static void aim_launch(const wrong_kernel *kernel, fuzz_launch *launch, fuzz_input *in) {
    uint32_t block, warp;
    int op;
    for (block = 0; block < kernel->blocks; block++) {
        for (warp = 0; warp * WS_LANES < kernel->threads; warp++) {
            for (op = 0; op < kernel->count; op++) {
                wrong_entry of[WS_LANES];
                uint32_t lane;
                memset(of, 0, sizeof of);
                aim_operation(kernel, launch, &kernel->ops[op], block, in, of);
                for (lane = 0; lane < WS_LANES; lane++)
                    *aim_entry(launch, block, warp * WS_LANES + lane, op) = of[lane];
            }
        }
    }
}

#endif
