/* Functions and tables that C++20 can evaluate while it compiles: static_assert on wavefronts (cpp/constant.hpp). In C,
 * and in C++ before, they are like all others. */
#ifndef WARPSIM_BASE_CONSTANT_H
#define WARPSIM_BASE_CONSTANT_H

#if defined(__cplusplus) && __cplusplus >= 202002L
#define WS_CONSTANT static constexpr
#define WS_TABLE static constexpr
#define WS_WORD_TABLE static constexpr const char *
#else
#define WS_CONSTANT static inline
#define WS_TABLE static const
#define WS_WORD_TABLE static const char *const
#endif

#endif
