/* What does every lane receive, and what is undefined about it? ws_execute. */
#ifndef WARPSIM_EXECUTE_H
#define WARPSIM_EXECUTE_H

#include "base/public.h"
WS_DOOR_OPENS
#include "data/fragment.h"
#include "execute/execute.h"
WS_DOOR_CLOSES

#endif
