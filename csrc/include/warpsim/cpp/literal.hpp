/* Instructions in constant expressions: "ldmatrix.sync.aligned.m8n8.x4.shared.b16"_op.
 *
 * The text must be canonical, as ws_op_write has it. A word is looked up in the vocabularies of isa/op.h; whether the
 * instruction exists, the table decides. C++20. */
#ifndef WARPSIM_CPP_LITERAL_HPP
#define WARPSIM_CPP_LITERAL_HPP

#include "base.hpp"

WS_DOOR_OPENS
#include "../isa/isa.h"
WS_DOOR_CLOSES

#if defined(__cplusplus) && __cplusplus >= 202002L
namespace warpsim {

/* Takes words off the front of a text. */
class words {
  public:
    constexpr explicit words(std::string_view text) : rest_(text) {}
    constexpr bool take(std::string_view word) {
        const bool fits = !word.empty() && rest_.substr(0, word.size()) == word &&
                          (rest_.size() == word.size() || rest_[word.size()] == '.');
        if (fits) rest_.remove_prefix(rest_.size() == word.size() ? word.size() : word.size() + 1);
        return fits;
    }
    /* The last word of a vocabulary, from value 1 on, that fits: "shared::cta" comes after "shared". */
    template <typename Word> constexpr int take_one(int count, Word word) {
        for (int value = count - 1; value > 0; --value) {
            if (take(word(value))) return value;
        }
        return 0;
    }
    constexpr int take_number(char letter) {
        for (const char digit : {'1', '2', '4'}) {
            const char text[2] = {letter, digit};
            if (take(std::string_view(text, 2))) return digit - '0';
        }
        return 0;
    }
    constexpr bool is_empty() const { return rest_.empty(); }

  private:
    std::string_view rest_;
};

/* The instruction of a canonical text; row 0 of the table if it is none. */
constexpr ws_op op_of(std::string_view text) {
    const std::string_view operands = text.substr(text.find(' ') == text.npos ? text.size() : text.find(' '));
    words left(text.substr(0, text.size() - operands.size()));
    ws_op op = ws_op_none();
    const auto one = [&left](int count, auto word) { return static_cast<std::uint8_t>(left.take_one(count, word)); };
    op.kind = one(WS_KIND_COUNT, [](int value) { return ws_kind_word(value); });
    if (op.kind == WS_CP_ASYNC) {
        op.cache = one(WS_CACHE_COUNT, [](int value) { return ws_cache_word(value); });
        if (!left.take("shared") || !left.take("global")) return ws_op_none();
        for (const std::string_view copied : {" [dst], [src], 4;", " [dst], [src], 8;", " [dst], [src], 16;"}) {
            if (operands == copied)
                op.size_bytes = copied[15] == '1' ? 16 : static_cast<std::uint8_t>(copied[15] - '0');
        }
    } else if (!operands.empty()) {
        return ws_op_none();
    }
    if (ws_op_is_collective(&op) && !(left.take("sync") && left.take("aligned"))) return ws_op_none();
    op.shape = one(WS_SHAPE_COUNT, [](int value) { return ws_shape_word(value); });
    op.num = static_cast<std::uint8_t>(left.take_number('x'));
    op.trans = left.take("trans");
    op.space = one(WS_SPACE_COUNT, [](int value) { return ws_space_word(value); });
    op.vec = static_cast<std::uint8_t>(left.take_number('v'));
    op.type = one(WS_TYPE_COUNT, [](int value) { return ws_type_word(value); });
    if (op.kind == WS_MOVMATRIX && op.num == 0) op.num = 1;
    if ((op.kind == WS_LD || op.kind == WS_ST) && op.vec == 0) op.vec = 1;
    op.form = static_cast<std::uint8_t>(ws_isa_find(&op));
    return left.is_empty() && op.form != 0 ? op : ws_op_none();
}

inline namespace literals {
consteval ws_op operator""_op(const char *text, std::size_t length) {
    const ws_op op = op_of(std::string_view(text, length));
    if (op.form == 0)
        refuse(
            "no such instruction: expected ldmatrix, stmatrix, movmatrix, ld, st or cp.async, as ws_op_write has it");
    return op;
}
} // namespace literals

} // namespace warpsim
#endif

#endif
