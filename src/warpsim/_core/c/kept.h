/* Memory of large arrays, kept for the next call: to fault in fresh pages takes longer than to fill them.
 *
 * A NumPy data handler (NEP 49). Its blocks are NumPy's own, except that the last few that were freed stay here, at most
 * WS_KEPT_MOST bytes. Arrays own their memory as any others do, and hand it back here when they go, from whatever thread.
 * The lock is never waited for: whoever does not get it turns to NumPy. */
#ifndef WARPSIM_KEPT_H
#define WARPSIM_KEPT_H

#include <string.h>

#include "numpy_array.h"

enum { WS_KEPT_LEAST = 1 << 18, WS_KEPT_MOST = 1 << 26, WS_KEPT_BLOCKS = 16 };

typedef struct ws_kept_block {
    void *data;
    size_t bytes;
} ws_kept_block;

typedef struct ws_kept {
    PyDataMem_Handler handler;
    PyDataMemAllocator numpy;
    PyObject *capsule;
    PyThread_type_lock busy;
    size_t bytes, blocks;
    ws_kept_block block[WS_KEPT_BLOCKS]; /* the oldest first */
} ws_kept;

/* What a block for so many bytes has: up to a sixteenth more, so that calls of about the same size share blocks. */
static size_t ws_kept_room(size_t bytes) {
    size_t step = WS_KEPT_LEAST / 16;
    if (bytes < WS_KEPT_LEAST || bytes > WS_KEPT_MOST) return bytes;
    while (step * 32 <= bytes) step *= 2;
    return (bytes + step - 1) / step * step;
}

static void *ws_kept_remove(ws_kept *kept, size_t at) {
    void *data = kept->block[at].data;
    kept->bytes -= kept->block[at].bytes;
    kept->blocks--;
    memmove(&kept->block[at], &kept->block[at + 1], (kept->blocks - at) * sizeof kept->block[0]);
    return data;
}

/* Frees the oldest until no more than so many bytes are kept, and there is a place. */
static void ws_kept_shrink(ws_kept *kept, size_t most) {
    while (kept->bytes > most || kept->blocks == WS_KEPT_BLOCKS) {
        const size_t bytes = kept->block[0].bytes;
        kept->numpy.free(kept->numpy.ctx, ws_kept_remove(kept, 0), bytes);
    }
}

static int ws_kept_lock(ws_kept *kept) { return kept->busy != NULL && PyThread_acquire_lock(kept->busy, NOWAIT_LOCK); }

static void ws_kept_trim(ws_kept *kept) {
    if (!ws_kept_lock(kept)) return;
    ws_kept_shrink(kept, 0);
    PyThread_release_lock(kept->busy);
}

/* The youngest kept block of this size, or NULL. */
static void *ws_kept_take(ws_kept *kept, size_t bytes) {
    void *data = NULL;
    size_t at;
    if (bytes < WS_KEPT_LEAST || bytes > WS_KEPT_MOST || !ws_kept_lock(kept)) return NULL;
    for (at = kept->blocks; data == NULL && at > 0; at--) {
        if (kept->block[at - 1].bytes == bytes) data = ws_kept_remove(kept, at - 1);
    }
    PyThread_release_lock(kept->busy);
    return data;
}

static void *ws_kept_malloc(void *context, size_t size) {
    ws_kept *kept = (ws_kept *)context;
    const size_t bytes = ws_kept_room(size);
    void *data = ws_kept_take(kept, bytes);
    if (data == NULL) data = kept->numpy.malloc(kept->numpy.ctx, bytes);
    if (data != NULL) return data;
    ws_kept_trim(kept);
    return kept->numpy.malloc(kept->numpy.ctx, bytes);
}

static void *ws_kept_calloc(void *context, size_t count, size_t each) {
    ws_kept *kept = (ws_kept *)context;
    void *data;
    if (each != 0 && count > (size_t)-1 / each) return NULL;
    data = ws_kept_take(kept, ws_kept_room(count * each));
    if (data == NULL) return kept->numpy.calloc(kept->numpy.ctx, 1, ws_kept_room(count * each));
    return memset(data, 0, count * each);
}

static void *ws_kept_realloc(void *context, void *data, size_t size) {
    ws_kept *kept = (ws_kept *)context;
    return kept->numpy.realloc(kept->numpy.ctx, data, ws_kept_room(size));
}

static void ws_kept_free(void *context, void *data, size_t size) {
    ws_kept *kept = (ws_kept *)context;
    const size_t bytes = ws_kept_room(size);
    if (data == NULL || bytes < WS_KEPT_LEAST || bytes > WS_KEPT_MOST || !ws_kept_lock(kept)) {
        kept->numpy.free(kept->numpy.ctx, data, bytes);
        return;
    }
    ws_kept_shrink(kept, WS_KEPT_MOST - bytes);
    kept->block[kept->blocks].data = data;
    kept->block[kept->blocks++].bytes = bytes;
    kept->bytes += bytes;
    PyThread_release_lock(kept->busy);
}

/* To be called once, while nobody else can see it; false with an exception. */
static int ws_kept_make(ws_kept *kept) {
    PyDataMem_Handler *numpy = (PyDataMem_Handler *)PyCapsule_GetPointer(PyDataMem_DefaultHandler, "mem_handler");
    if (numpy == NULL) return 0;
    kept->numpy = numpy->allocator;
    kept->busy = PyThread_allocate_lock(); /* without one nothing is kept */
    strcpy(kept->handler.name, "warpsim");
    kept->handler.version = 1;
    kept->handler.allocator.ctx = kept;
    kept->handler.allocator.malloc = ws_kept_malloc;
    kept->handler.allocator.calloc = ws_kept_calloc;
    kept->handler.allocator.realloc = ws_kept_realloc;
    kept->handler.allocator.free = ws_kept_free;
    kept->capsule = PyCapsule_New(&kept->handler, "mem_handler", NULL);
    return kept->capsule != NULL;
}

/* In the child of a fork, whose lock a thread may hold that is not there: what that was at may be half done. */
static void ws_kept_after_fork(ws_kept *kept) {
    if (ws_kept_lock(kept)) {
        PyThread_release_lock(kept->busy);
        return;
    }
    kept->bytes = kept->blocks = 0;
    kept->busy = PyThread_allocate_lock();
}

/* Gives this thread's next arrays such memory: 1; 0 where they have a handler that somebody chose; -1 with an exception. */
static int ws_kept_begin(ws_kept *kept) {
    PyObject *before = PyDataMem_GetHandler();
    const int is_default = before == PyDataMem_DefaultHandler;
    if (before == NULL) return -1;
    Py_DECREF(before);
    if (!is_default) return 0;
    before = PyDataMem_SetHandler(kept->capsule);
    Py_XDECREF(before);
    return before != NULL ? 1 : -1;
}

/* And no longer. False with an exception. */
static int ws_kept_end(void) {
    PyObject *ours = PyDataMem_SetHandler(NULL);
    Py_XDECREF(ours);
    return ours != NULL;
}

#endif
