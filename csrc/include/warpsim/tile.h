/* What do the stores and loads of a whole tile do and cost? ws_tile_cover, ws_tile_count, ws_tile_find. */
#ifndef WARPSIM_TILE_H
#define WARPSIM_TILE_H

#include "base/public.h"
WS_DOOR_OPENS
#include "tile/cost.h"
#include "tile/count.h"
#include "tile/findings.h"
WS_DOOR_CLOSES

#endif
