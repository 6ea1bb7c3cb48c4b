// How the founding report's player searches; what it is stands in report.h.
#include "connect_four/report.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "connect_four/rules.h"

namespace sevenfold::connect_four {

namespace {

constexpr double kDelta = 10000; // what a decided position is worth to the player who decided it
constexpr std::size_t kLogs = 1 << 15;
constexpr std::size_t kLeast = 16; // nodes: the root and its children always have room
constexpr std::uint64_t kLook = 8; // simulations between two looks at the clock

// The enemy's stones on the cells around a cell; the empty bit above each column keeps columns apart.
template <int Words>
int enemy_around(const Board<Words>& board, const Bits<Words>& cell, const Bits<Words>& enemy) {
  const int height = board.rows + 1;
  const Bits<Words> three = cell | (cell << 1) | (cell >> 1);
  return ((three | (three << height) | (three >> height)) & enemy).count();
}

} // namespace

ReportSearch::ReportSearch(const ReportOptions& options)
    : options_(options),
      capacity_(std::min<std::size_t>(std::max<std::size_t>(options.bytes / sizeof(Node), kLeast), ~NodeId{0})),
      nodes_(std::make_unique_for_overwrite<Node[]>(capacity_)),
      logs_(kLogs),
      rng_(options.seed) {
  for (std::size_t n = 0; n < kLogs; ++n) logs_[n] = std::log(static_cast<double>(n) + 1.001);
  path_.reserve(12 * 12 + 1);
}

ReportFindings ReportSearch::run(const State& state, const Limits& limits, Watch& watch) {
  const std::lock_guard one_at_a_time(mutex_);
  const auto at = [&]<int Words>() -> const ConnectFour<Words>& {
    return *static_cast<const ConnectFour<Words>*>(state.data());
  };
  const auto to_move = state.table().to_move; // each rules struct has a table of its own
  if (to_move == kTable<ConnectFour<1>>.to_move) return search(at.template operator()<1>(), limits, watch);
  if (to_move == kTable<ConnectFour<2>>.to_move) return search(at.template operator()<2>(), limits, watch);
  if (to_move == kTable<ConnectFour<3>>.to_move) return search(at.template operator()<3>(), limits, watch);
  throw std::invalid_argument("the report's player is for connect_four.");
}

// uctSearch()
template <int Words>
ReportFindings ReportSearch::search(const ConnectFour<Words>& root, const Limits& limits, Watch& watch) {
  const auto began = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count(); };
  if (root.to_move() == TERMINAL) throw std::invalid_argument("there is nothing to think about: the game is over.");
  nodes_[0] = {};
  nodes_[0].legal = static_cast<std::uint8_t>(root.landing().count());
  used_ = 1;

  ReportFindings out;
  do {
    simulate(root);
    watch.done.store(++out.simulations, std::memory_order_relaxed);
    if (out.simulations % kLook == 0 && (watch.stop.load(std::memory_order_relaxed) || passed() >= limits.seconds))
      break;
  } while (out.simulations < limits.simulations);

  out.visits.resize(static_cast<std::size_t>(root.board->cols));
  out.totals.resize(out.visits.size());
  for (NodeId id = nodes_[0].children; id < nodes_[0].children + nodes_[0].size; ++id) {
    out.visits[nodes_[id].column] = nodes_[id].n;
    out.totals[nodes_[id].column] = nodes_[id].q;
  }
  // Step 5. The final choice goes by the same score and the same two tests as the walk down the tree.
  for (const Node* node = &nodes_[0]; node->size > 0; node = &nodes_[best_child(*node)])
    out.line.push_back(nodes_[best_child(*node)].column);
  out.action = out.line[0];
  out.bytes = used_ * sizeof(Node);
  out.seconds = passed();
  return out;
}

template <int Words>
void ReportSearch::simulate(ConnectFour<Words> position) {
  path_.clear();
  path_.push_back(0);
  // Step 1. treePolicy(): down the best children, as long as all children of a node are known.
  for (;;) {
    Node& node = nodes_[path_.back()];
    if (node.legal == 0) break;
    // Step 2. expand(): the first column that has no child yet. Without room for it, the node itself is valued again.
    if (node.size < node.legal) {
      expand(node, position);
      break;
    }
    path_.push_back(best_child(node));
    position.play(nodes_[path_.back()].column);
  }
  // Step 3. randomExpand(): what the last node of the path is worth to the player who moved there.
  // Step 4. backup(): to every node of the path.
  backup(random_expand(position));
}

// Adds the next child to the path and plays it, if the tree has room.
template <int Words>
void ReportSearch::expand(Node& parent, ConnectFour<Words>& position) {
  if (parent.children == 0) {
    if (used_ + parent.legal > capacity_) return;
    parent.children = static_cast<NodeId>(used_);
    used_ += parent.legal;
  }
  const Board<Words>& board = *position.board;
  const Bits<Words> cell = Bits<Words>::bit(position.landing().select(parent.size)); // in the order of the columns
  const Bits<Words> enemy = position.stones[static_cast<std::size_t>(~position.ply & 1)];
  const int column = board.column_of[static_cast<std::size_t>(cell.select(0))];
  position.play(column);
  path_.push_back(parent.children + parent.size++);
  Node& child = nodes_[path_.back()];
  child = {};
  child.legal = static_cast<std::uint8_t>(position.to_move() == TERMINAL ? 0 : position.landing().count());
  child.column = static_cast<std::uint8_t>(column);
  child.around = static_cast<std::uint8_t>(enemy_around(board, cell, enemy));
  child.golden = position.won;
  child.trap = board.has_line(enemy | cell);
}

// DELTA where the game has been won, else the result of a game of random moves: 1, 0 or -1.
template <int Words>
double ReportSearch::random_expand(ConnectFour<Words> position) {
  if (position.won) return kDelta;
  const int mover = position.ply & 1; // the value is for the other one
  const auto cols = static_cast<std::uint32_t>(position.board->cols);
  while (position.to_move() != TERMINAL) {
    const Bits<Words> free = position.landing();
    std::uint32_t column = rng_.below(cols);
    while (!(free & position.board->column[column]).any()) column = rng_.below(cols);
    position.play(static_cast<Action>(column));
  }
  if (!position.won) return 0;
  return (position.ply & 1) == mover ? 1 : -1; // the one to move has lost
}

// The sign changes with the player from node to node; a DELTA fades: 10000, -1000, 100, -10, 1, -1, 1 …
void ReportSearch::backup(double delta) {
  for (auto id = path_.rbegin(); id != path_.rend(); ++id) {
    nodes_[*id].q += delta;
    nodes_[*id].n += 1;
    delta = -delta;
    if (std::abs(delta) > 1) delta /= 10;
  }
}

ReportSearch::NodeId ReportSearch::best_child(const Node& parent) const {
  const NodeId first = parent.children, end = first + parent.size;
  // detectGoldenChance(): the move wins, so nothing else needs a look.
  for (NodeId id = first; id < end; ++id)
    if (nodes_[id].golden) return id;
  // detectDeathTrap(): the enemy would win there, so the cell must be taken; the first one, if there are several.
  for (NodeId id = first; id < end; ++id)
    if (nodes_[id].trap) return id;
  const double spread = 2 * log_of(parent.n);
  NodeId best = first;
  double best_score = -std::numeric_limits<double>::infinity();
  for (NodeId id = first; id < end; ++id) {
    const Node& child = nodes_[id];
    double score = child.q / child.n + options_.c1 * std::sqrt(spread / child.n);
    if (child.around > 0) score += options_.c2 * child.around / log_of(child.n);
    if (score > best_score) {
      best_score = score;
      best = id;
    }
  }
  return best;
}

double ReportSearch::log_of(std::uint32_t n) const { return n < kLogs ? logs_[n] : std::log(n + 1.001); }

} // namespace sevenfold::connect_four
