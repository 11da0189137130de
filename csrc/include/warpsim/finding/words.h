/* The words of the language that a kernel is written in: what its barriers, fences and atomics are called there.
 *
 * PTX that a compiler of Python has made tells its sources, which end in .py; of those, LLVM's are Triton's. Gluon's look
 * the same: whoever launches says so. */
#ifndef WARPSIM_FINDING_WORDS_H
#define WARPSIM_FINDING_WORDS_H

#include "../base/text.h"
#include "../decode/said.h"
#include "../rules/rules.h"

typedef enum ws_language { WS_CUDA, WS_TRITON, WS_GLUON, WS_NUMBA, WS_LANGUAGES } ws_language;

typedef struct ws_words {
    const char *cluster_barrier, *block_barrier, *warp_barrier, *block_fence, *fence;
    const char *acquire; /* how a read acquires without a fence */
    const char *wider;   /* how an access reaches the GPU */
    const char *commit, *commit_bulk, *wait_copy, *wait_bulk, *wait_object, *wait_store;
    const char *unlock;             /* how a lock is given back */
    const char *peek;               /* what a read must be beside atomics */
    const char *change[WS_CHANGES]; /* atomics */
} ws_words;

static inline const ws_words *ws_words_of(int language) {
    static const ws_words words[WS_LANGUAGES] = {
        {"cluster.sync() (barrier.cluster.arrive and barrier.cluster.wait)",
         "__syncthreads() (bar.sync)",
         "__syncwarp() (bar.warp.sync)",
         "__threadfence_block()",
         "__threadfence()",
         "let it acquire (memory_order_acquire, ld.acquire, atom.acquire)",
         "atomicAdd() instead of atomicAdd_block(), cuda::thread_scope_device instead of thread_scope_block, .gpu"
         " instead of .cta and .cluster",
         "cp.async.commit_group, __pipeline_commit()",
         "cp.async.bulk.commit_group",
         "cp.async.wait_group with a smaller count",
         "mbarrier.try_wait with the parity of this round",
         "mbarrier.try_wait, which wait() of a cuda::barrier and consumer_wait() of a cuda::pipeline do",
         "cp.async.bulk.commit_group, and cp.async.bulk.wait_group.read 0 after it",
         "__threadfence() and then atomicExch() (atom.exch.release)",
         "atomic or volatile, such as *(volatile T *)p",
         {"atomicCAS()", "atomicAdd()", "atomicMin()", "atomicMax()", "atomicAnd()", "atomicOr()", "atomicXor()",
          "atomicMin() or atomicMax()"}},
        {"tl.debug_barrier()",
         "tl.debug_barrier()",
         "tl.debug_barrier()",
         "tl.debug_barrier()",
         "an atomic with sem=\"acq_rel\"",
         "give the atomic that reads it sem=\"acquire\"",
         "scope=\"gpu\"",
         "its group",
         "its group",
         "the wait for its group",
         "the wait for its phase",
         "the wait for its phase",
         "the wait for its group",
         "tl.atomic_xchg with sem=\"release\"",
         "an atomic",
         {"tl.atomic_cas", "tl.atomic_add", "tl.atomic_min", "tl.atomic_max", "tl.atomic_and", "tl.atomic_or",
          "tl.atomic_xor", "tl.atomic_min or tl.atomic_max"}},
        {"gl.barrier(cluster=True)",
         "gl.barrier()",
         "gl.barrier()",
         "gl.barrier()",
         "an atomic with sem=\"acq_rel\"",
         "give the atomic that reads it sem=\"acquire\"",
         "scope=\"gpu\"",
         "async_copy.commit_group",
         "its group",
         "async_copy.wait_group with a smaller count",
         "mbarrier.wait with the phase of this round",
         "mbarrier.wait",
         "tma.store_wait(0)",
         "gl.atomic_xchg with sem=\"release\"",
         "an atomic",
         {"gl.atomic_cas", "gl.atomic_add", "gl.atomic_min", "gl.atomic_max", "gl.atomic_and", "gl.atomic_or",
          "gl.atomic_xor", "gl.atomic_min or gl.atomic_max"}},
        {"cluster.sync()",
         "cuda.syncthreads()",
         "cuda.syncwarp()",
         "cuda.threadfence_block()",
         "cuda.threadfence()",
         "read it by an atomic, and put cuda.threadfence() behind",
         "cuda.atomic.add",
         "its group",
         "its group",
         "the wait for its group",
         "the wait for its phase",
         "the wait for its phase",
         "the wait for its group",
         "cuda.threadfence() and then cuda.atomic.exch",
         "an atomic",
         {"cuda.atomic.cas", "cuda.atomic.add", "cuda.atomic.min", "cuda.atomic.max", "cuda.atomic.and_",
          "cuda.atomic.or_", "cuda.atomic.xor", "cuda.atomic.min or cuda.atomic.max"}},
    };
    return &words[language >= 0 && language < WS_LANGUAGES ? language : WS_CUDA];
}

/* What a rule's row says in words of CUDA, in those of others; NULL: the row has none. */
static inline const char *ws_words_fix(int language, int rule) {
    static const struct {
        uint8_t language, rule;
        const char *fix;
    } rows[] = {
        {WS_TRITON, WS_RUN_BOUNDS,
         "Give the load, the store or the atomic a mask that is false beyond the array, such as mask=offsets < n."},
        {WS_TRITON, WS_RUN_ARRAY_RACE,
         "Use atomics such as tl.atomic_add, or let each program store elements of its own: a barrier reaches one "
         "program"
         " alone. Where an atomic passes the elements on to another program, store them before it and load"
         " them after it, and give it sem=\"acq_rel\" (\"release\" and \"acquire\" are its halves)."},
        {WS_TRITON, WS_RUN_UNACQUIRED, "Give the atomic that reads the flag, the lock or the counter sem=\"acquire\"."},
        {WS_TRITON, WS_RUN_VOLATILE,
         "Use atomics for what programs or warps pass to each other, with sem=\"release\" and sem=\"acquire\"."},
        {WS_TRITON, WS_RUN_GUESS, "Read the first guess by an atomic, or start from any guess."},
        {WS_GLUON, WS_RUN_PRODUCT_REGISTER, "Wait for the product (warpgroup_mma_wait) before the access."},
        {WS_GLUON, WS_RUN_PRODUCT_TILE,
         "Wait for the product (warpgroup_mma_wait) before the tile is written again, and let who writes it wait for"
         " that: an mbarrier, or another stage."},
        {WS_NUMBA, WS_RUN_ARRAY_RACE,
         "Use atomics such as cuda.atomic.add, or let each thread write elements of its own: a barrier reaches one "
         "block"
         " alone. Where a flag, a lock or a counter passes the elements on, put cuda.threadfence() before it is written"
         " and after it is read."},
        {WS_NUMBA, WS_RUN_UNACQUIRED,
         "Put cuda.threadfence() between the read of the flag, the lock or the counter and the access, in the thread"
         " that reads it."},
        {WS_NUMBA, WS_RUN_VOLATILE,
         "Put cuda.syncthreads() between the two accesses; for a flag that threads wait for, use atomics."},
        {WS_NUMBA, WS_RUN_PART_OF_WARP,
         "Make all lanes of the warp arrive together: put cuda.syncwarp() before it, and no branch around it."},
        {WS_NUMBA, WS_RUN_ABSENT,
         "Name only lanes that come here in the mask (cuda.ballot_sync before the branch), or let all that it names "
         "come to"
         " the same instruction before they exit: move it out of the branch."},
        {WS_NUMBA, WS_RUN_GUESS, "Read the first guess by an atomic, or start from any guess."},
    };
    size_t i;
    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const bool is_kin = language == WS_GLUON && rows[i].language == WS_TRITON; /* whose words it shares */
        if ((rows[i].language == language || is_kin) && rows[i].rule == rule) return rows[i].fix;
    }
    return NULL;
}

static inline bool ws_words_ends(const char *text, size_t length, const char *end) {
    const size_t count = ws_string_length(end);
    return length >= count && ws_bytes_equal(text + length - count, count, end);
}

/* Does the head of the text name this compiler? */
static inline bool ws_language_is_made(const ws_module *module, const char *compiler) {
    const size_t most = module->length < 512 ? module->length : 512, length = ws_string_length(compiler);
    size_t i = 0;
    while (i + length <= most && !ws_bytes_equal(module->text + i, length, compiler)) i++;
    return i + length <= most;
}

/* The language of a module, as far as its text tells. */
static inline ws_language ws_language_of(const ws_module *module) {
    bool is_python = false;
    size_t i;
    for (i = 0; i < module->file_count; i++) {
        const ws_span name = module->files[i].name;
        is_python |= ws_words_ends(module->text + name.begin, name.end - name.begin, ".py");
    }
    if (!is_python) return WS_CUDA;
    return ws_language_is_made(module, "LLVM NVPTX") ? WS_TRITON : WS_NUMBA;
}

#endif
