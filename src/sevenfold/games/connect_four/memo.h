// The solver's transposition table: what is known of a position's score, from below and from above.
//
// Buckets of four slots. A key is scrambled by a multiplication that can be undone; its top bits choose the bucket and
// only the others are stored, so that one word per slot tells a position of a one-word board from every other: there
// are no collisions, and the scores are exact. Wider boards store the whole key.
//
// The table starts small, so that a fresh one costs nothing, and doubles (`grow`) when it is three quarters full, until
// the budget is reached: the bits that choose the bucket are the top ones, so that bucket i splits into 2i and 2i + 1
// and the table is spread out in place, from its end. From then on the slot whose subtree was smallest gives way.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "core/bits.h"
#include "core/hash.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace sevenfold::connect_four {

struct Bounds {
  int lower, upper;
};

template <int Words>
struct Slot {
  Bits<Words> key;
  std::int8_t lower, upper;
  std::uint8_t work;
  bool used;

  // Where a key belongs, as a number of 64 bits of which the top ones choose the bucket.
  static std::uint64_t scrambled(const Bits<Words>& key, int) {
    std::uint64_t out = 0;
    for (const std::uint64_t word : key.word) out = mix(out, word);
    return out;
  }
  bool holds(const Bits<Words>& wanted, std::uint64_t, int) const { return used && key == wanted; }
  std::uint64_t scrambled_again(std::uint64_t, int) const { return scrambled(key, 0); }
  bool empty() const { return !used; }
  Bounds bounds() const { return {lower, upper}; }
  int effort() const { return work; }
  void set(const Bits<Words>& its_key, std::uint64_t, int, Bounds bounds, int effort) {
    key = its_key;
    lower = static_cast<std::int8_t>(bounds.lower);
    upper = static_cast<std::int8_t>(bounds.upper);
    work = static_cast<std::uint8_t>(effort);
    used = true;
  }
  static int fewest_bucket_bits(int) { return 4; }
};

// One word: the key's stored bits, then four bits of effort, seven of the upper and seven of the lower bound.
template <>
struct Slot<1> {
  static constexpr int kValueBits = 18, kBias = 40;
  std::uint64_t word;

  static std::uint64_t scrambled(const Bits<1>& key, int key_bits) {
    return (key.word[0] * 0x9E3779B97F4A7C15ULL) << (64 - key_bits); // odd, so that modulo 2^key_bits it can be undone
  }
  static std::uint64_t stored(std::uint64_t scrambled, int bucket_bits) { return scrambled << bucket_bits; }
  bool holds(const Bits<1>&, std::uint64_t scrambled, int bucket_bits) const {
    return word != 0 && (word >> kValueBits << kValueBits) == stored(scrambled, bucket_bits);
  }
  std::uint64_t scrambled_again(std::uint64_t bucket, int bucket_bits) const {
    return bucket << (64 - bucket_bits) | (word >> kValueBits << kValueBits) >> bucket_bits;
  }
  bool empty() const { return word == 0; }
  Bounds bounds() const { return {static_cast<int>(word & 127) - kBias, static_cast<int>(word >> 7 & 127) - kBias}; }
  int effort() const { return static_cast<int>(word >> 14 & 15); }
  void set(const Bits<1>&, std::uint64_t scrambled, int bucket_bits, Bounds bounds, int effort) {
    word = stored(scrambled, bucket_bits) | static_cast<std::uint64_t>(effort) << 14 |
           static_cast<std::uint64_t>(bounds.upper + kBias) << 7 | static_cast<std::uint64_t>(bounds.lower + kBias);
  }
  // The stored bits of a key must fit beside the value.
  static int fewest_bucket_bits(int key_bits) { return std::max(4, key_bits + kValueBits - 64); }
};

template <int Words>
class Memo {
 public:
  using Cells = Bits<Words>;

  Memo(int key_bits, std::size_t bytes) : key_bits_(key_bits) {
    fewest_bits_ = std::max(kStartBits, Slot<Words>::fewest_bucket_bits(key_bits));
    most_bits_ = std::max(fewest_bits_, static_cast<int>(std::bit_width(bytes / sizeof(Bucket))) - 1);
    const std::size_t size = sizeof(Bucket) << most_bits_;
    buckets_.reset(static_cast<Bucket*>(std::aligned_alloc(kPage, (size + kPage - 1) / kPage * kPage)));
    if (!buckets_) throw std::bad_alloc();
#if defined(__linux__)
    madvise(buckets_.get(), size, MADV_HUGEPAGE); // a probe is a random access: fewer, larger pages
#endif
    clear();
  }

  void clear() {
    bits_ = fewest_bits_;
    used_ = 0;
    std::memset(static_cast<void*>(buckets_.get()), 0, sizeof(Bucket) << bits_);
  }

  std::uint64_t place(const Cells& key) const { return Slot<Words>::scrambled(key, key_bits_); }
  void prefetch(std::uint64_t place) const { __builtin_prefetch(&bucket(place)); }

  bool find(const Cells& key, std::uint64_t place, Bounds& out) const {
    for (const auto& slot : bucket(place).slot)
      if (slot.holds(key, place, bits_)) {
        out = slot.bounds();
        return true;
      }
    return false;
  }

  void keep(const Cells& key, std::uint64_t place, Bounds bounds, std::uint64_t nodes) {
    const int effort = std::min(15, static_cast<int>(std::bit_width(nodes)));
    Slot<Words>* victim = nullptr;
    for (auto& slot : bucket(place).slot) {
      if (slot.empty()) {
        victim = &slot;
        ++used_;
        break;
      }
      if (slot.holds(key, place, bits_)) {
        const Bounds old = slot.bounds();
        bounds = {std::max(bounds.lower, old.lower), std::min(bounds.upper, old.upper)};
        victim = &slot;
        break;
      }
      if (victim == nullptr || slot.effort() <= victim->effort()) victim = &slot;
    }
    victim->set(key, place, bits_, bounds, effort);
  }

  bool crowded() const { return used_ > (std::uint64_t{3} << bits_) && bits_ < most_bits_; }
  void grow() {
    Bucket* all = buckets_.get();
    for (std::uint64_t i = std::uint64_t{1} << bits_; i-- > 0;) {
      const Bucket old = all[i];
      Bucket halves[2];
      std::memset(static_cast<void*>(halves), 0, sizeof halves);
      int size[2] = {0, 0};
      for (const auto& slot : old.slot) {
        if (slot.empty()) continue;
        const std::uint64_t place = slot.scrambled_again(i, bits_);
        const auto half = static_cast<std::size_t>(place >> (63 - bits_) & 1);
        auto& to = halves[half].slot[size[half]++];
        to = slot;
        if constexpr (Words == 1) to.set({}, place, bits_ + 1, slot.bounds(), slot.effort());
      }
      all[2 * i] = halves[0];
      all[2 * i + 1] = halves[1];
    }
    ++bits_;
  }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  static constexpr int kStartBits = 10;

  struct Bucket {
    Slot<Words> slot[4];
  };
  struct Free {
    void operator()(Bucket* p) const { std::free(p); }
  };

  const Bucket& bucket(std::uint64_t place) const { return buckets_.get()[place >> (64 - bits_)]; }
  Bucket& bucket(std::uint64_t place) { return buckets_.get()[place >> (64 - bits_)]; }

  int key_bits_, fewest_bits_, most_bits_, bits_ = 0;
  std::uint64_t used_ = 0;
  std::unique_ptr<Bucket, Free> buckets_;
};

} // namespace sevenfold::connect_four
