// Medians of seven numbers each, by insertion into an array of the thread, times a weight.
struct Weights {
    int of[2];
};
extern "C" __global__ void medians(const int *x, int *y, int n, Weights weights) {
    const int t = threadIdx.x, *mine = x + n * t;
#if BUG == 1
    int sorted[7];
    sorted[n] = 1000; //@ behind
    for (int i = 0; i < n; i++) {
        int j = i;
        while (j > 0 && sorted[j - 1] > mine[i]) sorted[j] = sorted[j - 1], j--;
        sorted[j] = mine[i];
    }
#elif BUG == -1
    int sorted[8];
    sorted[n] = 1000;
    for (int i = n - 1; i >= 0; i--) {
        int j = i;
        while (sorted[j + 1] < mine[i]) sorted[j] = sorted[j + 1], j++;
        sorted[j] = mine[i];
    }
#elif BUG == 2
    int sorted[7];
    for (int i = 0; i < n; i++) {
        int j = i;
        while (sorted[j - 1] > mine[i]) sorted[j] = sorted[j - 1], j--; //@ before
        sorted[j] = mine[i];
    }
#elif BUG == -2
    int from[8], *sorted = from + 1;
    from[0] = -1;
    for (int i = 0; i < n; i++) {
        int j = i;
        while (sorted[j - 1] > mine[i]) sorted[j] = sorted[j - 1], j--;
        sorted[j] = mine[i];
    }
#elif BUG == 3
    int sorted[7];
    for (int i = 1; i < n; i++) {
        int j = i;
        while (j > 0 && sorted[j - 1] > mine[i]) sorted[j] = sorted[j - 1], j--; //@ compare
        sorted[j] = mine[i];
    }
#elif BUG == -3
    int some[8];
    for (int i = 0; i < n; i++) {
        int j = i;
        while (j > 0 && some[j - 1] > mine[i]) some[j] = some[j - 1], j--;
        some[j] = mine[i];
    }
    __shared__ int all[64][9];
    for (int i = 0; i < 8; i++) all[t][i] = some[i];
    const int *sorted = all[t];
#else
    int sorted[7];
    for (int i = 0; i < n; i++) {
        int j = i;
        while (j > 0 && sorted[j - 1] > mine[i]) sorted[j] = sorted[j - 1], j--;
        sorted[j] = mine[i];
    }
#endif
#if BUG == 4
    y[t] = sorted[n / 2] * weights.of[t % 3]; //@ third
#else
    y[t] = sorted[n / 2] * weights.of[t % 2];
#endif
}
