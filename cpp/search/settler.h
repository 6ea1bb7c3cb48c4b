// Step `settle` of the tree search: a new position that the game's own solver, or alpha-beta, can prove within a few
// nodes is exact, and needs no other value.
//
// Early in a game nothing can be proven so cheaply. Proofs are counted by ply, and where they are rare the solver is
// asked now and then only. What it has in its table, and how lucky it has been, outlives a search: several trees of one
// game may share a settler, one after the other.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "core/rng.h"
#include "search/prover.h"

namespace sevenfold {

class Settler {
 public:
  explicit Settler(std::unique_ptr<Prover> prover) : prover_(std::move(prover)) {}

  Prover& prover() { return *prover_; }

  // Whether the result of a position that is not over, reached after so many plies, is found within so many nodes.
  bool settle(const State& state, std::size_t ply, std::uint64_t nodes, Rng& rng, Values& out) {
    Luck& luck = luck_[std::min(ply, luck_.size() - 1)];
    if (luck.tries >= kFewTries && luck.proofs * kWorthwhile < luck.tries && rng.uniform() >= kTryAnyway) return false;
    ++luck.tries;
    Watch watch; // nobody stops it: it is short
    const bool found = prover_->settle(state, nodes, watch, out);
    luck.proofs += found;
    return found;
  }

 private:
  static constexpr std::uint32_t kFewTries = 24;   // of a ply, before their luck is judged
  static constexpr std::uint32_t kWorthwhile = 12; // one proof in so many tries …
  static constexpr double kTryAnyway = 1.0 / 16;   // … or a try now and then, because positions change
  struct Luck {
    std::uint32_t tries = 0, proofs = 0;
  };

  std::unique_ptr<Prover> prover_;
  std::array<Luck, 256> luck_{};
};

} // namespace sevenfold
