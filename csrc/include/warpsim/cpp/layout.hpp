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
        if (rows < 1 || cols < 1 || rows >= most || cols >= most) refuse("rows, cols: expected 1 to 2**24 - 1");
        if (element_bits < 4 || element_bits > 64 || (element_bits & (element_bits - 1)) != 0)
            refuse("element_bits: expected 4, 8, 16, 32 or 64");
    }
    /* Any layout of the C core, packed formats among them; its fields are not checked. */
    WS_CPP_CONSTANT explicit layout(const ws_layout &value) : value_(value) {}

    /* The same tile with so many elements after each row (col-major: column). */
    WS_CPP_CONSTANT layout pad(std::int64_t elements) const {
        layout made = *this;
        if (elements < 0 || elements >= most) refuse("elements: expected 0 to 2**24 - 1");
        made.value_.pad = elements;
        return made;
    }
    /* The same tile with CuTe's Swizzle<bits, base, shift>, in elements; swizzle_bytes: in bytes. */
    WS_CPP_CONSTANT layout swizzle(int bits, int base, int shift) const {
        layout made = *this;
        if (bits < 0 || bits > 10 || base < 0 || base > 31 || shift < -31 || shift > 31 ||
            (shift < 0 ? -shift : shift) < bits)
            refuse("swizzle: expected bits 0 to 10, base 0 to 31, and |shift| of bits to 31");
        made.value_.swizzle = ws_swizzle_make(bits, base, shift);
        return made;
    }
    WS_CPP_CONSTANT layout swizzle_bytes(int bits, int base, int shift) const {
        layout made = swizzle(bits, base, shift);
        made.value_.swizzle.unit_is_byte = true;
        return made;
    }
    WS_CPP_CONSTANT layout col_major() const {
        layout made = *this;
        made.value_.col_major = true;
        return made;
    }

    WS_CPP_CONSTANT std::int64_t nbytes() const { return ws_layout_nbytes(&value()); }
    WS_CPP_CONSTANT std::int64_t pitch() const { return ws_layout_pitch_bytes(&value()); }
    /* Of element (row, col), in bytes from the start. */
    WS_CPP_CONSTANT std::int64_t offset(std::int64_t row, std::int64_t col) const {
        if (row < 0 || col < 0 || row >= value_.rows || col >= value_.cols) refuse("row, col: expected an element");
        return ws_layout_offset(&value(), row, col);
    }
    /* For calls of the C core. */
    WS_CPP_CONSTANT const ws_layout &value() const {
        if ((ws_layout_run(&value_) + value_.pad) % ws_layout_run_unit(&value_) != 0)
            refuse("cols + pad (col-major: rows + pad): expected whole bytes in a row");
        return value_;
    }

  private:
    static constexpr std::int64_t most = 1 << 24;
    ws_layout value_;
};

/* The addresses of one access whose first matrix (plain access: first piece) is at (row, col). */
WS_CPP_CONSTANT lanes addresses(const layout &of, const ws_op &op, std::int64_t row = 0, std::int64_t col = 0) {
    std::int64_t found[WS_LANES] = {};
    lanes made{};
    if (ws_tile_block_of(&of.value(), &op).unit < 1)
        refuse("op: expected an instruction whose lanes have addresses of whole elements");
    if (!ws_layout_addresses(&of.value(), &op, &row, &col, false, found))
        refuse("row, col: the access reaches (" + std::to_string(row) + ", " + std::to_string(col) +
               "), outside of the tile");
    for (std::size_t lane = 0; lane < made.size(); ++lane) made[lane] = static_cast<std::uint32_t>(found[lane]);
    return made;
}

/* One access of a warp to these addresses in shared memory. */
WS_CPP_CONSTANT traffic count(const lanes &address, const ws_op &op) {
    std::int64_t wide[WS_LANES] = {};
    if (!ws_op_counts_groups(&op) || ws_op_is_wmma(&op))
        refuse("op: expected ldmatrix, stmatrix, ld.shared or st.shared");
    for (std::size_t lane = 0; lane < address.size(); ++lane) wide[lane] = address[lane];
    return ws_count_addresses(&op, wide);
}

/* All accesses of one warp that covers the whole tile. cp.async copies it from global memory, where it is dense. */
WS_CPP_CONSTANT traffic count(const layout &of, const ws_op &op) {
    traffic total = {0, 0, 0, 0, 0, 0};
    const ws_layout *const tile = &of.value();
    const ws_tile_block block = ws_tile_block_of(tile, &op);
    if (op.space == WS_SPACE_GLOBAL || block.unit < 1)
        refuse("op: expected ldmatrix, stmatrix, ld, st or cp.async on shared memory, of whole elements");
    if (ws_layout_run(tile) % block.multiple != 0 || ws_layout_runs(tile) % block.across != 0)
        refuse("layout: expected a tile that whole instructions cover");
    const ws_tiling tiling = ws_tile_split(tile, &op, &block);
    for (std::int64_t unit = 0; unit < tiling.units; ++unit) {
        std::int64_t address[WS_LANES] = {};
        traffic counts = {1, 0, 0, 0, 0, 0};
        ws_tile_unit(tile, &op, &tiling, unit, address);
        for (std::int64_t &one : address) one = ws_layout_swizzled(tile, static_cast<std::uint64_t>(one) * 8);
        if (op.kind == WS_CP_ASYNC) {
            std::uint64_t to[WS_LANES] = {}, from[WS_LANES] = {};
            for (int lane = 0; lane < WS_LANES; ++lane)
                to[lane] = static_cast<std::uint64_t>(address[lane]) / op.size_bytes * op.size_bytes;
            ws_tile_source(&op, &tiling, unit, from);
            ws_count_copies(&op, to, from, UINT32_MAX, &counts);
        } else {
            counts = ws_count_addresses(&op, address);
        }
        ws_counts_add(&total, &counts);
    }
    return total;
}

/* Of one access to `lanes`, or of all accesses that cover a layout: does none cost more wavefronts than its data need?
 * And how many wavefronts are they together? */
template <typename Place> WS_CPP_CONSTANT bool conflict_free(const Place &at, const ws_op &op) {
    const traffic counts = count(at, op);
    return counts.wavefronts == counts.ideal_wavefronts;
}
template <typename Place> WS_CPP_CONSTANT std::uint64_t wavefronts(const Place &at, const ws_op &op) {
    return count(at, op).wavefronts;
}

} // namespace warpsim

#endif
