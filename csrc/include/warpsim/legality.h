/* Is an instruction legal for a target and PTX version? ws_legality_of. */
#ifndef WARPSIM_LEGALITY_H
#define WARPSIM_LEGALITY_H

#include "base/public.h"
WS_DOOR_OPENS
#include "isa/legality.h"
WS_DOOR_CLOSES

#endif
