/* The names declared at a point in a PTX file; inner scopes hide outer ones.
 *
 * A declaration is of one name, or of a family: %r<10> declares %r0 .. %r9. Declarations are on a stack that the caller
 * owns, the innermost scope on top; a hash table, also the caller's, finds the topmost of a name, and each knows the
 * one below it.
 *
 * This file knows nothing about how a declaration is written. */
#ifndef WARPSIM_PTX_NAMES_H
#define WARPSIM_PTX_NAMES_H

#include "text.h"

typedef enum ws_name_space {
    WS_NAME_UNKNOWN = 0, /* of a directive that is unknown here */
    WS_NAME_REG,
    WS_NAME_SHARED,
    WS_NAME_GLOBAL,
    WS_NAME_CONST,
    WS_NAME_LOCAL,
    WS_NAME_PARAM,
    WS_NAME_SPACE_COUNT
} ws_name_space;

static inline const char *ws_name_space_word(int space) {
    static const char *const words[] = {"", "reg", "shared", "global", "const", "local", "param"};
    return space >= 0 && space < WS_NAME_SPACE_COUNT ? words[space] : "?";
}

enum {
    WS_NO_FAMILY = -1,
    WS_MOST_DIGITS = 9,
    WS_MOST_FAMILIES = 99 /* of one name, nested: limits the work on absurd texts */
};

/* What a name means. */
typedef struct ws_declared {
    const char *type;   /* "b32", in the file's code */
    size_t type_length; /* 0 if it is not one element */
    uint8_t space;      /* ws_name_space */
} ws_declared;

/* References to other declarations count from 1; 0: none. */
typedef struct ws_name {
    const char *bytes; /* in the file's code */
    size_t length;
    uint64_t hash;
    size_t depth;     /* of its scope; the file's own is 0 */
    uint32_t below;   /* the next declaration of the same name */
    uint32_t single;  /* the first at or below this one that is not a family */
    uint32_t chained; /* the topmost declaration of the next name with this hash */
    int32_t count;    /* of a family, else WS_NO_FAMILY */
    ws_declared declared;
} ws_name;

typedef struct ws_names {
    ws_name *items; /* the caller's */
    size_t capacity;
    size_t count;
    size_t wanted;       /* declarations seen, including those beyond capacity */
    uint32_t *buckets;   /* the caller's */
    size_t bucket_count; /* a power of two */
    size_t depth;
    size_t registers; /* declarations of registers among the items */
} ws_names;

static inline ws_names ws_names_make(ws_name *items, size_t capacity, uint32_t *buckets, size_t bucket_count) {
    ws_names names;
    size_t i;
    names.items = items;
    names.capacity = capacity;
    names.buckets = buckets;
    names.bucket_count = bucket_count;
    names.count = names.wanted = names.depth = names.registers = 0;
    for (i = 0; i < bucket_count; i++) buckets[i] = 0;
    return names;
}

static inline uint64_t ws_name_hash_add(uint64_t hash, char c) {
    return (hash ^ (unsigned char)c) * UINT64_C(0x100000001B3);
}

static inline uint64_t ws_name_hash(const char *bytes, size_t length) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    size_t i;
    for (i = 0; i < length; i++) hash = ws_name_hash_add(hash, bytes[i]);
    return hash;
}

static inline uint32_t *ws_names_bucket(const ws_names *names, uint64_t hash) {
    return &names->buckets[(hash ^ hash >> 29) & (names->bucket_count - 1)];
}

/* The slot for the number of a name's topmost declaration. */
static inline uint32_t *ws_names_link(const ws_names *names, uint64_t hash, const char *bytes, size_t length) {
    uint32_t *link = ws_names_bucket(names, hash);
    while (*link != 0) {
        ws_name *name = &names->items[*link - 1];
        size_t i = 0;
        if (name->hash == hash && name->length == length) {
            while (i < length && name->bytes[i] == bytes[i]) i++;
            if (i == length) break;
        }
        link = &name->chained;
    }
    return link;
}

/* Declares a name, or `count` names that are numbered from 0. */
static inline void ws_names_add(ws_names *names, const char *bytes, size_t length, int32_t count,
                                const ws_declared *declared) {
    const uint64_t hash = ws_name_hash(bytes, length);
    const uint32_t number = (uint32_t)names->count + 1;
    uint32_t *link;
    ws_name *name;
    names->wanted++;
    if (names->count >= names->capacity || names->count >= UINT32_MAX - 1) return;
    link = ws_names_link(names, hash, bytes, length);
    name = &names->items[names->count++];
    name->bytes = bytes;
    name->length = length;
    name->hash = hash;
    name->depth = names->depth;
    name->count = count;
    name->declared = *declared;
    name->below = *link;
    name->chained = *link != 0 ? names->items[*link - 1].chained : 0;
    name->single = count == WS_NO_FAMILY ? number : *link != 0 ? names->items[*link - 1].single : 0;
    *link = number;
    names->registers += declared->space == WS_NAME_REG;
}

static inline void ws_names_open(ws_names *names) { names->depth++; }

/* Forgets the names of the innermost scope; the file's own stay. */
static inline void ws_names_close(ws_names *names) {
    if (names->depth == 0) return;
    while (names->count > 0 && names->items[names->count - 1].depth == names->depth) {
        const ws_name *name = &names->items[--names->count];
        uint32_t *link = ws_names_link(names, name->hash, name->bytes, name->length);
        if (name->below != 0) names->items[name->below - 1].chained = name->chained;
        *link = name->below != 0 ? name->below : name->chained;
        names->registers -= name->declared.space == WS_NAME_REG;
    }
    names->depth--;
}

/* The innermost family of this name that has the number, or NULL. */
static inline const ws_name *ws_names_family(const ws_names *names, uint64_t hash, const char *bytes, size_t length,
                                             uint32_t number) {
    uint32_t at = *ws_names_link(names, hash, bytes, length);
    int i;
    for (i = 0; i < WS_MOST_FAMILIES && at != 0; i++) {
        const ws_name *name = &names->items[at - 1];
        if (name->count != WS_NO_FAMILY && number < (uint32_t)name->count) return name;
        at = name->below;
    }
    return NULL;
}

/* What the name means in the innermost scope that has it, or NULL. All digits at its end are the number in a family:
 * r<9> has r4 and r04, but no name can refer to x1<9>. */
static inline const ws_declared *ws_names_find(const ws_names *names, const char *bytes, size_t length) {
    size_t base = length, i;
    uint64_t number = 0, family_hash, hash;
    uint32_t exact;
    const ws_name *best = NULL, *family = NULL;
    while (base > 1 && ws_ptx_digit(bytes[base - 1]) >= 0) base--;
    hash = family_hash = ws_name_hash(bytes, base);
    for (i = base; i < length; i++) {
        hash = ws_name_hash_add(hash, bytes[i]);
        if (number <= UINT32_MAX) number = 10 * number + (uint64_t)ws_ptx_digit(bytes[i]);
    }
    exact = *ws_names_link(names, hash, bytes, length);
    if (exact != 0) exact = names->items[exact - 1].single;
    if (exact != 0) best = &names->items[exact - 1];
    if (base < length && number <= UINT32_MAX)
        family = ws_names_family(names, family_hash, bytes, base, (uint32_t)number);
    if (family != NULL && (best == NULL || family->depth > best->depth)) best = family;
    return best != NULL ? &best->declared : NULL;
}

#endif
