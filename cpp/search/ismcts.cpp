#include "search/ismcts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sevenfold {
namespace {

constexpr std::size_t kDeepest = 4096; // a longer walk is played out from where it stands

// The share of the decisions that go by UCB1 under `smooth`, falling from kFirst to kLeast as a node is visited.
constexpr double kFirst = 0.9, kLeast = 0.1, kFall = 0.001;

double eagerness(std::uint32_t visits) { return std::max(kLeast, kFirst / (1 + kFall * std::sqrt(visits))); }

} // namespace

Ismcts::Ismcts(const Game& game, const IsmctsOptions& options)
    : game_(game),
      options_(options),
      knowledge_(game),
      rng_(options.seed),
      tree_(options.memory, true),
      root_state_(game.initial()),
      state_(root_state_) {
  const Facts& facts = game.facts();
  const double range = facts.max_return - facts.min_return;
  scale_ = range > 0 ? 2 / range : 1;
  shift_ = -1 - facts.min_return * scale_;
  path_.reserve(kDeepest);
}

void Ismcts::look_at(const State& root) { root_state_ = root; }

SearchReport Ismcts::run(const Limits& limits, Watch& watch) {
  sum_ = {};
  const double seconds = run_within(limits, watch, simulations_, [&] {
    simulate();
    return true;
  });
  SearchReport out = report();
  out.seconds = seconds;
  return out;
}

void Ismcts::simulate() {
  // Step 1. A world: one that the searcher cannot tell from the real one, or a new game.
  if (options_.worlds == IsmctsOptions::Worlds::redeal) {
    state_ = root_state_;
    state_.redeal(root_state_.to_move(), rng_);
  } else {
    state_ = game_.initial();
  }
  path_.clear();
  bool grown = false;
  for (int mover = state_.to_move(); mover != TERMINAL && path_.size() < kDeepest; mover = state_.to_move()) {
    if (mover == CHANCE) {
      outcomes_.clear();
      state_.chance(outcomes_);
      state_.play(sample(outcomes_, rng_));
      continue;
    }
    // Step 2. The node of what the mover knows. One node is added per simulation; below it, the game is played out.
    const NodeId id = node_here(mover, grown);
    if (id == kNoNode) break;

    // Step 3. The mover chooses by what it has learnt in all worlds that look like this one.
    Node& node = tree_.node(id);
    Edge* edge = choose(node);
    if (edge == nullptr) break;
    path_.push_back({id, static_cast<std::uint32_t>(edge - tree_.edges(node))});
    state_.play(edge->action);
  }
  if (!state_.is_over()) {
    if (options_.policy && state_.table().rollout != nullptr) state_.rollout(rng_);
    else state_.play_out(rng_);
  }

  // Step 4. What every player got in this world is added to its own choices.
  Values values{};
  state_.returns(values);
  for (std::size_t p = 0; p < values.size(); ++p) sum_[p] += values[p];
  for (const Step& step : path_) {
    Node& node = tree_.node(step.node);
    Edge& edge = tree_.edges(node)[step.edge];
    ++node.visits;
    ++edge.visits;
    edge.total += scaled(values[static_cast<std::size_t>(node.mover)]);
  }
}

NodeId Ismcts::node_here(int mover, bool& grown) {
  const std::uint64_t key = knowledge_(state_, mover);
  list_.clear();
  state_.legal_actions(list_);
  NodeId id = tree_.find(key);
  if (id != kNoNode) return id;
  if (grown) return kNoNode;
  grown = true;
  return tree_.add_node(mover, list_.size(), key);
}

// Among the actions that are legal in this world; they are the same in all worlds of a node where the game's view tells
// everything that the mover knows. An action not tried yet comes first.
Edge* Ismcts::choose(Node& node) {
  Edge* edges = tree_.edges(node);
  const auto edge_of = [&](Action action) {
    for (int i = 0; i < node.size; ++i)
      if (edges[i].action == action) return &edges[i];
    return static_cast<Edge*>(nullptr);
  };
  const auto n = static_cast<std::uint32_t>(list_.size());
  const std::uint32_t first = node.size < list_.size() ? rng_.below(n) : 0;
  std::uint64_t tried = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Action action = list_[(first + i) % n];
    if (const Edge* edge = edge_of(action); edge != nullptr) tried += edge->visits;
    else if (Edge* added = tree_.add_edge(node, action, 1.0f / static_cast<float>(n)); added != nullptr) return added;
  }
  if (tried == 0) return nullptr;
  if (options_.smooth && rng_.uniform() >= eagerness(node.visits)) {
    auto left = static_cast<std::int64_t>(rng_.uniform() * static_cast<double>(tried));
    for (const Action action : list_)
      if (Edge* edge = edge_of(action); edge != nullptr && (left -= edge->visits) < 0) return edge;
  }
  const double reach = options_.exploration * std::sqrt(std::log(static_cast<double>(tried) + 1));
  Edge* best = nullptr;
  double best_score = -std::numeric_limits<double>::infinity();
  for (const Action action : list_) {
    Edge* edge = edge_of(action);
    if (edge == nullptr) continue;
    const double visits = std::max<double>(edge->visits, 1);
    if (const double score = edge->total / visits + reach / std::sqrt(visits); score > best_score) {
      best_score = score;
      best = edge;
    }
  }
  return best;
}

SearchReport Ismcts::report() const {
  SearchReport out;
  const int mover = root_state_.to_move();
  ActionList legal;
  root_state_.legal_actions(legal);
  const NodeId id = tree_.find(knowledge_(root_state_, mover));
  const auto unscaled = [&](double value) { return (value - shift_) / scale_; };
  std::uint64_t most = 0, all = 0;
  for (const Action action : legal) {
    ActionReport one{.action = action, .prior = 1.0 / legal.size()};
    if (id != kNoNode) {
      const Node& node = tree_.node(id);
      const Edge* edges = tree_.edges(node);
      for (int i = 0; i < node.size; ++i) {
        if (edges[i].action != action || edges[i].visits == 0) continue;
        one.visits = edges[i].visits;
        one.value = unscaled(edges[i].total / edges[i].visits);
      }
    }
    if (out.action == kNoAction || one.visits > most) {
      out.action = action;
      most = one.visits;
      out.pv = {action};
      out.values[static_cast<std::size_t>(mover)] = one.value;
    }
    all += one.visits;
    out.actions.push_back(one);
  }
  for (ActionReport& one : out.actions)
    one.share = all > 0 ? static_cast<double>(one.visits) / static_cast<double>(all) : 1.0 / legal.size();
  // The others' values are those of all simulations; in a game of two and zero sum the mover's tells the other's.
  for (int p = 0; p < game_.facts().players; ++p)
    if (p != mover && simulations_ > 0)
      out.values[static_cast<std::size_t>(p)] = sum_[static_cast<std::size_t>(p)] / static_cast<double>(simulations_);
  if (game_.facts().players == 2 && game_.facts().sum == Sum::zero)
    out.values[static_cast<std::size_t>(1 - mover)] = -out.values[static_cast<std::size_t>(mover)];
  out.simulations = simulations_;
  out.nodes = tree_.node_count();
  out.bytes = tree_.bytes_used();
  return out;
}

} // namespace sevenfold
