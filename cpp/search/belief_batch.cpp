// Belief search driven by an evaluator outside: collect() and resume().
#include <algorithm>
#include <cmath>

#include "search/belief.h"

namespace sevenfold {
namespace {

constexpr int kFruitless = 1000; // so many simulations in a row that end without the evaluator: time to look up

} // namespace

std::size_t BeliefSearch::collect(std::size_t most) {
  if (!waiting_.empty() || most == 0) return waiting_.size();
  while (flights_.size() < most) {
    flights_.push_back({root_state_});
    flights_.back().path.reserve(64);
  }
  if (root_ == kNoNode) {
    flights_[0].state = root_state_;
    flights_[0].stage = Stage::root;
    waiting_.push_back(0);
    return 1;
  }
  if (!weighed_ && stirs()) stir_worlds();
  if (!weighed_) {
    if (worlds_left_ == 0) draw_worlds();
    for (std::size_t i = 0; i < flights_.size() && !weighed_; ++i) {
      Flight& flight = flights_[i];
      while (flight.stage == Stage::weighing || (i < most && begin_weighing(flight)))
        if (weigh(flight)) {
          waiting_.push_back(i);
          break;
        }
    }
    if (!weighed_) return waiting_.size();
  }
  for (std::size_t i = 0; i < flights_.size(); ++i) {
    Flight& flight = flights_[i];
    for (int landed = 0; landed < kFruitless; ++landed) {
      if (flight.stage == Stage::idle) {
        if (i >= most || started_ >= planned_) break;
        take_off(flight);
      }
      if (walk(flight)) {
        waiting_.push_back(i);
        break;
      }
    }
  }
  return waiting_.size();
}

// An action by an evaluator's weights, among list_.
Action BeliefSearch::drawn(const float* weights, Rng& rng) {
  double total = 0, most = 0;
  for (const Action action : list_) most = std::max(most, static_cast<double>(weights[action]));
  weights_here_.clear();
  for (const Action action : list_) {
    double share = most > 0 ? static_cast<double>(weights[action]) / most : 1;
    if (options_.sharp != 1) share = std::pow(share, options_.sharp);
    weights_here_.push(share);
    total += share;
  }
  double left = rng.uniform() * total;
  std::size_t i = 0;
  while (i + 1 < static_cast<std::size_t>(list_.size()) && (left -= weights_here_[i]) >= 0) ++i;
  return list_[i];
}

void BeliefSearch::resume(const double* values, const float* weights) {
  const auto players = static_cast<std::size_t>(game_.facts().players);
  const auto actions = static_cast<std::size_t>(game_.facts().actions);
  for (const std::size_t i : waiting_) {
    Flight& flight = flights_[i];
    State& state = flight.state;
    list_.clear();
    state.legal_actions(list_);
    switch (flight.stage) {
      case Stage::root:
        root_ = expand(me_, root_key_, state, weights);
        flight.stage = Stage::idle;
        break;
      case Stage::opponent:
        state.play(drawn(weights, flight.rng));
        flight.stage = Stage::walking;
        break;
      case Stage::weighing: {
        double total = 0;
        for (const Action action : list_) total += static_cast<double>(weights[action]);
        const Action played = flight.past[flight.at];
        log_weights_[flight.world] += doubted(total > 0 ? static_cast<double>(weights[played]) / total : 0);
        state.play(played);
        ++flight.at;
        break;
      }
      default: { // a leaf; another simulation may have been here first
        const int mover = state.to_move();
        const std::uint64_t key = flight.keys[static_cast<std::size_t>(mover)];
        if (const NodeId id = tree_.find(key); id == kNoNode) expand(mover, key, state, weights);
        else if (options_.expand_at > 0 && fits(tree_.node(id))) steer(tree_.node(id), weights);
        if (options_.leaf == BeliefOptions::Leaf::follow) {
          flight.follows = true;
          state.play(drawn(weights, flight.rng));
          flight.stage = Stage::walking;
          break;
        }
        Values found{};
        std::copy(values, values + players, found.begin());
        if (options_.mix > 0) {
          Values ended{};
          play_on(state, flight.rng, ended);
          for (std::size_t p = 0; p < players; ++p) found[p] += options_.mix * (ended[p] - found[p]);
        }
        land(flight, found);
      }
    }
    values += players;
    weights += actions;
  }
  waiting_.clear();
}

void BeliefSearch::add_noise(double alpha, double share) {
  if (root_ != kNoNode) tree_.add_noise(tree_.node(root_), alpha, share, rng_);
}

} // namespace sevenfold
