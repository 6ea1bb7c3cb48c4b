// 64-bit mixing, for state hashes and for seeds.
#pragma once

#include <cstdint>

namespace sevenfold {

// The finaliser of splitmix64: every input bit changes every output bit.
constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Adds one more word to a hash; the order of the words matters.
constexpr std::uint64_t mix(std::uint64_t seed, std::uint64_t word) {
  return mix(seed + 0x9e3779b97f4a7c15u + mix(word));
}

} // namespace sevenfold
