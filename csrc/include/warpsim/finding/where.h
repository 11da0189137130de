/* Where the bytes of an access are: in which array or variable, or how far from it. */
#ifndef WARPSIM_FINDING_WHERE_H
#define WARPSIM_FINDING_WHERE_H

#include "../base/text.h"
#include "../run/space.h"

enum {
    WS_WHERE_FAR = 1 << 20, /* bytes: an address farther off has nothing to do with the nearest array */
    WS_WHERE_NULL = 4096    /* an address below that, of the first page, comes of a null pointer */
};

/* An array or a variable of a launch, by the name that messages have. */
typedef struct ws_named {
    const char *name;
    uint64_t base, nbytes; /* in its space: of shared memory, from its start */
} ws_named;

/* Those of a launch. Each list ascends by base; they lie apart, or begin at the same byte. */
typedef struct ws_told_names {
    const ws_named *arrays, *shared;
    uint32_t num_arrays, num_shared;
} ws_told_names;

/* The array nearest to an address, and where the address is in it. */
typedef struct ws_near {
    const char *name; /* NULL: none is near */
    int64_t offset;
    uint64_t nbytes;
    bool is_local; /* it is local memory, whose bytes are not told */
} ws_near;

static inline void ws_text_add_grouped(ws_text *text, uint64_t value) {
    const uint64_t above = value / 1000;
    const uint32_t below = (uint32_t)(value % 1000);
    if (above != 0) {
        ws_text_add_grouped(text, above);
        ws_text_add(text, below < 10 ? ",00" : below < 100 ? ",0" : ",");
    }
    ws_text_add_uint(text, below);
}

static inline uint64_t ws_named_distance(const ws_named *named, uint64_t at) {
    if (at < named->base) return named->base - at;
    return at - named->base < named->nbytes ? 0 : at - named->base - named->nbytes + 1;
}

/* The first that begins beyond an address. */
static inline uint32_t ws_named_beyond(const ws_named *named, uint32_t count, uint64_t at) {
    uint32_t from = 0, end = count;
    while (from < end) {
        const uint32_t middle = from + (end - from) / 2;
        if (named[middle].base <= at) from = middle + 1;
        else end = middle;
    }
    return from;
}

/* Of those as near as another the first. */
static inline ws_near ws_near_of(const ws_named *named, uint32_t count, uint64_t at) {
    ws_near near = {NULL, 0, 0, false};
    const uint32_t next = ws_named_beyond(named, count, at);
    uint32_t best = next == 0 ? 0 : next - 1;
    while (best > 0 && named[best - 1].base == named[best].base) best--;
    if (next < count && ws_named_distance(&named[next], at) < ws_named_distance(&named[best], at)) best = next;
    if (count == 0) return near;
    if (at < named[best].base ? named[best].base - at > WS_WHERE_FAR
                              : at - named[best].base >= named[best].nbytes + WS_WHERE_FAR)
        return near;
    near.name = named[best].name;
    near.offset = (int64_t)(at - named[best].base);
    near.nbytes = named[best].nbytes;
    return near;
}

/* How many bytes an address is below the start of a memory: 0 for its own addresses, which wrap at 32 bits, and `window` for
 * generic ones. 0: it is not below, or far from it. */
static inline uint64_t ws_where_below(bool is_own, uint64_t address, uint64_t window) {
    const uint64_t high = address >> 32, start = is_own ? UINT64_C(1) << 32 : window;
    const uint64_t below = start - (is_own ? address & UINT32_MAX : address);
    return below > WS_WHERE_FAR || (is_own && high != 0 && high != UINT32_MAX) ? 0 : below;
}

/* The first array, of an address that lies below all of them and below their memory. */
static inline ws_near ws_near_below(const ws_named *named, uint32_t count, uint64_t below) {
    ws_near near = {NULL, 0, 0, false};
    if (count == 0 || named[0].base + below > WS_WHERE_FAR) return near;
    near.name = named[0].name;
    near.offset = -(int64_t)(named[0].base + below);
    near.nbytes = named[0].nbytes;
    return near;
}

static inline bool ws_where_is_shared(int space, uint64_t address) {
    const bool is_own = space == WS_AT_SHARED || space == WS_AT_CLUSTER;
    return is_own || address - WS_SHARED_WINDOW < WS_CLUSTER_WINDOW_BYTES ||
           (space != WS_AT_LOCAL && ws_where_below(false, address, WS_SHARED_WINDOW) != 0);
}

/* Variables of shared memory have names; of a block without any, shared memory is one array. */
static inline ws_near ws_near_to(const ws_told_names *names, int space, uint64_t address) {
    const bool is_own = space == WS_AT_SHARED || space == WS_AT_CLUSTER, is_local = space == WS_AT_LOCAL;
    ws_near local = {"local memory", 0, 0, true};
    if (ws_where_is_shared(space, address)) {
        const uint64_t below = ws_where_below(is_own, address, WS_SHARED_WINDOW);
        if (below != 0) return ws_near_below(names->shared, names->num_shared, below);
        return ws_near_of(names->shared, names->num_shared, address % WS_SHARED_WINDOW_BYTES);
    }
    local.offset = -(int64_t)ws_where_below(is_local, address, WS_LOCAL_WINDOW);
    if (is_local || local.offset != 0 || address - WS_LOCAL_WINDOW < WS_LOCAL_WINDOW_BYTES) return local;
    return ws_near_of(names->arrays, names->num_arrays, address);
}

/* Does an address that lies in no memory come of a null pointer? */
static inline bool ws_where_is_null(int space, uint64_t address) {
    const bool has_window = space == WS_AT_SHARED || space == WS_AT_CLUSTER || space == WS_AT_LOCAL;
    return address < WS_WHERE_NULL && !has_window;
}

static inline void ws_where_add_unit(ws_text *text, uint64_t nbytes) {
    ws_text_add(text, nbytes == 1 ? " byte" : " bytes");
}

/* "8 bytes" */
static inline void ws_where_add_bytes(ws_text *text, uint64_t count) {
    ws_text_add_grouped(text, count);
    ws_where_add_unit(text, count);
}

/* "8 bytes into tile (256 bytes)", and how many of them lie beyond its end. */
static inline void ws_where_add_beside(ws_text *text, const char *name, int64_t offset, uint64_t size,
                                       uint32_t nbytes) {
    const bool is_before = offset < 0, is_after = !is_before && (uint64_t)offset >= size;
    const uint64_t far = is_before ? (uint64_t)-offset : is_after ? (uint64_t)offset - size : (uint64_t)offset;
    ws_where_add_bytes(text, far);
    ws_text_add(text, is_before ? " before " : is_after ? " after the end of " : " into ");
    ws_text_add(text, name);
    ws_text_add(text, " (");
    ws_where_add_bytes(text, size);
    ws_text_add(text, ")");
    if (is_before || is_after || (uint64_t)offset + nbytes <= size) return;
    ws_text_add(text, ", ");
    ws_text_add_grouped(text, (uint64_t)offset + nbytes - size);
    ws_text_add(text, " of them beyond its end");
}

static inline void ws_where_add(ws_text *text, const ws_told_names *names, int space, uint64_t address,
                                uint32_t nbytes) {
    const ws_near near = ws_near_to(names, space, address);
    if (near.name == NULL)
        ws_text_add(text, ws_where_is_null(space, address) ? "a null pointer" : "far from every array");
    else if (near.is_local && near.offset == 0) ws_text_add(text, "of the thread itself");
    else if (near.is_local) {
        ws_where_add_bytes(text, (uint64_t)-near.offset);
        ws_text_add(text, " before the local memory of the thread");
    } else ws_where_add_beside(text, near.name, near.offset, near.nbytes, nbytes);
}

#endif
