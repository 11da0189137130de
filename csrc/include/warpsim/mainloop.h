/* How many cycles does the main loop of a kernel take? ws_mainloop_cost_of. */
#ifndef WARPSIM_MAINLOOP_H
#define WARPSIM_MAINLOOP_H

#include "base/public.h"
WS_DOOR_OPENS
#include "loop/mainloop.h"
WS_DOOR_CLOSES

#endif
