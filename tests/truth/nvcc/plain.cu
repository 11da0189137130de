// ld and st of all widths, spaces and hints, and everything else that stands around them in a file.
#ifdef __CUDACC_RTC__
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long long uint64_t;
#else
#include <cstdint>
#include <cstdio>
#endif

struct Vector { float x, y, z; };
struct alignas(16) Setup { uint64_t base; int width[4]; Vector scale; char name[24]; };

__constant__ float weights[64] = {1.0f, 2.0f, 3.5f};
__device__ int table[4][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
__device__ const char text[] = "ldmatrix; { st.shared \" // no comment */";
__device__ volatile int flag;
extern __shared__ __align__(16) unsigned char dynamic[];

template <class T> __device__ __noinline__ T twice(T value, const T *from, int at) { return value + from[at] + from[at + 1]; }
struct Shape { __device__ virtual float area() const = 0; };
struct Square : Shape { float side; __device__ float area() const override { return side * side; } };
__device__ float (*function_table[2])(float) = {};

template <class T> __device__ void move(T *to, const T *from) {
    T *tile = reinterpret_cast<T *>(dynamic);
    tile[threadIdx.x] = from[threadIdx.x];
    __syncthreads();
    to[threadIdx.x] = tile[threadIdx.x ^ 1];
}
#define MOVE(T) __global__ void move_##T(T *to, const T *from) { move(to, from); } \
    __global__ void __launch_bounds__(128, 2) read_only_##T(T *__restrict__ to, const T *__restrict__ from) { to[threadIdx.x] = from[threadIdx.x]; }
MOVE(char) MOVE(short) MOVE(int) MOVE(float) MOVE(double) MOVE(uint8_t) MOVE(uint16_t) MOVE(uint64_t)
MOVE(char2) MOVE(char4) MOVE(short2) MOVE(short4) MOVE(int2) MOVE(int4) MOVE(float2) MOVE(float4) MOVE(double2) MOVE(longlong2) MOVE(uchar4)

__global__ void hints(int *p, float4 *q, int4 *r) {
    int sum = __ldg(p) + __ldcs(p + 1) + __ldcg(p + 2) + __ldca(p + 3) + __ldlu(p + 4) + __ldcv(p + 5);
    float4 v = __ldg(q), w = __ldcs(q + 1);
    __stcg(p, sum), __stcs(p + 1, sum), __stwb(p + 2, sum), __stwt(p + 3, sum);
    __stcg(q, v), __stwt(q + 1, w);
#if __CUDA_ARCH__ >= 750
    int4 x;
    asm volatile("ld.global.nc.L1::no_allocate.L2::128B.v4.s32 {%0, %1, %2, %3}, [%4];" : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w) : "l"(r));
    asm volatile("st.global.L1::no_allocate.v4.s32 [%0], {%1, %2, %3, %4};" ::"l"(r + 1), "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w));
#endif
}

__global__ void ordered(int *p, volatile int *v, Setup setup) {
    __shared__ volatile int busy[32];
    busy[threadIdx.x] = v[threadIdx.x];
    v[1] = busy[3] + flag;
    atomicAdd(p, setup.width[threadIdx.x & 3]);
    atomicCAS(p + 1, 1, 2);
    __threadfence();
#if __CUDA_ARCH__ >= 700
    int r;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(r) : "l"(p));
    asm volatile("st.release.sys.global.s32 [%0], %1;" ::"l"(p), "r"(r));
    asm volatile("ld.relaxed.cta.shared.s32 %0, [%1];" : "=r"(r) : "r"((unsigned)__cvta_generic_to_shared(dynamic)));
    asm volatile("st.weak.global.b32 [%0], %1;" ::"l"(p), "r"(r));
#endif
    atomicMax(reinterpret_cast<int *>(dynamic), p[5]);
    p[2] = setup.name[threadIdx.x] + weights[threadIdx.x] + table[1][threadIdx.x & 3] + text[threadIdx.x];
}

__global__ void local(const int *in, int *out, int n, Shape **shapes) {
    int room[40];
    for (int i = 0; i < n; i++) room[(in[i] + i) % 40] = in[i];
    int sum = 0;
    for (int i = 0; i < n; i++) sum += room[(in[i] * 7) % 40];
    auto lambda = [&](int k) { return room[k & 31] + sum; };
    out[threadIdx.x] = lambda(sum) + twice(sum, room, n) + twice<long long>(sum, reinterpret_cast<long long *>(out), n);
    out[1] = shapes[n]->area() + function_table[n & 1](2.0f);
    if (sum == 77) printf("%d of %s\n", sum, "st.shared.u32 [x], y;");
    if (sum == 78) __trap();
}

__global__ void textures(cudaTextureObject_t t, cudaSurfaceObject_t s, float4 *out) {
    float4 v = tex2D<float4>(t, 0.5f, threadIdx.x);
    surf2Dwrite(v, s, threadIdx.x * 16, 2);
    out[threadIdx.x] = v;
}

__global__ void blocks(uint32_t *p, float *q) {
    uint32_t a, b;
    asm volatile("{\n\t.reg .b32 t<4>, u;\n\t.reg .pred  p , q;\n\t.shared .align 16 .b8 hidden[64];\n"
                 "\tmov.u32 t0, hidden;\n\tst.shared.v2.b32 [t0+8], {%2, 7};\n\t{ .reg .f32 t0; ld.global.f32 t0, [%3]; st.global.f32 [%3 + 4], t0; }\n"
                 "\tld.shared.v2.u32 {%0, %1}, [hidden];\n\tsetp.eq.u32 p|q, %0, %1;\n\t@p bra out;\n\t@!q st.global.u32 [%4+-4], %0;\nout:\n\t}"
                 : "=r"(a), "=r"(b) : "r"(p[1]), "l"(q), "l"(p) : "memory");
    asm volatile("ld.global.v2.b32 {%0, _}, [%1];" : "=r"(a) : "l"(p));
    asm volatile("st.global.v4.f32 [%0], {0f3F800000, 0f00000000, %1, %1};" ::"l"(q + 4), "f"(q[2]));
    asm volatile("st.u8 [%0], %1; st.b16 [%0+2], %2; ld.s8 %1, [%0+1];" : : "l"(p), "r"(a), "h"((short)b));
    p[2] = a + b;
}
#if __CUDA_ARCH__ >= 1000
__global__ void wide(unsigned *p) {
    unsigned r[8];
    asm volatile("ld.global.v8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(p));
    asm volatile("st.global.L2::evict_last.v8.b32 [%8], {%0, %1, %2, %3, %4, %5, %6, %7};" :: "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]), "r"(r[4]), "r"(r[5]), "r"(r[6]), "r"(r[7]), "l"(p));
}
#endif
