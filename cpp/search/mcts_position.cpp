// What an Mcts asks of a position: its candidates, and its value before it has been searched.
#include "search/mcts.h"

namespace sevenfold {

// Weights: what an evaluator thinks of every action of the game; here they become priors of the candidates.
NodeId Mcts::expand(std::uint64_t key, const float* weights) {
  const int mover = state_.to_move();
  if (mover == CHANCE) {
    outcomes_.clear();
    state_.chance(outcomes_);
    return tree_.add_node(mover, outcomes_.size(), key);
  }
  list_.clear();
  if (mover >= 0) candidates(state_, list_);
  const NodeId id = tree_.add_node(mover, list_.size(), key);
  if (id == kNoNode || !eager_) return id;
  Node& node = tree_.node(id);
  if (!tree_.reserve(node, list_.size())) {
    tree_.remove(id);
    return kNoNode;
  }
  const auto first = static_cast<std::uint32_t>(mix(id));
  const auto n = static_cast<std::uint32_t>(list_.size());
  float sum = 0;
  if (weights != nullptr)
    for (const Action action : list_) sum += weights[action];
  for (std::uint32_t i = 0; i < n; ++i) {
    const Action action = list_[(first + i) % n];
    float prior = 1.0f / static_cast<float>(n);
    if (sum > 0) prior = weights[action] / sum;
    if (options_.bias) {
      probe_ = state_;
      probe_.play(action);
      Values guess{};
      if (probe_.is_over()) probe_.returns(guess);
      else probe_.heuristic(guess);
      prior = static_cast<float>(scaled(guess[static_cast<std::size_t>(mover)]));
    }
    if (tree_.add_edge(node, action, prior) == nullptr) {
      tree_.remove(id);
      return kNoNode;
    }
  }
  return id;
}

void Mcts::candidates(const State& state, ActionList& out) {
  state.legal_actions(out);
  if (narrows_) narrow(state, out);
}

bool Mcts::wins_at_once(const State& state, int player, Action action, Values& values) {
  reply_ = state;
  reply_.play(action);
  if (!reply_.is_over()) return false;
  reply_.returns(values);
  return values[static_cast<std::size_t>(player)] >= game_.facts().max_return;
}

void Mcts::narrow(const State& state, ActionList& list) {
  const int mover = state.to_move();
  if (options_.decisive && options_.forced && state.table().narrow != nullptr) {
    state.narrow(list);
    return;
  }
  const auto keep = [&](const ActionList& kept) {
    list.clear();
    for (const Action action : kept) list.push(action);
  };
  Values values{};
  if (options_.decisive) {
    ActionList wins; // one is enough, unless the others care by which of them they lose
    for (const Action action : list)
      if ((wins.empty() || !one_win_is_all_) && wins_at_once(state, mover, action, values)) wins.push(action);
    if (!wins.empty()) return keep(wins);
  }
  if (!options_.forced) return;
  ActionList safe, replies;
  for (const Action action : list) {
    probe_ = state;
    probe_.play(action);
    const int next = probe_.to_move();
    bool loses = false;
    if (next >= 0 && next != mover) {
      replies.clear();
      probe_.legal_actions(replies);
      // The next player's win is the mover's loss for certain in a game of two and zero sum; else by its returns.
      for (const Action reply : replies) {
        if (!wins_at_once(probe_, next, reply, values)) continue;
        loses = zero_sum_ || values[static_cast<std::size_t>(mover)] <= game_.facts().min_return;
        if (!loses || zero_sum_) break;
      }
    }
    if (!loses) safe.push(action);
  }
  if (!safe.empty()) keep(safe);
}

// Whether the game sees that the mover wins by force, and what that gives the two.
bool Mcts::sees_win(Action& action, Values& out) const {
  const int mover = state_.to_move();
  if (!sees_wins_ || mover < 0) return false;
  action = state_.forced_win();
  if (action == kNoAction) return false;
  out[static_cast<std::size_t>(mover)] = game_.facts().max_return;
  out[static_cast<std::size_t>(1 - mover)] = game_.facts().min_return;
  return true;
}

void Mcts::value_leaf(Values& out) {
  if (options_.leaf == MctsOptions::Leaf::heuristic) {
    state_.heuristic(out);
    if (options_.mix > 0) mix_rollout(out);
    return;
  }
  if (policy_) state_.rollout(rng_);
  else state_.play_out(rng_);
  state_.returns(out);
}

} // namespace sevenfold
