// Monte-Carlo tree search for any game: one to eight players, chance, repeated turns.
//
// Each simulation walks from the root to a position not seen before, values it, and adds the value to every edge on
// its way. The walk takes the edge with the largest
//
//   UCB1:  Q + c * sqrt(ln N / n)                      (Auer et al. 2002; Kocsis and Szepesvari 2006)
//   PUCT:  Q + c * P * sqrt(N) / (1 + n)               (Rosin 2011; Silver et al. 2017)
//          with `growth`, c + ln((1 + N + growth) / growth) instead of c   (Silver et al. 2018)
//
// where N counts the simulations through the node, n those through the edge, P is the prior, and Q the mean value for
// the player who moves at the node, scaled to [-1, 1]. Edges keep the value of their own mover only; every player
// maximises its own (max^n), which for two players and zero sums is minimax.
//
// Steps, each switched off by its name:
//   solver     proven results travel up the tree (Winands et al. 2008), for any number of players where sound:
//              a node is proven by an action that gives its mover the most there is, or when all actions are proven
//              and the best of them does not depend on a tie.
//   decisive   a node where the mover can end the game with the most there is has that action alone (Teytaud and
//              Teytaud 2010); all such actions, where the others' returns may depend on which.
//   forced     actions that let the next player do so, and give the mover the least there is, are left out where there
//              is another, so that a single reply is the only child.
//   forced_win a position where the game itself sees a win by force counts as won (two players, zero sum).
//   policy     rollouts by the game's own quick policy instead of at random.
//   bias       progressive bias (Chaslot et al. 2008): + w * H / (n + 1) with H the heuristic of the child.
//   settle     a new position that the game's own solver, or alpha-beta, can prove within a few nodes needs no other
//              value (with an evaluator; two players, zero sum, no chance).
//   to_come    (games whose returns grow on the way) what an evaluator says is what is still to come: what has been got
//              on the way to the position is added to it, so that rewards on the path count.
//   spread     (the same games) values are judged by where they lie between the least and the most that the tree has
//              found (Schrittwieser et al. 2020), because returns have no bounds worth speaking of; differences below
//              the game's `gain` are not blown up. A walk that waits counts as the least found.
//   put_off    chance decides only what the next decision needs, where the game can put the rest off.
//   expand_at  with an evaluator, AlphaGo's way (Silver et al. 2016): new positions are valued by rollouts, and the
//              evaluator is asked about a position that has been visited so often (mcts_guided.cpp).
//   reuse      the part of the tree below the moves played is kept for the next search.
//   transpositions
//              positions reached by different ways share a node, and an edge takes over what the others have learnt
//              about its child (UCT2 of Childs, Brodeur and Kocsis 2008). A walk that meets itself ends there.
//
// At the root, Gumbel search (Danihelka et al. 2022; mcts_gumbel.cpp) may take the place of the formula: a planned
// number of simulations is spent on fewer and fewer actions, sampled without replacement.
//
// With an evaluator outside (a network) the search is driven from there, in batches: collect() walks until enough
// positions wait to be valued, resume() takes their values and priors. Each waiting walk counts as lost for everyone on
// it (virtual loss), so that the next one goes elsewhere.
//
// Does not handle hidden information: see ismcts.h.
#pragma once

#include <memory>
#include <vector>

#include "game/registry.h"
#include "game/watch.h"
#include "search/exact.h"
#include "search/limits.h"
#include "search/result.h"
#include "search/settler.h"
#include "search/tree.h"

namespace sevenfold {

struct MctsOptions {
  enum class Selection { ucb1, puct };
  enum class Leaf { rollout, heuristic, evaluator };
  enum class Choice { visits, value, lcb };
  enum class Root { formula, gumbel };

  Selection selection = Selection::ucb1;
  Leaf leaf = Leaf::rollout;
  Choice choice = Choice::visits;
  double exploration = 1.0; // c of the formulas above
  double growth = 0;        // PUCT: c grows with the visits, by the formula above; 0: it does not
  double fpu = 0.2;         // PUCT: an action not tried is taken for so much less than the node's mean so far
  double mix = 0.0;         // share of rollouts in the value of a leaf that a heuristic or an evaluator values
  int rollout_count = 1;    // so many of them
  Root root = Root::formula;
  int considered = 16;       // Gumbel: so many actions of the root are looked at
  double gumbel_scale = 1.0; // Gumbel: how random their choice is; 0: the best by prior
  // Gumbel: a value q in [0, 1] counts value_scale * (visit_offset + the visits of the busiest action) * q, against the
  // logarithm of the prior.
  double visit_offset = 50, value_scale = 1.0;
  double bias_weight = 1.0;
  bool policy = true; // rollouts by the game's own rollout policy, where it has one
  bool solver = true;
  bool decisive = true;
  bool forced = true;
  bool forced_win = true;
  bool bias = false;
  bool transpositions = true;
  bool to_come = true;
  bool spread = true;
  bool put_off = true;
  std::uint32_t expand_at = 0;                 // visits after which the evaluator is asked; 0: at the first
  double doubt = 0.1;                          // expand_at: the share of plain UCB1 in a selection by priors
  double slice = 0.008;                        // expand_at: seconds of walks before whoever drives it may look at the
                                               // clock; 0: they go on until positions wait or the plan is done
  std::uint64_t settle = 0;                    // nodes that the prover may spend on each new position; 0: none
  std::size_t memory = std::size_t{512} << 20; // bytes for the tree
  std::uint64_t seed = 0;
};

class Mcts {
 public:
  Mcts(const Game& game, const MctsOptions& options);

  // Starts a new tree at a position, reached after so many plies.
  void reset(const State& root, std::size_t plies = 0);
  // Random numbers from here on.
  void seed(std::uint64_t seed) { rng_ = Rng(seed); }
  // Steps to the position after an action, keeping its part of the tree.
  void advance(Action action);

  // Runs until a limit, a stop, or the proof of the root.
  SearchReport run(const Limits& limits, Watch& watch);

  // Starts a search of so many simulations, the root's own evaluation not counted; Gumbel needs to know them before.
  void plan(std::uint64_t simulations);
  // Whether they are done, or the root is proven.
  bool done() const { return root_ != kNoNode && (searched_ >= planned_ || tree_.node(root_).exact != 0); }

  // With leaf = evaluator: walks until so many positions wait, the plan is fulfilled, or no walk finds a new one; how
  // many wait. None when the root is proven; perhaps none when most walks end in positions that are known already.
  std::size_t collect(std::size_t most);
  std::size_t waiting_count() const { return waiting_count_; }
  const State& waiting(std::size_t i) const { return waiting_[i].state; }
  std::vector<Action> way_to(std::size_t i) const; // from the root to it
  // The values of the waiting positions, per player, and a weight for every action of the game, in their order.
  void resume(const double* values, const float* weights);
  // Mixes Dirichlet noise into the priors of the root: (1 - share) P + share * noise. Nothing before it has priors.
  void add_noise(double alpha, double share);
  // Who settles new positions (step `settle`); it outlives the search.
  void settle_by(Settler* settler) { settler_ = settler; }
  // The exact result of an action of the root, found elsewhere.
  void know(Action action, const Values& values);
  const State& root() const { return root_state_; }
  bool has_root() const { return root_ != kNoNode; } // without expand_at: it has been evaluated
  bool has_priors() const { return root_ != kNoNode && (!guided_ || tree_.node(root_).guided()); }
  // What the root is worth for its mover, in [-1, 1]: what is proven, or what the evaluator said of it.
  double first_sight() const;
  // What has been found so far; nothing before the first resume().
  SearchReport report() const;
  // The node to which these actions lead from the root; without edges where the tree does not go so far.
  NodeView view(const std::vector<Action>& path) const;

 private:
  struct Step {
    NodeId node;
    std::uint32_t edge;  // within the node's block
    std::uint16_t floor; // the best proven alternative of the mover there, or 0
  };

  enum class Walk { valued, waits, blocked };
  struct Waiting {
    State state;
    std::vector<Step> path;
    double lost = 0;       // what the walk counts for while it waits
    NodeId node = kNoNode; // with expand_at: it is in the tree already
  };

  void simulate();
  Walk walk(Values& values, std::uint16_t& exact);
  void lose_for_now(int by, double lost);
  Edge* next_edge(NodeId id, std::uint16_t& floor);
  Edge* chance_edge(Node& node);
  Edge* select(const Node& node, std::uint16_t& floor);
  Edge* select_guided(const Node& node, std::uint16_t& floor);
  template <class Score>
  Edge* best_by(const Node& node, std::uint16_t& floor, Score score);
  NodeId child_of(Edge& edge);
  NodeId expand(std::uint64_t key, const float* weights = nullptr);
  std::uint64_t key_of(const State& state) const;
  void candidates(const State& state, ActionList& out);
  void narrow(const State& state, ActionList& list);
  bool wins_at_once(const State& state, int player, Action action, Values& values);
  bool sees_win(Action& action, Values& out) const;
  void value_leaf(Values& out);
  void mix_rollout(Values& values);
  void back_up(Values values, std::uint16_t exact);
  void take_over(Edge& edge, int mover, const Node& child);
  std::uint16_t prove(const Node& node);
  double scaled(double value) const { return value * scale_ + shift_; }
  double value_of(const Node& node, const Edge& edge) const;
  // Where a value in [-1, 1] lies between the least and the most found, in [-1, 1] again (step `spread`).
  double judged(double value) const { return spread_ ? (value - least_) * stretch_ - 1 : value; }
  void found(double value);
  const Edge* best_edge(const Node& node) const;
  double reach(const Node& node) const;
  void claim_win();
  void shares(const Node& node, std::vector<double>& out) const;

  // mcts_guided.cpp
  std::size_t collect_guided(std::size_t most);
  void ask(NodeId id);
  void forget_asked();
  void guide(const Waiting& asked, const Values& values, const float* weights);

  // mcts_gumbel.cpp
  void begin_gumbel(const Node& root);
  Edge* gumbel_edge(const Node& root, std::uint16_t& floor);
  void halve(const Node& root);
  bool gumbel_phase_over() const;
  double gumbel_rank(const Node& root, std::uint32_t edge) const;
  double value_weight(const Node& node) const;
  void completed_values(const Node& node, std::vector<double>& out) const;
  void improved_policy(const Node& node, std::vector<double>& out) const;
  const Edge* gumbel_choice(const Node& root) const;
  std::vector<Action> line_from(NodeId id) const;

  const Game& game_;
  MctsOptions options_;
  bool narrows_, eager_, policy_, sees_wins_;
  bool evaluates_;       // every new position waits for the evaluator
  bool guided_;          // … or only those that are visited often
  bool zero_sum_;        // and two players: one number says what a node is worth for both
  bool one_win_is_all_;  // whichever way the mover wins, the others get the same
  double scale_, shift_; // to [-1, 1]
  bool to_come_, spread_, puts_off_;
  double least_ = 1, most_ = -1, stretch_ = 0, narrowest_ = 0; // of the values found in this tree
  Rng rng_;
  Tree tree_;
  ExactValues exact_;
  State root_state_, state_, probe_, reply_, real_; // real_: the root before chance was put off
  NodeId root_ = kNoNode;
  std::vector<Step> path_;
  ActionList list_;
  OutcomeList outcomes_;
  std::vector<Waiting> waiting_; // the first waiting_count_ of them; the others keep their memory
  std::size_t waiting_count_ = 0, waiting_most_ = 0;
  Settler* settler_ = nullptr;
  std::size_t plies_ = 0; // before the root
  std::uint64_t simulations_ = 0;
  std::uint64_t planned_ = ~std::uint64_t{0}, searched_ = 0;
  // With an evaluator: what it said of each node, for the mover, in [-1, 1].
  std::unique_ptr<float[]> guesses_;
  double root_guess_ = 0; // … and with expand_at of the root alone
  // Gumbel: the actions of the root that are still considered, and all actions' random part and visits before.
  std::vector<std::uint32_t> considered_;
  std::vector<double> gumbels_;
  std::vector<std::uint32_t> before_;
  std::uint32_t quota_ = 0; // visits that each of those considered gets before half of them go
  int phases_ = 0;
  // What every player got through each root edge in this run: edges themselves know their mover's value only.
  struct RootTotal {
    Values sum{};
    std::uint64_t visits = 0;
  };
  std::vector<RootTotal> root_totals_;
};

} // namespace sevenfold
