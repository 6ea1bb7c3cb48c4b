// A transposition table: what a depth-first search has found out about positions, by their hash.
//
// Two entries share a bucket of one cache line. A new result replaces the entry of its own position, else the one of an
// older search, else the one that was searched less deeply. Keys are kept whole, so that a wrong entry needs two
// positions of the same 64-bit hash. The table starts small, since a short search in a large one pays more for fetching
// fresh memory than for searching, and grows when the search says that it may.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

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
    std::uint8_t age = 0; // of the search that wrote it; 0: empty

    // Whether it settles a search to this depth within (alpha, beta).
    bool settles(int wanted, double alpha, double beta) const {
      const bool deep = depth >= wanted;
      if (proof.both() || (deep && bound == Bound::exact)) return true;
      if (value >= beta && (proof.low || (deep && bound == Bound::lower))) return true;
      return value <= alpha && (proof.high || (deep && bound == Bound::upper));
    }
  };

  explicit TranspositionTable(std::size_t most_bytes)
      : most_(std::bit_floor(std::max(most_bytes / sizeof(Bucket), std::size_t{1}))), size_(std::min(most_, kFirst)) {
    buckets_ = fresh(size_);
  }

  std::size_t bytes() const { return size_ * sizeof(Bucket); }
  void clear() {
    size_ = std::min(most_, kFirst);
    buckets_ = fresh(size_);
    filled_ = 0;
  }
  void new_search() {
    if (++age_ == 0) age_ = 1;
  }

  const Entry* find(std::uint64_t key) const {
    for (const Entry& entry : buckets_.get()[key & (size_ - 1)].entries)
      if (entry.key == key && entry.age != 0) return &entry;
    return nullptr;
  }

  void store(Entry entry) {
    entry.age = age_;
    auto& [one, two] = buckets_.get()[entry.key & (size_ - 1)].entries;
    Entry* place = is_of(one, entry.key) ? &one : is_of(two, entry.key) ? &two : worth(one) <= worth(two) ? &one : &two;
    if (is_of(*place, entry.key)) {
      if (place->proof.both() && !entry.proof.both()) return;
      if (entry.action == kNoAction) entry.action = place->action;
    }
    filled_ += place->age == 0;
    *place = entry;
  }

  // Makes room if more than half of it is taken; not while an entry is in use.
  void grow_if_crowded() {
    if (filled_ <= size_ || size_ == most_) return;
    const std::size_t old_size = size_;
    const auto old = std::move(buckets_);
    size_ = std::min(most_, old_size * 4);
    buckets_ = fresh(size_);
    filled_ = 0;
    for (std::size_t i = 0; i < old_size; ++i)
      for (const Entry& entry : old.get()[i].entries)
        if (entry.age != 0) {
          auto& [one, two] = buckets_.get()[entry.key & (size_ - 1)].entries;
          (one.age == 0 ? one : two) = entry; // two came from one bucket: there is room for both
          ++filled_;
        }
  }

 private:
  struct alignas(64) Bucket {
    Entry entries[2];
  };
  static_assert(sizeof(Bucket) == 64);
  struct Free {
    void operator()(Bucket* buckets) const { std::free(buckets); }
  };
  using Buckets = std::unique_ptr<Bucket, Free>;

  static constexpr std::size_t kFirst = 1 << 12; // 256 KB

  static Buckets fresh(std::size_t size) {
    void* memory = std::aligned_alloc(alignof(Bucket), size * sizeof(Bucket));
    if (memory == nullptr) throw std::bad_alloc();
    std::memset(memory, 0, size * sizeof(Bucket));
    return Buckets(static_cast<Bucket*>(memory));
  }
  static bool is_of(const Entry& entry, std::uint64_t key) { return entry.key == key && entry.age != 0; }
  int worth(const Entry& entry) const { return entry.age == 0 ? -1 : entry.depth + (entry.age == age_ ? 256 : 0); }

  std::size_t most_, size_; // buckets, powers of two
  Buckets buckets_;
  std::size_t filled_ = 0; // entries
  std::uint8_t age_ = 1;
};

} // namespace sevenfold
