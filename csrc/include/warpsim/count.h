/* How much memory traffic does an instruction cause? ws_count. */
#ifndef WARPSIM_COUNT_H
#define WARPSIM_COUNT_H

#include "base/public.h"
WS_DOOR_OPENS
#include "count/count.h"
WS_DOOR_CLOSES

#endif
