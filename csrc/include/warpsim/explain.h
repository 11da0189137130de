/* Which lanes collide in which bank, and what is there to know about an instruction at a place? ws_explain_warp,
 * ws_report_findings. */
#ifndef WARPSIM_EXPLAIN_H
#define WARPSIM_EXPLAIN_H

#include "base/public.h"
WS_DOOR_OPENS
#include "count/explain.h"
#include "report/notes.h"
#include "report/place.h"
WS_DOOR_CLOSES

#endif
