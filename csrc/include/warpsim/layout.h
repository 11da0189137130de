/* How is a matrix laid out in memory? ws_layout_make, ws_swizzle_make. */
#ifndef WARPSIM_LAYOUT_H
#define WARPSIM_LAYOUT_H

#include "base/public.h"
WS_DOOR_OPENS
#include "tile/element.h"
#include "tile/layout.h"
WS_DOOR_CLOSES

#endif
