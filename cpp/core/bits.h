// A set of up to 64 * Words bits that adds and shifts like one wide unsigned integer.
// One word compiles to plain uint64_t arithmetic; two and three words to add-with-carry and double shifts.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace sevenfold {

template <int Words>
struct Bits {
  std::array<std::uint64_t, Words> word{};

  static constexpr Bits bit(int i) {
    Bits out;
    out.word[static_cast<std::size_t>(i >> 6)] = std::uint64_t{1} << (i & 63);
    return out;
  }

  constexpr bool any() const {
    std::uint64_t all = 0;
    for (auto w : word) all |= w;
    return all != 0;
  }
  constexpr bool test(int i) const { return (word[static_cast<std::size_t>(i >> 6)] >> (i & 63)) & 1; }

  constexpr int count() const {
    int n = 0;
    for (auto w : word) n += std::popcount(w);
    return n;
  }

  // Calls f(index) for every set bit, lowest first.
  template <class F>
  constexpr void for_each(F f) const {
    for (int i = 0; i < Words; ++i)
      for (std::uint64_t w = word[static_cast<std::size_t>(i)]; w != 0; w &= w - 1) f(64 * i + std::countr_zero(w));
  }

  // The index of the k-th set bit, lowest first; k must be below count().
  constexpr int select(int k) const {
    for (int i = 0; i < Words; ++i) {
      std::uint64_t w = word[static_cast<std::size_t>(i)];
      if constexpr (Words > 1) {
        if (const int n = std::popcount(w); k >= n) {
          k -= n;
          continue;
        }
      }
      for (; k > 0; --k) w &= w - 1;
      return 64 * i + std::countr_zero(w);
    }
    return -1;
  }

  friend constexpr bool operator==(const Bits&, const Bits&) = default;
  friend constexpr Bits operator&(Bits a, const Bits& b) { return a &= b; }
  friend constexpr Bits operator|(Bits a, const Bits& b) { return a |= b; }
  friend constexpr Bits operator~(Bits a) {
    for (auto& w : a.word) w = ~w;
    return a;
  }
  constexpr Bits& operator&=(const Bits& b) {
    for (std::size_t i = 0; i < Words; ++i) word[i] &= b.word[i];
    return *this;
  }
  constexpr Bits& operator|=(const Bits& b) {
    for (std::size_t i = 0; i < Words; ++i) word[i] |= b.word[i];
    return *this;
  }

  friend constexpr Bits operator+(const Bits& a, const Bits& b) {
    Bits out;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < Words; ++i) {
      std::uint64_t sum = 0;
      const bool first = __builtin_add_overflow(a.word[i], b.word[i], &sum);
      const bool second = __builtin_add_overflow(sum, carry, &out.word[i]);
      carry = static_cast<std::uint64_t>(first | second);
    }
    return out;
  }

  // Shifts by 1..63 places: all that a board's directions need.
  friend constexpr Bits operator>>(const Bits& a, int n) {
    Bits out;
    for (std::size_t i = 0; i < Words; ++i) {
      out.word[i] = a.word[i] >> n;
      if (i + 1 < Words) out.word[i] |= a.word[i + 1] << (64 - n);
    }
    return out;
  }
  friend constexpr Bits operator<<(const Bits& a, int n) {
    Bits out;
    for (std::size_t i = 0; i < Words; ++i) {
      out.word[i] = a.word[i] << n;
      if (i > 0) out.word[i] |= a.word[i - 1] >> (64 - n);
    }
    return out;
  }
};

} // namespace sevenfold
