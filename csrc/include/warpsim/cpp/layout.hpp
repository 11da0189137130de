/* A layout of a tile as a C++ value, and what one instruction costs that fills or reads the tile.
 *
 *     constexpr auto tile = warpsim::layout(64, 64, 16).swizzle(3, 3, 3);          // 64 x 64 elements of 16 bits
 *     static_assert(warpsim::conflict_free(tile, "ldmatrix.sync.aligned.m8n8.x4.shared.b16"_op));     // C++20
 *
 * Counting has the rules of the C core, which C++20 evaluates while it compiles. */
#ifndef WARPSIM_CPP_LAYOUT_HPP
#define WARPSIM_CPP_LAYOUT_HPP

#include "base.hpp"

WS_DOOR_OPENS
#include "../count/shared.h"
#include "../tile/tile.h"
WS_DOOR_CLOSES

namespace warpsim {

using traffic = ws_counts;

class layout {
  public:
    /* Row-major, without padding: elements of 4, 8, 16, 32 or 64 bits. */
    WS_CPP_CONSTANT layout(std::int64_t rows, std::int64_t cols, int element_bits)
        : value_(ws_layout_make(rows, cols, element_bits)) {
        if (rows < 1 || cols < 1) throw error(WS_INVALID_ARGUMENT, "rows, cols: expected at least 1");
        if (element_bits < 4 || element_bits > 64 || (element_bits & (element_bits - 1)) != 0)
            throw error(WS_INVALID_ARGUMENT, "element_bits: expected 4, 8, 16, 32 or 64");
    }
    WS_CPP_CONSTANT explicit layout(const ws_layout &value) : value_(value) {}

    /* The same tile with so many elements after each row (col-major: column). */
    WS_CPP_CONSTANT layout pad(std::int64_t elements) const {
        layout made = *this;
        if (elements < 0) throw error(WS_INVALID_ARGUMENT, "elements: expected at least 0");
        made.value_.pad = elements;
        return made;
    }
    /* The same tile with CuTe's Swizzle<bits, base, shift>, in elements. */
    WS_CPP_CONSTANT layout swizzle(int bits, int base, int shift) const {
        layout made = *this;
        if (bits < 0 || bits > 10 || base < 0 || base > 31 || shift < -31 || shift > 31 ||
            (shift < 0 ? -shift : shift) < bits)
            throw error(WS_INVALID_ARGUMENT, "swizzle: expected bits 0 to 10, base 0 to 31, and |shift| of bits to 31");
        made.value_.swizzle = ws_swizzle_make(bits, base, shift);
        return made;
    }
    WS_CPP_CONSTANT layout col_major() const {
        layout made = *this;
        made.value_.col_major = true;
        return made;
    }

    WS_CPP_CONSTANT std::int64_t nbytes() const { return ws_layout_nbytes(&value_); }
    WS_CPP_CONSTANT std::int64_t pitch() const { return ws_layout_pitch_bytes(&value_); }
    /* Of element (row, col), in bytes from the start. */
    WS_CPP_CONSTANT std::int64_t offset(std::int64_t row, std::int64_t col) const {
        return ws_layout_offset(&value_, row, col);
    }
    WS_CPP_CONSTANT const ws_layout &value() const { return value_; }

  private:
    ws_layout value_;
};

/* The addresses of one access whose first matrix (plain access: first piece) is at (row, col). */
inline lanes addresses(const layout &of, const ws_op &op, std::int64_t row = 0, std::int64_t col = 0) {
    std::int64_t found[WS_LANES];
    lanes made;
    if (!ws_layout_addresses(&of.value(), &op, &row, &col, false, found))
        throw error(WS_INVALID_ARGUMENT, "row, col: the access reaches (" + std::to_string(row) + ", " +
                                             std::to_string(col) + "), outside of the tile");
    for (std::size_t lane = 0; lane < made.size(); ++lane) made[lane] = static_cast<std::uint32_t>(found[lane]);
    return made;
}

/* All accesses of one warp that covers the whole tile. In a constant expression an error does not compile. */
WS_CPP_CONSTANT traffic count(const layout &of, const ws_op &op) {
    traffic total = {0, 0, 0, 0, 0, 0};
    const ws_tile_block block = ws_tile_block_of(&of.value(), &op);
    if (op.kind == WS_CP_ASYNC || op.space == WS_SPACE_GLOBAL)
        throw error(WS_INVALID_ARGUMENT, "op: expected ldmatrix, stmatrix, ld or st on shared memory; copies: tile()");
    if (block.unit < 1) throw error(WS_INVALID_ARGUMENT, "op: expected an instruction whose lanes name whole elements");
    if (ws_tile_run(&of.value()) % block.multiple != 0 || ws_layout_runs(&of.value()) % block.across != 0)
        throw error(WS_INVALID_ARGUMENT, "layout: expected a tile that whole instructions cover");
    const ws_tiling tiling = ws_tile_split(&of.value(), &op, &block);
    for (std::int64_t unit = 0; unit < tiling.units; ++unit) {
        std::int64_t address[WS_LANES] = {};
        ws_tile_unit(&of.value(), &op, &tiling, unit, address);
        for (std::int64_t &one : address) one = ws_layout_swizzled(&of.value(), static_cast<std::uint64_t>(one) * 8);
        const traffic counts = ws_count_addresses(&op, address);
        ws_counts_add(&total, &counts);
    }
    return total;
}

/* Does no access cost more wavefronts than its data need? */
WS_CPP_CONSTANT bool conflict_free(const layout &of, const ws_op &op) { return count(of, op).bank_conflicts == 0; }

/* Wavefronts of all accesses together. */
WS_CPP_CONSTANT std::uint64_t wavefronts(const layout &of, const ws_op &op) { return count(of, op).wavefronts; }

} // namespace warpsim

#endif
