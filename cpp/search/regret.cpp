#include "search/regret.h"

#include <algorithm>

namespace sevenfold {
namespace {

constexpr double kDecisions = 512;     // of the traverser, in one simulation
constexpr std::size_t kDeepest = 1024; // a longer walk is played out from where it stands
constexpr double kExplore = 0.1;       // the share of any action where only one is tried
constexpr int kOwn = 0;                // the first edge of a node is no action, but keeps what the node itself is worth

} // namespace

Regret::Regret(const Game& game, const RegretOptions& options)
    : game_(game),
      options_(options),
      knowledge_(game),
      rng_(options.seed),
      tree_(options.memory, true),
      root_state_(game.initial()) {
  worlds_.reserve(kDeepest + 1); // so that a world stays where it is while deeper ones are added
  choices_.reserve(kMaxLegal);
}

void Regret::look_at(const State& root) { root_state_ = root; }

void Regret::forget() {
  tree_.clear();
  turn_ = 0;
}

SearchReport Regret::run(const Limits& limits, Watch& watch) {
  sum_ = {};
  const double seconds = run_within(limits, watch, simulations_, [&] {
    simulate();
    return true;
  });
  SearchReport out = report();
  out.seconds = seconds;
  return out;
}

void Regret::simulate() {
  // Step 1. The players learn in turn. A single player's average is taken in simulations in which nobody learns.
  const int turns = std::max(game_.facts().players, 2);
  traverser_ = static_cast<int>(turn_++ % static_cast<std::uint64_t>(turns));
  choices_.clear();
  world(0, game_.initial());
  // The first simulations look at little each, so that a time limit of a slow game is noticed in time.
  const Values values = walk(0, 0, std::min(kDecisions, 8 * static_cast<double>(simulations_ + 1)));
  for (std::size_t p = 0; p < values.size(); ++p) sum_[p] += values[p];
}

// From a world to the end of the game: what every player gets, on average over the traverser's actions.
Values Regret::walk(std::size_t number, std::size_t depth, double decisions) {
  State& state = worlds_[number];
  for (int plies = 0; plies < kMaxPlies; ++plies) {
    // Step 2. Chance is sampled.
    const int mover = state.to_move();
    if (mover == TERMINAL) break;
    if (mover == CHANCE) {
      outcomes_.clear();
      state.chance(outcomes_);
      state.play(sample(outcomes_, rng_));
      continue;
    }

    // Step 3. The node of what the mover knows. Where the tree is full, the game is played out.
    const std::size_t first = choices_.size();
    const NodeId id = node_here(state, mover);
    if (id == kNoNode || depth == kDeepest || !push_choices(id)) return play_out(state);
    const std::size_t size = choices_.size() - first;

    // Step 4. The others play as they play now, and their average takes note of it: they come here as often as they
    // want to, which is how much a node ought to count in an average.
    if (mover != traverser_ || size == 1) {
      average(id, first);
      const Action action = choices_[pick(first)].action;
      choices_.resize(first);
      state.play(action);
      continue;
    }

    // Step 5. The traverser tries every action, while there are not too many.
    const Values out = decisions >= static_cast<double>(size) ? try_all(id, first, number, depth, decisions)
                                                              : try_one(id, first, number, depth);
    choices_.resize(first);
    return out;
  }
  Values out{};
  state.returns(out);
  return out;
}

// Every action in a copy of this world; the regret of an action is how much better it was than what is played now.
Values Regret::try_all(NodeId id, std::size_t first, std::size_t number, std::size_t depth, double decisions) {
  const std::size_t size = choices_.size() - first;
  Values out{};
  for (std::size_t i = first; i < first + size; ++i) {
    world(number + 1, worlds_[number]).play(choices_[i].action);
    const Values values = walk(number + 1, depth + 1, decisions / static_cast<double>(size));
    choices_[i].value = values[static_cast<std::size_t>(traverser_)];
    for (std::size_t p = 0; p < out.size(); ++p) out[p] += choices_[i].played * values[p];
  }
  learn(id, first, out[static_cast<std::size_t>(traverser_)]);
  return out;
}

// One action with probability q(a), valued at v / q(a), the others at 0: right on average (outcome sampling).
Values Regret::try_one(NodeId id, std::size_t first, std::size_t number, std::size_t depth) {
  const std::size_t size = choices_.size() - first;
  const bool explore = rng_.uniform() < kExplore;
  const std::size_t tried = explore ? first + rng_.below(static_cast<std::uint32_t>(size)) : pick(first);
  const double played = choices_[tried].played;
  const double chance = kExplore / static_cast<double>(size) + (1 - kExplore) * played;
  worlds_[number].play(choices_[tried].action);
  Values out = walk(number, depth + 1, 0);
  for (std::size_t i = first; i < first + size; ++i) choices_[i].value = 0;
  choices_[tried].value = out[static_cast<std::size_t>(traverser_)] / chance;
  for (double& value : out) value *= played / chance;
  learn(id, first, out[static_cast<std::size_t>(traverser_)]);
  return out;
}

Values Regret::play_out(State& state) {
  if (options_.policy && state.table().rollout != nullptr) state.rollout(rng_);
  else state.play_out(rng_);
  Values out{};
  state.returns(out);
  return out;
}

NodeId Regret::node_here(const State& state, int mover) {
  const std::uint64_t key = knowledge_(state, mover);
  list_.clear();
  state.legal_actions(list_);
  const NodeId id = tree_.find(key);
  return id != kNoNode ? id : tree_.add_node(mover, list_.size(), key);
}

// The actions that are legal in this world, with how they are played now; they are the same in all worlds of a node
// where the game's view tells everything that the mover knows. False if there are none.
bool Regret::push_choices(NodeId id) {
  Node& node = tree_.node(id);
  if (node.size == kOwn && tree_.add_edge(node, 0, 0) == nullptr) return false;
  const std::size_t first = choices_.size();
  double sum = 0;
  for (int i = 0; i < list_.size(); ++i) {
    const Action action = list_[static_cast<std::size_t>(i)];
    const Edge* edges = tree_.edges(node);
    const auto size = static_cast<int>(node.size);
    // Where they are the same, they are in the same order.
    int at = i + 1 < size && edges[i + 1].action == action ? i + 1 : kOwn + 1;
    while (at < size && edges[at].action != action) ++at;
    if (at == size && tree_.add_edge(node, action, 0) == nullptr) continue;
    const double regret = std::max(tree_.edges(node)[at].total, 0.0);
    choices_.push_back({.action = action, .edge = static_cast<std::uint32_t>(at), .played = regret, .value = 0});
    sum += regret;
  }
  const std::size_t size = choices_.size() - first;
  for (std::size_t i = first; i < first + size; ++i)
    choices_[i].played = sum > 0 ? choices_[i].played / sum : 1 / static_cast<double>(size);
  return size > 0;
}

std::size_t Regret::pick(std::size_t first) {
  double left = rng_.uniform();
  std::size_t last = first;
  for (std::size_t i = first; i < choices_.size(); ++i) {
    if (choices_[i].played <= 0) continue;
    last = i;
    if ((left -= choices_[i].played) < 0) break;
  }
  return last; // rounding may leave a crumb
}

void Regret::learn(NodeId id, std::size_t first, double value) {
  Edge* edges = tree_.edges(tree_.node(id));
  for (std::size_t i = first; i < choices_.size(); ++i) {
    Edge& edge = edges[choices_[i].edge];
    edge.total += ++edge.visits * (choices_[i].value - value);
  }
  edges[kOwn].total += ++edges[kOwn].visits * value;
}

// A mean with the weights 1, 2, 3 …, kept as a mean: a sum would outgrow its digits.
void Regret::average(NodeId id, std::size_t first) {
  Node& node = tree_.node(id);
  Edge* edges = tree_.edges(node);
  const double step = 2 / (static_cast<double>(++node.visits) + 1);
  for (std::size_t i = first; i < choices_.size(); ++i) {
    float& mean = edges[choices_[i].edge].prior;
    mean = static_cast<float>(mean + step * (choices_[i].played - mean));
  }
}

State& Regret::world(std::size_t number, const State& like) {
  if (number < worlds_.size()) worlds_[number] = like;
  else worlds_.push_back(like);
  return worlds_[number];
}

SearchReport Regret::report() const {
  SearchReport out;
  const auto mover = static_cast<std::size_t>(root_state_.to_move());
  ActionList legal;
  root_state_.legal_actions(legal);
  const NodeId id = tree_.find(knowledge_(root_state_, root_state_.to_move()));
  double all = 0;
  for (const Action action : legal) {
    ActionReport one{.action = action, .prior = 1.0 / legal.size()};
    if (id != kNoNode) {
      const Node& node = tree_.node(id);
      const Edge* edges = tree_.edges(node);
      for (int i = kOwn + 1; i < static_cast<int>(node.size); ++i) {
        if (edges[i].action != action) continue;
        one.visits = edges[i].visits;
        // A node that its own mover avoids has no average yet, but what it would play now.
        one.share = node.visits > 0 ? edges[i].prior : std::max(edges[i].total, 0.0);
        const double weights = 0.5 * static_cast<double>(one.visits) * (static_cast<double>(one.visits) + 1);
        if (one.visits > 0) one.value = (edges[kOwn].total + edges[i].total) / weights;
      }
    }
    all += one.share;
    out.actions.push_back(one);
  }
  double value = 0;
  const ActionReport* best = nullptr;
  for (ActionReport& one : out.actions) {
    one.share = all > 0 ? one.share / all : 1.0 / legal.size();
    value += one.share * one.value;
    if (best == nullptr || one.share > best->share) best = &one;
  }
  if (best != nullptr) {
    out.action = best->action;
    out.pv = {best->action};
  }
  // The others' values are those of all simulations; in a game of two and zero sum the mover's tells the other's.
  for (std::size_t p = 0; p < static_cast<std::size_t>(game_.facts().players); ++p)
    if (simulations_ > 0) out.values[p] = sum_[p] / static_cast<double>(simulations_);
  out.values[mover] = value;
  if (game_.facts().players == 2 && game_.facts().sum == Sum::zero) out.values[1 - mover] = -value;
  out.simulations = simulations_;
  out.nodes = tree_.node_count();
  out.bytes = tree_.bytes_used();
  return out;
}

} // namespace sevenfold
