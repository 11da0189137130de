/* Functions that stay apart from their callers: what is rare costs the quick way no frame. Those that run once, for a
 * message, a launch or an end, with all that they alone call: small rather than quick. And branches that the quick way does
 * not take. */
#ifndef WARPSIM_BASE_APART_H
#define WARPSIM_BASE_APART_H

#if defined(__GNUC__) && defined(__OPTIMIZE__)
#define WS_APART static __attribute__((noinline, unused))
#define WS_ONCE static inline __attribute__((cold))
#define WS_RARELY(condition) __builtin_expect(condition, 0)
#else
#define WS_APART static inline
#define WS_ONCE static inline
#define WS_RARELY(condition) (condition)
#endif

#endif
