/* Functions that stay apart from their callers: what is rare costs the quick way no frame. And those that run once for a
 * message, with all that they alone call: small rather than quick. */
#ifndef WARPSIM_BASE_APART_H
#define WARPSIM_BASE_APART_H

#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define WS_APART static __attribute__((noinline, unused))
#define WS_ONCE static inline __attribute__((cold))
#else
#define WS_APART static inline
#define WS_ONCE static inline
#endif

#endif
