// Answers of the C++ layer to questions on stdin, one a line, for a test that asks Python the same.
//
//     count ROWS COLS BITS PAD B M S UNIT_IS_BYTE COL_MAJOR TEXT    counters of all accesses that cover the tile
//     load PITCH TEXT                                               registers; lane l reads byte l * PITCH, modulo 4096
//     legal TARGET PTX TEXT                                         0 or 1, the lowest version, and the reasons
#include <warpsim/warpsim.hpp>

#include <iostream>
#include <sstream>

namespace {

std::string answer(const std::string &line) {
    std::istringstream in(line);
    std::ostringstream out;
    std::string question, text, target, ptx;
    std::int64_t rows = 0, cols = 0, pad = 0;
    int bits = 0, b = 0, m = 0, s = 0;
    std::uint32_t pitch = 0;
    bool unit_is_byte = false, col_major = false;
    in >> question;
    if (question == "count") {
        in >> rows >> cols >> bits >> pad >> b >> m >> s >> unit_is_byte >> col_major >> std::ws;
        std::getline(in, text);
        auto tile = warpsim::layout(rows, cols, bits).pad(pad);
        tile = unit_is_byte ? tile.swizzle_bytes(b, m, s) : tile.swizzle(b, m, s);
        const auto counts = warpsim::count(col_major ? tile.col_major() : tile, warpsim::instruction(text));
        out << counts.instructions << ' ' << counts.requests << ' ' << counts.wavefronts << ' '
            << counts.ideal_wavefronts << ' ' << counts.bank_conflicts << ' ' << counts.sectors;
    } else if (question == "load") {
        in >> pitch >> std::ws;
        std::getline(in, text);
        std::vector<std::uint8_t> bytes(4096 + 16);
        for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 37 + i / 256);
        const auto address =
            warpsim::each_lane([pitch](int lane) { return static_cast<std::uint32_t>(lane) * pitch % 4096; });
        const auto loaded = warpsim::instruction(text).load(bytes, address);
        for (const std::uint32_t word : loaded.words()) out << word << ' ';
    } else {
        in >> target >> ptx >> std::ws;
        std::getline(in, text);
        const auto found = warpsim::instruction(text).legal(target, ptx);
        out << found.ok << ' ' << found.min_ptx;
        for (const std::string &reason : found.reasons) out << '|' << reason;
    }
    return out.str();
}

} // namespace

int main() {
    for (std::string line; std::getline(std::cin, line);) {
        try {
            std::cout << answer(line) << '\n';
        } catch (const warpsim::error &why) {
            std::cout << "refused: " << why.what() << '\n';
        }
    }
}
