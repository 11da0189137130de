/* The SM of one target: every constant of the cost model with its source and its uncertainty.
 *
 * The caller may change a profile's values: the user's own device is one more profile.
 * This file knows nothing about what the constants are used for. */
#ifndef WARPSIM_TIME_PROFILE_H
#define WARPSIM_TIME_PROFILE_H

#include "../isa/targets.h"
#include "profile_table.h"

typedef struct ws_profile_value {
    double value;
    double error; /* relative; negative: unknown */
    const char *source;
    int basis; /* ws_basis */
} ws_profile_value;

typedef struct ws_profile {
    int target; /* row of ws_target */
    ws_profile_value constant[WS_CONSTANT_COUNT];
} ws_profile;

/* The constants of a target (row of ws_target); WS_NO_TARGET: of sm_90. */
static inline ws_profile ws_profile_of(int target) {
    const int row = target == WS_NO_TARGET ? ws_target_find("sm_90") : target, number = ws_target(row)->number;
    ws_profile profile;
    int i, pass;
    profile.target = row;
    for (pass = 0; pass < 2; pass++) {
        for (i = 0; i < WS_KNOWN_COUNT; i++) {
            const ws_known *known = ws_known_at(i);
            ws_profile_value *to = &profile.constant[known->constant];
            if (known->number != (pass == 0 ? 90 : number)) continue;
            to->value = known->value;
            to->error = pass == 0 && number != 90 ? -1 : known->error;
            to->source = known->source;
            to->basis = pass == 0 && number != 90 ? (int)WS_BASIS_ASSUMED : (int)known->basis;
        }
    }
    return profile;
}

static inline double ws_profile_get(const ws_profile *profile, ws_profile_constant constant) {
    return profile->constant[constant].value;
}

enum { WS_MOST_PARTITIONS = 8 };

/* A constant that counts something, clamped to 1 .. `most` whatever the caller put there. */
static inline int ws_profile_count(const ws_profile *profile, ws_profile_constant constant, int most) {
    const double given = ws_profile_get(profile, constant);
    return given >= (double)most ? most : given >= 1 ? (int)given : 1;
}

/* Sub-partitions of an SM. */
static inline int ws_profile_partitions(const ws_profile *profile) {
    return ws_profile_count(profile, WS_SUB_PARTITIONS, WS_MOST_PARTITIONS);
}

/* Bytes of shared memory that one block can have. */
static inline int64_t ws_profile_shared_bytes(const ws_profile *profile) {
    const double bytes = ws_profile_get(profile, WS_SHARED_BYTES_PER_BLOCK);
    return (int64_t)bytes;
}

static inline double ws_max(double a, double b) { return a > b ? a : b; }

#endif
