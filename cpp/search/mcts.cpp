#include "search/mcts.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace sevenfold {
namespace {

// sqrt(ln n), from a table for all but the busiest nodes.
struct RootLogs {
  static constexpr std::uint32_t kSize = 65536;
  float table[kSize];
  RootLogs() {
    for (std::uint32_t n = 0; n < kSize; ++n) table[n] = std::sqrt(std::log(static_cast<float>(std::max(n, 2u))));
  }
};
const RootLogs kRootLogs;

float root_log(std::uint32_t n) {
  return n < RootLogs::kSize ? kRootLogs.table[n] : std::sqrt(std::log(static_cast<float>(n)));
}

constexpr std::size_t kDeepest = 4096; // a longer walk is valued where it stands: the game may run in circles

// 1 / sqrt(n), from a table where most edges are.
struct InverseRoots {
  static constexpr std::uint32_t kSize = 65536;
  float table[kSize];
  InverseRoots() {
    table[0] = 0;
    for (std::uint32_t n = 1; n < kSize; ++n) table[n] = 1.0f / std::sqrt(static_cast<float>(n));
  }
};
const InverseRoots kInverseRoots;

float inverse_root(std::uint32_t n) {
  return n < InverseRoots::kSize ? kInverseRoots.table[n] : 1.0f / std::sqrt(static_cast<float>(n));
}

} // namespace

Mcts::Mcts(const Game& game, const MctsOptions& options)
    : game_(game),
      options_(options),
      rng_(options.seed),
      tree_(options.memory, options.transpositions),
      root_state_(game.initial()),
      state_(root_state_),
      probe_(root_state_),
      reply_(root_state_),
      real_(root_state_) {
  const Facts& facts = game.facts();
  const double range = facts.max_return - facts.min_return;
  scale_ = range > 0 ? 2 / range : 1;
  shift_ = -1 - facts.min_return * scale_;
  to_come_ = options.to_come && facts.gain > 0;
  spread_ = options.spread && facts.gain > 0;
  narrowest_ = facts.gain * scale_;
  zero_sum_ = facts.players == 2 && facts.sum == Sum::zero;
  one_win_is_all_ = zero_sum_ || facts.players == 1;
  narrows_ = options.decisive || options.forced;
  if (options.leaf == MctsOptions::Leaf::evaluator && options.expand_at > 0)
    options_.selection = MctsOptions::Selection::ucb1; // until there are priors
  // Where finding the candidates means playing them out, it is done once and all edges are made at once.
  const Table& table = root_state_.table();
  puts_off_ = options.put_off && table.put_off != nullptr;
  guided_ = options.leaf == MctsOptions::Leaf::evaluator && options.expand_at > 0;
  evaluates_ = options.leaf == MctsOptions::Leaf::evaluator && !guided_;
  eager_ = evaluates_ || options_.selection == MctsOptions::Selection::puct || options.bias ||
           (narrows_ && table.narrow == nullptr);
  sees_wins_ = options.forced_win && zero_sum_ && table.forced_win != nullptr;
  policy_ = options.policy && table.rollout != nullptr;
  path_.reserve(kDeepest);
  if (evaluates_) guesses_.reset(new float[tree_.node_limit()]); // touched as the tree fills
}

void Mcts::reset(const State& root, std::size_t plies) {
  plies_ = plies;
  tree_.clear();
  exact_.clear();
  root_state_ = root;
  if (puts_off_) {
    real_ = root;
    root_state_.put_off();
  }
  state_ = root_state_;
  least_ = 1;
  most_ = -1;
  stretch_ = 0;
  simulations_ = 0;
  waiting_count_ = 0;
  root_guess_ = 0;
  root_totals_.clear();
  root_ = kNoNode;
  considered_.clear();
  gumbels_.clear();
  if (evaluates_) return; // the first position to be valued
  root_ = expand(key_of(state_));
  claim_win();
}

// Where the game itself sees that the mover of the root, which state_ is, wins by force, that is proven.
void Mcts::claim_win() {
  Action action = kNoAction;
  Values won{};
  if (options_.solver && sees_win(action, won)) know(action, won);
}

void Mcts::know(Action action, const Values& values) {
  if (root_ == kNoNode) return;
  Node& node = tree_.node(root_);
  Edge* edge = tree_.edges(node);
  while (edge != tree_.edges(node) + node.size && edge->action != action) ++edge;
  if (edge == tree_.edges(node) + node.size) {
    if (evaluates_ || (edge = tree_.add_edge(node, action, 0)) == nullptr)
      return; // left out for a better one, or no room
  }
  if (edge->exact == 0) edge->exact = exact_.number_of(values);
  if (edge->exact != 0) node.exact = prove(node);
}

void Mcts::plan(std::uint64_t simulations) {
  planned_ = simulations;
  searched_ = 0;
  considered_.clear();
  gumbels_.clear();
}

void Mcts::advance(Action action) {
  NodeId next = kNoNode;
  if (guided_) forget_asked();
  for (; waiting_count_ > 0; --waiting_count_) { // they are not waited for any more
    path_ = waiting_[waiting_count_ - 1].path;
    lose_for_now(-1, waiting_[waiting_count_ - 1].lost);
  }
  if (puts_off_) { // chance has decided more than the tree knows
    real_.play(action);
    return reset(State(real_), plies_ + 1);
  }
  if (root_ != kNoNode) {
    const Node& node = tree_.node(root_);
    const Edge* edges = tree_.edges(node);
    for (int i = 0; i < node.size; ++i)
      if (edges[i].action == action) next = edges[i].child;
  }
  root_state_.play(action);
  root_totals_.clear();
  if (next == kNoNode || next == kEnd) return reset(State(root_state_), plies_ + 1);
  ++plies_;
  root_ = next;
  considered_.clear();
  gumbels_.clear();
  tree_.keep_only(root_);
}

SearchReport Mcts::run(const Limits& limits, Watch& watch) {
  root_totals_.clear();
  const double seconds = run_within(limits, watch, simulations_, [&] {
    if (tree_.node(root_).exact != 0) return false;
    simulate();
    return true;
  });
  SearchReport out = report();
  out.seconds = seconds;
  return out;
}

void Mcts::simulate() {
  Values values{};
  std::uint16_t exact = 0;
  walk(values, exact);
  back_up(values, exact);
}

Mcts::Walk Mcts::walk(Values& values, std::uint16_t& exact) {
  state_ = root_state_;
  path_.clear();
  NodeId at = root_;
  for (;;) {
    // Step 1. Take the next edge: one not tried yet, or the best by the formula.
    std::uint16_t floor = 0;
    Edge* edge = next_edge(at, floor);
    if (edge == nullptr || path_.size() == kDeepest) { // the tree is full, or the game goes on for ever
      value_leaf(values);
      break;
    }
    Node& node = tree_.node(at);
    node.block |= Node::kOnPath;
    path_.push_back({at, static_cast<std::uint32_t>(edge - tree_.edges(node)), floor});

    // Step 2. A proven edge needs no more looking.
    if (edge->exact != 0) {
      values = exact_.of(exact = edge->exact);
      break;
    }
    tree_.expect(edge->child); // on its way from memory while the action is played
    state_.play(edge->action);

    // Step 3. A position seen for the first time is valued: by the rules at the end of the game, by the leaf method
    // before.
    if (edge->child == kWaiting) return Walk::blocked;
    if (edge->child == kNoNode && (evaluates_ || edge->visits == 0)) {
      if (state_.is_over()) {
        edge->child = kEnd;
        state_.returns(values);
        if (options_.solver) exact = exact_.number_of(values);
        break;
      }
      if (Action action = kNoAction; sees_win(action, values)) {
        if (options_.solver) exact = exact_.number_of(values);
        break;
      }
      if (!evaluates_) {
        value_leaf(values);
        break;
      }
      if (state_.to_move() != CHANCE && (edge->child = tree_.find(key_of(state_))) == kNoNode) {
        if (settler_ == nullptr || !settler_->settle(state_, plies_ + path_.size(), options_.settle, rng_, values))
          return Walk::waits;
        exact = exact_.number_of(values);
        break;
      }
    }
    if (edge->child == kEnd) {
      state_.returns(values);
      break;
    }

    // Step 4. A position seen for the second time becomes a node, or finds the one it has by another way.
    at = child_of(*edge);
    if (at == kNoNode || tree_.node(at).on_path()) {
      value_leaf(values);
      break;
    }
    if (guided_ && tree_.node(at).visits >= options_.expand_at) ask(at);
    if (const std::uint16_t known = tree_.node(at).exact; known != 0) {
      values = exact_.of(exact = known);
      break;
    }
  }
  return Walk::valued;
}

NodeId Mcts::child_of(Edge& edge) {
  if (edge.child != kNoNode) return edge.child;
  const std::uint64_t key = key_of(state_);
  if (key != 0) edge.child = tree_.find(key);
  if (edge.child == kNoNode) edge.child = expand(key);
  return edge.child;
}

std::uint64_t Mcts::key_of(const State& state) const {
  return options_.transpositions ? state.hash() | 1 : 0; // 0 means none
}

// Step 5. The value is added to every edge of the walk; a proof is carried up as far as it goes.
// A mover who has a proven alternative need not take less than that.
void Mcts::back_up(Values values, std::uint16_t exact) {
  if (!path_.empty()) {
    if (root_totals_.size() <= path_[0].edge) root_totals_.resize(path_[0].edge + 1);
    RootTotal& total = root_totals_[path_[0].edge];
    ++total.visits;
    for (std::size_t p = 0; p < static_cast<std::size_t>(game_.facts().players); ++p) total.sum[p] += values[p];
  }
  for (std::size_t i = path_.size(); i-- > 0;) {
    Node& node = tree_.node(path_[i].node);
    Edge& edge = tree_.edges(node)[path_[i].edge];
    ++node.visits;
    ++edge.visits;
    node.block &= static_cast<std::uint8_t>(~Node::kOnPath);
    if (node.mover >= 0) {
      const auto mover = static_cast<std::size_t>(node.mover);
      edge.total += scaled(values[mover]);
      if (spread_) found(edge.total / edge.visits);
      if (zero_sum_ && i + 1 < path_.size()) take_over(edge, node.mover, tree_.node(path_[i + 1].node));
      if (const std::uint16_t floor = path_[i].floor; floor != 0 && exact_.of(floor)[mover] > values[mover])
        values = exact_.of(floor);
    }
    if (exact != 0) {
      edge.exact = exact;
      exact = prove(node);
      node.exact = exact;
    }
  }
}

// Step 5a, `spread`: the least and the most that an edge has been worth.
void Mcts::found(double value) {
  if (value >= least_ && value <= most_) return;
  least_ = std::min(least_, value);
  most_ = std::max(most_, value);
  stretch_ = 2 / std::max(most_ - least_, narrowest_);
}

// Where other ways to the child have seen more of it than this edge, the edge takes over what they found.
void Mcts::take_over(Edge& edge, int mover, const Node& child) {
  if (child.visits <= edge.visits || child.mover < 0) return;
  double total = 0;
  std::uint64_t visits = 0;
  const Edge* edges = tree_.edges(child);
  for (int i = 0; i < child.size; ++i) {
    total += edges[i].total;
    visits += edges[i].visits;
  }
  if (visits > 0) edge.total = (mover == child.mover ? total : -total) / static_cast<double>(visits) * edge.visits;
}

// The exact value of a node that has just got one more exact edge; 0 if it does not follow yet.
std::uint16_t Mcts::prove(const Node& node) {
  if (node.exact != 0) return node.exact;
  const Edge* edges = tree_.edges(node);
  const bool complete = node.size == node.legal;
  if (node.mover == CHANCE) {
    if (!complete) return 0;
    Values sum{};
    for (int i = 0; i < node.size; ++i) {
      if (edges[i].exact == 0) return 0;
      const Values& one = exact_.of(edges[i].exact);
      for (std::size_t p = 0; p < sum.size(); ++p) sum[p] += edges[i].prior * one[p];
    }
    return exact_.number_of(sum);
  }
  const auto mover = static_cast<std::size_t>(node.mover);
  std::uint16_t best = 0;
  bool all = complete, tie = false;
  for (int i = 0; i < node.size; ++i) {
    const std::uint16_t exact = edges[i].exact;
    if (exact == 0) {
      all = false;
      continue;
    }
    const double value = exact_.of(exact)[mover];
    if (value >= game_.facts().max_return && one_win_is_all_) return exact;
    if (best == 0 || value > exact_.of(best)[mover]) {
      best = exact;
      tie = false;
    } else if (exact != best && value == exact_.of(best)[mover]) {
      tie = true; // the others' values depend on how the mover breaks the tie
    }
  }
  return all && !tie ? best : 0;
}

Edge* Mcts::next_edge(NodeId id, std::uint16_t& floor) {
  Node& node = tree_.node(id);
  if (node.mover == CHANCE) return chance_edge(node);
  if (node.size < node.legal) {
    list_.clear();
    candidates(state_, list_);
    // Untried actions in turn, from a starting point of the node's own, so that no action is favoured everywhere.
    const auto n = static_cast<std::uint32_t>(list_.size());
    const auto first = static_cast<std::uint32_t>(mix(id)) % n;
    if (Edge* edge = tree_.add_edge(node, list_[(first + node.size) % n], 0); edge != nullptr) return edge;
    if (node.size == 0) return nullptr;
  }
  if (id == root_ && options_.root == MctsOptions::Root::gumbel) return gumbel_edge(node, floor);
  return select(node, floor);
}

Edge* Mcts::chance_edge(Node& node) {
  outcomes_.clear();
  state_.chance(outcomes_);
  const Action outcome = sample(outcomes_, rng_);
  Edge* edges = tree_.edges(node);
  for (int i = 0; i < node.size; ++i)
    if (edges[i].action == outcome) return &edges[i];
  float probability = 0;
  for (const auto& one : outcomes_)
    if (one.action == outcome) probability = static_cast<float>(one.probability);
  return tree_.add_edge(node, outcome, probability);
}

// The edge with the best score among those not proven; a proven one only where there is no other.
// No branch depends on a score, because nobody could predict it: scores become whole numbers that sort alike, with the
// edge's number below.
template <class Score>
Edge* Mcts::best_by(const Node& node, std::uint16_t& floor, Score score) {
  Edge* const edges = tree_.edges(node);
  std::uint64_t best = 0;
  unsigned exact = 0;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const Edge& edge = edges[i];
    auto bits = std::bit_cast<std::uint32_t>(score(edge));
    bits ^= static_cast<std::uint32_t>(static_cast<std::int32_t>(bits) >> 31) | 0x80000000u;
    const std::uint64_t key = (std::uint64_t{bits} << 32) | ~i;
    best = std::max(best, edge.exact == 0 ? key : 0);
    exact |= edge.exact;
  }
  if (exact != 0) [[unlikely]] {
    Edge* proven = nullptr;
    for (Edge* edge = edges; edge != edges + node.size; ++edge)
      if (edge->exact != 0 && (proven == nullptr || value_of(node, *edge) > value_of(node, *proven))) proven = edge;
    floor = proven->exact;
    if (best == 0) return proven;
  }
  return edges + ~static_cast<std::uint32_t>(best);
}

// Step `expand_at`: the evaluator's favourites are looked at more often, in all like 1 / k for each of k.
Edge* Mcts::select_guided(const Node& node, std::uint16_t& floor) {
  const float reach = static_cast<float>(options_.exploration) * root_log(node.visits);
  const auto k = static_cast<float>(node.size), doubt = static_cast<float>(options_.doubt);
  return best_by(node, floor, [=](const Edge& edge) {
    const float root = inverse_root(edge.visits);
    const float wide = reach * std::sqrt(doubt + (1 - doubt) * k * edge.prior);
    return edge.visits == 0 ? 1e6f : static_cast<float>(edge.total) * root * root + wide * root;
  });
}

Edge* Mcts::select(const Node& node, std::uint16_t& floor) {
  const auto c = static_cast<float>(options_.exploration);
  const auto visits = static_cast<float>(node.visits);
  if (options_.selection == MctsOptions::Selection::ucb1) {
    if (node.guided()) return select_guided(node, floor);
    const float reach = c * root_log(node.visits);
    const auto ucb1 = [=](const Edge& edge) {
      const float root = inverse_root(edge.visits);
      return edge.visits == 0 ? 1e6f : static_cast<float>(edge.total) * root * root + reach * root;
    };
    if (!options_.bias) return best_by(node, floor, ucb1);
    const auto weight = static_cast<float>(options_.bias_weight);
    return best_by(node, floor, [=](const Edge& edge) {
      return ucb1(edge) + weight * edge.prior / static_cast<float>(edge.visits + 1);
    });
  }
  // An edge not tried yet is taken to be worth a little less than the node has been so far.
  const auto base = static_cast<float>(options_.growth);
  const float reach = (base > 0 ? c + std::log((1 + visits + base) / base) : c) * std::sqrt(visits + 1);
  double total = 0;
  const Edge* edges = tree_.edges(node);
  for (int i = 0; i < node.size; ++i) total += edges[i].total;
  const auto stretch = static_cast<float>(spread_ ? stretch_ : 1), offset = static_cast<float>(judged(0));
  const float untried =
      node.visits > 0 ? static_cast<float>(total) / visits * stretch + offset - static_cast<float>(options_.fpu) : 0.0f;
  return best_by(node, floor, [=](const Edge& edge) {
    const auto n = static_cast<float>(edge.visits);
    const float value = edge.visits > 0 ? static_cast<float>(edge.total) / n * stretch + offset : untried;
    return value + reach * edge.prior / (1 + n);
  });
}

} // namespace sevenfold
