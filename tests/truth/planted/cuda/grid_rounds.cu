// A ring of numbers is smoothed in rounds by the blocks of a cooperative grid, from one array into another and back.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern "C" __global__ void smooth(float *a, float *b, int rounds) {
    const auto grid = cg::this_grid();
    const int i = (int)grid.thread_rank(), n = (int)grid.size();
    for (int k = 0; k < rounds; ++k) {
        b[i] = 0.25f * a[(i + n - 1) % n] + 0.5f * a[i] + 0.25f * a[(i + 1) % n]; //@ smooth
#if BUG == 1
        __syncthreads();
#elif BUG != 2
        grid.sync();
#endif
        float *const other = a;
        a = b;
        b = other;
    }
}
