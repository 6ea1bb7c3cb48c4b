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

bool Mcts::wins_at_once(const State& state, int player, Action action) {
  reply_ = state;
  reply_.play(action);
  if (!reply_.is_over()) return false;
  Values values{};
  reply_.returns(values);
  return values[static_cast<std::size_t>(player)] >= game_.facts().max_return;
}

void Mcts::narrow(const State& state, ActionList& list) {
  const int mover = state.to_move();
  if (options_.decisive && options_.forced && state.table().narrow != nullptr) {
    state.narrow(list);
    return;
  }
  if (options_.decisive) {
    for (const Action action : list) {
      if (!wins_at_once(state, mover, action)) continue;
      list.clear();
      list.push(action);
      return;
    }
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
      for (const Action reply : replies)
        if (!loses) loses = wins_at_once(probe_, next, reply);
    }
    if (!loses) safe.push(action);
  }
  if (safe.empty()) return;
  list.clear();
  for (const Action action : safe) list.push(action);
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
  const bool guess = options_.leaf == MctsOptions::Leaf::heuristic;
  Values guessed{};
  if (guess) state_.heuristic(guessed);
  if (guess && options_.mix <= 0) {
    out = guessed;
    return;
  }
  if (policy_) state_.rollout(rng_);
  else state_.play_out(rng_);
  state_.returns(out);
  if (guess)
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = options_.mix * out[p] + (1 - options_.mix) * guessed[p];
}

} // namespace sevenfold
