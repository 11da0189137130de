/* Numbers of 64 bits, each with a value: a binary tree that branches at the highest bit in which two keys differ, so a
 * search takes at most 64 steps whatever the keys are.
 *
 * This file knows nothing about what a key is. */
#ifndef WARPSIM_MODULE_KEYS_H
#define WARPSIM_MODULE_KEYS_H

#include "../base/status.h"

/* A link is twice the number of a key (from 1), or, plus 1, of the key whose branch follows; 0: nothing. */
typedef struct ws_key {
    uint64_t key;
    uint32_t child[2]; /* links */
    uint32_t value;
    uint8_t bit; /* of its branch: those without it are in child[0] */
} ws_key;

typedef struct ws_keys {
    ws_key *items; /* the caller's */
    uint32_t capacity, count;
    uint32_t root; /* a link */
} ws_keys;

static inline ws_keys ws_keys_make(ws_key *items, uint32_t capacity) {
    ws_keys keys;
    keys.items = items;
    keys.capacity = capacity;
    keys.count = keys.root = 0;
    return keys;
}

static inline void ws_keys_clear(ws_keys *keys) { keys->count = keys->root = 0; }

static inline int ws_key_bit(uint64_t key, int bit) { return (int)(key >> bit & 1); }

/* The key, or one that agrees with it in as many of the highest bits as any; NULL if there are none. */
static inline ws_key *ws_keys_nearest(const ws_keys *keys, uint64_t key) {
    uint32_t link = keys->root;
    while (link & 1) link = keys->items[link / 2 - 1].child[ws_key_bit(key, keys->items[link / 2 - 1].bit)];
    return link != 0 ? &keys->items[link / 2 - 1] : NULL;
}

static inline ws_key *ws_keys_find(const ws_keys *keys, uint64_t key) {
    ws_key *near = ws_keys_nearest(keys, key);
    return near != NULL && near->key == key ? near : NULL;
}

/* The key, with its value if it is there already, else with this one; NULL if there is no room. */
static inline ws_key *ws_keys_add(ws_keys *keys, uint64_t key, uint32_t value) {
    ws_key *near = ws_keys_nearest(keys, key), *item;
    uint32_t *link = &keys->root;
    int bit = 63;
    if (near != NULL && near->key == key) return near;
    if (keys->count >= keys->capacity) return NULL;
    item = &keys->items[keys->count++];
    item->key = key;
    item->value = value;
    item->bit = 0;
    item->child[0] = item->child[1] = 0;
    if (near == NULL) {
        *link = 2 * keys->count;
        return item;
    }
    while (ws_key_bit(key ^ near->key, bit) == 0) bit--;
    while (*link & 1 && keys->items[*link / 2 - 1].bit > bit) {
        ws_key *branch = &keys->items[*link / 2 - 1];
        link = &branch->child[ws_key_bit(key, branch->bit)];
    }
    item->bit = (uint8_t)bit;
    item->child[ws_key_bit(key, bit)] = 2 * keys->count;
    item->child[!ws_key_bit(key, bit)] = *link;
    *link = 2 * keys->count + 1;
    return item;
}

#endif
