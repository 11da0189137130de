/* Whole kernels: a PTX file is read once, a kernel of it decoded once, its blocks run one by one.
 *
 *     ws_module_bytes, ws_module_parse     text -> module                  module/
 *     ws_module_kernel                     the kernel of a name            module/module.h
 *     ws_kernel_make                       module, kernel -> program       decode/decode.h
 *     ws_launch_make                       program -> launch               run/setup.h
 *     ws_block_bytes, ws_block_make        launch -> block                 run/setup.h
 *     ws_block_run                         runs it                         meet/turns.h
 *
 * Everything lies in arenas that the caller gives; nothing is allocated, nothing global is kept. One block at a time for
 * each thread of the caller. An example: examples/embed_c/run.c. */
#ifndef WARPSIM_RUN_H
#define WARPSIM_RUN_H

#include "base/public.h"
WS_DOOR_OPENS
#include "module/parse.h"
#include "decode/decode.h"
#include "decode/known.h"
#include "opcode/row.h"
#include "ptx/tokens.h"
#include "run/setup.h"
#include "cluster/turns.h"
#include "meet/turns.h"
#include "watch/poll.h"
#include "watch/watch.h"
#include "check/check.h"
#include "finding/rows.h"
#include "finding/stop_fix.h"
#include "rules/rules.h"
WS_DOOR_CLOSES

#endif
