/* Which lanes collide in which bank? ws_explain_warp. */
#ifndef WARPSIM_EXPLAIN_H
#define WARPSIM_EXPLAIN_H

#include "base/public.h"
WS_DOOR_OPENS
#include "count/explain.h"
WS_DOOR_CLOSES

#endif
