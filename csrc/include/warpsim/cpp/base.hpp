/* What every C++ value of warpsim needs: errors, lanes, spans, and functions that C++20 evaluates while it compiles. */
#ifndef WARPSIM_CPP_BASE_HPP
#define WARPSIM_CPP_BASE_HPP

#include "../base/public.h"
WS_DOOR_OPENS
#include "../base/status.h"
WS_DOOR_CLOSES

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#if defined(__cplusplus) && __cplusplus >= 202002L
#include <span>
#define WS_CPP_CONSTANT constexpr
#else
#define WS_CPP_CONSTANT inline
#endif

namespace warpsim {

/* What a call refuses: its status, the sentence of the C core and, for a PTX text, where it is wrong. */
class error : public std::runtime_error {
  public:
    error(ws_status status, const char *message, int column = WS_NO_COLUMN)
        : std::runtime_error(message), status_(status), column_(column) {}
    ws_status status() const noexcept { return status_; }
    int column() const noexcept { return column_; } /* bytes before the place; -1: not about a place */

  private:
    ws_status status_;
    int column_;
};

/* Not a constant expression: a constant that would be wrong does not compile. */
[[noreturn]] inline void refuse(const char *message) { throw error(WS_INVALID_ARGUMENT, message); }
[[noreturn]] inline void refuse(const std::string &message) { refuse(message.c_str()); }

/* For calls of the C core: throws unless the status is WS_OK. */
inline void check(ws_status status, const ws_error &why) {
    if (status != WS_OK) throw error(status, why.message, why.column);
}

/* Byte addresses in shared memory, one for each lane of a warp. */
using lanes = std::array<std::uint32_t, 32>;

/* The addresses that a function of the lane gives: each_lane([](int lane) { return lane * 16; }). */
template <typename Address> WS_CPP_CONSTANT lanes each_lane(Address address) {
    lanes made{};
    for (int lane = 0; lane < 32; ++lane)
        made[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(address(lane));
    return made;
}

/* A view of elements that somebody else owns; its length travels with it. */
#if defined(__cplusplus) && __cplusplus >= 202002L
template <typename T> using span = std::span<T>;
#else
template <typename T> class span {
    template <typename Container> using element = std::remove_pointer_t<decltype(std::declval<Container &>().data())>;

  public:
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    /* Of a container of T; temporaries only to read. */
    template <typename Container,
              typename = std::enable_if_t<std::is_convertible<element<Container> (*)[], T (*)[]>::value &&
                                          (std::is_lvalue_reference<Container>::value || std::is_const<T>::value)>>
    constexpr span(Container &&from) noexcept : data_(from.data()), size_(from.size()) {}
    constexpr T *data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr T *begin() const noexcept { return data_; }
    constexpr T *end() const noexcept { return data_ + size_; }
    constexpr T &operator[](std::size_t i) const noexcept { return data_[i]; }

  private:
    T *data_;
    std::size_t size_;
};
#endif

/* A text that the core writes into a buffer of the caller. */
template <std::size_t room, typename Write> std::string text_of(Write write) {
    std::array<char, room> bytes;
    ws_text text = ws_text_make(bytes.data(), bytes.size());
    write(&text);
    return bytes.data();
}

} // namespace warpsim

#endif
