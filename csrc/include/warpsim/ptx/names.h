/* The names declared at a point in a PTX file; inner scopes hide outer ones.
 *
 * A declaration is of one name, or of a family: %r<10> declares %r0 .. %r9. Declarations are on a stack that the caller
 * owns, the innermost scope on top; a hash table, also the caller's, finds the topmost of a name, and each knows the
 * one below it. The names of a bucket are a binary tree that branches at the first bit in which two of them differ, so a
 * step down decides one bit: a search takes at most 9 steps for each byte of its name, even if all names share a bucket.
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
    WS_MOST_FAMILIES = 99 /* of one name, nested: limits the work on absurd texts */
};

/* What a name means. */
typedef struct ws_declared {
    const char *type;   /* "b32", in the file's code */
    size_t type_length; /* 0 if it is not one element */
    uint8_t space;      /* ws_name_space */
    uint32_t thing;     /* the caller's: which one it is */
} ws_declared;

/* References to other declarations count from 1; 0: none. A link of a tree is twice the number of the topmost
 * declaration of a name, or, plus 1, of the declaration whose branch follows. */
typedef struct ws_name {
    const char *bytes; /* in the file's code */
    size_t length;
    size_t depth;      /* of its scope; the file's own is 0 */
    uint32_t below;    /* the next declaration of the same name */
    uint32_t single;   /* the first at or below this one that is not a family */
    int64_t count;     /* of a family, else WS_NO_FAMILY */
    uint64_t bit;      /* of its branch: those without it are in child[0], the others in child[1] */
    uint32_t child[2]; /* links */
    ws_declared declared;
} ws_name;

typedef struct ws_names {
    ws_name *items; /* the caller's */
    size_t capacity;
    size_t count;
    size_t wanted;       /* declarations seen, including those beyond capacity */
    uint32_t *buckets;   /* the caller's; links */
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

/* Bit `at` of a name: 16 numbers for each byte, of which the first 9 are in use: is the byte there, and its bits. */
static inline int ws_name_bit(const char *bytes, size_t length, uint64_t at) {
    return at / 16 < length && ((256u | (unsigned char)bytes[at / 16]) >> (8 - at % 16) & 1) != 0;
}

/* The first bit in which two names differ; UINT64_MAX if they are equal. */
static inline uint64_t ws_name_difference(const ws_name *name, const char *bytes, size_t length) {
    uint64_t at;
    size_t i = 0;
    while (i < length && i < name->length && bytes[i] == name->bytes[i]) i++;
    if (i == length && i == name->length) return UINT64_MAX;
    at = 16 * (uint64_t)i;
    while (ws_name_bit(bytes, length, at) == ws_name_bit(name->bytes, name->length, at)) at++;
    return at;
}

/* Does a path end here that passes branches up to this bit? */
static inline bool ws_names_ends(const ws_names *names, const uint32_t *link, uint64_t most) {
    return !(*link & 1) || names->items[*link / 2 - 1].bit > most;
}

/* One step from a branch towards a name. */
static inline uint32_t *ws_names_step(const ws_names *names, const uint32_t *link, const char *bytes, size_t length) {
    ws_name *branch = &names->items[*link / 2 - 1];
    return &branch->child[ws_name_bit(bytes, length, branch->bit)];
}

/* The link where the path to a name ends that passes branches up to this bit. */
static inline uint32_t *ws_names_link(const ws_names *names, uint64_t hash, const char *bytes, size_t length,
                                      uint64_t most) {
    uint32_t *link = ws_names_bucket(names, hash);
    while (!ws_names_ends(names, link, most)) link = ws_names_step(names, link, bytes, length);
    return link;
}

/* The link to a name; if it is not there, to one that agrees with it in as many bits as any. Branches beyond its end
 * are between names that are longer. */
static inline uint32_t *ws_names_nearest(const ws_names *names, uint64_t hash, const char *bytes, size_t length) {
    return ws_names_link(names, hash, bytes, length, 16 * (uint64_t)length);
}

/* The number of a name's topmost declaration, or 0. */
static inline uint32_t ws_names_top(const ws_names *names, uint64_t hash, const char *bytes, size_t length) {
    const uint32_t number = *ws_names_nearest(names, hash, bytes, length) / 2;
    return number != 0 && ws_name_difference(&names->items[number - 1], bytes, length) == UINT64_MAX ? number : 0;
}

/* Puts the declaration `number` on top of those of its name, or in a new branch. */
static inline void ws_names_hang(ws_names *names, uint64_t hash, uint32_t number) {
    ws_name *name = &names->items[number - 1];
    uint32_t *link = ws_names_nearest(names, hash, name->bytes, name->length);
    const uint32_t near = *link / 2;
    name->bit = near != 0 ? ws_name_difference(&names->items[near - 1], name->bytes, name->length) : UINT64_MAX;
    name->below = 0;
    if (name->bit == UINT64_MAX) {
        name->below = near;
        *link = 2 * number;
        return;
    }
    link = ws_names_link(names, hash, name->bytes, name->length, name->bit);
    name->child[ws_name_bit(name->bytes, name->length, name->bit)] = 2 * number;
    name->child[!ws_name_bit(name->bytes, name->length, name->bit)] = *link;
    *link = 2 * number + 1;
}

/* Declares a name, or `count` names that are numbered from 0. */
static inline void ws_names_add(ws_names *names, const char *bytes, size_t length, int64_t count,
                                const ws_declared *declared) {
    const uint32_t number = (uint32_t)names->count + 1;
    ws_name *name;
    names->wanted++;
    if (names->count >= names->capacity || names->count >= INT32_MAX) return;
    name = &names->items[names->count++];
    name->bytes = bytes;
    name->length = length;
    name->depth = names->depth;
    name->count = count;
    name->declared = *declared;
    ws_names_hang(names, ws_name_hash(bytes, length), number);
    name->single = count == WS_NO_FAMILY ? number : name->below != 0 ? names->items[name->below - 1].single : 0;
    names->registers += declared->space == WS_NAME_REG;
}

static inline void ws_names_open(ws_names *names) { names->depth++; }

/* Takes the latest declaration out of its tree, which becomes what it was before. */
static inline void ws_names_unhang(ws_names *names) {
    const uint32_t number = (uint32_t)names->count--;
    const ws_name *name = &names->items[number - 1];
    uint32_t *link = ws_names_bucket(names, ws_name_hash(name->bytes, name->length));
    while (*link / 2 != number) link = ws_names_step(names, link, name->bytes, name->length);
    *link = *link & 1 ? name->child[!ws_name_bit(name->bytes, name->length, name->bit)] : 2 * name->below;
    names->registers -= name->declared.space == WS_NAME_REG;
}

/* Forgets the names of the innermost scope; the file's own stay. */
static inline void ws_names_close(ws_names *names) {
    if (names->depth == 0) return;
    while (names->count > 0 && names->items[names->count - 1].depth == names->depth) ws_names_unhang(names);
    names->depth--;
}

/* The innermost family of this name that has the number, or NULL. */
static inline const ws_name *ws_names_family(const ws_names *names, uint64_t hash, const char *bytes, size_t length,
                                             int64_t number) {
    uint32_t at = ws_names_top(names, hash, bytes, length);
    int i;
    for (i = 0; i < WS_MOST_FAMILIES && at != 0; i++) {
        const ws_name *name = &names->items[at - 1];
        if (number < name->count) return name;
        at = name->below;
    }
    return NULL;
}

/* The declaration of the name in the innermost scope that has it, or NULL; *number: its number in the family. All digits
 * at its end are that number: r<9> has r4 and r04, but no name can refer to x1<9>. */
static inline const ws_name *ws_names_declaration(const ws_names *names, const char *bytes, size_t length,
                                                  int64_t *number) {
    size_t base = length, i;
    uint64_t family_hash, hash;
    uint32_t exact;
    const ws_name *best = NULL, *family = NULL;
    *number = 0;
    while (base > 1 && ws_ptx_digit(bytes[base - 1]) >= 0) base--;
    hash = family_hash = ws_name_hash(bytes, base);
    for (i = base; i < length; i++) {
        hash = ws_name_hash_add(hash, bytes[i]);
        if (*number <= UINT32_MAX) *number = 10 * *number + ws_ptx_digit(bytes[i]);
    }
    exact = ws_names_top(names, hash, bytes, length);
    if (exact != 0) exact = names->items[exact - 1].single;
    if (exact != 0) best = &names->items[exact - 1];
    if (base < length) family = ws_names_family(names, family_hash, bytes, base, *number);
    if (family != NULL && (best == NULL || family->depth > best->depth)) best = family;
    return best;
}

/* What the name means there, or NULL. */
static inline const ws_declared *ws_names_find(const ws_names *names, const char *bytes, size_t length) {
    int64_t number;
    const ws_name *name = ws_names_declaration(names, bytes, length, &number);
    return name != NULL ? &name->declared : NULL;
}

#endif
