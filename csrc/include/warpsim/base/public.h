/* Where the calls that do the work (parse, count, execute, explain, search, main loop, lint) are compiled.
 *
 *     nothing defined          in each file; functions that a file does not call cost nothing
 *     WARPSIM_COMPILED         in another file: here they are only declared; using them compiles in a tenth of a second
 *     WARPSIM_IMPLEMENTATION   in this file, for the whole program; warpsim.c is such a file
 *
 * Define it before the first include. Small functions such as ws_access_make are always inline. A header with such
 * calls declares them as WS_PUBLIC; what compiling them needs comes after #if WS_BODIES. */
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

/* Around the includes of a public header: a C++ project may warn about C casts, and C has no others; nvcc warns about
 * gcc's pragmas but passes them on. */
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
