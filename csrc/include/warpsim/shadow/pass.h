/* One access of a warp, as shadows take it. */
#ifndef WARPSIM_SHADOW_PASS_H
#define WARPSIM_SHADOW_PASS_H

#include "judge.h"
#include "values.h"

enum { WS_PASS_ELEMENTS = 8 };

#define WS_BITS_EVERY UINT64_MAX

/* May uninitialised bytes be the padding of a struct that is copied? */
typedef enum ws_padding {
    WS_PADDING_NONE,   /* no, or they are computed with */
    WS_PADDING_BESIDE, /* bytes beside them, of the same access, were written */
    WS_PADDING_MOST    /* the compiler copies them as bytes, beside a field of another size */
} ws_padding;

static inline uint8_t ws_padding_least(uint8_t a, uint8_t b) { return a < b ? a : b; }

static inline uint64_t ws_bits_low(uint64_t count) { return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1; }

static inline uint64_t ws_bits_of_bytes(uint32_t bytes) {
    uint64_t bits = 0;
    int i;
    for (i = 0; i < 8; i++) bits |= (bytes >> i & 1) != 0 ? UINT64_C(0xff) << 8 * i : 0;
    return bits;
}

/* Towards lower bits, or, below 0, towards higher ones. */
static inline uint64_t ws_bits_down(uint64_t bits, int64_t by) {
    if (by >= 64 || by <= -64) return 0;
    return by >= 0 ? bits >> by : bits << -by;
}

/* Which bits of each element are uninitialised, of the lanes that the access names. */
typedef struct ws_pass_bits {
    uint64_t carried[WS_PASS_ELEMENTS][WS_LANES];
    uint8_t holes[WS_PASS_ELEMENTS][WS_LANES]; /* bytes */
} ws_pass_bits;

/* One access of a warp. */
typedef struct ws_pass {
    const uint32_t *offset; /* of each lane, from the start of the memory */
    const uint8_t *memory;
    uint64_t base; /* of an array: its address */
    ws_values values;
    uint32_t mask, nbytes; /* of each lane */
    uint32_t alignment;    /* of addresses, a power of 2: lanes that have another end the launch */
    uint32_t who, warp;    /* who: without the thread of the block */
    uint32_t place, step;  /* the warp in the cluster */
    uint8_t space;
    bool is_write, reads; /* an atomic does both */
    bool takes;           /* an atomic whose result is read */
    bool is_noncoherent;
    bool is_partial;                  /* other lanes of the warp do not take part */
    bool is_told;                     /* uninitialised reads matter */
    uint32_t unwritten;               /* lanes that read uninitialised memory: what comes out */
    uint32_t holes[WS_PASS_ELEMENTS]; /* the same for each element of a vector */
    uint32_t asked;                   /* lanes whose access it is, wherever that goes */
    uint32_t ignored;                 /* bytes of a load that the compiler says nobody uses */
    uint32_t carried;                 /* lanes that store uninitialised values, or read what a store has put there */
    uint32_t carries[WS_PASS_ELEMENTS];
    ws_pass_bits *bits;
    uint32_t origin; /* the step that read such a value first */
    uint8_t padding; /* what is carried: ws_padding */
} ws_pass;

/* Rows of matrices and lines of tiles: at multiples of 16 bytes, if they are not smaller. */
static inline uint32_t ws_pass_rows_alignment(uint32_t nbytes) {
    const uint32_t whole = nbytes & (0u - nbytes);
    return whole < 16 ? whole : 16;
}

/* The bytes of an element of the access. */
static inline uint32_t ws_pass_element(const ws_pass *pass) {
    return pass->values.element != 0 ? pass->values.element : pass->nbytes;
}

/* The bytes of an element that begins at byte `from` of the access, a bit each, which lie in the `nbytes` from `at` on. */
static inline uint8_t ws_pass_bytes(uint32_t from, uint32_t size, uint32_t at, uint32_t nbytes) {
    uint8_t bytes = 0;
    uint32_t i;
    if (size > 8) return UINT8_MAX;
    for (i = 0; i < size; i++) bytes |= (uint8_t)((from + i >= at && from + i < at + nbytes) << i);
    return bytes;
}

/* Those of an element that somebody may use. */
static inline uint8_t ws_pass_used(const ws_pass *pass, uint32_t element, uint32_t size) {
    if (size > 8 || element * size >= 32) return UINT8_MAX;
    return (uint8_t) ~(pass->ignored >> element * size);
}

/* A lane reads bytes, from byte `at` of its access on, that nobody has written. */
static inline void ws_pass_hole(ws_pass *pass, int lane, uint32_t at, uint32_t nbytes) {
    const uint32_t bit = UINT32_C(1) << lane, size = ws_pass_element(pass);
    uint32_t i;
    if (!pass->is_told) return;
    if (pass->ignored == 0) pass->unwritten |= bit;
    for (i = at / size; i <= (at + nbytes - 1) / size && i < WS_PASS_ELEMENTS; i++) {
        const uint8_t bytes = ws_pass_bytes(i * size, size, at, nbytes) & ws_pass_used(pass, i, size);
        if (bytes == 0) continue;
        pass->unwritten |= bit;
        pass->bits->holes[i][lane] = bytes | (pass->holes[i] & bit ? pass->bits->holes[i][lane] : 0);
        pass->holes[i] |= bit;
    }
}

/* A lane stores bits that are uninitialised, or reads what a store has put there. */
static inline void ws_pass_carry(ws_pass *pass, int lane, uint32_t element, uint64_t bits) {
    const uint32_t bit = UINT32_C(1) << lane;
    pass->bits->carried[element][lane] = bits | (pass->carries[element] & bit ? pass->bits->carried[element][lane] : 0);
    pass->carries[element] |= bit;
    pass->carried |= bit;
}

/* The bits of an element that some lane lacks. */
static inline uint64_t ws_pass_lacks(const ws_pass *pass, uint32_t element) {
    uint64_t bits = 0;
    int lane;
    for (lane = 0; lane < WS_LANES; lane++) {
        bits |= pass->holes[element] >> lane & 1 ? ws_bits_of_bytes(pass->bits->holes[element][lane]) : 0;
        bits |= pass->carries[element] >> lane & 1 ? pass->bits->carried[element][lane] : 0;
    }
    return bits;
}

/* The lanes that lack all of an element that they store. */
static inline uint32_t ws_pass_whole(const ws_pass *pass, uint32_t element) {
    const uint64_t every = ws_bits_low(8 * (uint64_t)ws_pass_element(pass));
    uint32_t left, whole = 0;
    for (left = pass->carries[element]; left != 0; left &= left - 1) {
        const int lane = ws_first_lane(left);
        whole |= (uint32_t)((pass->bits->carried[element][lane] & every) == every) << lane;
    }
    return whole;
}

static inline ws_stamp ws_pass_stamp(const ws_judge *judge, const ws_pass *pass, int lane) {
    ws_stamp stamp;
    stamp.time = judge->clock.now;
    stamp.who = pass->who | (pass->warp * WS_LANES + (uint32_t)lane);
    return stamp;
}

#endif
