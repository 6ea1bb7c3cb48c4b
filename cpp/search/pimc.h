// Perfect-information Monte Carlo (Ginsberg 1999, "GIB"): the plain way with hidden information, to compare with.
//
// Each of many worlds that fit what the searcher has seen is taken for the real one: there every action of the root
// gets a value, by playing on by the game's own quick policy (or at random), or by a tree search in which everybody
// sees everything. The action with the best mean over the worlds is played. All actions are tried in the same worlds.
//
// Does not handle: that the searcher will not know later which world it is in (strategy fusion), nor that the others do
// not see everything, where worlds are searched; see belief.h.
#pragma once

#include <memory>
#include <vector>

#include "game/registry.h"
#include "game/watch.h"
#include "search/limits.h"
#include "search/mcts.h"
#include "search/result.h"

namespace sevenfold {

struct PimcOptions {
  int search = 0;     // simulations of a tree search per world and action; 0: one game is played on
  bool policy = true; // by the game's own quick policy, where it has one
  std::size_t memory = std::size_t{16} << 20;
  std::uint64_t seed = 0;
};

class Pimc {
 public:
  Pimc(const Game& game, const PimcOptions& options);
  // A simulation is one action in one world.
  SearchReport run(const State& root, const Limits& limits, Watch& watch);
  void seed(std::uint64_t seed) { rng_ = Rng(seed); }

 private:
  void value(State& state, Values& out, Watch& watch);

  const Game& game_;
  PimcOptions options_;
  Rng rng_;
  std::unique_ptr<Mcts> mcts_;
};

} // namespace sevenfold
