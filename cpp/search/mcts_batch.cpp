// The search driven by an evaluator outside: collect() and resume().
#include <algorithm>

#include "search/mcts.h"

namespace sevenfold {
namespace {

constexpr int kFruitless = 1000; // so many walks in a row to known ends of the game: nothing new is left

} // namespace

std::size_t Mcts::collect(std::size_t most) {
  while (waiting_.size() < most) waiting_.push_back({root_state_, {}, 0, kNoNode});
  if (guided_) return collect_guided(most);
  const auto wait = [&](double lost) {
    Waiting& one = waiting_[waiting_count_++];
    one.state = state_;
    one.path.assign(path_.begin(), path_.end());
    one.lost = lost;
  };
  if (root_ == kNoNode) {
    if (waiting_count_ == 0 && most > 0) {
      state_ = root_state_;
      path_.clear();
      wait(0);
    }
    return waiting_count_;
  }
  // A walk that meets a waiting position finds nothing new; after a few of them in a row the tree is too narrow.
  for (int blocked = 0, valued = 0; waiting_count_ < most && blocked < 8 && valued < kFruitless &&
                                    searched_ + waiting_count_ < planned_ && !done();) {
    // Sequential halving judges what has come back: a phase ends with nobody waiting.
    if (waiting_count_ > 0 && gumbel_phase_over()) break;
    Values values{};
    std::uint16_t exact = 0;
    const Walk ended = walk(values, exact);
    if (ended == Walk::valued) {
      back_up(values, exact);
      ++simulations_;
      ++searched_;
      ++valued;
      continue;
    }
    for (const Step& step : path_) tree_.node(step.node).block &= static_cast<std::uint8_t>(~Node::kOnPath);
    if (ended == Walk::blocked) {
      ++blocked;
      if (waiting_count_ == 0) break;
      continue;
    }
    blocked = valued = 0;
    // As lost as can be; in returns without bounds, the least found: more would drown what is known.
    const double lost = spread_ ? std::min(least_, most_) : -1;
    lose_for_now(1, lost);
    wait(lost);
  }
  return waiting_count_;
}

std::vector<Action> Mcts::way_to(std::size_t i) const {
  std::vector<Action> out;
  for (const Step& step : waiting_[i].path) out.push_back(tree_.edges(tree_.node(step.node))[step.edge].action);
  return out;
}

double Mcts::first_sight() const {
  if (root_ == kNoNode) return 0;
  const Node& node = tree_.node(root_);
  if (node.exact != 0) return scaled(exact_.of(node.exact)[static_cast<std::size_t>(node.mover)]);
  return guesses_ != nullptr ? guesses_[root_] : root_guess_;
}

// Adds (by = 1) or takes back (by = -1) a loss on the way to the position that waits.
void Mcts::lose_for_now(int by, double lost) {
  for (const Step& step : path_) {
    Node& node = tree_.node(step.node);
    Edge& edge = tree_.edges(node)[step.edge];
    node.visits += static_cast<std::uint32_t>(by);
    edge.visits += static_cast<std::uint32_t>(by);
    if (node.mover >= 0) edge.total += by * lost;
  }
  if (path_.empty()) return;
  const Step& last = path_.back();
  tree_.edges(tree_.node(last.node))[last.edge].child = by > 0 ? kWaiting : kNoNode;
}

// AlphaGo's mixture of what the evaluator says and how rollouts end.
void Mcts::mix_rollout(Values& values) {
  Values ended{}; // on average
  for (int i = 0; i < options_.rollout_count; ++i) {
    probe_ = state_;
    if (policy_) probe_.rollout(rng_);
    else probe_.play_out(rng_);
    Values one{};
    probe_.returns(one);
    for (std::size_t p = 0; p < ended.size(); ++p) ended[p] += one[p] / options_.rollout_count;
  }
  for (std::size_t p = 0; p < values.size(); ++p) values[p] = options_.mix * ended[p] + (1 - options_.mix) * values[p];
}

void Mcts::add_noise(double alpha, double share) {
  if (root_ != kNoNode) tree_.add_noise(tree_.node(root_), alpha, share, rng_);
}

void Mcts::resume(const double* values, const float* weights) {
  const auto players = static_cast<std::size_t>(game_.facts().players);
  const auto actions = static_cast<std::size_t>(game_.facts().actions);
  for (std::size_t i = 0; i < waiting_count_; ++i, values += players, weights += actions) {
    Values found{};
    if (to_come_) waiting_[i].state.returns(found); // what has been got so far
    for (std::size_t p = 0; p < players; ++p) found[p] += values[p];
    if (guided_) {
      guide(waiting_[i], found, weights);
      continue;
    }
    path_.assign(waiting_[i].path.begin(), waiting_[i].path.end());
    state_ = waiting_[i].state;
    lose_for_now(-1, waiting_[i].lost);
    // The same position may have waited twice, reached by different ways.
    const std::uint64_t key = key_of(state_);
    NodeId id = key != 0 ? tree_.find(key) : kNoNode;
    if (id == kNoNode) id = expand(key, weights);
    if (const int mover = state_.to_move(); id != kNoNode && mover >= 0)
      guesses_[id] = static_cast<float>(scaled(found[static_cast<std::size_t>(mover)]));
    if (path_.empty()) {
      root_ = id;
      claim_win();
      ++simulations_;
      continue;
    }
    tree_.edges(tree_.node(path_.back().node))[path_.back().edge].child = id;
    if (options_.mix > 0) mix_rollout(found);
    back_up(found, 0);
    ++simulations_;
    ++searched_;
  }
  waiting_count_ = 0;
}

} // namespace sevenfold
