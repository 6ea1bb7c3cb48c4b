// The steps of alpha-beta between the table and the actions: what is looked at, in which order, and what is pruned.
#include <algorithm>
#include <cmath>

#include "core/hash.h"
#include "search/alphabeta.h"

namespace sevenfold {

namespace {

bool has(const ActionList& list, Action action) { return std::find(list.begin(), list.end(), action) != list.end(); }

// Moves an action to the front, if it is there.
void to_front(Action* begin, Action* end, Action action) {
  Action* place = std::find(begin, end, action);
  if (place != end) std::rotate(begin, place, place + 1);
}

constexpr std::uint32_t kMostHistory = 1u << 24;
constexpr int kSalts = 17; // not kCounts: a new step leaves the coins of the others as they are

} // namespace

// 9 independent: after an action of the same mover, the independent ones that could have come before it have been
// looked at there. Among independent actions the order is that of their numbers.
void AlphaBeta::list_actions(int ply) {
  Frame& here = *frames_[static_cast<std::size_t>(ply)];
  here.actions.clear();
  here.state.legal_actions(here.actions);
  here.count = static_cast<std::size_t>(here.actions.size());
  if (!independents_ || !here.extends) return;
  const Frame& above = *frames_[static_cast<std::size_t>(ply) - 1];
  const Action last = here.previous;
  const bool last_free = above.state.independent(last);
  const auto needless = [&](Action action) {
    if (!above.state.independent(action) || !has(above.actions, action)) return false;
    if (last_free && action > last) return false; // that order is the one that is looked at
    return !commutes_ || above.state.commutes(action, last);
  };
  const auto end =
      std::stable_partition(here.actions.begin(), here.actions.end(), [&](Action action) { return !needless(action); });
  const auto kept = static_cast<std::size_t>(end - here.actions.begin());
  if (kept == 0) return; // it has nothing else to do
  counts_[kIndependent] += here.count - kept;
  here.count = kept;
}

// The best action of the table or the last iteration, independent ones, then by the game's own ordering, in which
// killers and actions of much history move up; without such an ordering, killers and then by history.
void AlphaBeta::order_actions(int ply, Action first, int depth) {
  Frame& here = *frames_[static_cast<std::size_t>(ply)];
  if (here.count < 2) return;
  if (orders_) { // 3 order; it may not touch what is left out
    ++counts_[kOrder];
    if (here.count == static_cast<std::size_t>(here.actions.size())) {
      here.state.order(here.previous, here.actions);
    } else {
      ActionList kept;
      for (std::size_t i = 0; i < here.count; ++i) kept.push(here.actions[i]);
      here.state.order(here.previous, kept);
      std::copy(kept.begin(), kept.end(), here.actions.begin());
    }
  }
  const bool learns = !orders_ || options_.boost > 0;
  const bool by_history = options_.history && learns && depth > 1; // at the horizon sorting costs more than it saves
  if (!by_history && !independents_) {
    Action *begin = here.actions.begin(), *end = begin + here.count;
    if (options_.killers && learns) to_front(begin, end, here.killers[1]), to_front(begin, end, here.killers[0]);
    if (first != kNoAction) to_front(begin, end, first);
    return;
  }
  const std::uint32_t* history = &history_[side_of(here.mover) == 0 ? 0 : history_.size() / 2];
  std::uint32_t most = 1; // history of any of these actions
  if (by_history)
    for (std::size_t i = 0; i < here.count; ++i) most = std::max(most, history[here.actions[i]]);
  const auto rank = [&](Action action, std::size_t place) -> std::uint32_t {
    if (action == first) return ~0u;
    if (independents_ && here.state.independent(action)) return ~0u - 1;
    const bool killer = options_.killers && (action == here.killers[0] || action == here.killers[1]);
    const double learnt = killer + (by_history ? static_cast<double>(history[action]) / most : 0);
    const double expert = orders_ ? 1 - static_cast<double>(place) / static_cast<double>(here.count) : 0;
    return static_cast<std::uint32_t>((orders_ ? expert + options_.boost * learnt : learnt) * (1 << 20));
  };
  // Insertion sort: lists are short, and mostly in order already.
  auto& ranks = here.ranks;
  ranks.clear();
  for (std::size_t i = 0; i < here.count; ++i) {
    const Action action = here.actions[i];
    const std::uint32_t mine = rank(action, i);
    std::size_t place = i;
    ranks.push_back(mine);
    for (; place > 0 && ranks[place - 1] < mine; --place) {
      ranks[place] = ranks[place - 1];
      here.actions[place] = here.actions[place - 1];
    }
    ranks[place] = mine;
    here.actions[place] = action;
  }
}

// 4 killers, 5 history: an action has refuted its position.
void AlphaBeta::remember(int ply, Action action, int depth) {
  Frame& here = *frames_[static_cast<std::size_t>(ply)];
  if (orders_ && options_.boost == 0) return; // they have no say
  if (options_.killers) {
    if (action == here.killers[0] || action == here.killers[1]) ++counts_[kKillers];
    if (action != here.killers[0]) here.killers = {action, here.killers[0]};
  }
  if (options_.history) {
    ++counts_[kHistory];
    const std::size_t side = side_of(here.mover) == 0 ? 0 : history_.size() / 2;
    std::uint32_t& count = history_[side + static_cast<std::size_t>(action)];
    count += static_cast<std::uint32_t>(depth * depth);
    if (count >= kMostHistory)
      for (auto& any : history_) any /= 2;
  }
}

// A number that depends on the position, the seed and what it is for, and on nothing else: a search that comes back to
// a position prunes it, or draws its samples, as before.
std::uint64_t AlphaBeta::coin(std::uint64_t key, int salt) const {
  return mix(mix(key, options_.seed), static_cast<std::uint64_t>(salt));
}

// 12 probability: whether a pruning that has its reason happens. `beyond` is how far behind its boundary V is.
bool AlphaBeta::happens(const State& state, int depth, Count step, double beyond, double margin) {
  if (!options_.probability) return true;
  const double share = margin > 0 ? std::min(1.0, beyond / margin) : 1.0;
  const double p = options_.least_probability + (1 - options_.least_probability) * share;
  const double drawn = static_cast<double>(coin(state.canonical(), depth * kSalts + step) >> 11) * 0x1.0p-53;
  if (drawn < p) return true;
  ++counts_[kSpared];
  return false;
}

// 10 razor and 11 self_loss. True if the position is done with, with `value`; else `depth` may be less than before.
bool AlphaBeta::prune(int ply, int& depth, double alpha, double beta, double& value) {
  const bool razors = options_.razor && depth >= options_.razor_from;
  if (!razors && !(options_.self_loss && depth > options_.self_loss_depth)) return false;
  Frame& here = *frames_[static_cast<std::size_t>(ply)];
  const double guess = evaluated(here.state, side_of(here.mover));
  const double reach = half_ * (options_.margin + options_.growth * (depth - 1)); // R of this depth
  const double caution = std::abs(guess) >= options_.ending * half_ ? options_.ending_factor : 1;
  const double margin = reach * caution;

  if (razors && guess + margin < alpha && happens(here.state, depth, kRazor, alpha - guess - margin, margin)) {
    ++counts_[kRazor];
    depth -= options_.razor_depth;
    if (depth > 0) return false;
    value = guess;
    return true;
  }
  if (options_.self_loss && gives_away(ply, depth, guess, reach / caution * options_.self_loss_share, beta)) {
    value = beta;
    return true;
  }
  return false;
}

// 11 self_loss: whether the position is still too good for the other side after a part of it is given away. The
// position given away may be given away from again.
bool AlphaBeta::gives_away(int ply, int depth, double value, double margin, double beta) {
  Frame& here = *frames_[static_cast<std::size_t>(ply)];
  const int shallow = depth - options_.self_loss_depth;
  if (shallow < 1 || here.handicaps >= options_.self_loss_repeats || !(value + margin > beta)) return false;
  if (!happens(here.state, depth, kSelfLoss, value + margin - beta, margin)) return false;
  Frame& next = frame(ply + 1);
  next.state = here.state;
  next.state.handicap();
  if (next.state.hash() == here.state.hash()) return false; // there was nothing to give away
  ++counts_[kSelfLossTried];
  next.mover = next.state.to_move();
  next.previous = here.previous;
  next.extends = next.on_line = false;
  next.handicaps = here.handicaps + 1;
  Proof how;
  const double weaker = visit(ply + 1, side_of(here.mover), shallow, beta - null_, beta, how);
  if (stopped_ || weaker < beta) return false;
  ++counts_[kSelfLoss];
  return true;
}

} // namespace sevenfold
