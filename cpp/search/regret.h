// Regret minimisation by sampling, for games with hidden information: one to eight players, chance.
//
// External-sampling Monte-Carlo counterfactual regret minimisation (Lanctot, Waugh, Zinkevich and Bowling 2009) over
// the nodes of ismcts.h: one per what its mover knows. Each simulation plays a whole game from the first deal on for
// one player, the traverser, in turn: chance and the others are sampled, and of the traverser every action is tried.
//
//   regret of an action   R(a) = sum of t * (value of a - value of what is played now)
//   what is played now    s(a) = max(R(a), 0) / sum of max(R, 0); every action alike where no regret is positive
//   the answer            the mean of s over the simulations that came to the node, the t-th with weight t
//
// with t the number of times that the node has been learnt from: what was learnt against beginners counts little
// (linear CFR, Brown and Sandholm 2019, where t counts the simulations). In a game of two players and zero sum the
// answer approaches an equilibrium, its distance falling as 1 / sqrt(simulations). With more players, or another sum,
// there is no such promise.
//
// A game so deep that trying every action would take more than kDecisions decisions is tried in full near the first
// deal, and sampled further on (outcome sampling: right on average, but slow to settle).
//
// What it does not handle: a view that forgets what its player has seen, where the promise ends too; a game of which
// the simulations see a small part only, for which there is ismcts.h with worlds = redeal.
#pragma once

#include <vector>

#include "game/registry.h"
#include "game/watch.h"
#include "search/knowledge.h"
#include "search/limits.h"
#include "search/result.h"
#include "search/tree.h"

namespace sevenfold {

struct RegretOptions {
  std::size_t memory = std::size_t{512} << 20; // bytes for the tree
  bool policy = true;                          // where the tree is full: the game's own rollout policy
  std::uint64_t seed = 0;
};

class Regret {
 public:
  Regret(const Game& game, const RegretOptions& options);

  // Turns to a position; what has been learnt is kept.
  void look_at(const State& root);
  void forget();

  SearchReport run(const Limits& limits, Watch& watch);

 private:
  // An action of a node on the way, while the node is looked at.
  struct Choice {
    Action action;
    std::uint32_t edge; // its place among the node's edges
    double played;      // s(a)
    double value;       // for the traverser, in this simulation
  };

  void simulate();
  Values walk(std::size_t world, std::size_t depth, double decisions);
  Values try_all(NodeId id, std::size_t first, std::size_t world, std::size_t depth, double decisions);
  Values try_one(NodeId id, std::size_t first, std::size_t world, std::size_t depth);
  Values play_out(State& state);
  NodeId node_here(const State& state, int mover);
  bool push_choices(NodeId id);
  std::size_t pick(std::size_t first);
  void learn(NodeId id, std::size_t first, double value);
  void average(NodeId id, std::size_t first);
  State& world(std::size_t number, const State& like);
  SearchReport report() const;

  const Game& game_;
  RegretOptions options_;
  Knowledge knowledge_;
  Rng rng_;
  Tree tree_;
  State root_state_;
  std::vector<State> worlds_;   // one per action that is being tried, from the first deal on
  std::vector<Choice> choices_; // of all nodes on the way, the last one's at the end
  ActionList list_;
  OutcomeList outcomes_;
  int traverser_ = 0;
  std::uint64_t turn_ = 0;        // simulations since the tree was empty
  std::uint64_t simulations_ = 0; // of this run
  Values sum_{};
};

} // namespace sevenfold
