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
#if defined(__cplusplus) && __cplusplus >= 202002L
#include <span>
#define WS_CPP_CONSTANT constexpr
#else
#define WS_CPP_CONSTANT inline
#endif

namespace warpsim {

/* What a call refuses, with its status and the sentence of the C core. */
class error : public std::runtime_error {
  public:
    error(ws_status status, const std::string &message) : std::runtime_error(message), status_(status) {}
    ws_status status() const noexcept { return status_; }

  private:
    ws_status status_;
};

inline void check(ws_status status, const ws_error &why) {
    if (status != WS_OK) throw error(status, why.message);
}

/* Byte addresses in shared memory, one for each lane of a warp. */
using lanes = std::array<std::uint32_t, 32>;

/* A view of elements that somebody else owns; its length travels with it. */
#if defined(__cplusplus) && __cplusplus >= 202002L
template <typename T> using span = std::span<T>;
#else
template <typename T> class span {
  public:
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <typename Container, typename = decltype(std::declval<Container &>().data())>
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
