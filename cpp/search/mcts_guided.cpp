// Step `expand_at`: rollouts value new positions, as in uct, and the evaluator is asked about those that are visited
// often. Its weights become priors, by which the selection there is made wider or narrower,
//
//   Q + c * sqrt(ln N / n) * sqrt(d + (1 - d) k P)     with k actions and a little doubt d: UCB1, if all P are 1 / k
//
// and its value counts as much as rollouts do by AlphaGo's lambda (`mix`): a position asked about after m visits adds
// m (1 - lambda) / lambda visits. Walks go on meanwhile: nobody waits for the evaluator, and nothing is counted as
// lost.
#include <algorithm>
#include <chrono>

#include "search/mcts.h"

namespace sevenfold {
namespace {

constexpr int kLook = 16; // walks between two looks at the clock

} // namespace

std::size_t Mcts::collect_guided(std::size_t most) {
  waiting_most_ = most;
  if (root_ == kNoNode) return 0;
  state_ = root_state_;
  path_.clear();
  ask(root_);
  if (waiting_count_ > 0 && tree_.node(root_).visits == 0) return waiting_count_; // the first walks know its priors
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(options_.slice);
  for (int walks = 0; waiting_count_ < most && !done(); ++walks) {
    if (options_.slice > 0 && walks % kLook == kLook - 1 && Clock::now() >= end) break;
    simulate();
    ++simulations_;
    ++searched_;
  }
  return waiting_count_;
}

// The walk has come to a node, whose position state_ is: it is settled, or waits for the evaluator.
void Mcts::ask(NodeId id) {
  Node& node = tree_.node(id);
  if (node.asked() || node.exact != 0 || node.mover < 0 || waiting_count_ >= waiting_most_) return;
  node.block |= Node::kAsked;
  Values values{};
  if (settler_ != nullptr && id != root_ &&
      settler_->settle(state_, plies_ + path_.size(), options_.settle, rng_, values)) {
    node.exact = exact_.number_of(values);
    if (node.exact != 0) return;
  }
  Waiting& one = waiting_[waiting_count_++];
  one.state = state_;
  one.path.assign(path_.begin(), path_.end());
  one.node = id;
}

// Nobody answers any more: they may be asked about again.
void Mcts::forget_asked() {
  for (; waiting_count_ > 0; --waiting_count_)
    tree_.node(waiting_[waiting_count_ - 1].node).block &= static_cast<std::uint8_t>(~Node::kAsked);
}

void Mcts::guide(const Waiting& asked, const Values& values, const float* weights) {
  Node& node = tree_.node(asked.node);
  list_.clear();
  candidates(asked.state, list_);
  float sum = 0;
  for (const Action action : list_) sum += weights[action];
  // Those not tried yet in the order in which next_edge would: a net without an opinion changes nothing.
  const auto n = static_cast<std::uint32_t>(list_.size());
  const auto first = static_cast<std::uint32_t>(mix(asked.node)) % n;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Action action = list_[(first + i) % n];
    Edge* edge = tree_.edges(node);
    Edge* const end = edge + node.size;
    edge = std::find_if(edge, end, [&](const Edge& one) { return one.action == action; });
    if (edge == end && (edge = tree_.add_edge(node, action, 0)) == nullptr) return; // the tree is full
    edge->prior = sum > 0 ? weights[action] / sum : 1.0f / static_cast<float>(n);
  }
  node.block |= Node::kGuided;
  if (asked.path.empty()) root_guess_ = scaled(values[static_cast<std::size_t>(node.mover)]);
  const double visits = options_.mix > 0 ? options_.expand_at * (1 - options_.mix) / options_.mix : 0;
  const auto weight = static_cast<std::uint32_t>(std::min(visits + 0.5, 1e6));
  for (const Step& step : asked.path) {
    Node& above = tree_.node(step.node);
    Edge& edge = tree_.edges(above)[step.edge];
    above.visits += weight;
    edge.visits += weight;
    if (above.mover >= 0) edge.total += weight * scaled(values[static_cast<std::size_t>(above.mover)]);
  }
}

} // namespace sevenfold
