/* Threads that wait for parts of a batch: started once, handed work through locks, asleep when there is none.
 *
 * A thread that has just worked looks for more for a little while before it sleeps, so that a loop of calls pays about a
 * microsecond for each hand-over. Workers never touch Python. */
#ifndef WARPSIM_POOL_H
#define WARPSIM_POOL_H

#include <Python.h>
#include <stdlib.h>

enum { WS_POOL_MOST = 64, WS_POOL_LOOKS = 4000 };

typedef void (*ws_pool_task)(void *context, size_t part, size_t parts);

typedef struct ws_pool_worker {
    PyThread_type_lock go, done;
    ws_pool_task task;
    void *context;
    size_t part, parts;
} ws_pool_worker;

typedef struct ws_pool {
    ws_pool_worker *worker[WS_POOL_MOST];
    size_t workers;
    PyThread_type_lock busy; /* one batch at a time; others run alone */
} ws_pool;

static void ws_pool_wait(PyThread_type_lock lock) {
    int i;
    for (i = 0; i < WS_POOL_LOOKS; i++) {
        if (PyThread_acquire_lock(lock, NOWAIT_LOCK)) return;
#if defined(__x86_64__) && defined(__GNUC__)
        __builtin_ia32_pause();
#endif
    }
    PyThread_acquire_lock(lock, WAIT_LOCK);
}

static void ws_pool_work(void *argument) {
    ws_pool_worker *worker = (ws_pool_worker *)argument;
    for (;;) {
        ws_pool_wait(worker->go);
        worker->task(worker->context, worker->part, worker->parts);
        PyThread_release_lock(worker->done);
    }
}

/* One more worker; 0 if there cannot be one. */
static int ws_pool_grow(ws_pool *pool) {
    ws_pool_worker *worker = (ws_pool_worker *)calloc(1, sizeof *worker);
    if (worker == NULL) return 0;
    worker->go = PyThread_allocate_lock();
    worker->done = PyThread_allocate_lock();
    if (worker->go != NULL && worker->done != NULL) {
        PyThread_acquire_lock(worker->go, WAIT_LOCK);
        PyThread_acquire_lock(worker->done, WAIT_LOCK);
        if (PyThread_start_new_thread(ws_pool_work, worker) != (unsigned long)-1) {
            pool->worker[pool->workers++] = worker;
            return 1;
        }
    }
    if (worker->go != NULL) PyThread_free_lock(worker->go);
    if (worker->done != NULL) PyThread_free_lock(worker->done);
    free(worker);
    return 0;
}

/* Makes a pool, and a new one in the child of a fork, which has no threads but its own, and locks in any state. To be called
 * while nobody else can see the pool. 0 without memory: then every batch runs alone. */
static int ws_pool_make(ws_pool *pool) {
    pool->workers = 0;
    pool->busy = PyThread_allocate_lock();
    return pool->busy != NULL;
}

/* task(context, part, parts) for all parts, this thread taking the first; without the GIL. */
static void ws_pool_run(ws_pool *pool, ws_pool_task task, void *context, size_t parts) {
    size_t i;
    if (parts > WS_POOL_MOST) parts = WS_POOL_MOST;
    if (parts < 2 || pool->busy == NULL || !PyThread_acquire_lock(pool->busy, NOWAIT_LOCK)) {
        task(context, 0, 1);
        return;
    }
    while (pool->workers + 1 < parts && ws_pool_grow(pool)) {
    }
    if (pool->workers + 1 < parts) parts = pool->workers + 1;
    for (i = 1; i < parts; i++) {
        ws_pool_worker *worker = pool->worker[i - 1];
        worker->task = task;
        worker->context = context;
        worker->part = i;
        worker->parts = parts;
        PyThread_release_lock(worker->go);
    }
    task(context, 0, parts);
    for (i = 1; i < parts; i++) ws_pool_wait(pool->worker[i - 1]->done);
    PyThread_release_lock(pool->busy);
}

#endif
