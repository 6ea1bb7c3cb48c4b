// The worlds of a belief search, weighed by what the others have done.
//
// Of worlds that fit, one is as likely as the deals before it make it, which `redeal` sees to, times the probability
// that the others would have acted in it as they did:
//
//   w = product over their actions a so far of  (1 - doubt) * policy(a | what the actor saw in this world) + doubt / n
//
// with n legal actions there. A few worlds may then weigh as much as all others; their effective number
// (sum w)^2 / sum w^2 says so. Where it is below `least_share` of the worlds, all weights are raised to the largest
// power below 1 that lifts it there: a policy that is only a guess must not rule out what it finds unlikely.
#include <algorithm>
#include <cmath>

#include "search/belief.h"

namespace sevenfold {

void BeliefSearch::draw_worlds() {
  const auto count = static_cast<std::size_t>(options_.worlds);
  if (worlds_.size() != count) worlds_.assign(count, root_state_);
  for (State& world : worlds_) {
    world = root_state_;
    world.redeal(me_, rng_);
  }
  log_weights_.assign(count, 0);
  finished_.assign(count, 0);
  next_world_ = 0;
  worlds_left_ = count;
}

bool BeliefSearch::begin_weighing(Flight& flight) {
  if (next_world_ >= worlds_.size()) return false;
  flight.world = next_world_++;
  flight.at = 0;
  flight.state = worlds_[flight.world];
  ActionList past;
  flight.state.rewind(past);
  flight.past.assign(past.begin(), past.end());
  flight.stage = Stage::weighing;
  return true;
}

// Follows the world's past to the next action that another player chose; true: it waits for the evaluator there.
bool BeliefSearch::weigh(Flight& flight) {
  State& state = flight.state;
  for (; flight.at < flight.past.size(); ++flight.at) {
    const int mover = state.to_move();
    if (mover >= 0 && mover != me_) {
      list_.clear();
      state.legal_actions(list_);
      if (list_.size() > 1) {
        if (options_.weigh == BeliefOptions::Weigh::evaluator) return true;
        log_weights_[flight.world] += likelihood(state, flight.past[flight.at]);
      }
    }
    state.play(flight.past[flight.at]);
  }
  flight.stage = Stage::idle;
  finished_[flight.world] = 1;
  if (--worlds_left_ == 0) settle_weights();
  return false;
}

void BeliefSearch::weighed_enough() {
  if (weighed_ || worlds_left_ == 0 || worlds_left_ == worlds_.size()) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < worlds_.size(); ++i) {
    if (finished_[i] == 0) continue;
    worlds_[kept] = worlds_[i];
    log_weights_[kept++] = log_weights_[i];
  }
  worlds_.resize(kept, root_state_);
  log_weights_.resize(kept);
  for (Flight& flight : flights_) flight.stage = Stage::idle;
  waiting_.clear();
  next_world_ = kept;
  worlds_left_ = 0;
  settle_weights();
}

// The logarithm of how likely the game's policy takes an action; list_ has what is legal.
double BeliefSearch::likelihood(const State& state, Action action) {
  weights_here_.clear();
  state.odds(weights_here_);
  double total = 0, mine = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(list_.size()); ++i) {
    total += weights_here_[i];
    if (list_[i] == action) mine = weights_here_[i];
  }
  return doubted(total > 0 ? mine / total : 0);
}

double BeliefSearch::doubted(double share) const {
  return std::log((1 - options_.doubt) * share + std::max(options_.doubt, 1e-9) / list_.size());
}

void BeliefSearch::settle_weights() {
  const std::size_t count = log_weights_.size();
  const double most = *std::max_element(log_weights_.begin(), log_weights_.end());
  weights_.resize(count);
  const auto effective = [&](double power) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < count; ++i) {
      weights_[i] = std::exp(power * (log_weights_[i] - most));
      sum += weights_[i];
      squares += weights_[i] * weights_[i];
    }
    return sum * sum / squares;
  };
  const double least = options_.least_share * static_cast<double>(count);
  flattened_ = 1;
  effective_ = effective(1);
  if (effective_ < least) {
    double low = 0, high = 1;
    for (int i = 0; i < 30; ++i) {
      const double middle = (low + high) / 2;
      (effective(middle) < least ? high : low) = middle;
    }
    flattened_ = low;
    effective_ = effective(low);
  }
  double sum = 0;
  for (const double weight : weights_) sum += weight;
  cumulative_.resize(count);
  double so_far = 0;
  for (std::size_t i = 0; i < count; ++i) cumulative_[i] = so_far += weights_[i] /= sum;
  weighed_ = true;
}

// The world in which a share of the weight, counted from the first world, ends.
std::size_t BeliefSearch::world_at(double share) const {
  const auto found = std::upper_bound(cumulative_.begin(), cumulative_.end(), share * cumulative_.back());
  const auto last = static_cast<std::ptrdiff_t>(worlds_.size()) - 1;
  return static_cast<std::size_t>(std::min(found - cumulative_.begin(), last));
}

void BeliefSearch::weigh_now() {
  if (stirs()) return stir_worlds();
  draw_worlds();
  while (begin_weighing(flights_[0])) weigh(flights_[0]);
}

} // namespace sevenfold
