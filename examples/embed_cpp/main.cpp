// Which layout of a shared-memory tile costs the fewest wavefronts? Every padding and swizzle, counted and ranked.
//
//     tune [ROWS COLS BITS [WARPS [FILL [READ [TARGET]]]]]
//     tune 128 64 16 4 "cp.async.cg.shared.global [d], [s], 16;" ldmatrix.sync.aligned.m8n8.x4.shared.b16 sm_90
#include <warpsim/warpsim.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t most_pad = 32;  // elements
constexpr std::size_t most_shown = 12;

// An error that the user can fix.
struct usage_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A C API call reports failure by its status, and the reason in `error`.
void check(ws_status status, const ws_error &error, const std::string &what = "") {
    if (status != WS_OK) throw usage_error(what + error.message);
}

struct request {
    ws_layout tile;
    int warps;
    ws_op fill, read;
    int target;
};

int number(const std::string &name, const std::string &text, int least, int most) {
    int value = 0;
    const char *end = text.data() + text.size();
    const auto [rest, failed] = std::from_chars(text.data(), end, value);
    if (failed == std::errc() && rest == end && value >= least && value <= most) return value;
    throw usage_error(name + ": expected " + std::to_string(least) + " to " + std::to_string(most) + ", got '" + text + "'");
}

ws_op instruction(const std::string &name, const std::string &text, bool writes) {
    ws_op op;
    ws_error error;
    check(ws_parse_text(text.data(), text.size(), &op, &error), error, name + ": ");
    const bool fits = writes ? ws_op_writes_memory(&op) : ws_op_is_load(&op);
    if (fits && op.space != WS_SPACE_GLOBAL) return op;
    throw usage_error(name + ": expected " + (writes ? "st, stmatrix or cp.async" : "ld or ldmatrix") + " on shared memory, got '" + text + "'");
}

int target(const std::string &name) {
    const int found = ws_target_find(name.c_str());
    if (found == WS_NO_TARGET) throw usage_error("TARGET: expected a name such as sm_90, got '" + name + "'");
    return found;
}

request request_of(std::vector<std::string> args) {
    const std::vector<std::string> otherwise = {"128", "64", "16", "4", "cp.async.cg.shared.global [d], [s], 16;",
                                                "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "sm_90"};
    if (args.size() == 1 || args.size() == 2 || args.size() > otherwise.size()) {
        throw usage_error("usage: tune [ROWS COLS BITS [WARPS [FILL [READ [TARGET]]]]]");
    }
    for (std::size_t i = args.size(); i < otherwise.size(); ++i) args.push_back(otherwise[i]);
    const int rows = number("ROWS", args[0], 1, 4096), cols = number("COLS", args[1], 1, 4096), bits = number("BITS", args[2], 4, 64);
    if ((bits & (bits - 1)) != 0) throw usage_error("BITS: expected 4, 8, 16, 32 or 64, got '" + args[2] + "'");
    return {ws_layout_make(rows, cols, bits), number("WARPS", args[3], 1, WS_TILE_MAX_WARPS), instruction("FILL", args[4], true),
            instruction("READ", args[5], false), target(args[6])};
}

// For every padding: no swizzle, and every Swizzle<B, M, S> with B from 1 to 4, M from 0 to 5, S from B to 5.
std::vector<ws_layout> candidates_of(const ws_layout &tile) {
    std::vector<ws_layout> candidates;
    for (std::int64_t pad = 0; pad <= most_pad; ++pad) {
        ws_layout layout = tile;
        layout.pad = pad;
        candidates.push_back(layout);
        for (int bits = 1; bits <= 4; ++bits) {
            for (int base = 0; base <= 5; ++base) {
                for (int shift = bits; shift <= 5; ++shift) {
                    layout.swizzle = ws_swizzle_make(bits, base, shift);
                    candidates.push_back(layout);
                }
            }
        }
    }
    return candidates;
}

// All accesses that fill or read the tile once.
ws_counts total(const ws_layout &layout, const ws_op &op, int warps) {
    ws_error error;
    ws_tiling tiling;
    check(ws_tile_cover(&layout, &op, warps, &tiling, &error), error);
    std::vector<ws_counts> counts(static_cast<std::size_t>(tiling.units));
    ws_tile_count(&layout, &op, &tiling, WS_SIMD_AUTO, counts.data());
    ws_counts sum{};
    for (const ws_counts &one : counts) ws_counts_add(&sum, &one);
    return sum;
}

std::string text_of(const ws_op &op) {
    std::array<char, 160> bytes;
    ws_text text = ws_text_make(bytes.data(), bytes.size());
    ws_op_write(&op, &text);
    return bytes.data();
}

std::string text_of(const ws_swizzle &swizzle) {
    if (swizzle.bits == 0) return "-";
    return std::to_string(swizzle.bits) + "," + std::to_string(swizzle.base) + "," + std::to_string(swizzle.shift);
}

template <typename... Cells>
void print_line(const Cells &...cells) {
    ((std::cout << std::setw(10) << cells), ...);
    std::cout << '\n';
}

// What is wrong with a layout, sentence by sentence.
void print_findings(const ws_layout &layout, const request &asked, const ws_profile &sm) {
    std::array<ws_tile_finding, WS_TILE_MAX_FINDINGS> found;
    const int count = ws_tile_find(&layout, &asked.fill, &asked.read, &sm, found.data());
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
        std::array<char, WS_MESSAGE_BYTES> bytes;
        ws_text text = ws_text_make(bytes.data(), bytes.size());
        const ws_op &op = found[i].side == WS_TILE_LOAD ? asked.read : asked.fill;
        ws_tile_finding_write(&layout, &op, &sm, &found[i], &text);
        std::cout << "  " << ws_rule_at(found[i].rule)->id << " (" << ws_tile_side_word(found[i].side) << "): " << bytes.data() << '\n';
    }
}

void print_table(const std::vector<ws_layout> &candidates, const std::vector<ws_search_row> &rows, const std::vector<std::int64_t> &order,
                 const request &asked) {
    print_line("pitch", "pad", "swizzle", "fill", "conflicts", "read", "conflicts", "bytes");
    for (std::size_t i = 0; i < std::min(order.size(), most_shown); ++i) {
        const auto place = static_cast<std::size_t>(order[i]);
        const ws_layout &layout = candidates[place];
        print_line(ws_layout_pitch_bytes(&layout), layout.pad, text_of(layout.swizzle), rows[place].store_wavefronts,
                   total(layout, asked.fill, asked.warps).bank_conflicts, rows[place].load_wavefronts,
                   total(layout, asked.read, asked.warps).bank_conflicts, rows[place].bytes);
    }
    std::cout << '\n' << order.size() << " of " << candidates.size() << " layouts counted\n";
}

// How many candidates were rejected for each reason, and what is wrong with the first of them.
void print_rejected(const std::vector<ws_layout> &candidates, const std::vector<ws_search_row> &rows, const request &asked,
                    const ws_profile &sm) {
    for (int reason = WS_SEARCH_COUNTED + 1; reason < WS_SEARCH_REASON_COUNT; ++reason) {
        const auto has = [&](const ws_search_row &row) { return row.rejected == reason; };
        const auto first = std::find_if(rows.begin(), rows.end(), has);
        if (first == rows.end()) continue;
        std::cout << std::count_if(first, rows.end(), has) << " rejected: " << ws_search_reason_word(reason) << '\n';
        print_findings(candidates[static_cast<std::size_t>(first - rows.begin())], asked, sm);
    }
}

// The exit status: 1 if an instruction is illegal or no layout was counted.
int tune(const request &asked) {
    const ws_profile sm = ws_profile_of(asked.target);
    for (const ws_op *op : {&asked.fill, &asked.read}) {
        ws_error error;
        ws_tiling tiling;  // do whole instructions cover the tile, and do the warps share them evenly?
        check(ws_tile_cover(&asked.tile, op, asked.warps, &tiling, &error), error);
    }
    std::cout << asked.tile.rows << " x " << asked.tile.cols << " elements of " << asked.tile.element_bits << " bits, " << asked.warps
              << " warps, " << ws_target(asked.target)->name << "\nfill " << text_of(asked.fill) << "\nread " << text_of(asked.read) << "\n\n";
    if (ws_op_min_ptx_at(&asked.fill, asked.target) == 0 || ws_op_min_ptx_at(&asked.read, asked.target) == 0) {
        print_findings(asked.tile, asked, sm);
        return 1;
    }

    const std::vector<ws_layout> candidates = candidates_of(asked.tile);
    const std::size_t n = candidates.size();
    const ws_search_terms terms = ws_search_terms_make(&asked.fill, &asked.read, asked.warps, &sm);
    std::vector<std::uint64_t> storage(ws_search_words(candidates.data(), n, &terms));
    std::vector<ws_search_row> rows(n);
    ws_error error;
    check(ws_search(candidates.data(), n, &terms, storage.data(), rows.data(), &error), error);

    std::vector<std::int64_t> order(n), scratch(n);
    order.resize(ws_search_rank(candidates.data(), rows.data(), n, order.data(), scratch.data()));  // best first
    print_table(candidates, rows, order, asked);
    print_rejected(candidates, rows, asked, sm);
    return order.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char **argv) {
    try {
        return tune(request_of({argv + 1, argv + argc}));
    } catch (const usage_error &error) {
        std::cerr << "tune: " << error.what() << '\n';
        return 2;
    }
}
