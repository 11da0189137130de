// ldmatrix, stmatrix and movmatrix as inline assembly: every form that the target has.
typedef unsigned u32;

__device__ u32 shared_address(const void *p) { return static_cast<u32>(__cvta_generic_to_shared(p)); }

#define LOAD1(NAME, FORM)                                                                \
    __device__ void NAME(u32 *r, const void *p) {                                        \
        asm volatile(FORM " {%0}, [%1];" : "=r"(r[0]) : "r"(shared_address(p)) : "memory"); \
    }
#define LOAD2(NAME, FORM)                                                                                   \
    __device__ void NAME(u32 *r, const void *p) {                                                           \
        asm volatile(FORM " {%0, %1}, [%2+16];" : "=r"(r[0]), "=r"(r[1]) : "r"(shared_address(p)) : "memory"); \
    }
#define LOAD4(NAME, FORM)                                                                          \
    __device__ void NAME(u32 *r, const void *p) {                                                  \
        asm volatile("{ .reg .u64 wide; .reg .u32 a<2>; cvt.u64.u32 wide, %4; cvt.u32.u64 a1, wide;\n\t" \
                     FORM " {%0, %1, %2, %3}, [a1 + 1024]; }"                                      \
                     : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(p)) : "memory"); \
    }
#define STORE1(NAME, FORM)                                                                            \
    __device__ void NAME(const u32 *r, void *p) {                                                     \
        asm volatile(FORM " [%1], {%0};" : : "r"(r[0]), "r"(shared_address(p)) : "memory");           \
    }
#define STORE2(NAME, FORM)                                                                            \
    __device__ void NAME(const u32 *r, void *p) {                                                     \
        asm volatile(FORM " [%2], {%0, %1};" : : "r"(r[0]), "r"(r[1]), "r"(shared_address(p)) : "memory"); \
    }
#define STORE4(NAME, FORM)                                                                            \
    __device__ void NAME(const u32 *r, void *p) {                                                     \
        asm volatile(FORM " [%4+32], {%0, %1, %2, %3};" : : "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), \
                     "r"(shared_address(p)) : "memory");                                              \
    }

#if __CUDA_ARCH__ >= 750
LOAD1(b16_x1, "ldmatrix.sync.aligned.m8n8.x1.shared.b16")
LOAD2(b16_x2, "ldmatrix.sync.aligned.m8n8.x2.shared.b16")
LOAD4(b16_x4, "ldmatrix.sync.aligned.m8n8.x4.shared.b16")
LOAD1(b16_x1_trans, "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16")
LOAD2(b16_x2_trans, "ldmatrix.sync.aligned.x2.trans.m8n8.shared::cta.b16")
LOAD4(b16_x4_trans, "ldmatrix.sync.aligned.x4.m8n8.trans.shared.b16")
__device__ void b16_generic(u32 *r, const void *p) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "l"(p));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r[4]) : "r"(r[0]));
}
#endif
#if __CUDA_ARCH__ >= 900
STORE1(store_x1, "stmatrix.sync.aligned.m8n8.x1.shared.b16")
STORE2(store_x2, "stmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16")
STORE4(store_x4, "stmatrix.sync.aligned.x4.trans.m8n8.shared.b16")
STORE4(store_x4_plain, "stmatrix.sync.aligned.m8n8.x4.shared.b16")
#endif
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || (defined(__CUDA_ARCH_FAMILY_SPECIFIC__) && __CUDA_ARCH__ >= 1000) || \
    (defined(__CUDA_ARCH_SPECIFIC__) && __CUDA_ARCH__ >= 1000)
#define NARROW 1
LOAD2(b8_x1, "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8")
LOAD4(b8_x2, "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8")
LOAD2(b6_x1, "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b6x16_p32")
LOAD4(b6_x2, "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b6x16_p32")
LOAD2(b4_x1, "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8x16.b4x16_p64")
LOAD4(b4_x2, "ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8x16.b4x16_p64")
LOAD1(n16_b6_x1, "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b6x16_p32")
LOAD2(n16_b6_x2, "ldmatrix.sync.aligned.m8n16.x2.shared.b8x16.b6x16_p32")
LOAD4(n16_b6_x4, "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32")
LOAD1(n16_b4_x1, "ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64")
LOAD2(n16_b4_x2, "ldmatrix.sync.aligned.m8n16.x2.shared::cta.b8x16.b4x16_p64")
LOAD4(n16_b4_x4, "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b4x16_p64")
STORE1(store_b8_x1, "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8")
STORE2(store_b8_x2, "stmatrix.sync.aligned.m16n8.x2.trans.shared.b8")
STORE4(store_b8_x4, "stmatrix.sync.aligned.m16n8.x4.trans.shared.b8")
#endif

__global__ void matrices(u32 *out, int shift) {
    __shared__ __align__(128) unsigned char tile[8192];
    u32 r[8] = {};
    const void *p = tile + threadIdx.x * 16 + shift;
#if __CUDA_ARCH__ >= 750
    b16_x1(r, p), b16_x2(r + 1, p), b16_x4(r + 3, p), b16_x1_trans(r, p), b16_x2_trans(r, p), b16_x4_trans(r, p);
    b16_generic(r, p);
#endif
#if __CUDA_ARCH__ >= 900
    if (shift > 3) store_x1(r, tile), store_x2(r, tile), store_x4(r, tile), store_x4_plain(r + 2, tile + 512);
#endif
#ifdef NARROW
    b8_x1(r, p), b8_x2(r + 2, p), b6_x1(r, p), b6_x2(r, p), b4_x1(r, p), b4_x2(r, p);
    n16_b6_x1(r, p), n16_b6_x2(r, p), n16_b6_x4(r + 4, p), n16_b4_x1(r, p), n16_b4_x2(r, p), n16_b4_x4(r, p);
    store_b8_x1(r, tile), store_b8_x2(r, tile), store_b8_x4(r, tile);
#endif
    for (int i = 0; i < 8; i++) out[threadIdx.x * 8 + i] = r[i] + tile[threadIdx.x];
}
