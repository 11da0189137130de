// Which layout of a shared-memory tile costs the fewest wavefronts? Every padding and swizzle, counted and ranked.
//
//     tune [ROWS COLS BITS [WARPS [FILL [READ [TARGET]]]]]
//     tune 128 64 16 4 "cp.async.cg.shared.global [d], [s], 16;" ldmatrix.sync.aligned.m8n8.x4.shared.b16 sm_90
#include <warpsim/warpsim.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t most_pad = 32;  // elements
constexpr std::size_t most_shown = 12;

struct request {
    warpsim::layout tile;
    int warps;
    warpsim::instruction fill, read;
    std::string target;
};

using warpsim::refuse;

int number(const std::string &name, const std::string &text, int least, int most) {
    int value = 0;
    const char *end = text.data() + text.size();
    const auto [rest, failed] = std::from_chars(text.data(), end, value);
    if (failed == std::errc() && rest == end && value >= least && value <= most) return value;
    refuse(name + ": expected " + std::to_string(least) + " to " + std::to_string(most) + ", got '" + text + "'");
}

warpsim::instruction instruction(const std::string &name, const std::string &text, bool writes) {
    try {
        const warpsim::instruction made(text);
        const bool fits = writes ? ws_op_writes_memory(&made.op()) : ws_op_is_load(&made.op());
        if (fits && made.op().space != WS_SPACE_GLOBAL) return made;
    } catch (const warpsim::error &why) {
        refuse(name + ": " + why.what());
    }
    refuse(name + ": expected " + (writes ? "st, stmatrix or cp.async" : "ld or ldmatrix") + " on shared memory, got '" + text + "'");
}

request request_of(std::vector<std::string> args) {
    const std::vector<std::string> otherwise = {"128", "64", "16", "4", "cp.async.cg.shared.global [d], [s], 16;",
                                                "ldmatrix.sync.aligned.m8n8.x4.shared.b16", "sm_90"};
    if (args.size() == 1 || args.size() == 2 || args.size() > otherwise.size()) {
        refuse("usage: tune [ROWS COLS BITS [WARPS [FILL [READ [TARGET]]]]]");
    }
    for (std::size_t i = args.size(); i < otherwise.size(); ++i) args.push_back(otherwise[i]);
    const int rows = number("ROWS", args[0], 1, 4096), cols = number("COLS", args[1], 1, 4096), bits = number("BITS", args[2], 4, 64);
    if ((bits & (bits - 1)) != 0) refuse("BITS: expected 4, 8, 16, 32 or 64, got '" + args[2] + "'");
    const int warps = number("WARPS", args[3], 1, WS_TILE_MAX_WARPS);
    const auto fill = instruction("FILL", args[4], true), read = instruction("READ", args[5], false);
    if (ws_target_find(args[6].c_str()) == WS_NO_TARGET) refuse("TARGET: expected a name such as sm_90, got '" + args[6] + "'");
    return {warpsim::layout(rows, cols, bits), warps, fill, read, args[6]};
}

// For every padding: no swizzle, and every Swizzle<B, M, S> with B from 1 to 4, M from 0 to 5, S from B to 5.
std::vector<warpsim::layout> candidates_of(const warpsim::layout &tile) {
    std::vector<warpsim::layout> candidates;
    for (std::int64_t pad = 0; pad <= most_pad; ++pad) {
        candidates.push_back(tile.pad(pad));
        for (int bits = 1; bits <= 4; ++bits) {
            for (int base = 0; base <= 5; ++base) {
                for (int shift = bits; shift <= 5; ++shift) candidates.push_back(tile.pad(pad).swizzle(bits, base, shift));
            }
        }
    }
    return candidates;
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
void print_findings(const warpsim::layout &layout, const request &asked) {
    for (const auto &one : warpsim::findings(layout, asked.fill, asked.read, asked.target))
        std::cout << "  " << one.rule << " (" << one.side << "): " << one.message << '\n';
}

// The exit status: 1 if an instruction is illegal or no layout was counted.
int tune(const request &asked) {
    // Do whole instructions cover the tile, and do the warps share them evenly?
    for (const auto *op : {&asked.fill, &asked.read}) warpsim::tile(asked.tile, *op, asked.warps);
    const ws_layout &tile = asked.tile.value();
    std::cout << tile.rows << " x " << tile.cols << " elements of " << tile.element_bits << " bits, " << asked.warps << " warps, "
              << asked.target << "\nfill " << asked.fill.text() << "\nread " << asked.read.text() << "\n\n";
    if (asked.fill.min_ptx(asked.target).empty() || asked.read.min_ptx(asked.target).empty()) {
        print_findings(asked.tile, asked);
        return 1;
    }

    const std::vector<warpsim::layout> candidates = candidates_of(asked.tile);
    const auto result = warpsim::search(candidates, asked.fill, asked.read, asked.warps, asked.target);
    print_line("pitch", "pad", "swizzle", "fill", "conflicts", "read", "conflicts", "bytes");
    for (std::size_t i = 0; i < std::min(result.found.size(), most_shown); ++i) {
        const auto &row = result.found[i];
        print_line(row.layout.pitch(), row.layout.value().pad, text_of(row.layout.value().swizzle), row.store_wavefronts,
                   warpsim::tile(row.layout, asked.fill, asked.warps).bank_conflicts, row.load_wavefronts,
                   warpsim::tile(row.layout, asked.read, asked.warps).bank_conflicts, row.bytes);
    }
    std::cout << '\n' << result.found.size() << " of " << candidates.size() << " layouts counted\n";
    for (const auto &one : result.rejected) {
        std::cout << one.count << " rejected: " << one.reason << '\n';
        print_findings(one.first, asked);
    }
    return result.found.empty() ? 1 : 0;
}

}  // namespace

int main(int argc, char **argv) {
    try {
        return tune(request_of({argv + 1, argv + argc}));
    } catch (const warpsim::error &error) {
        std::cerr << "tune: " << error.what() << '\n';
        return 2;
    }
}
