// Chance in alpha-beta: exact expectations (with Star1's bounds), or Monte-Carlo alpha-beta.
#include <algorithm>

#include "core/rng.h"
#include "game/playout.h"
#include "search/alphabeta.h"

namespace sevenfold {

// Leaves in frame.outcomes what stands for the chance node, with weights; whether that is all of it.
bool AlphaBeta::chance_cases(Frame& here, int& depth) {
  OutcomeList& cases = *here.outcomes;
  cases.clear();
  here.state.chance(cases);
  if (cases.size() < 2) return true;
  const auto only = [&](Action action) {
    cases.clear();
    cases.push({action, 1.0});
    return false;
  };
  const Action typical = options_.expectation || options_.guess ? here.state.typical() : kNoAction;
  if (options_.guess) { // 15 guess
    const int owner = here.state.chance_for();
    if (owner >= 0 && owner != root_mover_) {
      ++counts_[kGuessed];
      const auto likelier = [](const Outcome& a, const Outcome& b) { return a.probability < b.probability; };
      return only(typical != kNoAction ? typical : std::max_element(cases.begin(), cases.end(), likelier)->action);
    }
  }
  if (options_.expectation && typical != kNoAction) { // 14 expectation
    ++counts_[kExpected];
    return only(typical);
  }
  if (!options_.sampling) return true;

  // 13 sampling: the same samples whenever the search comes back to this position.
  ++counts_[kSampled];
  depth -= options_.sampling_depth;
  if (cases.size() <= options_.samples) return true;
  Rng rng(coin(here.state.canonical(), kSampled));
  auto& hits = here.ranks;
  hits.assign(static_cast<std::size_t>(cases.size()), 0);
  for (int i = 0; i < options_.samples; ++i) {
    double left = rng.uniform();
    std::size_t place = 0;
    while (place + 1 < hits.size() && (left -= cases[place].probability) >= 0) ++place;
    ++hits[place];
  }
  cases.clear(); // and filled again in place: it is read ahead of where it is written
  for (std::size_t i = 0; i < hits.size(); ++i)
    if (hits[i] > 0) cases.push({cases[i].action, static_cast<double>(hits[i]) / options_.samples});
  return false;
}

// The expectation for side 0. 8 star (Ballard 1983): with the outcomes so far, and the others between the worst and
// the best there is, the window of an outcome is what can still matter.
double AlphaBeta::chance(int ply, int depth, double alpha, double beta, Proof& proof) {
  Frame& here = *frames_[static_cast<std::size_t>(ply)];
  const std::uint64_t key = options_.table ? base_key(here.state) : 0;
  if (options_.table)
    if (const auto* entry = table_.find(key); entry != nullptr && entry->settles(depth, alpha, beta)) {
      ++counts_[kTable];
      proof = entry->proof;
      return entry->value;
    }
  const int full = depth;
  const bool whole = chance_cases(here, depth);
  const OutcomeList& cases = *here.outcomes;
  double sum = 0, left = 1; // of the values so far; the weight of the outcomes to come
  double total = 0;
  for (const auto& one : cases) total += one.probability;
  proof = {whole, whole};
  for (std::size_t i = 0; i < static_cast<std::size_t>(cases.size()); ++i) {
    const double weight = cases[i].probability / total;
    left = i + 1 == static_cast<std::size_t>(cases.size()) ? 0 : left - weight;
    double low = -std::numeric_limits<double>::infinity(), high = -low;
    if (options_.star) {
      low = (alpha - sum - left * half_) / weight;
      high = (beta - sum + left * half_) / weight;
    }
    enter(ply, cases[i].action, CHANCE);
    Proof how;
    const double value = visit(ply + 1, 0, depth, low, high, how);
    if (stopped_) return 0;
    proof = {proof.low && how.low, proof.high && how.high};
    sum += weight * value;
    if (left > 0 && options_.star && (value <= low || value >= high)) {
      ++counts_[kStar];
      const bool over = value >= high;
      const double bound = sum + (over ? -left : left) * half_; // what it is at least, or at most
      proof = {over && proof.low, !over && proof.high};
      if (options_.table)
        table_.store({.key = key,
                      .value = bound,
                      .depth = static_cast<std::uint8_t>(std::min(full, 255)),
                      .bound = over ? Bound::lower : Bound::upper,
                      .proof = proof});
      return bound;
    }
  }
  const Bound bound = sum >= beta ? Bound::lower : sum <= alpha ? Bound::upper : Bound::exact;
  if (options_.table)
    table_.store({.key = key,
                  .value = sum,
                  .depth = static_cast<std::uint8_t>(std::min(full, 255)),
                  .bound = options_.star ? bound : Bound::exact,
                  .proof = proof});
  return sum;
}

} // namespace sevenfold
