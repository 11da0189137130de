/* The constants of the cost model: what each means, its value on each architecture, its source and its uncertainty.
 *
 *     ws_profile_constant_at     what a constant means, and its unit
 *     ws_known_at        THE table: one row per architecture and constant that somebody measured or specified
 *
 * A constant without a row for an architecture is assumed to be as on sm_90 (profile.h). */
#ifndef WARPSIM_TIME_PROFILE_TABLE_H
#define WARPSIM_TIME_PROFILE_TABLE_H

#include "../isa/limits.h"

typedef enum ws_profile_constant {
    WS_BANKS = 0,
    WS_BANK_BYTES,
    WS_SUB_PARTITIONS,
    WS_SHARED_BYTES_PER_BLOCK,
    WS_LOAD_LATENCY,
    WS_WAVEFRONT_LATENCY,
    WS_GROUP_LATENCY,
    WS_NARROW_LATENCY,
    WS_STORE_LATENCY,
    WS_STORE_REGISTER_LATENCY,
    WS_MOVMATRIX_LATENCY,
    WS_MOVMATRIX_INTERVAL,
    WS_WMMA_ADDRESS_LATENCY,
    WS_GLOBAL_LATENCY,
    WS_GLOBAL_GAP,
    WS_ACCESS_INTERVAL,
    WS_LOAD_GAP,
    WS_LOAD_PORT,
    WS_STORE_PORT,
    WS_STORE_REGISTER_PORT,
    WS_START_INTERVAL,
    WS_COPY_LATENCY,
    WS_COPY_PATH,
    WS_COPY_ALONE,
    WS_COPY_CA_ALONE,
    WS_COPY_CA_ARRIVAL,
    WS_COPY_ISSUE,
    WS_COPY_RELEASE,
    WS_COPY_QUEUE,
    WS_MEMORY_QUEUE,
    WS_MMA_INTERVAL,
    WS_MMA_LATENCY,
    WS_DENSE_FMA,
    WS_BARRIER_LATENCY,
    WS_BARRIER_INTERVAL,
    WS_BRANCH_LATENCY,
    WS_SLOT_INTERVAL,
    WS_CONVERT_INTERVAL,
    WS_CONSTANT_COUNT
} ws_profile_constant;

typedef struct ws_profile_constant_row {
    const char *name;
    const char *unit;
    const char *meaning;
} ws_profile_constant_row;

static inline const ws_profile_constant_row *ws_profile_constant_at(int constant) {
    /* clang-format off */
    static const ws_profile_constant_row table[WS_CONSTANT_COUNT] = {
        {"banks", "banks", "of shared memory"},
        {"bank_bytes", "bytes", "width of a bank"},
        {"sub_partitions", "sub-partitions", "of an SM; warp k uses number k mod that"},
        {"shared_bytes_per_block", "bytes", "shared memory that one block can have"},
        {"load_latency", "cycles", "from a load's issue to the issue of an instruction that needs it, without its wavefronts"},
        {"wavefront_latency", "cycles", "of each wavefront of one warp; the SM's data pipe takes one per cycle"},
        {"group_latency", "cycles", "ld.shared: of each group of lanes after the first"},
        {"narrow_latency", "cycles", "extra, for loads of 8 and 16 bits per lane"},
        {"store_latency", "cycles", "from a store's issue until a load can follow it, without its wavefronts"},
        {"store_register_latency", "cycles", "of each 32-bit register stored after the first"},
        {"movmatrix_latency", "cycles", "from issue to use"},
        {"movmatrix_interval", "cycles", "of one warp alone"},
        {"wmma_address_latency", "cycles", "of the address arithmetic that wmma is lowered to, before its accesses; of 64-bit addresses, twice"},
        {"global_latency", "cycles", "ld.global that hits L1, without its passes: a cycle per tag pass, wavefront_latency per pass of the banks"},
        {"global_gap", "cycles", "of one warp between the global loads of an endless stream, beyond the passes of the banks"},
        {"access_interval", "cycles", "of one warp, per memory access"},
        {"load_gap", "cycles", "of one warp between the loads of an endless stream, beyond its wavefronts"},
        {"load_port", "cycles", "of a sub-partition, per load"},
        {"store_port", "cycles", "of a sub-partition, per store"},
        {"store_register_port", "cycles", "of a sub-partition, per 32-bit register stored"},
        {"start_interval", "cycles", "from the start of one warp to that of the next, two at a time"},
        {"copy_latency", "cycles", "cp.async.cg: from issue until its first data come from L2"},
        {"copy_path", "cycles", "cp.async.cg: of the path from L2, per line of 128 bytes that it reads"},
        {"copy_alone", "cycles", "cp.async.cg: of one warp alone, per instruction, four groups of eight in flight"},
        {"copy_ca_alone", "cycles", "cp.async.ca: of one warp alone, per instruction"},
        {"copy_ca_arrival", "cycles", "cp.async.ca: of the data pipe, since its lines arrive in L1 first"},
        {"copy_issue", "cycles", "cp.async: of an SM, from one that it takes in to the next"},
        {"copy_release", "cycles", "cp.async: from when the SM takes it in until its address registers can be used again"},
        {"copy_queue", "copies", "cp.async: that an SM takes in before the first of them has left the stage of their addresses, a wavefront per cycle"},
        {"memory_queue", "slots", "of a sub-partition, for what its warps issue to shared memory: a load takes one, cp.async three"},
        {"mma_interval", "cycles", "of a sub-partition's tensor pipe, per mma.sync.m16n8k16 of f16 or bf16 with f32 accumulators"},
        {"mma_latency", "cycles", "of that mma, from issue to the issue of one that adds to its result"},
        {"dense_fma", "FMA per cycle", "of an SM's tensor pipes at their peak, f16 with f32 accumulators"},
        {"barrier_latency", "cycles", "from the last arrival at bar.sync to the first memory access after it"},
        {"barrier_interval", "cycles", "from the first memory access of one warp after a barrier to that of the next"},
        {"branch_latency", "cycles", "of a taken branch, beyond the stall that the compiler writes"},
        {"slot_interval", "cycles", "of a sub-partition's ALU, per integer instruction of the addresses of a loop"},
        {"convert_interval", "cycles", "of a sub-partition's ALU, per conversion of 8-bit elements and addition of their products"},
    };
    /* clang-format on */
    return &table[constant >= 0 && constant < WS_CONSTANT_COUNT ? constant : 0];
}

/* Where a value comes from, most reliable first. */
typedef enum ws_basis {
    WS_BASIS_MEASURED = 0, /* on that architecture, for this table */
    WS_BASIS_SPECIFIED,    /* NVIDIA's documents */
    WS_BASIS_PUBLISHED,    /* measured there by others */
    WS_BASIS_FITTED,       /* fitted to measured main loops */
    WS_BASIS_ASSUMED,      /* as on sm_90 */
    WS_BASIS_USER,
    WS_BASIS_COUNT
} ws_basis;

static inline const char *ws_basis_word(int basis) {
    static const char *const words[WS_BASIS_COUNT] = {"measured", "specified",          "published",
                                                      "fitted",   "assumed from sm_90", "user"};
    return basis >= 0 && basis < WS_BASIS_COUNT ? words[basis] : "?";
}

typedef struct ws_known {
    uint16_t number;  /* 90: of sm_90 and its variants */
    uint8_t constant; /* ws_profile_constant */
    uint8_t basis;    /* ws_basis */
    double value;
    double error; /* relative, against the measurements named; negative: unknown */
    const char *source;
} ws_known;

#define WS_CUDA_GUIDE "CUDA C++ Programming Guide, technical specifications per compute capability"
#define WS_H200_LATENCY "H200, chains of dependent accesses (timing_latency)"
#define WS_H200_STREAMS "H200, endless streams (timing_throughput)"
#define WS_H200_BURSTS "H200, short sequences (benchmarks/device/streams.json.gz)"
#define WS_MAINLOOPS_FIT "fitted to main loops on an H200 and an H100 (timing_mainloop, benchmarks/device)"

enum { WS_KNOWN_COUNT = 86 };

static inline const ws_known *ws_known_at(int index) {
    /* clang-format off */
    static const ws_known table[WS_KNOWN_COUNT] = {
        {90, WS_BANKS, WS_BASIS_MEASURED, 32, 0, "H200, counters of 6335 accesses (shared_traffic)"},
        {90, WS_BANK_BYTES, WS_BASIS_MEASURED, 4, 0, "H200, counters of 6335 accesses (shared_traffic)"},
        {90, WS_SUB_PARTITIONS, WS_BASIS_MEASURED, 4, 0, WS_H200_STREAMS},
        {90, WS_LOAD_LATENCY, WS_BASIS_MEASURED, 21, 0, WS_H200_LATENCY},
        {90, WS_WAVEFRONT_LATENCY, WS_BASIS_MEASURED, 2, 0, WS_H200_LATENCY},
        {90, WS_GROUP_LATENCY, WS_BASIS_MEASURED, 1, 0, WS_H200_LATENCY},
        {90, WS_NARROW_LATENCY, WS_BASIS_MEASURED, 0.28, 0, WS_H200_LATENCY},
        {90, WS_STORE_LATENCY, WS_BASIS_MEASURED, 3, 0, WS_H200_LATENCY},
        {90, WS_STORE_REGISTER_LATENCY, WS_BASIS_MEASURED, 2, 0, WS_H200_LATENCY},
        {90, WS_MOVMATRIX_LATENCY, WS_BASIS_MEASURED, 24, 0, WS_H200_LATENCY},
        {90, WS_MOVMATRIX_INTERVAL, WS_BASIS_MEASURED, 4.75, 0.01, WS_H200_STREAMS},
        {90, WS_WMMA_ADDRESS_LATENCY, WS_BASIS_MEASURED, 5, 0.2, WS_H200_LATENCY},
        {90, WS_GLOBAL_LATENCY, WS_BASIS_MEASURED, 29, 0, WS_H200_LATENCY},
        {90, WS_GLOBAL_GAP, WS_BASIS_MEASURED, 1.9, 0.1, "H200, streams drawn by chance (benchmarks/device/fitted.json.gz)"},
        {90, WS_ACCESS_INTERVAL, WS_BASIS_MEASURED, 4, 0.05, WS_H200_STREAMS},
        {90, WS_LOAD_GAP, WS_BASIS_MEASURED, 0.3, 0.2, WS_H200_STREAMS},
        {90, WS_LOAD_PORT, WS_BASIS_MEASURED, 2, 0.01, WS_H200_STREAMS},
        {90, WS_STORE_PORT, WS_BASIS_MEASURED, 2, 0.01, WS_H200_STREAMS},
        {90, WS_STORE_REGISTER_PORT, WS_BASIS_MEASURED, 2, 0.01, WS_H200_STREAMS},
        {90, WS_START_INTERVAL, WS_BASIS_MEASURED, 3.5, 0.1, WS_H200_BURSTS},
        {90, WS_COPY_LATENCY, WS_BASIS_FITTED, 275, -1, WS_MAINLOOPS_FIT},
        {90, WS_COPY_PATH, WS_BASIS_MEASURED, 1.06, 0.1, "H200, streams of cp.async from 4 and 32 lines (timing_cp_async), fills"},
        {90, WS_COPY_ALONE, WS_BASIS_MEASURED, 23.5, 0.1, "H200, streams of cp.async (timing_cp_async)"},
        {90, WS_COPY_CA_ALONE, WS_BASIS_MEASURED, 13.9, 0.1, "H200, streams of cp.async (timing_cp_async)"},
        {90, WS_COPY_CA_ARRIVAL, WS_BASIS_MEASURED, 2.4, 0.3, "H200, streams of cp.async (timing_cp_async)"},
        {90, WS_COPY_ISSUE, WS_BASIS_FITTED, 3, -1, WS_MAINLOOPS_FIT},
        {90, WS_COPY_RELEASE, WS_BASIS_FITTED, 12, -1, WS_MAINLOOPS_FIT},
        {90, WS_COPY_QUEUE, WS_BASIS_FITTED, 10, -1, WS_MAINLOOPS_FIT},
        {90, WS_MEMORY_QUEUE, WS_BASIS_FITTED, 14, -1, WS_MAINLOOPS_FIT},
        {90, WS_MMA_INTERVAL, WS_BASIS_MEASURED, 6.5, 0.05, WS_H200_BURSTS},
        {90, WS_MMA_LATENCY, WS_BASIS_MEASURED, 24, 0.01, WS_H200_BURSTS},
        {90, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 2048, 0, "H100 whitepaper: 989.4 TFLOPS dense, 132 SMs, 1.83 GHz"},
        {90, WS_BARRIER_LATENCY, WS_BASIS_FITTED, 24, -1, WS_MAINLOOPS_FIT},
        {90, WS_BARRIER_INTERVAL, WS_BASIS_FITTED, 0.5, -1, WS_MAINLOOPS_FIT},
        {90, WS_BRANCH_LATENCY, WS_BASIS_FITTED, 2, -1, WS_MAINLOOPS_FIT},
        {90, WS_SLOT_INTERVAL, WS_BASIS_FITTED, 1.6, -1, WS_MAINLOOPS_FIT},
        {90, WS_CONVERT_INTERVAL, WS_BASIS_FITTED, 2, -1, WS_MAINLOOPS_FIT},


        {70, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 512, 0, "V100 whitepaper: 125 TFLOPS, 80 SMs, 1.53 GHz"},
        {75, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 512, 0, "T4 data sheet: 65 TFLOPS dense, 40 SMs, 1.59 GHz"},
        {80, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 1024, 0, "A100 whitepaper: 312 TFLOPS dense, 108 SMs, 1.41 GHz"},
        {86, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 512, 0, "A40 data sheet: 149.7 TFLOPS dense, 84 SMs, 1.74 GHz"},
        {89, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 512, 0, "L40S data sheet: 366 TFLOPS dense, 142 SMs, 2.52 GHz"},
        {87, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 1024, 0, "Jetson AGX Orin data sheet: 170 sparse INT8 TOPS, 16 SMs, 1.3 GHz; f16 is half of INT8"},
        {100, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 4096, 0, "B200 data sheet: 2250 TFLOPS dense, 148 SMs, 1.85 GHz"},
        {103, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 4096, 0, "B300 data sheet: 2500 TFLOPS dense, 160 SMs, 1.92 GHz"},
        {101, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 4096, 0, "Jetson T5000 data sheet: 2070 sparse FP4 TFLOPS, 20 SMs, 1.57 GHz; f16 is a quarter of FP4"},
        {110, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 4096, 0, "Jetson T5000 data sheet: 2070 sparse FP4 TFLOPS, 20 SMs, 1.57 GHz; f16 is a quarter of FP4"},
        {120, WS_DENSE_FMA, WS_BASIS_SPECIFIED, 512, 0, "RTX PRO 6000 Blackwell data sheet: 4000 sparse FP4 TOPS, 188 SMs, 2.6 GHz; f16 is a quarter of FP4"},
        {121, WS_DENSE_FMA, WS_BASIS_PUBLISHED, 256, -1, "GB10: 1 PFLOPS of sparse FP4 on 48 SMs is the rate of a GeForce of sm_120, f32 accumulators included"},

        {70, WS_LOAD_LATENCY, WS_BASIS_PUBLISHED, 19.3, -1, "V100: ld.shared 23.5 (mt4g), less 2.2 for its clock readings (L1 hit 30.1, RRZE 27.9) and one wavefront"},
        {80, WS_LOAD_LATENCY, WS_BASIS_PUBLISHED, 21, -1, "A100: ld.shared 23 (Abdelkhalik et al.), 23 and 25 for one and two wavefronts (Sun et al.)"},
        {80, WS_WAVEFRONT_LATENCY, WS_BASIS_PUBLISHED, 2, -1, "A100: 23 and 25 for one and two wavefronts (Sun et al.)"},
        {120, WS_LOAD_LATENCY, WS_BASIS_PUBLISHED, 26.5, -1, "RTX 5070 Ti: LDSM.x1 and a dependent add take 33.0"},
        {80, WS_GLOBAL_LATENCY, WS_BASIS_PUBLISHED, 30, -1, "A100: L1 hit 33 (Abdelkhalik et al.), less one pass of each kind"},
        {86, WS_GLOBAL_LATENCY, WS_BASIS_PUBLISHED, 30, -1, "A40: L1 hit 33.0, less one pass of each kind"},
        {89, WS_GLOBAL_LATENCY, WS_BASIS_PUBLISHED, 31, -1, "L40: L1 hit 34.0 (RRZE), less one pass of each kind"},
        {70, WS_GLOBAL_LATENCY, WS_BASIS_PUBLISHED, 24.9, -1, "V100: L1 hit 27.9 (RRZE), less one pass of each kind"},
        {103, WS_GLOBAL_LATENCY, WS_BASIS_PUBLISHED, 30, -1, "B300: L1 hit 38 by a chain whose ld.shared takes 29 (QuickRunCUDA), less an integer add and one pass of each kind"},
        {120, WS_GLOBAL_LATENCY, WS_BASIS_PUBLISHED, 33, -1, "RTX 5090: index chase 44 where a GH200, of 29, takes 40 (AI_kernels)"},
        {80, WS_MMA_INTERVAL, WS_BASIS_PUBLISHED, 8, -1, "A100: HMMA.16816 every 8 cycles (Abdelkhalik et al.)"},
        {86, WS_MMA_INTERVAL, WS_BASIS_SPECIFIED, 16, -1, "A40 data sheet, at the peak rate"},
        {89, WS_MMA_INTERVAL, WS_BASIS_SPECIFIED, 16, -1, "L40S data sheet, at the peak rate"},
        {87, WS_MMA_INTERVAL, WS_BASIS_SPECIFIED, 8, -1, "Jetson AGX Orin data sheet, at the peak rate"},
        {120, WS_MMA_INTERVAL, WS_BASIS_SPECIFIED, 16, -1, "RTX PRO 6000 Blackwell data sheet, at the peak rate"},
        {121, WS_MMA_INTERVAL, WS_BASIS_PUBLISHED, 32, -1, "GB10, at the rate of a GeForce of sm_120"},
        {103, WS_MMA_INTERVAL, WS_BASIS_PUBLISHED, 8.25, -1, "B300: mma.sync f16 at 993 FMA per cycle and SM"},
        {80, WS_MMA_LATENCY, WS_BASIS_PUBLISHED, 24.6, -1, "A100: mma.m16n8k16 24.6 (Luo et al.)"},
        {89, WS_MMA_LATENCY, WS_BASIS_PUBLISHED, 24.6, -1, "RTX 4090: mma.m16n8k16 24.6 (Luo et al.)"},
        {103, WS_MMA_LATENCY, WS_BASIS_PUBLISHED, 20, -1, "B300: HMMA about 20"},
#define WS_SHARED_ROW(number, sm, block, blocks, warps, ranks) \
        {number, WS_SHARED_BYTES_PER_BLOCK, WS_BASIS_SPECIFIED, (block) * 1024, 0, WS_CUDA_GUIDE},
        WS_LIMITS(WS_SHARED_ROW)
#undef WS_SHARED_ROW
    };
    /* clang-format on */
    return &table[index >= 0 && index < WS_KNOWN_COUNT ? index : 0];
}

#endif
