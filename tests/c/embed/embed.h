/* What the two translation units of the embedding test share. */
#ifndef EMBED_H
#define EMBED_H

#include <warpsim/warpsim.h>

enum { EMBED_WARPS = 3, EMBED_NBYTES = 2048 };

typedef struct embed {
    uint8_t bytes[EMBED_NBYTES];
    uint32_t address[EMBED_WARPS][32];
    uint32_t registers[EMBED_WARPS][32][4];
    ws_counts counts;
} embed;

#ifdef __cplusplus
extern "C" {
#endif
/* The snippet, run in the other translation unit; true if every call said that all is well. */
bool ws_embed_b(embed *data);
#ifdef __cplusplus
}
#endif

#endif
