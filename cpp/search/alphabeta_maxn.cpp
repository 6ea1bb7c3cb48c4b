// max^n (Luckhardt and Irani 1986): everybody maximises its own value. Nothing can be cut but what comes after the most
// that a player can get, since a value says nothing about the values of the others.
#include "search/alphabeta.h"

namespace sevenfold {

// The values of a frame's position for everyone.
void AlphaBeta::max_n(int ply, int depth, Values& out, bool& proven) {
  Frame& here = *frames_[static_cast<std::size_t>(ply)];
  here.line.clear();
  proven = here.mover == TERMINAL;
  if (++nodes_ >= next_look_ && look()) return;
  if (here.mover == TERMINAL) {
    out = {};
    return here.state.returns(out);
  }
  if (depth <= 0 || ply >= kMaxPly) return evaluation_(here.state, out);
  if (here.mover == CHANCE) return max_n_mean(ply, depth, out, proven);

  list_actions(ply);
  order_actions(ply, kNoAction, depth);
  const auto mover = static_cast<std::size_t>(here.mover);
  const double most = game_.facts().max_return;
  bool all = here.count == static_cast<std::size_t>(here.actions.size()) || commutes_;
  for (std::size_t i = 0; i < here.count; ++i) {
    const Action action = here.actions[i];
    enter(ply, action, here.mover);
    Values values{};
    bool known = false;
    max_n(ply + 1, depth - 1, values, known);
    if (stopped_) return;
    all &= known;
    if (i > 0 && !(values[mover] > out[mover])) continue;
    out = values;
    proven = known;
    here.line.clear();
    here.line.push(action);
    for (const Action next : frames_[static_cast<std::size_t>(ply) + 1]->line)
      if (!here.line.full()) here.line.push(next);
    if (out[mover] >= most) {
      remember(ply, action, depth);
      return;
    }
  }
  proven &= all;
}

void AlphaBeta::max_n_mean(int ply, int depth, Values& out, bool& proven) {
  Frame& here = *frames_[static_cast<std::size_t>(ply)];
  proven = chance_cases(here, depth);
  double total = 0;
  for (const auto& one : *here.outcomes) total += one.probability;
  Values sum{};
  for (const auto& [action, probability] : *here.outcomes) {
    enter(ply, action, CHANCE);
    Values values{};
    bool known = false;
    max_n(ply + 1, depth, values, known);
    if (stopped_) return;
    proven &= known;
    for (std::size_t p = 0; p < values.size(); ++p) sum[p] += probability / total * values[p];
  }
  out = sum;
}

void AlphaBeta::max_n_root(Root& root, int depth) {
  const auto mover = static_cast<std::size_t>(root_mover_);
  for (RootAction& one : root.actions) {
    const std::uint64_t before = nodes_;
    enter(0, one.action, root_mover_);
    Values values{};
    bool known = false;
    max_n(1, depth - 1, values, known);
    if (stopped_) return;
    one.values = values;
    one.value = values[mover] - middle_;
    one.bound = Bound::exact;
    one.proof = {known, known};
    one.nodes = nodes_ - before;
    const Line& below = frames_[1]->line;
    one.line.assign(1, one.action);
    one.line.insert(one.line.end(), below.begin(), below.end());
  }
}

} // namespace sevenfold
