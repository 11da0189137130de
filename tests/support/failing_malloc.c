/* malloc for LD_PRELOAD that fails on demand: the k-th allocation made from inside one library.
 *
 * Which library asks is told by the return address. What was given to it is remembered until somebody frees it, so
 * that leaks show. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

enum { SLOTS = 1 << 14, NEAR = 64 };

static uintptr_t begin, end;
static atomic_long countdown = -1; /* allocations that still succeed; below 0: all do */
static atomic_long live;
static _Atomic(uintptr_t) held[SLOTS];

void faults_watch(uintptr_t first, uintptr_t last) {
    begin = first;
    end = last;
}

/* What was left of the last countdown: below 0 if an allocation failed. */
long faults_arm(long k) { return atomic_exchange(&countdown, k); }
long faults_live(void) { return atomic_load(&live); }

static int fails(uintptr_t from) {
    return from >= begin && from < end && atomic_load(&countdown) >= 0 && atomic_fetch_sub(&countdown, 1) == 0;
}

/* A block lies near the place that its address names. */
static int exchange(void *block, uintptr_t from, uintptr_t to) {
    size_t i;
    for (i = 0; block != NULL && i < NEAR; i++) {
        uintptr_t wanted = from;
        if (atomic_compare_exchange_strong(&held[((uintptr_t)block / 16 + i) % SLOTS], &wanted, to)) return 1;
    }
    return 0;
}

static void *keep(void *block, uintptr_t from) {
    if (from >= begin && from < end) live += exchange(block, 0, (uintptr_t)block);
    return block;
}

static void drop(void *block) {
    if (live > 0) live -= exchange(block, (uintptr_t)block, 0);
}

#define FROM (uintptr_t) __builtin_return_address(0)
void *malloc(size_t bytes) { return fails(FROM) ? NULL : keep(__libc_malloc(bytes), FROM); }
void *calloc(size_t count, size_t bytes) { return fails(FROM) ? NULL : keep(__libc_calloc(count, bytes), FROM); }

void *realloc(void *block, size_t bytes) {
    if (fails(FROM)) return NULL;
    drop(block);
    return keep(__libc_realloc(block, bytes), FROM);
}

void free(void *block) {
    drop(block);
    __libc_free(block);
}
