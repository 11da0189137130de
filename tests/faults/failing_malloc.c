/* malloc for LD_PRELOAD that fails on demand: the k-th allocation made from inside chosen libraries.
 *
 * Which library asks is told by the return address. What was given to it is remembered until somebody frees it, so that leaks show. */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

enum { LIBRARIES = 8, SLOTS = 1 << 14 };

static struct {
    uintptr_t begin, end;
    size_t least; /* bytes; smaller ones are not looked at */
} library[LIBRARIES];
static int libraries;
static atomic_long countdown = -1; /* allocations that still succeed; below 0: all do */
static atomic_long asked, failed, live;
static _Atomic(uintptr_t) held[SLOTS];

/* Allocations of `least` bytes and more from inside [begin, end) count. */
void faults_watch(uintptr_t begin, uintptr_t end, size_t least) {
    library[libraries].begin = begin;
    library[libraries].end = end;
    library[libraries++].least = least;
}

void faults_fail_at(long k) {
    atomic_store(&failed, 0);
    atomic_store(&asked, 0);
    atomic_store(&countdown, k);
}

long faults_failed(void) { return atomic_load(&failed); }
long faults_asked(void) { return atomic_load(&asked); }
long faults_live(void) { return atomic_load(&live); }

static int is_watched(uintptr_t from, size_t bytes) {
    int i;
    for (i = 0; i < libraries; i++) {
        if (from >= library[i].begin && from < library[i].end && bytes >= library[i].least) return 1;
    }
    return 0;
}

static int must_fail(void) {
    atomic_fetch_add(&asked, 1);
    if (atomic_load(&countdown) < 0 || atomic_fetch_sub(&countdown, 1) != 0) return 0;
    atomic_fetch_add(&failed, 1);
    return 1;
}

static void *keep(void *block) {
    const uintptr_t number = (uintptr_t)block;
    size_t i;
    for (i = 0; block != NULL && i < SLOTS; i++) {
        uintptr_t empty = 0;
        if (!atomic_compare_exchange_strong(&held[(number / 16 + i) % SLOTS], &empty, number)) continue;
        atomic_fetch_add(&live, 1);
        break;
    }
    return block;
}

static void drop(void *block) {
    const uintptr_t number = (uintptr_t)block;
    size_t i;
    if (block == NULL || atomic_load(&live) == 0) return;
    for (i = 0; i < 64; i++) { /* a block lies near the place that its address names, or is none of ours */
        uintptr_t wanted = number;
        if (!atomic_compare_exchange_strong(&held[(number / 16 + i) % SLOTS], &wanted, 0)) continue;
        atomic_fetch_sub(&live, 1);
        return;
    }
}

void *malloc(size_t bytes) {
    if (!is_watched((uintptr_t)__builtin_return_address(0), bytes)) return __libc_malloc(bytes);
    return must_fail() ? NULL : keep(__libc_malloc(bytes));
}

void *calloc(size_t count, size_t bytes) {
    if (!is_watched((uintptr_t)__builtin_return_address(0), count * bytes)) return __libc_calloc(count, bytes);
    return must_fail() ? NULL : keep(__libc_calloc(count, bytes));
}

void *realloc(void *block, size_t bytes) {
    if (!is_watched((uintptr_t)__builtin_return_address(0), bytes)) {
        drop(block);
        return __libc_realloc(block, bytes);
    }
    if (must_fail()) return NULL;
    drop(block);
    return keep(__libc_realloc(block, bytes));
}

void free(void *block) {
    drop(block);
    __libc_free(block);
}
