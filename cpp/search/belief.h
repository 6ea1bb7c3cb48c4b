// Belief search: Monte-Carlo tree search for one player who does not see everything. One to eight players, chance.
//
// Each simulation plays in one world that fits what the searcher has seen. Only the searcher's own decisions are nodes,
// known by its own history of observations and actions; there it takes the action with the largest
//
//   PUCT:  (Q - M) / S + c * P * sqrt(N) / (1 + n)
//
// with N simulations through the node and n through the action, P its prior, Q its mean value, M the mean of the node
// and S the largest standard deviation so far of what the simulations brought (step `spread`; else half of the range of
// returns, so that a game of rare large results would be searched by priors alone). The others draw their actions from
// a policy that sees what they see in that world, and nothing else: nobody plays by what it cannot know, neither the
// searcher (no strategy fusion) nor anybody in its imagination. The value of a simulation is that of the searcher's
// first decision that is new, by an evaluator or by playing on by the policy. So the search finds a best response to
// the policy; it does not find a mixture that nobody can exploit: see ismcts.h and regret.h for those.
//
//   opponents = policy      the game's own quick policy (ability suggest or odds), else any legal action
//               evaluator   the evaluator's priors: a network on each player's own observation
//               uniform     any legal action
//               puct        everybody has nodes of its own, known by its own history: information-set tree search
//                           with a value for every player (Cowling, Powley and Whitehouse 2012)
//
// Steps, each switched off by its name:
//   paired     the k-th simulation of each action of the root has the k-th world and the k-th dice, so that actions are
//              compared in the same worlds, and the luck of the deal cancels (common random numbers).
//   spread     values are measured by their own deviation.
//   forced     a single legal action is played without a node.
//   priors     priors by the evaluator, or by the game's odds; else all actions are alike before they are tried.
//   policy     playing on by the game's own policy instead of at random.
//   follow     with an evaluator: a simulation goes on to the end of the game, everybody acting by the evaluator's
//              priors (to the power `sharp`), instead of being valued at the first new decision. What is compared is
//              then what games bring, and not what an evaluator says of positions it may have misjudged in the same
//              way.
//   both       with `follow`: of `quick` + 1 simulations one is played on by the evaluator and the others by the game's
//              own policy, and an action is worth what the better of the two makes of it (parallel rollout: Chang,
//              Givan and Chong 2004). One policy may know what to do after an action where the other does not; and
//              where the game's own takes little time, it sees many more worlds in the same time.
//   expand_at  with an evaluator, AlphaGo's way (Silver et al. 2016): a new decision is valued by playing on by the
//              policy, which is quick, and the evaluator is asked about those that were met so often: its priors steer
//              the search there, and its value counts as `mix` says. Off: it is asked about every new decision.
//   even       the actions of the root whose prior is at least this share of the best one are tried equally often, the
//              others not at all. With `paired` each world is then seen by all of them, and its luck cancels exactly;
//              by the formula, actions tried less often are compared over other worlds. Visits say nothing then, and
//              the choice is by results.
//   race       with `even`: an action falls out whose mean is so many standard errors below the best one's, and the
//              others get its simulations (Maron and Moore 1994); where one is left, an evaluator is asked no more.
//   trust      the choice is by (n Q + trust * (V + unit ln P - mean)) / (n + trust), n the simulations but no more
//              than there are effective worlds: a prior counts as much as so many simulations, in the tree as well,
//              where a few results are mostly luck. Else the most visited action.
//   weigh      worlds count by how likely the others' actions so far are in them, under the game's odds or the
//              evaluator's (belief_worlds.cpp); else all that fit count the same.
//   stir       with weigh = policy: likely worlds are looked for by small changes of worlds, each kept or not by how
//              likely the others' actions are after it (belief_stir.cpp); else worlds that fit are drawn, and among a
//              few hundred of them there may be no likely one.
//   kinds      with stir: another player acts by the policy or, with this probability, is of another kind: one of the
//              game's habits (ability habit), or random. What it has done says which, in each world, and there it goes
//              on like that. Else everybody is taken for the policy's.
//   known      with kinds: where the others are surely of such kinds, trust is this share of itself, and in between as
//              likely as that is. A policy is only a guess at how somebody acts, and what simulations bring is no
//              better than the guess; a habit that fits all it has done is known.
//
// With an evaluator outside the search is driven from there: collect() walks until positions wait, each to be seen by
// its own mover; resume() takes their values and priors. Many simulations are under way at once; those count as visits
// that have brought nothing yet (Liu et al. 2020), so that the next one goes elsewhere.
//
// Does not handle: what an action of the searcher itself tells the others beyond what their policy makes of it; proofs;
// and worlds by actions of the others that the policy never takes are all alike (weigh).
#pragma once

#include <array>
#include <limits>
#include <vector>

#include "game/registry.h"
#include "game/watch.h"
#include "search/knowledge.h"
#include "search/limits.h"
#include "search/result.h"
#include "search/tree.h"

namespace sevenfold {

struct BeliefOptions {
  enum class Opponents { policy, evaluator, uniform, puct };
  enum class Leaf { rollout, evaluator, follow };
  enum class Weigh { off, policy, evaluator };

  Opponents opponents = Opponents::policy;
  Leaf leaf = Leaf::rollout;
  Weigh weigh = Weigh::off;
  double exploration = 1.0; // c of the formula
  double fpu = 0.0;         // an action not tried is taken for so many deviations less than its node
  double mix = 0.0;         // share of a rollout in the value that an evaluator gives
  int expand_at = 0;        // see the step; 0: the evaluator is asked about every new decision
  double sharp = 1.0;       // the evaluator acts for players by its priors to this power
  int depth = 0;            // with leaf = follow: so many of the searcher's decisions in a row have nodes; 0: all
  double even = 0.0;        // see the step; 0: by the formula
  double race = 0.0;        // see the step; 0: none falls out
  int least = 0;            // each action of the root is tried so often, whatever priors and results say of it
  double trust = 0.0;       // see the step; 0: the most visited action
  double unit = 1.0;        // trust: how much more an action returns that is e times as likely
  int worlds = 256;         // with `weigh`: so many are weighed
  double least_share = 0.1; // … and count for at least this share of their number (effective sample size)
  int stir = 0;             // … and so many changes are tried for each of them; 0: they are drawn, and weighed
  double doubt = 0.1;       // … where an action is any legal one with this probability, by the policy otherwise
  double kinds = 0.0;       // see the step; 0: all are of one kind
  double known = 1.0;       // see the step; 1: trust is the same whoever they are
  bool both = false;        // see the step
  int quick = 1;            // … and so many are by the game's own policy for each by the evaluator
  bool paired = true, spread = true, forced = true, priors = true, policy = true;
  std::size_t memory = std::size_t{256} << 20; // bytes for the tree
  std::uint64_t seed = 0;
};

class BeliefSearch {
 public:
  BeliefSearch(const Game& game, const BeliefOptions& options);

  // Starts anew at a decision.
  void reset(const State& root);
  // Random numbers from here on.
  void seed(std::uint64_t seed) {
    rng_ = Rng(seed);
    world_seed_ = rng_.next();
  }

  // Without an evaluator: runs until a limit or a stop.
  SearchReport run(const Limits& limits, Watch& watch);

  // With one: a search of so many simulations; whether they are done.
  void plan(std::uint64_t simulations) { planned_ = simulations, searched_ = started_ = 0; }
  // Step `stir` takes no longer than so many seconds, from where it begins.
  void stir_within(double seconds) { stir_seconds_ = seconds; }
  bool done() const { return root_ != kNoNode && weighed_ && searched_ >= planned_; }
  // Walks until at most so many positions wait; how many do.
  std::size_t collect(std::size_t most);
  std::size_t waiting_count() const { return waiting_.size(); }
  const State& waiting(std::size_t i) const { return flights_[waiting_[i]].state; }
  // The values of the waiting positions, per player, and a weight for every action of the game, in their order.
  void resume(const double* values, const float* weights);

  // Mixes Dirichlet noise into the priors of the root: (1 - share) P + share * noise. Nothing before it has priors.
  void add_noise(double alpha, double share);
  bool weighed() const { return weighed_; }
  bool has_root() const { return root_ != kNoNode; }
  const State& root() const { return root_state_; }
  SearchReport report() const;

  // With `weigh`: the effective number of worlds, and by how much the weights were flattened for it (1: not at all).
  double effective_worlds() const { return effective_; }
  double flattened() const { return flattened_; }
  // The worlds and their weights, which add up to 1.
  const std::vector<State>& worlds() const { return worlds_; }
  const std::vector<double>& world_weights() const { return weights_; }
  // With `kinds`: how likely a player is of each kind, by the worlds: the policy's, each habit, random. Else empty.
  std::vector<double> kind_shares(int player) const;
  // Weighs worlds now, with weigh = policy.
  void weigh_now();
  // With weigh = evaluator, when there is no time to weigh them all: goes on with those that are weighed, if any is.
  void weighed_enough();

 private:
  // Kinds of players: the policy's, one for each habit, and random.
  static constexpr std::size_t kMostKinds = 8;
  using KindOf = std::array<std::uint8_t, kMaxPlayers>;
  struct Step {
    NodeId node;
    std::uint32_t edge;
  };
  enum class Stage : std::uint8_t { idle, walking, root, leaf, opponent, weighing };
  // A simulation under way.
  struct Flight {
    State state;
    Stage stage = Stage::idle;
    Rng rng{};
    std::uint32_t first = 0;                       // the action of the root
    std::array<std::uint64_t, kMaxPlayers> keys{}; // what each player has seen, where it has nodes
    std::vector<Step> path{};
    bool quick = false;            // step both: it is played on by the game's own policy
    KindOf kinds{};                // how each player acts in this world
    bool follows = false;          // beyond the tree: everybody acts by the evaluator to the end
    std::size_t world = 0, at = 0; // weighing: which world, and how many of its actions are behind
    std::vector<Action> past{};
  };
  struct Spread { // of what the simulations brought a player
    std::uint64_t count = 0;
    double mean = 0, squares = 0;
    double widest = 0; // the largest deviation so far: one sure action must not make the others look hopeless
    void add(double value);
  };

  // belief.cpp
  void take_off(Flight& flight);
  bool walk(Flight& flight); // true: it waits for the evaluator
  bool own(Flight& flight, int mover);
  bool other(Flight& flight);
  Action by_policy(const State& state, Rng& rng);
  Action by_kind(const State& state, std::uint8_t kind, Rng& rng);
  void play_on(Flight& flight, Values& out);
  NodeId expand(int mover, std::uint64_t key, const State& state, const float* weights);
  double promise(const Edge& edge) const;
  double root_value(std::uint32_t i) const;
  void steer(Node& node, const float* weights);
  std::uint32_t select(const Node& node) const;
  std::uint32_t least_tried(const Node& node);
  std::uint32_t neglected(const Node& node) const;
  void judge(SearchReport& out) const;
  bool fits(const Node& node) const;
  void play_on(State& state, Rng& rng, Values& out);
  void land(Flight& flight, const Values& values);
  Action drawn(const float* weights, Rng& rng);
  bool searches(int mover) const { return mover == me_ || options_.opponents == BeliefOptions::Opponents::puct; }

  // belief_worlds.cpp
  void draw_worlds();
  bool begin_weighing(Flight& flight);
  bool weigh(Flight& flight);
  double likelihood(const State& state, Action action);
  double doubted(double share) const;
  void settle_weights();
  std::size_t world_at(double share) const;

  // belief_stir.cpp
  struct Chain {
    State world;
    std::array<double, kMaxPlayers> log_likelihood{};                  // of each player's actions
    std::array<std::array<double, kMostKinds>, kMaxPlayers> by_kind{}; // step kinds: the same for each kind it may be
  };
  bool stirs() const { return options_.stir > 0 && options_.weigh == BeliefOptions::Weigh::policy && stirs_; }
  void stir_worlds();
  void stir(Chain& chain, double power);
  bool likelihoods(const State& world, std::uint32_t whose, double least, double power, Chain& out);
  double mixed(Chain& out, std::size_t player, Action action, double by_policy);
  KindOf drawn_kinds(const Chain& chain);
  double unknown() const;

  const Game& game_;
  BeliefOptions options_;
  Knowledge knowledge_;
  bool evaluates_, odds_, suggests_, rollout_, stirs_;
  double half_range_;
  Rng rng_;
  Tree tree_;
  State root_state_;
  std::uint64_t world_seed_ = 0;
  int me_ = 0;
  NodeId root_ = kNoNode;
  std::uint64_t root_key_ = 0;
  std::vector<Flight> flights_;
  std::vector<std::size_t> waiting_; // flights that wait, in order
  std::uint64_t planned_ = ~std::uint64_t{0}, searched_ = 0, started_ = 0, simulations_ = 0;
  std::array<Spread, kMaxPlayers> spread_{};
  struct RootTotal {
    Values sum{};
    std::uint64_t visits = 0;
    std::array<double, 2> own{}; // what the searcher got, by the evaluator and by the game's own policy
    std::array<std::uint64_t, 2> tries{};
  };
  std::vector<RootTotal> root_totals_;
  bool raced_ = false; // step race: one action is left
  double trust_ = 0;   // in this search
  // worlds
  bool weighed_ = true;
  std::vector<State> worlds_;
  std::vector<double> log_weights_, weights_, cumulative_;
  std::vector<char> finished_; // which worlds are weighed
  std::size_t next_world_ = 0, worlds_left_ = 0;
  double effective_ = 0, flattened_ = 1;
  double stir_seconds_ = std::numeric_limits<double>::infinity();
  std::vector<Chain> chains_;
  std::size_t kinds_ = 1;                        // that players may be of
  std::array<double, kMostKinds> kind_priors_{}; // logarithms
  std::vector<KindOf> world_kinds_;
  Chain proposed_;
  // scratch
  State replayed_;
  ActionList list_;
  OutcomeList outcomes_;
  Odds weights_here_;
};

} // namespace sevenfold
