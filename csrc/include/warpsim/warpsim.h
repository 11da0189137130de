/* warpsim: warp-level matrix memory instructions of NVIDIA GPUs, without a GPU.
 *
 * Header-only, C11 and C++11 and later; no allocation, no mutable globals, no library to link. Copy the folder or add
 * its parent to the include path. Every name starts with ws_ or WS_.
 *
 * Each question also has its own smaller header: <warpsim/parse.h>, count.h, execute.h, legality.h, explain.h, cost.h,
 * layout.h, tile.h, search.h, mainloop.h, lint.h. A file that parses, executes and counts takes about 5 seconds and
 * 0.3 GB to compile at -O2, and 1 second at -O0. To compile the core once instead of in every file (CMake:
 * warpsim::compiled), define WARPSIM_COMPILED for all files, and add warpsim.c to the program, or define
 * WARPSIM_IMPLEMENTATION in one file before it includes this header.
 *
 * Every call fits into 128 KiB of stack, with or without optimization.
 *
 * An instruction is a value (ws_op). What it does, whether it is legal and what memory traffic it causes are separate
 * questions.
 *
 * 1. What does every lane receive?
 *
 *     ws_error err;
 *     ws_op op;
 *     if (ws_parse("ldmatrix.sync.aligned.m8n8.x4.shared.b16", &op, &err) != WS_OK) puts(err.message);
 *     ws_memory shared = ws_memory_make(bytes, nbytes, 0);
 *     ws_access access = ws_access_make(&address[0][0], n);        // uint32_t address[n][32]
 *     ws_execute(&op, &shared, &access, &registers[0][0][0], NULL, &err);   // uint32_t registers[n][32][4]
 *
 * 2. What does it cost?
 *
 *     ws_counts counts;
 *     ws_count(&op, &access, &counts, &err);                       // counts.wavefronts, counts.bank_conflicts ...
 *
 * 3. Is it legal, and what is undefined about it?
 *
 *     ws_legality legality = ws_legality_of(&op, ws_target_find("sm_90"), ws_ptx_find("8.0"));
 *     ws_finding items[8];
 *     ws_findings sink = {items, 8, 0};
 *     access.policy = WS_POLICY_RECORD;
 *     ws_execute(&op, &shared, &access, &registers[0][0][0], &sink, &err);
 *     for (size_t i = 0; i < sink.count && i < 8; i++) puts(ws_rule_at(items[i].rule)->title);
 *
 * 4. How long does it take?
 *
 *     ws_profile sm = ws_profile_of(ws_target_find("sm_90"));      // constants, each with its source
 *     ws_cost cost = ws_cost_of(&op, &counts, &sm, 8);             // n = 1; eight warps: cost.latency, cost.interval, cost.bound
 *
 * Programs: time/program.h; the main loop of a tensor-core kernel: ws_mainloop_cost_of (loop/mainloop.h). A whole tile:
 * ws_tile_cover and ws_tile_steps (tile/tile.h) give the addresses of every step, ws_search (tile/search.h) counts
 * every layout. A whole PTX file is checked by ws_lint: lint/lint.h has its example.
 *
 * n may be one or a million: warps are executed and counted in bulk, with the vector instructions of the CPU.
 * access.simd forces a level (WS_SIMD_PORTABLE, WS_SIMD_SSE2 ...); the results are the same. Calls on different data
 * can run in different threads. */
#ifndef WARPSIM_WARPSIM_H
#define WARPSIM_WARPSIM_H

#include "parse.h"
#include "legality.h"
#include "execute.h"
#include "count.h"
#include "explain.h"
#include "cost.h"
#include "layout.h"
#include "tile.h"
#include "search.h"
#include "mainloop.h"
#include "lint.h"
#include "base/version.h"

#endif
