// Throws of one to four dice as chance outcomes: every multiset of faces with its probability. Eight dice at once would
// be 6435 outcomes, so a roll is thrown four dice at a time.
#pragma once

#include <array>

#include "invokation/position.h"

namespace sevenfold::invokation {

struct Throw {
  std::array<std::uint8_t, kFaces> faces{};
  double probability = 0;
};

constexpr int kThrows = 8 + 36 + 120 + 330;
constexpr std::array<int, kThrownAtOnce + 2> kFirstThrow{0, 0, 8, 44, 164, kThrows}; // of so many dice

inline constexpr std::array<Throw, kThrows> kThrowTable = [] {
  std::array<Throw, kThrows> out{};
  std::size_t at = 0;
  constexpr int kFactorial[] = {1, 1, 2, 6, 24};
  for (int n = 1; n <= kThrownAtOnce; ++n) {
    std::array<int, kThrownAtOnce> face{};
    for (;;) {
      Throw& one = out[at++];
      for (int i = 0; i < n; ++i) ++one.faces[static_cast<std::size_t>(face[static_cast<std::size_t>(i)])];
      one.probability = kFactorial[n];
      for (const int count : one.faces) one.probability /= kFactorial[count];
      for (int i = 0; i < n; ++i) one.probability /= kFaces;
      int last = n - 1; // the next sequence that does not decrease
      while (last >= 0 && face[static_cast<std::size_t>(last)] == kFaces - 1) --last;
      if (last < 0) break;
      const int next = face[static_cast<std::size_t>(last)] + 1;
      for (int i = last; i < n; ++i) face[static_cast<std::size_t>(i)] = next;
    }
  }
  return out;
}();

} // namespace sevenfold::invokation
