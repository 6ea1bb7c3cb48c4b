// The player of the founding report (a student's 重力四子棋, 2020), as it describes it: UCT with an eye for the cell
// that wins or loses at once. Kept as the measure of what has been learned since; docs/methods/mcts.md lists where it
// is odd.
//
// The score of a child v, from the view of the player whose stone falls on v's cell:
//
//   Q(v) / N(v)  +  c1 * sqrt(2 * ln(N(parent) + 1.001) / N(v))  +  c2 * enemy_around(v) / ln(N(v) + 1.001)
//
// enemy_around counts the enemy's stones on the up to eight cells around v's, to draw the first simulations to where
// the enemy stands. A playout adds 1, 0 or -1 to Q(v); a position that has ended the game adds DELTA = 10000, which
// loses a digit with each step up the tree.
//
// It does not handle: transpositions, proven results, a tree kept from move to move.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "core/rng.h"
#include "game/state.h"
#include "game/watch.h"
#include "search/limits.h"

namespace sevenfold::connect_four {

template <int Words>
struct ConnectFour;

struct ReportOptions {
  double c1 = 0.5, c2 = 0.05; // the weights in the score
  std::size_t bytes = std::size_t{512} << 20;
  std::uint64_t seed = 0;
};

struct ReportFindings {
  Action action = kNoAction;
  std::vector<std::uint32_t> visits; // N of the root's children, by column
  std::vector<double> totals;        // their Q
  std::vector<Action> line;          // the best child, its best child, and so on
  std::uint64_t simulations = 0;
  std::uint64_t bytes = 0; // of the tree
  double seconds = 0;
};

class ReportSearch {
 public:
  explicit ReportSearch(const ReportOptions& options);

  // Grows a new tree from a state of connect_four that is not over; at least one simulation is made.
  ReportFindings run(const State& state, const Limits& limits, Watch& watch);

 private:
  using NodeId = std::uint32_t;

  struct Node {
    double q;            // Q
    std::uint32_t n;     // N
    NodeId children;     // the first of them, in the order of the columns; 0: no room taken yet
    std::uint8_t legal;  // how many children there can be; none where the game is over
    std::uint8_t size;   // how many have been expanded
    std::uint8_t column; // the move that leads here
    std::uint8_t around; // enemy_around
    bool golden, trap;   // the cell wins for the player who moved here; it would have won for the other one
  };
  static_assert(sizeof(Node) == 24);

  template <int Words>
  ReportFindings search(const ConnectFour<Words>& root, const Limits& limits, Watch& watch);
  template <int Words>
  void simulate(ConnectFour<Words> position);
  template <int Words>
  void expand(Node& parent, ConnectFour<Words>& position);
  template <int Words>
  double random_expand(ConnectFour<Words> position);
  void backup(double delta);
  NodeId best_child(const Node& parent) const;
  double log_of(std::uint32_t n) const;

  const ReportOptions options_;
  const std::size_t capacity_;
  const std::unique_ptr<Node[]> nodes_; // reserved at once, touched as it fills: a simulation allocates nothing
  std::size_t used_ = 0;
  std::vector<NodeId> path_; // from the root to the node being valued
  std::vector<double> logs_; // ln(n + 1.001) for small n
  Rng rng_;
  std::mutex mutex_;
};

} // namespace sevenfold::connect_four
