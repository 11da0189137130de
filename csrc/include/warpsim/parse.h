/* What does a PTX text say? ws_parse; and back: ws_op_write. */
#ifndef WARPSIM_PARSE_H
#define WARPSIM_PARSE_H

#include "base/public.h"
WS_DOOR_OPENS
#include "ptx/parse.h"
#include "ptx/write.h"
WS_DOOR_CLOSES

#endif
