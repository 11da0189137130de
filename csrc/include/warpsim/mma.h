/* Products of a warp, D = A x B + C: ws_mma_parse_text, ws_mma_legality_of, ws_mma_place_at, ws_mma_multiply.
 *
 * Not part of warpsim.h: its kernels for each SIMD level are compiled in every file that multiplies. */
#ifndef WARPSIM_MMA_H
#define WARPSIM_MMA_H

#include "base/public.h"
WS_DOOR_OPENS
#include "mma/fragment.h"
#include "mma/legality.h"
#include "mma/metadata.h"
#include "mma/multiply.h"
#include "mma/statement.h"
WS_DOOR_CLOSES

#endif
