// Random numbers: xoshiro256++ (Blackman and Vigna, 2019), seeded by splitmix64.
// Fast, small and the same on every platform, so that a seed means the same game everywhere.
// Not for cryptography.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

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

  // Normally distributed, mean 0 and variance 1 (Box and Muller 1958).
  double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(2 * std::numbers::pi * uniform()); }

  // Gamma distributed with scale 1 (Marsaglia and Tsang 2000). Shares of such numbers are Dirichlet distributed.
  double gamma(double shape) {
    if (shape < 1) return gamma(shape + 1) * std::pow(1 - uniform(), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
      const double x = normal(), v = (1 + c * x) * (1 + c * x) * (1 + c * x);
      if (v > 0 && std::log(1 - uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
    }
  }

 private:
  std::array<std::uint64_t, 4> state_;
};

} // namespace sevenfold
