// Evaluation: the guess at a position where a search goes no deeper. One value per player, in the game's units.
//
//   middle = (max_return + min_return) / 2,  half = (max_return - min_return) / 2
//   heuristic   what the game's ability `heuristic` says, cut off at middle ± 0.999 half
//   linear      z_p = sum over k of w_k (t_pk - mean over the other players q of t_qk), t by the ability `terms`
//               V_p = middle + 0.999 half tanh(z_p)
//   zero        middle, for everyone
//
// The contract: a guess lies strictly inside the range of returns, so that only a position which is won or lost has
// the value of one, and V(won) = -V(lost) around the middle; for two players the linear evaluation is antisymmetric
// everywhere. A heuristic is as antisymmetric as the game writes it (`sevenfold think GAME --smoothness` measures it).
//
// It does not handle ends of games (`settled` does), and it looks at all of a position, hidden cards included: give it
// worlds that the player to move cannot tell from the real one.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/types.h"
#include "game/registry.h"
#include "game/state.h"

namespace sevenfold {

class Evaluation {
 public:
  enum class Kind { heuristic, linear, zero };

  static constexpr double kInside = 0.999; // of the range: how near to a win or a loss a guess may come

  // std::invalid_argument where the game lacks the ability, or the weights are not one finite number per term.
  Evaluation(const Game& game, Kind kind, std::vector<double> weights = {});

  Kind kind() const { return kind_; }
  const std::vector<double>& weights() const { return weights_; }

  bool fits(const Game& game) const; // whether it may be asked about this game's positions

  // The guess at a position in which the game is not over. std::invalid_argument where the game says nonsense.
  void operator()(const State& state, Values& out) const {
    switch (kind_) {
      case Kind::heuristic: return heuristic(state, out);
      case Kind::linear: return players_ == 2 ? linear_of_two(state, out) : linear(state, out);
      case Kind::zero: out.fill(middle_);
    }
  }

  // The same for any position: the returns where the game is over.
  void settled(const State& state, Values& out) const;

 private:
  void heuristic(const State& state, Values& out) const {
    out.fill(0);
    state.heuristic(out);
    for (std::size_t p = 0; p < players_; ++p) {
      if (!std::isfinite(out[p])) nonsense(state, "heuristic", static_cast<int>(p), out[p]);
      out[p] = middle_ + std::clamp(out[p] - middle_, -reach_, reach_);
    }
  }

  void linear_of_two(const State& state, Values& out) const {
    const double value = reach_ * squashed(weighed(state, 0) - weighed(state, 1));
    out[0] = middle_ + value;
    out[1] = middle_ - value;
  }

  void linear(const State& state, Values& out) const;

  // The weighted sum of a player's terms.
  double weighed(const State& state, int player) const {
    Terms terms;
    state.terms(player, terms);
    const auto count = std::min(weights_.size(), static_cast<std::size_t>(terms.size()));
    // Four sums side by side: additions that wait for each other cost a fifth of the time.
    double parts[4] = {0, 0, 0, 0};
    for (std::size_t k = 0; k < count; ++k) parts[k % 4] += weights_[k] * terms[k];
    const double sum = (parts[0] + parts[1]) + (parts[2] + parts[3]);
    if (!std::isfinite(sum)) nonsense(state, "terms", player, sum);
    return sum;
  }

  // tanh by one exp, and exactly odd.
  static double squashed(double z) { return std::copysign(1 - 2 / (std::exp(2 * std::abs(z)) + 1), z); }

  [[noreturn]] void nonsense(const State& state, const char* ability, int player, double value) const;

  Kind kind_;
  std::size_t players_;
  double middle_, reach_; // reach: how far from the middle a guess may be
  std::vector<double> weights_;
  std::string game_; // for messages
};

} // namespace sevenfold
