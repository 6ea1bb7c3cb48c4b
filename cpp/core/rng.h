// Random numbers: xoshiro256++ (Blackman and Vigna, 2019), seeded by splitmix64.
// Fast, small and the same on every platform, so that a seed means the same game everywhere.
// Not for cryptography.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "core/hash.h"

namespace sevenfold {

class Rng {
 public:
  explicit Rng(std::uint64_t seed = 0) {
    for (auto& word : state_) word = mix(seed += 0x9e3779b97f4a7c15u);
  }

  std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // A number from 0 to n-1. Multiply-and-shift instead of a division; the bias is below n / 2^32,
  // far under what any number of games we can play would show.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }

  // A number in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  std::array<std::uint64_t, 4> state_;
};

} // namespace sevenfold
