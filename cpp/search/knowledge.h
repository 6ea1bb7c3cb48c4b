// What a player knows in a position, as one number: positions that it cannot tell apart have the same.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/hash.h"
#include "game/registry.h"

namespace sevenfold {

class Knowledge {
 public:
  explicit Knowledge(const Game& game) : facts_(game.facts()) {
    seen_.resize(static_cast<std::size_t>(facts_.planes.size() + facts_.features));
  }

  // By the game itself, or its view in words, or else the numbers it observes. Never 0, which is no key in a Tree.
  std::uint64_t operator()(const State& state, int viewer) const {
    std::uint64_t out = static_cast<std::uint64_t>(viewer) + 1;
    if (state.table().known != nullptr) {
      out = mix(out, state.known(viewer));
    } else if (state.table().view != nullptr) {
      for (const char c : state.view(viewer)) out = mix(out, static_cast<unsigned char>(c));
    } else {
      std::fill(seen_.begin(), seen_.end(), 0.0f);
      Observation seen(facts_.planes, seen_.data(), seen_.data() + facts_.planes.size());
      state.observe(viewer, seen);
      for (const float x : seen_) out = mix(out, std::bit_cast<std::uint32_t>(x));
    }
    return out | 1;
  }

 private:
  const Facts& facts_;
  mutable std::vector<float> seen_; // an observation
};

} // namespace sevenfold
