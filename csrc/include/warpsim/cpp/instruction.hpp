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
    if (found == WS_NO_TARGET)
        throw error(WS_INVALID_ARGUMENT, "target: expected a name such as sm_90, got '" + name + "'");
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

/* The 32-bit registers of a warp: (lane, register). */
class registers {
  public:
    explicit registers(int count) : count_(count), words_(static_cast<std::size_t>(32 * count)) {}
    int count() const noexcept { return count_; }
    std::uint32_t &operator()(int lane, int i) { return words_.at(static_cast<std::size_t>(lane * count_ + i)); }
    std::uint32_t operator()(int lane, int i) const { return words_.at(static_cast<std::size_t>(lane * count_ + i)); }
    span<std::uint32_t> words() noexcept { return {words_.data(), words_.size()}; }

  private:
    int count_;
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

    legality legal(const std::string &target_name, const std::string &ptx) const {
        const int version = ws_ptx_find(ptx.c_str());
        if (version == 0) throw error(WS_INVALID_ARGUMENT, "ptx: expected a version such as 8.0, got '" + ptx + "'");
        const ws_legality found = ws_legality_of(&op_, target(target_name), version);
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
        ws_findings sink = {items.data(), items.size(), 0};
        registers unused(num_registers());
        ws_access access = access_of(span<const lanes>(&address, 1));
        access.policy = WS_POLICY_RECORD;
        run(bytes, access, unused, &sink);
        std::vector<finding> found;
        for (std::size_t i = 0; i < sink.count && i < items.size(); ++i) {
            const ws_rule *rule = ws_rule_at(items[i].rule);
            found.push_back(
                {rule->id, rule->title, rule->fix, items[i].lane, items[i].has_address ? items[i].address : 0});
        }
        return found;
    }

    /* Loads from shared memory; undefined behaviour throws error. */
    registers load(span<const std::uint8_t> shared, const lanes &address) const {
        registers made(num_registers());
        if (!ws_op_is_load(&op_)) throw error(WS_INVALID_ARGUMENT, "load: expected an instruction that loads");
        std::vector<std::uint8_t> bytes(shared.begin(), shared.end());
        run(bytes, access_of(span<const lanes>(&address, 1)), made, nullptr);
        return made;
    }
    /* Stores registers to shared memory. */
    void store(span<std::uint8_t> shared, const lanes &address, const registers &from) const {
        registers given = from;
        if (!ws_op_writes_memory(&op_) || from.count() != num_registers())
            throw error(WS_INVALID_ARGUMENT, "store: expected an instruction that stores, and its registers");
        run(shared, access_of(span<const lanes>(&address, 1)), given, nullptr);
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
    void run(span<std::uint8_t> shared, const ws_access &access, registers &values, ws_findings *sink) const {
        const ws_memory memory = ws_memory_make(shared.data(), shared.size(), 0);
        ws_error why;
        check(ws_execute(&op_, &memory, &access, values.words().data(), sink, &why), why);
    }

    ws_op op_;
};

} // namespace warpsim

#endif
