// What C++20 knows while it compiles: all of this is decided without running.
#include <warpsim/cpp/layout.hpp>
#include <warpsim/cpp/literal.hpp>

using namespace warpsim::literals;

namespace {

constexpr ws_op x4 = "ldmatrix.sync.aligned.m8n8.x4.shared.b16"_op;
constexpr auto plain = warpsim::layout(64, 64, 16);
static_assert(warpsim::wavefronts(plain, x4) == 16 * 32);
static_assert(!warpsim::conflict_free(plain, x4));
static_assert(warpsim::wavefronts(plain.pad(8), x4) == 16 * 4);
static_assert(warpsim::conflict_free(plain.swizzle(3, 3, 3), x4));
static_assert(warpsim::conflict_free(plain.swizzle(3, 3, 3), "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16"_op));
static_assert(warpsim::conflict_free(plain.swizzle(3, 3, 3), "st.shared.v4.b32"_op));
static_assert(warpsim::count(warpsim::layout(32, 32, 32), "ld.shared.f32"_op).bank_conflicts == 0);
static_assert(warpsim::count(warpsim::layout(128, 64, 16).swizzle(2, 3, 3), x4).bank_conflicts == 128);
static_assert(warpsim::conflict_free(plain.swizzle_bytes(3, 4, 3), x4));

// How cp.async fills a tile, and one access to addresses of one's own.
constexpr ws_op copy = "cp.async.cg.shared.global [dst], [src], 16;"_op;
static_assert(warpsim::conflict_free(plain, copy) && !warpsim::conflict_free(plain.pad(8), copy));
constexpr auto rotated = warpsim::each_lane([](int lane) { return lane % 16 * 128 + (lane / 16 + lane % 8) % 8 * 16; });
static_assert(warpsim::conflict_free(rotated, x4) && warpsim::wavefronts(rotated, "st.shared.v4.b32"_op) == 4);
static_assert(warpsim::addresses(plain.pad(8), x4, 16, 32)[1] == 17 * 144 + 64);
static_assert(plain.pad(8).pitch() == 144 && plain.nbytes() == 8192 && plain.swizzle(3, 3, 3).offset(1, 0) == 144);

} // namespace

#ifdef __CUDACC__
constexpr unsigned expected = warpsim::wavefronts(plain.swizzle(3, 3, 3), x4);

__global__ void kernel(unsigned *out) {
    static_assert(expected == 64);
#ifdef __CUDACC_RELAXED_CONSTEXPR__ // --expt-relaxed-constexpr: calls in the kernel itself
    static_assert(warpsim::conflict_free(plain.swizzle(3, 3, 3), "stmatrix.sync.aligned.m8n8.x4.shared.b16"_op));
#endif
    out[threadIdx.x] = expected;
}
#endif

#ifdef WRONG
static_assert(warpsim::conflict_free(plain, x4), "bank conflicts");
#endif
#ifdef OUTSIDE
static_assert(warpsim::addresses(plain, x4, 56, 0)[0] == 0);
#endif
#ifdef UNCOVERED
static_assert(warpsim::conflict_free(warpsim::layout(60, 64, 16), x4));
#endif
#ifdef MISSPELT
constexpr ws_op nothing = "ldmatrix.sync.aligned.m8n8.x5.shared.b16"_op;
#endif
