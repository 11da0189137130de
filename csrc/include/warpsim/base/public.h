/* Who compiles the calls that do the work: parse, count, execute, explain, search, main loop, lint.
 *
 *     nothing defined          each file for itself; a function that it does not call costs nothing
 *     WARPSIM_COMPILED         another file: they are only declared, and a file that uses them compiles in a tenth of a second
 *     WARPSIM_IMPLEMENTATION   this file, for all of a program; warpsim.c is such a file
 *
 * Defined before the first include. Small functions, such as ws_access_make, are inline in each case.
 * A header with such calls declares them as WS_PUBLIC; what they need to be compiled comes after #if WS_BODIES. */
#ifndef WARPSIM_BASE_PUBLIC_H
#define WARPSIM_BASE_PUBLIC_H

#if !defined(WARPSIM_COMPILED) && !defined(WARPSIM_IMPLEMENTATION)
#define WS_PUBLIC static inline
#elif defined(__cplusplus)
#define WS_PUBLIC extern "C"
#else
#define WS_PUBLIC
#endif

#if defined(WARPSIM_COMPILED) && !defined(WARPSIM_IMPLEMENTATION)
#define WS_BODIES 0
#else
#define WS_BODIES 1
#endif

/* Around the includes of a door: a C++ project may warn of C's casts, and C has no other; nvcc warns of gcc's pragmas, and passes them on. */
#if defined(__CUDACC__)
#define WS_DOOR_OPENS WS_QUIET_CASTS _Pragma("nv_diagnostic push") _Pragma("nv_diag_suppress 1675")
#define WS_DOOR_CLOSES _Pragma("nv_diagnostic pop") WS_LOUD_CASTS
#else
#define WS_DOOR_OPENS WS_QUIET_CASTS
#define WS_DOOR_CLOSES WS_LOUD_CASTS
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#define WS_QUIET_CASTS _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"")
#define WS_LOUD_CASTS _Pragma("GCC diagnostic pop")
#else
#define WS_QUIET_CASTS
#define WS_LOUD_CASTS
#endif

#endif
