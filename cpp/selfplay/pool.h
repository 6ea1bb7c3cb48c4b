// Self-play: many games side by side, so that one batch of positions for the network comes out of all of them.
//
//   collect()  every game goes on until it needs the network; the positions that wait, as planes and features
//   resume()   the network's values and logits for them
//
// Each game does, move by move:
//   1  chance        outcomes are drawn
//   2  openings      some games begin with random moves; with `quiet`, those that lead to a decided position are
//                    drawn again
//   3  forced moves  a single legal action is played without a search, and still recorded
//   4  playout cap   a full search whose policy is learnt, or a short one that only moves on (Wu 2019)
//   5  endgame       the game's prover, or alpha-beta, looks whether it can prove the root's actions; what it proves is
//                    exact in the tree
//   6  noise         Dirichlet noise on the root's priors, in full searches by the formula
//   7  search        simulations until the plan is done or the root is proven
//   8  resignation   a lost game ends, but for a share of games that shows whether it was lost
//   9  the move      by temperature: pi(a) ~ N(a)^(1/tau), or by Gumbel's own choice
// and at its end every position gets its value target: the result; or, from the last proven position before the end
// backwards, what was proven, because mistakes made after that say nothing about it. Where returns grow on the way the
// target is what is still to come: less what there was at the position.
//
// The same id gives the same dice, and so the same game, whatever plays beside it, as long as the evaluator answers the
// same in any batch. But for `endgame` and `settle`: what the prover has in its table, and how lucky it has been at a
// ply, is shared by all games of the pool and decides what it finds in time.
//
// Under hidden information (ability redeal) the search is that of search/belief.h, a tree of the mover's own decisions
// over sampled worlds, in which the others act by the network on what they see; each simulation then takes several
// evaluations. Without `belief` a search looks at `worlds` sampled worlds in turn, as if everybody saw them, and adds
// up what it finds. The true world is never looked at.
#pragma once

#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "game/registry.h"
#include "search/belief.h"
#include "search/mcts.h"
#include "search/settler.h"
#include "selfplay/cache.h"
#include "selfplay/record.h"

namespace sevenfold {

struct PoolOptions {
  MctsOptions search{};
  int slots = 64;           // games side by side
  int leaves = 1;           // positions per game and batch; more than 1 takes virtual loss
  int simulations = 32;     // of a full search
  double full_share = 1;    // of the searches; the others are
  int fast_simulations = 8; // so long
  double noise_alpha = 0.3, noise_share = 0.25;
  double temperature = 1;       // tau of the first
  int temperature_moves = 10;   // plies of a game, and
  double final_temperature = 0; // of the others; 0: the best
  bool reuse = false;           // the tree below the move is kept
  int random_plies = 0;         // an opening has 1 .. so many random moves
  double random_share = 0;      // of the games have one
  double quiet = 1;             // an opening after which the mover's value, scaled to [-1, 1], is further from 0, as
                                // proven or as the network sees it, is drawn again; 1: any will do
  double resign = -1;           // a player whose value, scaled to [-1, 1], is below this resigns; -1: nobody does
  int resign_moves = 2;         // in a row
  double play_on_share = 0.1;   // of the games are played on all the same
  double stop_proven = 0;       // of the games end where they are proven
  int move_cap = 0;             // plies after which a game ends as it stands; 0: none
  std::uint64_t endgame = 0;    // nodes of the prover per position; 0: none
  bool belief = false;          // under hidden information: a tree of the own decisions; else
  int worlds = 4;               // so many worlds in turn
  BeliefOptions hidden{};       // of `belief`; exploration is that of `search`
  double value_mix = 0;         // share of the search's own value in a value target that is not exact
  std::size_t cache = 0;        // positions whose evaluation is kept
  std::uint64_t seed = 0;
};

class Pool {
 public:
  // The games differ by options but look alike: the same planes, features, actions and players.
  Pool(std::vector<std::shared_ptr<const Game>> games, const PoolOptions& options);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // One more game to be played, when a slot is free. The same id gives the same dice.
  void add(std::uint64_t id, std::uint16_t game) { queue_.push_back({id, game}); }
  std::size_t unfinished() const;

  // Plays until every slot waits or is idle; how many positions wait.
  std::size_t collect();
  const float* planes() const { return planes_.data(); }
  const float* features() const { return features_.data(); }
  const std::int64_t* viewers() const { return viewers_.data(); }
  const std::uint64_t* keys() const { return keys_.data(); }
  std::size_t waiting() const { return waiting_; }
  // A row of values (players) and of logits (actions) for each of them.
  void resume(const float* values, const float* logits);

  // The positions that wait, in the order of the batch: a number of the pool's games, and the actions to them.
  struct Place {
    std::uint16_t game;
    std::vector<Action> actions;
  };
  std::vector<Place> places() const;

  // The network has changed.
  void clear_cache() { cache_.clear(); }

  std::vector<PlayedGame> take_finished() { return std::exchange(finished_, {}); }

  struct Counts {
    std::uint64_t evaluations = 0, cached = 0, simulations = 0, searches = 0, proven = 0;
    std::uint64_t endgames = 0, endgames_proven = 0, endgame_nodes = 0, openings_dropped = 0;
  };
  const Counts& counts() const { return counts_; }
  const Facts& facts() const { return games_[0]->facts(); }

 private:
  struct Wanted {
    std::uint64_t id;
    std::uint16_t game;
  };
  struct Slot {
    explicit Slot(const Game& first) : state(first.initial()) {}

    bool playing = false, searching = false, rooted = false, full = false, may_resign = false, may_stop = false;
    const Game* game = nullptr;
    State state;
    Rng rng{};
    std::vector<std::unique_ptr<Mcts>> trees; // one, or one per world
    std::unique_ptr<BeliefSearch> tree;       // in their place, with `belief`
    std::size_t world = 0;
    const Game* trees_game = nullptr;
    int random_left = 0, openings_left = 0; // moves of the opening; openings that may still be drawn after it
    std::vector<int> losing;                // moves in a row, per player
    PlayedGame record{};
    std::vector<std::int64_t> rows{}; // of what waits: its row in the batch, or -1 - its place in the cached rows
  };

  void start(Slot& slot);
  void set_up(Slot& slot);
  bool dropped(Slot& slot, double value);
  bool step(Slot& slot);
  bool prepare(Slot& slot);
  void begin_search(Slot& slot);
  bool at_root(Slot& slot);
  void try_endgame(Slot& slot);
  Settler& settler_of(std::uint16_t game);
  bool search(Slot& slot);
  const State& waiting(const Slot& slot, std::size_t i) const;
  std::uint64_t key_of(const Slot& slot, const State& state, const float* planes, const float* features) const;
  bool ask(Slot& slot, std::size_t count);
  void answer(Slot& slot, const float* values, const float* logits);
  void decide(Slot& slot);
  void add_up(Slot& slot, Position& position, Action& best);
  Action choose(Slot& slot, const Position& position, Action best);
  bool resigns(Slot& slot, const Position& position, int mover);
  void play(Slot& slot, Action action);
  void finish(Slot& slot, Ended ended, const Values& returns);
  double scaled(const Facts& facts, double value) const;
  Values got_by(const Slot& slot) const;

  std::vector<std::shared_ptr<const Game>> games_;
  PoolOptions options_;
  bool hidden_, zero_sum_, belief_;
  bool guided_; // the network is asked about busy positions only (expand_at)
  std::size_t players_, actions_, plane_size_, feature_size_;
  EvaluationCache cache_;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::deque<Wanted> queue_;
  std::vector<PlayedGame> finished_;
  std::vector<std::unique_ptr<Settler>> settlers_; // per game; made when needed
  struct Tried {
    std::uint32_t tries = 0, proofs = 0;
  };
  std::vector<Tried> tried_; // endgames, by ply
  Watch watch_;
  Counts counts_;

  std::vector<float> planes_, features_;
  std::vector<std::int64_t> viewers_;
  std::vector<std::uint64_t> keys_;
  std::size_t waiting_ = 0;
  std::vector<float> cached_; // rows found in the cache since the last resume
  // scratch
  std::vector<double> values_;
  std::vector<float> weights_, row_;
  std::vector<double> shares_, priors_;
  ActionList list_;
  std::vector<Prover::Proof> proofs_;
};

} // namespace sevenfold
