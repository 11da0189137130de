/* Bytes at addresses, one at a time. */
#ifndef REFERENCE_MEMORY_H
#define REFERENCE_MEMORY_H

#include "form.h"

REFERENCE_BEGIN

#define REF_WINDOW_BYTES UINT64_C(0x1000000)

typedef struct ref_image {
    uint8_t *bytes;
    uint64_t nbytes, base;
} ref_image;

typedef struct ref_memory {
    ref_image shared, global; /* bytes NULL: it does not exist */
    uint64_t window;          /* generic address of shared address 0 */
} ref_memory;

typedef enum ref_where { REF_NOWHERE, REF_SHARED, REF_GLOBAL } ref_where;

/* The byte at an address, or NULL. */
static inline uint8_t *ref_byte(const ref_memory *memory, ref_where where, uint64_t address) {
    const ref_image *image = where == REF_SHARED ? &memory->shared : &memory->global;
    if (where == REF_NOWHERE || image->bytes == NULL || address < image->base) return NULL;
    return address - image->base < image->nbytes ? image->bytes + (address - image->base) : NULL;
}

/* The memory in which an address of a form's space lies, and the address there: an access belongs where it begins. */
static inline ref_where ref_place(const ref_memory *memory, const ref_form *f, uint64_t address, uint64_t *inside) {
    *inside = address;
    if (f->shared) return REF_SHARED;
    if (f->global) return REF_GLOBAL;
    if (address >= memory->window && address - memory->window < REF_WINDOW_BYTES) {
        *inside = address - memory->window;
        return REF_SHARED;
    }
    return ref_byte(memory, REF_GLOBAL, address) != NULL ? REF_GLOBAL : REF_NOWHERE;
}

/* Do all bytes of an access exist? Addresses do not wrap. */
static inline bool ref_holds(const ref_memory *memory, ref_where where, uint64_t address, int width) {
    for (int i = 0; i < width; i++) {
        if (address + (uint64_t)i < address || ref_byte(memory, where, address + (uint64_t)i) == NULL) return false;
    }
    return true;
}

/* Bytes that do not exist read 0, and take nothing. */
static inline void ref_read(const ref_memory *memory, ref_where where, uint64_t address, int width, uint8_t *out) {
    for (int i = 0; i < width; i++) {
        const uint8_t *byte = address + (uint64_t)i < address ? NULL : ref_byte(memory, where, address + (uint64_t)i);
        out[i] = byte == NULL ? 0 : *byte;
    }
}

static inline void ref_write(const ref_memory *memory, ref_where where, uint64_t address, int width,
                             const uint8_t *in) {
    for (int i = 0; i < width; i++) {
        uint8_t *byte = address + (uint64_t)i < address ? NULL : ref_byte(memory, where, address + (uint64_t)i);
        if (byte != NULL) *byte = in[i];
    }
}

/* One warp's issue. */
typedef struct ref_issue {
    uint64_t address[REF_LANES]; /* wmma: p */
    uint64_t source[REF_LANES];  /* cp.async */
    uint32_t stride[REF_LANES];  /* wmma, in elements; the default where the operand is left out */
    uint32_t active, exited;
    int target; /* 75 of sm_75; 0: none named */
} ref_issue;

static inline bool ref_bit(uint32_t mask, int lane) { return (mask >> lane & 1) != 0; }

REFERENCE_END

#endif
