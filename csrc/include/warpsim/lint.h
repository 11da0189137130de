/* Is a whole PTX file correct? ws_lint. */
#ifndef WARPSIM_LINT_H
#define WARPSIM_LINT_H

#include "base/public.h"
WS_DOOR_OPENS
#include "lint/lint.h"
WS_DOOR_CLOSES

#endif
