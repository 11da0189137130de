/* A whole tile: what filling or reading it costs, and which of many layouts is best. */
#ifndef WARPSIM_CPP_TILE_HPP
#define WARPSIM_CPP_TILE_HPP

#include "../search.h"
#include "../tile.h"
#include "instruction.hpp"

namespace warpsim {

/* All accesses of one instruction that cover the tile once, dealt to so many warps. */
inline traffic tile(const layout &of, const instruction &with, std::int64_t warps = 1) {
    ws_tiling tiling;
    ws_error why;
    check(ws_tile_cover(&of.value(), &with.op(), warps, &tiling, &why), why);
    std::vector<traffic> counts(static_cast<std::size_t>(tiling.units));
    ws_tile_count(&of.value(), &with.op(), &tiling, WS_SIMD_AUTO, counts.data());
    traffic total{};
    for (const traffic &one : counts) ws_counts_add(&total, &one);
    return total;
}

/* What is wrong with a tile that `store` fills and `load` reads: rule, side ("store", "load", "tile") and sentence. */
struct tile_finding {
    std::string rule, side, message;
};

inline std::vector<tile_finding> findings(const layout &of, const instruction &store, const instruction &load,
                                          const std::string &target_name) {
    const ws_profile profile = ws_profile_of(target(target_name));
    std::array<ws_tile_finding, WS_TILE_MAX_FINDINGS> items;
    const int count = ws_tile_find(&of.value(), &store.op(), &load.op(), &profile, items.data());
    std::vector<tile_finding> found;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        const ws_op &op = items[i].side == WS_TILE_LOAD ? load.op() : store.op();
        found.push_back({ws_rule_at(items[i].rule)->id, ws_tile_side_word(items[i].side),
                         text_of<WS_MESSAGE_BYTES>([&](ws_text *text) {
                             ws_tile_finding_write(&of.value(), &op, &profile, &items[i], text);
                         })});
    }
    return found;
}

/* A layout that was counted: wavefronts of both sides, and the cycles of the whole tile. */
struct ranked {
    warpsim::layout layout;
    std::int64_t store_wavefronts, load_wavefronts, bytes;
    double cycles;
};

/* Candidates that cannot be counted, for one reason. */
struct rejection {
    std::string reason;
    std::size_t count;
    warpsim::layout first;
};

struct search_result {
    std::vector<ranked> found; /* best first */
    std::vector<rejection> rejected;
};

/* Counts every candidate. `store` fills the tile, `load` reads it, by so many warps each. */
inline search_result search(span<const layout> candidates, const instruction &store, const instruction &load,
                            std::int64_t warps, const std::string &target_name) {
    std::vector<ws_layout> values;
    for (const layout &one : candidates) values.push_back(one.value());
    const std::size_t n = values.size();
    const ws_profile profile = ws_profile_of(target(target_name));
    const ws_search_terms terms = ws_search_terms_make(&store.op(), &load.op(), warps, &profile);
    std::vector<std::uint64_t> storage(ws_search_words(values.data(), n, &terms));
    std::vector<ws_search_row> rows(n);
    ws_error why;
    check(ws_search(values.data(), n, &terms, storage.data(), rows.data(), &why), why);
    std::vector<std::int64_t> order(n), scratch(n);
    order.resize(ws_search_rank(values.data(), rows.data(), n, order.data(), scratch.data()));
    search_result result;
    for (const std::int64_t i : order) {
        const auto place = static_cast<std::size_t>(i);
        result.found.push_back({layout(values[place]), rows[place].store_wavefronts, rows[place].load_wavefronts,
                                rows[place].bytes, rows[place].cycles});
    }
    for (int reason = WS_SEARCH_COUNTED + 1; reason < WS_SEARCH_REASON_COUNT; ++reason) {
        std::size_t count = 0, first = 0;
        for (std::size_t i = n; i-- > 0;) {
            if (rows[i].rejected != reason) continue;
            first = i;
            ++count;
        }
        if (count != 0) result.rejected.push_back({ws_search_reason_word(reason), count, layout(values[first])});
    }
    return result;
}

} // namespace warpsim

#endif
