/* Which layout of a tile is best? ws_search, ws_search_rank. */
#ifndef WARPSIM_SEARCH_H
#define WARPSIM_SEARCH_H

#include "base/public.h"
WS_DOOR_OPENS
#include "tile/candidates.h"
#include "tile/search_rank.h"
WS_DOOR_CLOSES

#endif
