/* Functions that stay apart from their callers: what is rare costs the quick way no frame. */
#ifndef WARPSIM_BASE_APART_H
#define WARPSIM_BASE_APART_H

#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define WS_APART static __attribute__((noinline, unused))
#else
#define WS_APART static inline
#endif

#endif
