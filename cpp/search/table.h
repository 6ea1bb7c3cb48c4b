// A transposition table: what a depth-first search has found out about positions, by their hash.
//
// Two entries share a bucket. A new result replaces the entry of its own position, else the one of an older search,
// else the one that was searched less deeply. Keys are kept whole, so that a wrong entry needs two positions of the
// same 64-bit hash.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "search/result.h"

namespace sevenfold {

// Which side of a value is proven, however deep the search was: no evaluation and no pruning has a part in it.
struct Proof {
  bool low = false;  // the true value is not below it
  bool high = false; // the true value is not above it
  bool both() const { return low && high; }
  // The same for the other side, for which the value changes its sign.
  Proof turned() const { return {high, low}; }
};

class TranspositionTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    double value = 0;
    Action action = kNoAction; // the best, or the one that refuted
    std::uint8_t depth = 0;
    Bound bound = Bound::exact;
    Proof proof;
    std::uint8_t age = 0;

    // Whether it settles a search to this depth within (alpha, beta).
    bool settles(int wanted, double alpha, double beta) const {
      const bool deep = depth >= wanted;
      if (proof.both() || (deep && bound == Bound::exact)) return true;
      if (value >= beta && (proof.low || (deep && bound == Bound::lower))) return true;
      return value <= alpha && (proof.high || (deep && bound == Bound::upper));
    }
  };

  // Bytes are rounded down to a power of two of entries.
  explicit TranspositionTable(std::size_t bytes) {
    const std::size_t fit = bytes / (2 * sizeof(Entry));
    buckets_.resize(fit == 0 ? 1 : std::bit_floor(fit));
  }

  std::size_t bytes() const { return buckets_.size() * sizeof(Bucket); }
  void clear() { std::fill(buckets_.begin(), buckets_.end(), Bucket{}); }
  void new_search() { ++age_; }

  const Entry* find(std::uint64_t key) const {
    const Bucket& bucket = buckets_[key & (buckets_.size() - 1)];
    for (const Entry& entry : bucket.entries)
      if (entry.key == key && entry.age != 0) return &entry;
    return nullptr;
  }

  void store(Entry entry) {
    entry.age = age_ == 0 ? std::uint8_t{1} : age_; // 0 marks an empty place
    Bucket& bucket = buckets_[entry.key & (buckets_.size() - 1)];
    Entry* place = nullptr;
    for (Entry& old : bucket.entries)
      if (old.key == entry.key && old.age != 0) place = &old;
    if (place == nullptr) {
      auto& [one, two] = bucket.entries;
      place = worth(one, entry.age) <= worth(two, entry.age) ? &one : &two;
    }
    if (place->key == entry.key && place->proof.both() && !entry.proof.both()) return;
    if (entry.action == kNoAction && place->key == entry.key) entry.action = place->action;
    *place = entry;
  }

 private:
  struct Bucket {
    Entry entries[2];
  };
  static int worth(const Entry& entry, std::uint8_t age) {
    return entry.age == 0 ? -1 : entry.depth + (entry.age == age ? 256 : 0);
  }

  std::vector<Bucket> buckets_;
  std::uint8_t age_ = 1;
};

} // namespace sevenfold
