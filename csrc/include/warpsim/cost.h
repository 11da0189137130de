/* How many cycles does an instruction or straight-line program take? ws_cost_of, ws_program_add. */
#ifndef WARPSIM_COST_H
#define WARPSIM_COST_H

#include "base/public.h"
WS_DOOR_OPENS
#include "time/evidence.h"
#include "time/program.h"
WS_DOOR_CLOSES

#endif
