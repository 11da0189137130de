/* warpsim for C++17 and later: values, std::string, exceptions; in C++20, counting in static_assert.
 *
 *     #include <warpsim/warpsim.hpp>
 *
 *     warpsim::instruction x4("ldmatrix.sync.aligned.m8n8.x4.shared.b16");          // throws warpsim::error
 *     auto tile = warpsim::layout(64, 64, 16).swizzle(3, 3, 3);
 *     x4.count(addresses(tile, x4, 16, 32)).wavefronts;                             // one access
 *     warpsim::tile(tile, x4, 4).bank_conflicts;                                    // all accesses of four warps
 *     x4.legal("sm_90", "8.0").reasons;                                             // empty: legal
 *     x4.load(bytes, addresses(tile, x4))(lane, 0);                                 // what the lane gets
 *     warpsim::search(candidates, fill, x4, 4, "sm_90").found.front().layout;     // the best
 *
 *     using namespace warpsim::literals;                                            // C++20
 *     static_assert(warpsim::conflict_free(warpsim::layout(64, 64, 16).swizzle(3, 3, 3),
 *                                          "ldmatrix.sync.aligned.m8n8.x4.shared.b16"_op));
 *
 * All of it is inline, and calls the C core: link warpsim::compiled, or define WARPSIM_COMPILED and add warpsim.c to the
 * program, to compile that once. A file that only asserts needs cpp/layout.hpp and cpp/literal.hpp. */
#ifndef WARPSIM_WARPSIM_HPP
#define WARPSIM_WARPSIM_HPP

#include "cpp/instruction.hpp"
#include "cpp/literal.hpp"
#include "cpp/tile.hpp"

#endif
