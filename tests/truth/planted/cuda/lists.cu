// Each thread makes a list of its numbers on the heap, adds them up and frees it.
struct Node {
    int value;
    Node *next;
};
extern "C" __global__ void lists(const int *x, int *y, int n) {
    const int t = threadIdx.x, *mine = x + n * t;
    int sum = 0;
#if BUG == 3 || BUG == -3
    int *numbers = (int *)malloc((BUG == 3 ? n : n + 1) * sizeof(int));
    for (int i = 0; i < n; i++) numbers[i] = mine[i];
    ((volatile int *)numbers)[n] = 0; //@ behind
    for (int i = 0; i < n; i++) sum += ((volatile int *)numbers)[i];
    free(numbers);
#elif BUG == -1
    for (int i = 0; i < n; i++) {
        volatile int *number = (int *)malloc(sizeof(int));
        *number = mine[i];
        sum += *number;
        free((void *)number);
    }
#elif BUG == 5 || BUG == -5
    __shared__ int *numbers;
    if (t == 0) numbers = (int *)malloc(64 * n * sizeof(int));
    __syncthreads();
    for (int i = 0; i < n; i++) numbers[64 * i + t] = mine[i];
    __syncthreads();
    for (int i = 0; i < n; i++) sum += numbers[64 * i + (t ^ 33)]; //@ shared
    sum = __shfl_xor_sync(0xffffffff, sum, 1);
#if BUG == -5
    __syncthreads();
#endif
    if (t == 0) free(numbers); //@ free
    __shared__ int sums[64];
    sums[t] = sum;
    __syncthreads();
    sum = sums[t ^ 32];
#else
    Node *head = nullptr;
    for (int i = 0; i < n; i++) {
        Node *node = (Node *)malloc(sizeof(Node));
#if BUG == -2
        memset(node, 0, sizeof(Node));
#endif
        node->value = mine[i];
#if BUG == 2 || BUG == -2
        if (head) node->next = head; //@ link
#else
        node->next = head;
#endif
        head = node;
    }
    while (head) { //@ end
        Node *const node = head;
        sum += node->value;
#if BUG == 1
        free(node);
        head = *(Node *volatile *)&node->next; //@ after
#else
        head = *(Node *volatile *)&node->next; //@ follow
        free(node);
#endif
#if BUG == 4
        if (!head) free(node);                 //@ again
#elif BUG == -4
        if (!head) free(head);
#endif
    }
#endif
    y[t] = sum;
}
