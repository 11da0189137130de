// Bank conflicts of a tile that ldmatrix reads: as it is, padded, and swizzled.
#include <warpsim/warpsim.hpp>

#include <iostream>

int main() {
    try {
        const warpsim::instruction load("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
        const auto plain = warpsim::layout(64, 64, 16);  // 64 x 64 elements of 16 bits
        for (const auto &tile : {plain, plain.pad(8), plain.swizzle(3, 3, 3)}) {
            const auto counts = warpsim::tile(tile, load);
            std::cout << "rows of " << tile.pitch() << " bytes: " << counts.wavefronts << " wavefronts, " << counts.bank_conflicts
                      << " bank conflicts\n";
        }
        if (!load.legal("sm_70")) std::cout << load.legal("sm_70").reasons.front() << '\n';
        warpsim::instruction("ldmatrix.sync.aligned.m8n8.x3.shared.b16");
    } catch (const warpsim::error &why) {
        std::cout << why.what() << '\n';
    }
}
