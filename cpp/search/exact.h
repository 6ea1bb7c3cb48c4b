// The returns that a search has proven, each distinct vector stored once and named by a small number.
// Win-loss games have three of them; a game with more than 65 535 different results stops proving, and says nothing
// wrong.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/hash.h"
#include "core/types.h"

namespace sevenfold {

class ExactValues {
 public:
  // The number of a vector, from 1; 0 if there is no room for another.
  std::uint16_t number_of(const Values& values) {
    std::uint64_t key = 0;
    for (const double value : values) key = mix(key, std::bit_cast<std::uint64_t>(value + 0.0)); // -0 and 0 are one
    const auto [place, is_new] = numbers_.try_emplace(key, 0);
    if (!is_new) return place->second;
    if (values_.size() >= 65535) {
      numbers_.erase(place);
      return 0;
    }
    values_.push_back(values);
    return place->second = static_cast<std::uint16_t>(values_.size());
  }
  const Values& of(std::uint16_t number) const { return values_[number - 1u]; }
  void clear() {
    numbers_.clear();
    values_.clear();
  }

 private:
  std::unordered_map<std::uint64_t, std::uint16_t> numbers_;
  std::vector<Values> values_;
};

} // namespace sevenfold
