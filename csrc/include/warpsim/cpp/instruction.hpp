/* An instruction as a C++ value: parsed from PTX, it says what every lane gets, whether it is legal and what it costs. */
#ifndef WARPSIM_CPP_INSTRUCTION_HPP
#define WARPSIM_CPP_INSTRUCTION_HPP

#include "../cost.h"
#include "../count.h"
#include "../execute.h"
#include "../legality.h"
#include "../parse.h"
#include "layout.hpp"

#include <optional>
#include <vector>

namespace warpsim {

/* A row of the targets: "sm_90". */
inline int target(const std::string &name) {
    const int found = ws_target_find(name.c_str());
    if (found == WS_NO_TARGET) refuse("target: expected a name such as sm_90, got '" + name + "'");
    return found;
}

/* Is it legal? Converts to bool; if not, `reasons` has the sentences. */
struct legality {
    bool ok;
    std::string min_ptx; /* the lowest PTX version for the target; empty: none */
    std::vector<std::string> reasons;
    explicit operator bool() const noexcept { return ok; }
};

/* Behaviour that PTX leaves undefined. */
struct finding {
    std::string rule, title, fix;
    int lane;              /* -1: not about a lane */
    std::uint64_t address; /* 0: not about one */
};

/* The 32-bit registers of warps: (lane, register) of the first, or (warp, lane, register). */
class registers {
  public:
    explicit registers(int count, std::size_t warps = 1)
        : count_(count), warps_(warps), words_(32 * warps * static_cast<std::size_t>(count)) {}
    int count() const noexcept { return count_; } /* of one lane */
    std::size_t warps() const noexcept { return warps_; }
    std::uint32_t &operator()(int lane, int i) { return words_[at(0, lane, i)]; }
    std::uint32_t operator()(int lane, int i) const { return words_[at(0, lane, i)]; }
    std::uint32_t &operator()(std::size_t warp, int lane, int i) { return words_[at(warp, lane, i)]; }
    std::uint32_t operator()(std::size_t warp, int lane, int i) const { return words_[at(warp, lane, i)]; }
    span<std::uint32_t> words() &noexcept { return {words_.data(), words_.size()}; }
    span<const std::uint32_t> words() const &noexcept { return {words_.data(), words_.size()}; }
    void words() && = delete; /* it would outlive its registers */

  private:
    std::size_t at(std::size_t warp, int lane, int i) const {
        if (lane < 0 || lane > 31 || i < 0 || i >= count_ || warp >= warps_)
            refuse("registers: expected a warp, a lane and a register that are there");
        return (warp * 32 + static_cast<std::size_t>(lane)) * static_cast<std::size_t>(count_) +
               static_cast<std::size_t>(i);
    }

    int count_;
    std::size_t warps_;
    std::vector<std::uint32_t> words_;
};

class instruction {
  public:
    /* Of a PTX text, with or without operands; throws error. */
    explicit instruction(std::string_view text) {
        ws_error why;
        check(ws_parse_text(text.data(), text.size(), &op_, &why), why);
    }
    explicit instruction(const ws_op &op) : op_(op) {
        ws_error why;
        check(ws_op_validate(&op_, &why), why);
    }
    /* The same without an exception. */
    static std::optional<instruction> parse(std::string_view text) noexcept {
        instruction made;
        if (ws_parse_text(text.data(), text.size(), &made.op_, nullptr) != WS_OK) return std::nullopt;
        return made;
    }

    std::string text() const {
        return text_of<160>([this](ws_text *text) { ws_op_write(&op_, text); });
    }
    const ws_op &op() const noexcept { return op_; }
    operator const ws_op &() const noexcept { return op_; }
    bool operator==(const instruction &other) const noexcept { return ws_op_equal(&op_, &other.op_); }
    bool operator!=(const instruction &other) const noexcept { return !(*this == other); }

    /* 32-bit registers that each lane gives or gets. */
    int num_registers() const noexcept { return ws_op_num_registers(&op_) * (ws_op_register_bits(&op_) / 32); }

    /* The lowest PTX version in which it is legal for the target; empty: none. */
    std::string min_ptx(const std::string &target_name) const {
        const int version = ws_op_min_ptx_at(&op_, target(target_name));
        return version == 0 ? "" : text_of<16>([version](ws_text *text) { ws_text_add_ptx(text, version); });
    }

    /* Without a version: in the newest PTX that has the target. */
    legality legal(const std::string &target_name, const std::string &ptx = "") const {
        const int row = target(target_name),
                  version = ptx.empty() ? ws_target_newest_ptx(row) : ws_ptx_find(ptx.c_str());
        if (version == 0) refuse("ptx: expected a version such as 8.0, got '" + ptx + "'");
        const ws_legality found = ws_legality_of(&op_, row, version);
        legality made{found.ok, min_ptx(target_name), {}};
        for (int i = 0; i < found.reason_count; ++i) made.reasons.emplace_back(found.reasons[i]);
        return made;
    }

    /* The counters of one warp, or of many. */
    traffic count(const lanes &address) const { return count(span<const lanes>(&address, 1)); }
    traffic count(span<const lanes> warps) const {
        const ws_access access = access_of(warps);
        traffic counts;
        ws_error why;
        check(ws_count(&op_, &access, &counts, &why), why);
        return counts;
    }

    /* What is undefined about an access to a shared memory of so many bytes, lane by lane. */
    std::vector<finding> findings(std::size_t shared_bytes, const lanes &address) const {
        std::vector<std::uint8_t> bytes(shared_bytes);
        std::vector<ws_finding> items(64);
        registers unused(num_registers());
        ws_access access = access_of(span<const lanes>(&address, 1));
        access.policy = WS_POLICY_RECORD;
        ws_findings sink = {items.data(), items.size(), 0};
        run(bytes.data(), bytes.size(), access, unused.words(), &sink);
        if (sink.count > items.size()) { /* once more, with room for all */
            items.resize(sink.count);
            sink = {items.data(), items.size(), 0};
            run(bytes.data(), bytes.size(), access, unused.words(), &sink);
        }
        items.resize(sink.count);
        std::vector<finding> found;
        for (const ws_finding &item : items) {
            const ws_rule *rule = ws_rule_at(item.rule);
            found.push_back({rule->id, rule->title, rule->fix, item.lane, item.has_address ? item.address : 0});
        }
        return found;
    }

    /* Loads from shared memory, one warp or many; undefined behaviour throws error. */
    registers load(span<const std::uint8_t> shared, const lanes &address) const {
        return load(shared, span<const lanes>(&address, 1));
    }
    registers load(span<const std::uint8_t> shared, span<const lanes> warps) const {
        registers made(num_registers(), warps.size());
        if (!ws_op_is_load(&op_)) refuse("load: expected an instruction that loads");
        /* the core takes one kind of memory, and a load does not write to it */
        run(const_cast<std::uint8_t *>(shared.data()), shared.size(), access_of(warps), made.words(), nullptr);
        return made;
    }
    /* Stores registers to shared memory, one warp or many. */
    void store(span<std::uint8_t> shared, const lanes &address, const registers &from) const {
        store(shared, span<const lanes>(&address, 1), from);
    }
    void store(span<std::uint8_t> shared, span<const lanes> warps, const registers &from) const {
        registers given = from;
        if (!ws_op_writes_memory(&op_) || op_.kind == WS_CP_ASYNC)
            refuse("store: expected an instruction that stores registers");
        if (from.count() != num_registers() || from.warps() != warps.size())
            refuse("store: expected the registers of as many warps as there are addresses");
        run(shared.data(), shared.size(), access_of(warps), given.words(), nullptr);
    }

    /* Cycles of one instruction with these counts, issued by so many warps of an SM. */
    ws_cost cost(const traffic &counts, const std::string &target_name, int warps = 1) const {
        const ws_profile profile = ws_profile_of(target(target_name));
        return ws_cost_of(&op_, &counts, &profile, warps);
    }

  private:
    instruction() noexcept : op_(ws_op_none()) {}
    static ws_access access_of(span<const lanes> warps) {
        return ws_access_make(warps.size() != 0 ? warps.data()->data() : nullptr, warps.size());
    }
    void run(std::uint8_t *shared, std::size_t nbytes, const ws_access &access, span<std::uint32_t> values,
             ws_findings *sink) const {
        const ws_memory memory = ws_memory_make(shared, nbytes, 0);
        ws_error why;
        check(ws_execute(&op_, &memory, &access, values.data(), sink, &why), why);
    }

    ws_op op_;
};

} // namespace warpsim

#endif
