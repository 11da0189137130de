/* When and by whom an access was made. */
#ifndef WARPSIM_SHADOW_STAMP_H
#define WARPSIM_SHADOW_STAMP_H

#include <stdbool.h>

#include "../base/mask.h"

#define WS_TIME_IN_FLIGHT UINT32_MAX /* of a copy that has not arrived */
#define WS_TIME_MOST UINT32_C(0x80000000)

/* An access: when, and whose. */
typedef struct ws_stamp {
    uint32_t time; /* 0: never */
    uint32_t who;  /* thread, flags, step << WS_WHO_STEP */
} ws_stamp;

enum {
    WS_WHO_THREAD = 1023,
    WS_WHO_WARP = 992,
    WS_WHO_ATOMIC = 1 << 10,
    WS_WHO_COPY = 1 << 11,
    WS_WHO_VOLATILE = 1 << 12,
    WS_WHO_WRITES = 1 << 13,
    WS_WHO_STEP = 14 /* and above the step, in the topmost bits, the rank in the cluster */
};

/* One lane's access to the bytes of a cell. */
typedef struct ws_visit {
    ws_stamp stamp;
    uint64_t address;
    uint32_t nbytes;
    uint8_t space;
    bool is_write, reads;
    bool changes_nothing; /* it writes what is there */
    bool takes;           /* an atomic whose result is read */
} ws_visit;

typedef enum ws_visited {
    WS_VISITED_FINE,
    WS_VISITED_UNWRITTEN, /* an uninitialised read */
    WS_VISITED_MET        /* another lane of this very instruction has written here */
} ws_visited;

#endif
