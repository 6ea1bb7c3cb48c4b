// Alpha-beta search for any game that can be evaluated: fail-soft negamax for two sides, with chance.
//
// A value is always one side's, and its sign flips only when the next decision is the other side's: a player may act
// several times in a row. With more than two players, either everyone else is one opponent (paranoid, the default), or
// everybody maximises its own value (max^n, alphabeta_maxn.cpp), which cannot cut much.
//
// The steps, each switched off by its name and counted by it; docs/methods/alphabeta.md has a section on each.
// Without loss:
//    1 deepening    depth 1, 2, 3 …, the last principal variation first
//    2 table        results are kept by the hash of the position
//    3 order        the game's expert ordering, from the previous action
//    4 killers      actions that have just refuted a brother position come early …
//    5 history      actions that often refute come early; both where the game has no ordering, or `boost` lets them
//    6 pvs          null windows for all but the first action, searched again where that fails
//    7 aspiration   the root's window is small and around the last value
//    8 star         chance nodes are left as soon as what is missing cannot bring them back into the window
// Without loss where the game answers `commutes`, else it trusts `independent`:
//    9 independent  order-independent actions come first, and are not looked at after actions they commute with
// With loss (forward pruning):
//   10 razor        V + R(depth) < alpha: searched less deeply
//   11 self_loss    V + R(depth) > beta: if even giving away a part of the own resource keeps it there, cut
//   12 probability  both of these happen with a probability that is smaller near their boundary
//   13 sampling     chance nodes by a few samples, searched less deeply
//   14 expectation  dice by the outcome that stands for all of them
//   15 guess        the other side's draws and dice by a fixed guess
//   16 worlds       hidden information by sampled worlds, or by one fixed guess
// At the horizon and at the root:
//   17 quiet        what is half done at the horizon is played on by the evaluation alone before it is valued
//   18 plans        hidden information: the own actions in a row are chosen once for all worlds
#pragma once

#include <array>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/rng.h"
#include "game/registry.h"
#include "game/watch.h"
#include "search/evaluation.h"
#include "search/limits.h"
#include "search/result.h"
#include "search/table.h"

namespace sevenfold {

struct AlphaBetaOptions {
  enum class Several { paranoid, maxn };

  Several several = Several::paranoid; // more than two players, or two whose returns do not add up to zero
  bool deepening = true, table = true, order = true, killers = true, history = true, pvs = true, aspiration = true;
  bool star = true, independent = true;
  bool razor = false, self_loss = false, probability = false;
  bool sampling = false, expectation = false, guess = false;
  bool quiet = false, plans = false;

  // R(depth) = margin + growth * (depth - 1), as a share of half the range of returns, for razor and self_loss.
  double margin = 0.1, growth = 0.05;
  int first_plies = 2;          // no forward pruning in these
  double ending = 0.8;          // from |V| as large as this share on, the game is near its end …
  double ending_factor = 2;     // … and razor's R is multiplied by this, self_loss's divided: both prune less
  int razor_from = 2;           // remaining plies from which on razor is tried
  int razor_depth = 1;          // how much less deeply
  double self_loss_share = 0.5; // of R; a cautious program uses a half
  int self_loss_depth = 3;      // how much less deeply, after giving away
  int self_loss_repeats = 2;    // how often in a row
  double least_probability = 0.9;
  double boost = 0;    // how far killers and history move an action up in the game's own ordering, as a share of it
  double window = 0.1; // of aspiration, to each side, as a share of half the range of returns
  int samples = 8;
  int sampling_depth = 1; // how much less deeply after a sampled chance node
  int quiet_plies = 200;  // at most, to a quiet position
  int most_worlds = 256;  // plans: to which their number is doubled
  int worlds = 0;         // hidden information: so many sampled worlds; 0: nothing is hidden; -1: one fixed guess
  bool every = false;     // the exact value of every root action, not only of the best
  std::size_t memory = std::size_t{64} << 20; // bytes for the table
  bool processor = false;                     // seconds are those of the processor
  std::uint64_t seed = 0;
};

class AlphaBeta {
 public:
  // What the steps have done.
  enum Count : std::uint8_t {
    kDeepening, // iterations
    kTable,     // positions settled by an entry
    kOrder,     // lists ordered
    kKillers,   // refutations by a killer
    kHistory,   // refutations counted
    kPvs,       // searched again
    kAspiration,
    kStar,        // chance nodes left early
    kIndependent, // actions not looked at
    kRazor,
    kSelfLossTried,
    kSelfLoss,
    kSpared, // prunings that did not happen
    kSampled,
    kExpected,
    kGuessed,
    kWorlds,
    kQuiet, // positions played on
    kPlans, // continued
    kCounts
  };
  static constexpr std::array<std::string_view, kCounts> kCountNames{
      "deepening",   "table",       "order",  "killers",         "history",   "pvs",         "aspiration",
      "star",        "independent", "razor",  "self_loss_tried", "self_loss", "probability", "sampling",
      "expectation", "guess",       "worlds", "quiet",           "plans"};

  AlphaBeta(const Game& game, const AlphaBetaOptions& options, const Evaluation& evaluation);
  AlphaBeta(const AlphaBeta&) = delete;
  AlphaBeta& operator=(const AlphaBeta&) = delete;

  // Searches until a limit, a stop, or the proof of the root.
  // previous: the player's action that led to the root, where that is known; for the ordering.
  SearchReport run(const State& root, Action previous, const Limits& limits, Watch& watch);
  void forget();

 private:
  static constexpr int kMaxDepth = 200; // a limit as deep as this is none
  static constexpr int kMaxPly = 1000;  // chance takes no depth: where it goes on for ever, this ends it
  static constexpr int kLine = 64;      // plies of a principal variation that are kept
  using Line = List<Action, kLine>;

  // One ply of the current line of play.
  struct Frame {
    State state;
    ActionList actions; // the first `count` in the order of the search, then those left out
    std::size_t count = 0;
    int mover = 0;
    Action previous = kNoAction; // the player's action that led here
    int handicaps = 0;           // given away in a row to get here
    bool extends = false;        // `previous` was the same mover's, one ply up
    bool on_line = false;        // so far play is as the last principal variation has it
    std::array<Action, 2> killers{kNoAction, kNoAction};
    Line line;
    std::unique_ptr<OutcomeList> outcomes; // where the game has chance
    std::vector<std::uint32_t> ranks;      // scratch

    Frame(const State& like, bool chance);
  };

  struct RootAction {
    Action action;
    double value = 0;
    Bound bound = Bound::exact;
    Proof proof{};
    std::uint64_t nodes = 0;
    std::vector<Action> line{};
    Values values{}; // max^n: everybody's
  };
  struct Root { // a world; the only one where nothing is hidden
    State state;
    std::vector<RootAction> actions; // best first
    bool improved = false;           // in the current iteration
  };

  // alphabeta.cpp: the recursion
  double visit(int ply, int side, int depth, double alpha, double beta, Proof& proof);
  double decide(int ply, int depth, double alpha, double beta, Proof& proof);
  double follow(int ply, bool first, int depth, double alpha, double beta, Proof& proof);
  double horizon(const Frame& here, Action action, Proof& proof);
  double ended(const State& state, int side) const;
  double evaluated(const State& state, int side) const;
  std::uint64_t base_key(const State& state) const;
  std::uint64_t key_of(const Frame& frame) const;
  double now() const; // seconds of the clock, or of the processor
  bool look();        // at the clock and the limits; true when the search must stop
  Frame& frame(int ply);
  void enter(int ply, Action action, int mover);

  // alphabeta_quiet.cpp
  double at_horizon(const State& state, int side);
  void go_on(State& here);

  // alphabeta_steps.cpp: ordering and forward pruning
  void list_actions(int ply);
  void order_actions(int ply, Action first, int depth);
  void remember(int ply, Action action, int depth);
  bool prune(int ply, int& depth, double alpha, double beta, double& value);
  bool gives_away(int ply, int depth, double value, double margin, double beta);
  bool happens(const State& state, int depth, Count step, double beyond, double margin);

  // alphabeta_chance.cpp
  double chance(int ply, int depth, double alpha, double beta, Proof& proof);
  bool chance_cases(Frame& here, int& depth);

  // alphabeta_maxn.cpp
  void max_n(int ply, int depth, Values& out, bool& proven);
  void max_n_mean(int ply, int depth, Values& out, bool& proven);
  void max_n_root(Root& root, int depth);

  // alphabeta_plans.cpp
  struct Plan {
    std::vector<Action> line;
    double value;                                     // by the horizon after it
    std::vector<std::pair<Action, std::size_t>> on{}; // the plans that continue it, where it has been continued
    bool open = false;                                // the player at the root goes on, and it is not continued
  };
  bool value_plan(const std::vector<Action>& line, double& value);
  bool look_at(const std::vector<Action>& line, std::size_t& place);
  double best_of(std::size_t place, std::vector<Action>& line) const;
  bool continue_plan(std::size_t place);
  bool iterate_plans(int depth, int count);
  void deepen_plans();

  // alphabeta_root.cpp
  void prepare(const State& root);
  void deal(const State& like, int worlds);
  void deepen();
  bool iterate(Root& root, int depth);
  double search_root(Root& root, int depth, double alpha, double beta);
  void take(int depth);
  bool settled() const;
  bool proven() const;
  bool all_exact() const { return options_.every || roots_.size() > 1; } // every root action is valued by itself
  SearchReport report() const;
  Values values_of(const RootAction& best) const;
  std::vector<Action> extended(const RootAction& one) const;

  int side_of(int mover) const { return paranoid_ ? mover != reference_ : mover; }
  std::uint64_t coin(std::uint64_t key, int salt) const;
  bool splits(double alpha, double beta) const { return beta - alpha > null_; }

  const Game& game_;
  AlphaBetaOptions options_;
  Evaluation evaluation_;
  TranspositionTable table_;
  State leaf_;
  std::vector<State> quiet_; // scratch
  bool paranoid_, maxn_;
  bool orders_, independents_, commutes_, prunes_, quiets_, plans_;
  double middle_, half_; // values inside are relative to the middle of the range of returns
  double null_;          // the width of a null window
  int reference_ = 0;    // whose value side 0 is
  int root_mover_ = 0;
  Action root_previous_ = kNoAction;

  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<std::uint32_t> history_; // [side][action]
  std::array<std::uint64_t, kCounts> counts_{};
  std::vector<Root> roots_;
  Rng dealer_{0};
  std::vector<Plan> plans_made_;                           // of an iteration
  std::unordered_map<std::uint64_t, std::size_t> plan_at_; // by the position after it
  std::vector<Action> last_line_;                          // of the last iteration
  std::vector<RootAction> found_; // of the last complete iteration, best first, means over worlds
  int depth_ = 0;                 // of it

  Limits limits_;
  Watch* watch_ = nullptr;
  std::uint64_t nodes_ = 0, next_look_ = 0;
  double start_ = 0;
  bool stopped_ = false, must_answer_ = true;
};

} // namespace sevenfold
