// Attention forward as FlashAttention 3 does it on sm_90a: a warpgroup of producers copies tiles by tensor maps, two of
// consumers take turns: S = Q K^T and O += P V by wgmma, P in registers, V as it lies; a softmax that goes along. The
// result leaves by a tensor copy. Heads of 64; `main` compares with the sum in double.
#include <cstdint>
#include <cstdio>
#include <cmath>
#include <vector>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

constexpr int D = 64, ROWS = 64, KEYS = 64, STAGES = 2, TILE = 64 * 64 * 2;

struct Shared {
    alignas(1024) uint8_t q[2][TILE], k[STAGES][TILE], v[STAGES][TILE];
    alignas(8) uint64_t full_q, full_k[STAGES], full_v[STAGES], empty_k[STAGES], empty_v[STAGES];
};

__device__ uint32_t at(const void *p) { return uint32_t(__cvta_generic_to_shared(p)); }
__device__ void init(uint64_t *b, int n) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory"); }
__device__ void arrive(uint64_t *b) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at(b)) : "memory"); }
__device__ void expect(uint64_t *b, int n) { asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(n) : "memory"); }
__device__ void wait(uint64_t *b, int parity) {
    asm volatile("{\n.reg .pred p;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n@p bra DONE;\nbra AGAIN;\nDONE:\n}"
                 ::"r"(at(b)), "r"(parity) : "memory");
}
__device__ void load(void *to, const CUtensorMap *map, int row, int head, uint64_t *bar) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
                 ::"r"(at(to)), "l"(map), "r"(0), "r"(row), "r"(head), "r"(at(bar)) : "memory");
}
__device__ void store(const CUtensorMap *map, int row, int head, const void *from) {
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];"
                 ::"l"(map), "r"(0), "r"(row), "r"(head), "r"(at(from)) : "memory");
}
// Rows of 128 bytes with their swizzle, eight of them after another.
__device__ uint64_t descriptor(uint32_t address) { return uint64_t(address >> 4 & 0x3fff) | uint64_t(1) << 16 | uint64_t(64) << 32 | uint64_t(1) << 62; }

#define R8(x, i) "+f"(x[i]), "+f"(x[i + 1]), "+f"(x[i + 2]), "+f"(x[i + 3]), "+f"(x[i + 4]), "+f"(x[i + 5]), "+f"(x[i + 6]), "+f"(x[i + 7])
#define OUT "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}"
__device__ void scores(float (&s)[32], uint64_t q, uint64_t k, int add) {
    asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " OUT ", %32, %33, p, 1, 1, 0, 0;\n}"
                 : R8(s, 0), R8(s, 8), R8(s, 16), R8(s, 24) : "l"(q), "l"(k), "r"(add));
}
__device__ void values(float (&o)[32], const uint32_t *p, uint64_t v) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " OUT ", {%32,%33,%34,%35}, %36, 1, 1, 1, 1;\n"
                 : R8(o, 0), R8(o, 8), R8(o, 16), R8(o, 24) : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "l"(v));
}
__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit_and_wait() { asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory"); }
__device__ float quad_max(float x) { x = fmaxf(x, __shfl_xor_sync(~0u, x, 1)); return fmaxf(x, __shfl_xor_sync(~0u, x, 2)); }
__device__ float quad_sum(float x) { x += __shfl_xor_sync(~0u, x, 1); return x + __shfl_xor_sync(~0u, x, 2); }
__device__ float power(float x) { float y; asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x)); return y; }
__device__ uint32_t pair(float x, float y) { __half2 h = __floats2half2_rn(x, y); return *reinterpret_cast<uint32_t *>(&h); }

__device__ void produce(Shared &sm, const CUtensorMap *tq, const CUtensorMap *tk, const CUtensorMap *tv, int tiles) {
    if (threadIdx.x != 0) return;
    const int head = blockIdx.y;
    expect(&sm.full_q, 2 * TILE);
    for (int w = 0; w < 2; w++) load(sm.q[w], tq, (2 * blockIdx.x + w) * ROWS, head, &sm.full_q);
    for (int i = 0; i < tiles; i++) {
        const int stage = i % STAGES, turn = i / STAGES;
        if (turn > 0) wait(&sm.empty_k[stage], turn - 1 & 1);
        expect(&sm.full_k[stage], TILE);
        load(sm.k[stage], tk, i * KEYS, head, &sm.full_k[stage]);
        if (turn > 0) wait(&sm.empty_v[stage], turn - 1 & 1);
        expect(&sm.full_v[stage], TILE);
        load(sm.v[stage], tv, i * KEYS, head, &sm.full_v[stage]);
    }
}

__device__ void consume(Shared &sm, const CUtensorMap *to, int tiles, float scale) {
    const int w = threadIdx.x / 128 - 1, lane = threadIdx.x % 32, warp = threadIdx.x / 32 % 4;
    float o[32] = {}, most[2] = {-INFINITY, -INFINITY}, sum[2] = {};
    wait(&sm.full_q, 0);
    if (w == 1) asm volatile("bar.arrive 1, 256;" ::: "memory"); // the first warpgroup begins
    for (int i = 0; i < tiles; i++) {
        const int stage = i % STAGES, parity = i / STAGES & 1;
        float s[32];
        wait(&sm.full_k[stage], parity);
        if (w == 0) asm volatile("bar.sync 1, 256;" ::: "memory"); else asm volatile("bar.sync 2, 256;" ::: "memory");
        fence();
        for (int k = 0; k < 4; k++) scores(s, descriptor(at(sm.q[w]) + 32 * k), descriptor(at(sm.k[stage]) + 32 * k), k > 0);
        if (w == 0) asm volatile("bar.arrive 2, 256;" ::: "memory");
        else if (i + 1 < tiles) asm volatile("bar.arrive 1, 256;" ::: "memory");
        commit_and_wait();
        arrive(&sm.empty_k[stage]);
        uint32_t p[16];
        for (int r = 0; r < 2; r++) { // rows g and g + 8
            float top = most[r];
            for (int j = 0; j < 32; j += 4) top = fmaxf(top, fmaxf(s[j + 2 * r], s[j + 2 * r + 1]));
            top = quad_max(top);
            const float less = power((most[r] - top) * scale);
            most[r] = top;
            sum[r] *= less;
            for (int j = 0; j < 32; j += 4) {
                const float x = power(s[j + 2 * r] * scale - top * scale), y = power(s[j + 2 * r + 1] * scale - top * scale);
                o[j + 2 * r] *= less;
                o[j + 2 * r + 1] *= less;
                sum[r] += x + y;
                p[j / 2 + r] = pair(x, y);
            }
        }
        wait(&sm.full_v[stage], parity);
        fence();
        for (int k = 0; k < 4; k++) values(o, p + 4 * k, descriptor(at(sm.v[stage]) + 2048 * k));
        commit_and_wait();
        arrive(&sm.empty_v[stage]);
    }
    uint8_t *tile = sm.q[w]; // its scores are done
    for (int r = 0; r < 2; r++) {
        const float share = 1.0f / quad_sum(sum[r]);
        const int row = 16 * warp + lane / 4 + 8 * r;
        for (int j = 0; j < 32; j += 4) {
            uint32_t *to_ = reinterpret_cast<uint32_t *>(tile + row * 128 + (j / 4 ^ row % 8) * 16 + lane % 4 * 4);
            *to_ = pair(o[j + 2 * r] * share, o[j + 2 * r + 1] * share);
        }
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (w == 0) asm volatile("bar.sync 3, 128;" ::: "memory"); else asm volatile("bar.sync 4, 128;" ::: "memory");
    if (threadIdx.x % 128 == 0) {
        store(to, (2 * blockIdx.x + w) * ROWS, blockIdx.y, tile);
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}

extern "C" __global__ void __launch_bounds__(384) attention(const __grid_constant__ CUtensorMap tq, const __grid_constant__ CUtensorMap tk,
                                                            const __grid_constant__ CUtensorMap tv, const __grid_constant__ CUtensorMap to,
                                                            int tiles, float scale) {
    extern __shared__ __align__(1024) uint8_t memory[];
    Shared &sm = *reinterpret_cast<Shared *>(memory);
    if (threadIdx.x == 0) {
        init(&sm.full_q, 1);
        for (int i = 0; i < STAGES; i++) {
            init(&sm.full_k[i], 1);
            init(&sm.full_v[i], 1);
            init(&sm.empty_k[i], 256);
            init(&sm.empty_v[i], 256);
        }
        asm volatile("fence.mbarrier_init.release.cluster;\nfence.proxy.async.shared::cta;" ::: "memory");
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        produce(sm, &tq, &tk, &tv, tiles);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        consume(sm, &to, tiles, scale);
    }
}

static CUtensorMap map_of(void *p, int rows, int heads) {
    void *entry = nullptr;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found);
    const uint64_t dims[3] = {D, uint64_t(rows), uint64_t(heads)}, strides[2] = {D * 2, uint64_t(rows) * D * 2};
    const uint32_t box[3] = {D, ROWS, 1}, ones[3] = {1, 1, 1};
    CUtensorMap map;
    const CUresult r = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry)(
        &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, p, dims, strides, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r != CUDA_SUCCESS) printf("map: %d\n", int(r));
    return map;
}

int main() {
    const int queries = 256, keys = 320, heads = 2;
    std::vector<__half> q(heads * queries * D), k(heads * keys * D), v(k.size()), o(q.size());
    unsigned seed = 1;
    auto fill = [&](std::vector<__half> &x) { for (auto &one : x) { seed = seed * 1664525u + 1013904223u; one = __float2half(float(int(seed >> 26) - 32) / 16); } };
    fill(q); fill(k); fill(v);
    __half *dq, *dk, *dv, *dd;
    cudaMalloc(&dq, q.size() * 2); cudaMalloc(&dk, k.size() * 2); cudaMalloc(&dv, v.size() * 2); cudaMalloc(&dd, o.size() * 2);
    cudaMemcpy(dq, q.data(), q.size() * 2, cudaMemcpyHostToDevice); cudaMemcpy(dk, k.data(), k.size() * 2, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, v.data(), v.size() * 2, cudaMemcpyHostToDevice); cudaMemset(dd, 0, o.size() * 2);
    cudaFuncSetAttribute(attention, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Shared));
    attention<<<dim3(queries / (2 * ROWS), heads), 384, sizeof(Shared)>>>(map_of(dq, queries, heads), map_of(dk, keys, heads),
        map_of(dv, keys, heads), map_of(dd, queries, heads), keys / KEYS, 1.44269504f / 8);
    const cudaError_t e = cudaDeviceSynchronize();
    cudaMemcpy(o.data(), dd, o.size() * 2, cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int h = 0; h < heads; h++) for (int i = 0; i < queries; i++) {
        std::vector<double> p(keys);
        double sum = 0;
        for (int j = 0; j < keys; j++) {
            double s = 0;
            for (int x = 0; x < D; x++) s += double(__half2float(q[(h * queries + i) * D + x])) * __half2float(k[(h * keys + j) * D + x]);
            sum += p[j] = exp(s / 8);
        }
        for (int x = 0; x < D; x++) {
            double t = 0;
            for (int j = 0; j < keys; j++) t += p[j] / sum * __half2float(v[(h * keys + j) * D + x]);
            worst = fmax(worst, fabs(t - __half2float(o[(h * queries + i) * D + x])));
        }
    }
    printf("%s, furthest from the sum in double: %g\n", cudaGetErrorString(e), worst);
    return e != cudaSuccess;
}
