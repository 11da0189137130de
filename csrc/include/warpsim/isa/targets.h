/* Targets and PTX versions that exist.
 *
 * A target is its row in the table below; a PTX version is a small number (65 is PTX 6.5).
 * `first_ptx` is the first PTX version whose assembler accepts the target's name (observed on
 * ptxas 12.9, 13.0 and 13.5), `last_ptx` the last one: sm_101 became sm_110 in PTX 9.0.
 *
 * This file knows nothing about instructions. */
#ifndef WARPSIM_ISA_TARGETS_H
#define WARPSIM_ISA_TARGETS_H

#include "isa.h"

typedef struct ws_target_row {
    const char *name;
    uint16_t number;   /* 90 of sm_90a */
    char suffix;       /* 'a' (this chip only), 'f' (its family), or 0 */
    uint8_t first_ptx; /* 78 is PTX 7.8 */
    uint8_t last_ptx;  /* WS_STILL_THERE where no version dropped it */
} ws_target_row;

enum { WS_TARGET_COUNT = 34, WS_NO_TARGET = -1, WS_STILL_THERE = 255 };

#define WS_TARGET_FAMILY(number, plain, suffix_a, suffix_f, last)                                                      \
    {"sm_" #number, number, 0, plain, last}, {"sm_" #number "a", number, 'a', suffix_a, last}, {                       \
        "sm_" #number "f", number, 'f', suffix_f, last                                                                 \
    }

/* Ascending by number, then plain, a, f. */
static inline const ws_target_row *ws_target(int index) {
    /* clang-format off */
    static const ws_target_row table[WS_TARGET_COUNT] = {
        {"sm_60", 60, 0, 60, WS_STILL_THERE},
        {"sm_61", 61, 0, 60, WS_STILL_THERE},
        {"sm_62", 62, 0, 60, WS_STILL_THERE},
        {"sm_70", 70, 0, 60, WS_STILL_THERE},
        {"sm_72", 72, 0, 61, WS_STILL_THERE},
        {"sm_75", 75, 0, 63, WS_STILL_THERE},
        {"sm_80", 80, 0, 70, WS_STILL_THERE},
        {"sm_86", 86, 0, 71, WS_STILL_THERE},
        {"sm_87", 87, 0, 74, WS_STILL_THERE},
        {"sm_88", 88, 0, 90, WS_STILL_THERE},
        {"sm_89", 89, 0, 78, WS_STILL_THERE},
        {"sm_90", 90, 0, 78, WS_STILL_THERE},
        {"sm_90a", 90, 'a', 80, WS_STILL_THERE},
        WS_TARGET_FAMILY(100, 86, 86, 88, WS_STILL_THERE),
        WS_TARGET_FAMILY(101, 86, 86, 88, 88),
        WS_TARGET_FAMILY(103, 88, 88, 88, WS_STILL_THERE),
        WS_TARGET_FAMILY(107, 94, 94, 94, WS_STILL_THERE),
        WS_TARGET_FAMILY(110, 90, 90, 90, WS_STILL_THERE),
        WS_TARGET_FAMILY(120, 87, 87, 88, WS_STILL_THERE),
        WS_TARGET_FAMILY(121, 88, 88, 88, WS_STILL_THERE),
    };
    /* clang-format on */
    return &table[index >= 0 && index < WS_TARGET_COUNT ? index : 0];
}

/* The row of "sm_90a"; WS_NO_TARGET for an unknown name. */
static inline int ws_target_find(const char *name) {
    const size_t length = ws_string_length(name);
    int i;
    for (i = 0; i < WS_TARGET_COUNT; i++) {
        if (ws_bytes_equal(name, length, ws_target(i)->name)) return i;
    }
    return WS_NO_TARGET;
}

static inline bool ws_target_exists_at(int target, int ptx) {
    return ptx >= ws_target(target)->first_ptx && ptx <= ws_target(target)->last_ptx;
}

static inline bool ws_target_takes(int target, int rule) {
    const ws_target_row *row = ws_target(target);
    switch (rule) {
        case WS_TARGETS_SM70_UP: return row->number >= 70;
        case WS_TARGETS_SM72_UP: return row->number >= 72;
        case WS_TARGETS_SM75_UP: return row->number >= 75;
        case WS_TARGETS_SM80_UP: return row->number >= 80;
        case WS_TARGETS_SM90_UP: return row->number >= 90;
        case WS_TARGETS_AF100_UP: return row->number >= 100 && row->suffix != 0;
        case WS_TARGETS_90A_AF100_UP: return row->number >= 90 && row->suffix != 0;
        default: return true;
    }
}

/* Versions that exist: 6.0-6.5, 7.0-7.8, 8.0-8.8, 9.0-9.5. */
enum { WS_FIRST_PTX = 60, WS_LAST_PTX = 95 };

/* The newest PTX version that has the target. */
static inline int ws_target_newest_ptx(int target) {
    return ws_target(target)->last_ptx < WS_LAST_PTX ? (int)ws_target(target)->last_ptx : (int)WS_LAST_PTX;
}

static inline bool ws_ptx_exists(int ptx) {
    static const uint8_t last_minor[] = {5, 8, 8, 5};
    return ptx >= WS_FIRST_PTX && ptx <= WS_LAST_PTX && ptx % 10 <= last_minor[ptx / 10 - 6];
}

/* 86 for "8.6"; 0 for an unknown version. */
static inline int ws_ptx_find(const char *version) {
    const bool shaped = ws_string_length(version) == 3 && version[1] == '.';
    const int ptx = shaped ? (version[0] - '0') * 10 + (version[2] - '0') : 0;
    return shaped && version[2] >= '0' && version[2] <= '9' && ws_ptx_exists(ptx) ? ptx : 0;
}

static inline void ws_text_add_ptx(ws_text *text, int ptx) {
    ws_text_add_uint(text, (uint64_t)(ptx / 10));
    ws_text_add(text, ".");
    ws_text_add_uint(text, (uint64_t)(ptx % 10));
}

#endif
