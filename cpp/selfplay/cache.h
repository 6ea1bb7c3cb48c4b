// Evaluations by the hash of the position: a place for each, a newer one takes it over. Of use where games begin alike.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sevenfold {

class EvaluationCache {
 public:
  // Room for `size` positions (0: none), each with so many numbers.
  EvaluationCache(std::size_t size, std::size_t width) : width_(width), keys_(size, 0), rows_(size * width) {}

  bool enabled() const { return !keys_.empty(); }

  const float* find(std::uint64_t key) const {
    const std::size_t at = key % keys_.size();
    return keys_[at] == (key | 1) ? &rows_[at * width_] : nullptr;
  }
  void keep(std::uint64_t key, const float* row) {
    const std::size_t at = key % keys_.size();
    keys_[at] = key | 1;
    std::copy(row, row + width_, &rows_[at * width_]);
  }
  void clear() { std::fill(keys_.begin(), keys_.end(), 0); }

 private:
  std::size_t width_;
  std::vector<std::uint64_t> keys_; // 0: empty
  std::vector<float> rows_;
};

} // namespace sevenfold
