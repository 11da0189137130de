/* A part of lanes/levels.h and mma/levels.h as a file of its own: compiled once for each WS_MAKES_... of simd/level.h, with
 * WS_LEVELS_MADE as its number, for programs whose other files define WS_LEVELS_MADE as 0. */
#ifndef WS_LEVELS_MADE
#define WS_LEVELS_MADE 31
#endif
#include <warpsim/lanes/levels.h>
#include <warpsim/mma/levels.h>
