// Information-set Monte-Carlo tree search, for games with hidden information: one to eight players, chance.
//
// A node is what its mover knows there: positions that the mover cannot tell apart share it, so that nobody's choice
// depends on what it cannot see, neither the searcher's nor, in its imagination, the others'. Each simulation plays in
// one world; every mover goes by its own knowledge (multiple observers: Cowling, Powley and Whitehouse 2012).
//
//   worlds = redeal   a world that fits what the searcher has seen, anew for each simulation. Any size of game; but
//                     every such world counts the same, whatever the others' actions say about their cards.
//   worlds = start    the whole game from the first deal on. Learns what an action tells about its actor, as an
//                     equilibrium needs; for games small enough to be learnt from the beginning.
//
// Steps, each switched off by its name:
//   smooth     with a growing probability a mover plays its average so far instead of what looks best now (Smooth UCT,
//              Heinrich and Silver 2015). Plain UCB1 chases the others' latest mistake and never settles on a mixture.
//   policy     rollouts by the game's own rollout policy.
//   reuse      the tree is kept: what a player knows never becomes wrong.
//
// The answer is a mixture: the share of the visits of each action. Another way to learn it: regret.h.
#pragma once

#include <vector>

#include "game/registry.h"
#include "game/watch.h"
#include "search/knowledge.h"
#include "search/limits.h"
#include "search/result.h"
#include "search/tree.h"

namespace sevenfold {

struct IsmctsOptions {
  enum class Worlds { redeal, start };

  Worlds worlds = Worlds::redeal;
  double exploration = 1.0; // c of UCB1, for values in [-1, 1]
  bool smooth = true;
  bool policy = true;
  std::size_t memory = std::size_t{512} << 20; // bytes for the tree
  std::uint64_t seed = 0;
};

class Ismcts {
 public:
  Ismcts(const Game& game, const IsmctsOptions& options);

  // Turns to a position; what has been learnt is kept.
  void look_at(const State& root);
  void forget() { tree_.clear(); }

  SearchReport run(const Limits& limits, Watch& watch);

 private:
  struct Step {
    NodeId node;
    std::uint32_t edge;
  };

  void simulate();
  NodeId node_here(int mover, bool& grown);
  Edge* choose(Node& node);
  double scaled(double value) const { return value * scale_ + shift_; }
  SearchReport report() const;

  const Game& game_;
  IsmctsOptions options_;
  Knowledge knowledge_;
  double scale_, shift_; // to [-1, 1]
  Rng rng_;
  Tree tree_;
  State root_state_, state_;
  std::vector<Step> path_;
  ActionList list_;
  OutcomeList outcomes_;
  std::uint64_t simulations_ = 0;
  Values sum_{};
};

} // namespace sevenfold
