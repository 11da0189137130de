// The C++ layer against the C core: the same tile counted by the functions of constant expressions and by the kernels,
// each instruction of the table as a literal and as ws_parse reads it, loads and stores there and back.
#include <warpsim/warpsim.hpp>

#include <cstdio>
#include <cstdlib>
#include <random>

namespace {

int comparisons = 0;

void require(bool holds, const char *what) {
    ++comparisons;
    if (holds) return;
    std::printf("failed: %s\n", what);
    std::exit(1);
}

template <typename Call> std::string refused(Call call) {
    try {
        call();
    } catch (const warpsim::error &why) {
        return why.what();
    }
    return "";
}

// Every instruction whose accesses go to shared memory, by its canonical text.
std::vector<std::string> texts() {
    std::vector<std::string> found;
    for (const std::string form : {"m8n8.x# b16", "m8n8.x#.trans b16", "m16n16.x#.trans b8", "m8n16.x# b8x16.b6x16_p32",
                                   "m8n16.x# b8x16.b4x16_p64", "m8n16.x# s8.s4"}) {
        for (const char *kind : {"ldmatrix", "stmatrix"}) {
            for (const char *num : {"1", "2", "4"}) {
                for (const char *space : {".", ".shared.", ".shared::cta."}) {
                    std::string text = std::string(kind) + ".sync.aligned." + form;
                    text.replace(text.find('#'), 1, num);
                    text.replace(text.find(' '), 1, space);
                    found.push_back(text);
                }
            }
        }
    }
    for (const char *kind : {"ld", "st"}) {
        for (const char *vec : {"", ".v2", ".v4"}) {
            for (const char *type : {"b8", "u16", "b32", "f32", "s64", "f64", "b16", "u8"})
                found.push_back(std::string(kind) + ".shared" + vec + "." + type);
        }
    }
    for (const char *copied : {"ca.shared.global [dst], [src], 4;", "ca.shared.global [dst], [src], 8;",
                               "ca.shared.global [dst], [src], 16;", "cg.shared.global [dst], [src], 16;",
                               "cg.shared.global [dst], [src], 8;"})
        found.push_back(std::string("cp.async.") + copied);
    found.push_back("stmatrix.sync.aligned.m16n8.x2.trans.shared.b8");
    found.push_back("movmatrix.sync.aligned.m8n8.trans.b16");
    return found;
}

bool same(const warpsim::traffic &a, const warpsim::traffic &b) {
    return a.instructions == b.instructions && a.requests == b.requests && a.wavefronts == b.wavefronts &&
           a.ideal_wavefronts == b.ideal_wavefronts && a.bank_conflicts == b.bank_conflicts && a.sectors == b.sectors;
}

int below(int n, std::mt19937 &draw) { return static_cast<int>(draw() % static_cast<unsigned>(n)); }

// Any tile of 4-bit to 64-bit elements, nearly always one that whole instructions cover.
warpsim::layout any_layout(std::mt19937 &draw) {
    const int bits = 4 << below(5, draw), shift = below(6, draw), rows = 8 + 8 * below(12, draw);
    const int cols = 8 << below(5, draw);
    auto made = warpsim::layout(rows, cols, bits).pad(2 * below(20, draw));
    if (below(2, draw)) made = made.col_major();
    if (below(4, draw) == 0) return made;
    const int width = below(shift + 1, draw), base = below(7, draw), direction = below(5, draw) ? shift : -shift;
    return below(3, draw) ? made.swizzle(width, base, direction) : made.swizzle_bytes(width, base, direction);
}

// Whole tiles, and lanes that point anywhere.
void compare_counts() {
    std::mt19937 draw(1);
    for (const std::string &text : texts()) {
        const auto op = warpsim::instruction::parse(text);
        for (int i = 0; i < 120 && op && op->op().kind != WS_MOVMATRIX; ++i) {
            const auto tile = any_layout(draw);
            warpsim::traffic wanted{};
            const bool covers = refused([&] { wanted = warpsim::tile(tile, *op); }).empty();
            require(covers == refused([&] { require(same(warpsim::count(tile, *op), wanted), text.c_str()); }).empty(),
                    text.c_str());
            if (op->op().kind == WS_CP_ASYNC) continue;
            const int step = below(40, draw) * 4, spread = 1 + below(64, draw);
            const auto at = warpsim::each_lane([&](int lane) { return lane * step + below(spread, draw) * 4; });
            require(same(warpsim::count(at, *op), op->count(at)), text.c_str());
        }
    }
}

void compare_literals() {
#if defined(__cplusplus) && __cplusplus >= 202002L
    for (const std::string &text : texts()) {
        const auto parsed = warpsim::instruction::parse(text);
        const ws_op op = warpsim::op_of(text);
        require(parsed ? ws_op_equal(&parsed->op(), &op) && parsed->op().form == op.form : op.form == 0, text.c_str());
    }
    for (const char *text : {"", "ld", "ld.shared", "ldmatrix.x4", "ld.shared.b32.b32", "nonsense", "ld.shared.v3.b32",
                             "ldmatrix.sync.aligned.m8n8.x4.shared.b16;", "cp.async.ca.shared.global", "cp.async",
                             "ld.shared.b32 [dst], [src], 4;"})
        require(warpsim::op_of(text).form == 0, text);
#endif
}

void moves() {
    const warpsim::instruction load("ldmatrix.sync.aligned.m8n8.x4.shared.b16"),
        store("stmatrix.sync.aligned.m8n8.x4.shared.b16");
    const auto tile = warpsim::layout(16, 16, 16).pad(8);
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(tile.nbytes())), back(bytes.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(i * 7);
    const warpsim::registers values = load.load(bytes, addresses(tile, load));
    require(load.num_registers() == 4 && values.count() == 4, "registers");
    // lane 5 holds row 1, elements 2 and 3: bytes 48 + 4 .. 48 + 7 of a pitch of 48
    require(!refused([&] { values(0, 4); }).empty() && !refused([&] { values(1, 0, 0); }).empty(), "no such register");
    const std::vector<warpsim::lanes> warps = {addresses(tile, load), warpsim::lanes{}};
    require(load.load(bytes, warps)(1, 31, 3) == load.load(bytes, warpsim::lanes{})(31, 3), "two warps");
    require(load.count(warps).instructions == 2, "two counts");
    require(values(5, 0) == (52u * 7 % 256 | 53u * 7 % 256 << 8 | 54u * 7 % 256 << 16 | 55u * 7 % 256 << 24), "lane 5");
    store.store(back, addresses(tile, store), values);
    for (std::int64_t row = 0; row < 16; ++row) {
        for (std::int64_t col = 0; col < 16; ++col) {
            const auto at = static_cast<std::size_t>(tile.offset(row, col));
            require(back[at] == bytes[at] && back[at + 1] == bytes[at + 1], "there and back");
        }
    }
    const std::vector<warpsim::finding> found = load.findings(64, addresses(tile, load));
    require(!found.empty() && found.front().rule == "WS-LDM-002" && found.front().lane == 2, "findings");
    require(load.findings(bytes.size(), addresses(tile, load)).empty(), "no findings");
    require(load.count(addresses(tile, load)).wavefronts == 4, "count");
    require(load.cost(load.count(addresses(tile, load)), "sm_90").latency > 0, "cost");
    require(load.legal("sm_90", "8.0") && load.legal("sm_90", "8.0").reasons.empty(), "legal");
    require(!load.legal("sm_70", "8.0") && load.min_ptx("sm_75") == "6.5" && load.min_ptx("sm_70").empty(), "illegal");
    require(load == warpsim::instruction(load.text()) && load != store, "equality");
}

void searches() {
    const warpsim::instruction fill("st.shared.v4.b32"), read("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
    const auto plain = warpsim::layout(64, 64, 16);
    const std::vector<warpsim::layout> candidates = {plain, plain.pad(4), plain.swizzle(3, 3, 3)};
    const auto result = warpsim::search(candidates, fill, read, 4, "sm_90");
    require(result.found.size() == 2 && result.found[0].load_wavefronts == 64 && result.found[1].bytes == 8192,
            "found");
    require(result.found[0].layout.value().swizzle.bits == 3 && result.rejected.size() == 1, "best");
    require(result.rejected[0].count == 1 && result.rejected[0].first.pitch() == 136, "rejected");
    require(!warpsim::findings(plain.pad(4), fill, read, "sm_90").empty(), "what is wrong with a tile");
    require(warpsim::findings(plain, fill, read, "sm_90").empty(), "nothing is wrong with a tile");
    require(warpsim::each_lane([](int lane) { return lane + 1; })[31] == 32, "lanes");
}

void errors() {
    using warpsim::instruction;
    const instruction load("ld.shared.b32");
    std::vector<std::uint8_t> bytes(128);
    require(refused([] { instruction("ldmatrix.x4"); }) == "ldmatrix needs .sync", "syntax");
    try {
        instruction("ld.shared.b33");
    } catch (const warpsim::error &why) {
        require(why.status() == WS_SYNTAX && why.column() == 10, "column");
    }
    require(!instruction::parse("ldmatrix.x4"), "parse");
    require(refused([] { warpsim::layout(0, 1, 16); }) == "rows, cols: expected 1 to 2**24 - 1", "rows");
    require(!refused([] { warpsim::layout(1, 1, 12); }).empty(), "bits");
    require(!refused([] { warpsim::layout(8, 8, 16).swizzle(3, 3, 2); }).empty(), "swizzle");
    require(!refused([] { warpsim::layout(8, 8, 16).pad(-1); }).empty(), "pad");
    require(!refused([&] { warpsim::addresses(warpsim::layout(4, 4, 32), load.op(), 4, 0); }).empty(), "outside");
    require(!refused([&] { load.legal("sm_91", "8.0"); }).empty() &&
                !refused([&] { load.legal("sm_90", "8"); }).empty(),
            "names");
    require(!refused([&] { load.load(std::vector<std::uint8_t>(64), warpsim::lanes{1}); }).empty(), "misaligned");
    require(!refused([&] { warpsim::count(warpsim::layout(7, 7, 8), instruction("ld.shared.v4.b32")); }).empty(),
            "cover");
    require(!refused([&] { warpsim::count(warpsim::layout(64, 64, 16), instruction("ld.global.b32")); }).empty(),
            "global");
    require(load.legal("sm_90") && !warpsim::instruction("stmatrix.sync.aligned.m8n8.x4.shared.b16").legal("sm_80"),
            "newest");
    require(!refused([] { warpsim::layout(3, 3, 4).nbytes(); }).empty(), "half a byte");
    require(!refused([] { warpsim::layout(1 << 24, 1, 8); }).empty(), "too large");
    require(!refused([] { warpsim::layout(8, 8, 8).offset(8, 0); }).empty(), "no such element");
    require(!refused([] { warpsim::count(warpsim::lanes{}, instruction("ld.b32")); }).empty(), "generic");
    require(
        !refused([&] { instruction("st.shared.b32").store(bytes, warpsim::lanes{}, warpsim::registers(2)); }).empty(),
        "registers");
    require(
        !refused([&] { instruction("st.shared.b32").load(std::vector<std::uint8_t>(128), warpsim::lanes{}); }).empty(),
        "load");
}

} // namespace

int main() {
    compare_counts();
    compare_literals();
    moves();
    searches();
    errors();
    std::printf("%d\n", comparisons);
}
