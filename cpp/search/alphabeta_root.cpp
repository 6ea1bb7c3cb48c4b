// The root of alpha-beta: worlds, iterative deepening, aspiration, and the report.
#include <algorithm>
#include <cmath>

#include "search/alphabeta.h"

namespace sevenfold {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

} // namespace

SearchReport AlphaBeta::run(const State& root, Action previous, const Limits& limits, Watch& watch) {
  start_ = now();
  limits_ = limits;
  watch_ = &watch;
  nodes_ = next_look_ = 0;
  stopped_ = false;
  must_answer_ = true;
  counts_ = {};
  depth_ = 0;
  root_previous_ = previous;
  prepare(root);
  if (plans_) deepen_plans();
  else deepen();
  SearchReport out = report();
  out.seconds = now() - start_;
  return out;
}

// One world where nothing is hidden, else worlds that the mover cannot tell from the real one.
void AlphaBeta::prepare(const State& root) {
  root_mover_ = root.to_move();
  reference_ = paranoid_ ? root_mover_ : 0;
  table_.new_search();
  for (auto& count : history_) count /= 8; // what has refuted in the last position still counts a little
  roots_.clear();
  dealer_ = Rng(coin(0, options_.worlds < 0 ? 0 : 1));
  ActionList actions;
  root.legal_actions(actions);
  if (orders_) root.order(root_previous_, actions);
  found_.clear();
  for (const Action action : actions) found_.push_back({.action = action, .line = {action}});
  deal(root, std::max(1, std::abs(options_.worlds)));
}

// So many more worlds; the mover cannot tell them from the real one.
void AlphaBeta::deal(const State& like, int worlds) {
  for (int world = 0; world < worlds; ++world) {
    roots_.push_back({like, found_});
    if (options_.worlds == 0) continue;
    ++counts_[kWorlds]; // 16 worlds
    roots_.back().state.redeal(root_mover_, dealer_);
  }
}

// 1 deepening
void AlphaBeta::deepen() {
  const int deepest = std::min(limits_.depth, kMaxDepth);
  for (int depth = options_.deepening ? 1 : deepest; depth <= deepest; ++depth) {
    for (Root& root : roots_)
      if (!iterate(root, depth)) {
        // Half an iteration is worth what it has improved.
        if (roots_.size() == 1 && !options_.every && !maxn_ && root.improved) found_ = root.actions;
        return;
      }
    take(depth);
    if (options_.deepening) ++counts_[kDeepening];
    if (settled() || nodes_ >= limits_.nodes) return;
  }
}

// One depth for one world; false if it was cut short.
bool AlphaBeta::iterate(Root& root, int depth) {
  Frame& top = frame(0);
  top.state = root.state;
  top.mover = root_mover_;
  top.previous = root_previous_;
  top.extends = false;
  top.handicaps = 0;
  top.on_line = depth_ > 0;
  last_line_ = root.actions[0].line;
  // Below the root nothing is left out as looked at elsewhere (9 independent): every root action has a value of its
  // own.
  top.actions.clear();
  top.count = 0;
  root.improved = false;
  if (maxn_) {
    max_n_root(root, depth);
  } else { // 7 aspiration
    const double last = root.actions[0].value;
    double width =
        options_.aspiration && options_.deepening && !all_exact() && depth > 2 ? options_.window * half_ : kInfinity;
    double low = last - width, high = last + width;
    for (;;) {
      const double value = search_root(root, depth, low, high);
      if (stopped_ || (value > low && value < high)) break;
      ++counts_[kAspiration];
      width = width > half_ ? kInfinity : std::max(4 * width, 0.01 * half_);
      if (value <= low) low = value - width;
      else high = value + width;
    }
  }
  if (stopped_) return false;
  if (all_exact() || maxn_)
    std::stable_sort(root.actions.begin(), root.actions.end(), [](auto& a, auto& b) { return a.value > b.value; });
  return true;
}

// Every action once, the best moved to the front.
double AlphaBeta::search_root(Root& root, int depth, double alpha, double beta) {
  double best = -kInfinity;
  for (std::size_t i = 0; i < root.actions.size() && best < beta; ++i) {
    RootAction& one = root.actions[i];
    const std::uint64_t before = nodes_;
    table_.grow_if_crowded();
    enter(0, one.action, root_mover_);
    Proof how;
    const double from = all_exact() ? -kInfinity : alpha;
    const double value = follow(0, i == 0 || all_exact(), depth, from, beta, how);
    if (stopped_) return best;
    one.value = value;
    one.proof = how;
    one.bound = value >= beta ? Bound::lower : value <= from ? Bound::upper : Bound::exact;
    one.nodes += nodes_ - before;
    if (!all_exact()) must_answer_ = false;
    best = std::max(best, value);
    if (value <= from) continue;
    const Line& below = frames_[1]->line;
    one.line.assign(1, one.action);
    one.line.insert(one.line.end(), below.begin(), below.end());
    alpha = std::max(alpha, value);
    if (all_exact()) continue;
    root.improved |= i > 0 || depth_ == 0;
    const auto front = root.actions.begin();
    std::rotate(front, front + static_cast<std::ptrdiff_t>(i), front + static_cast<std::ptrdiff_t>(i) + 1);
  }
  return best;
}

// The iteration becomes what has been found: means, where there are several worlds.
void AlphaBeta::take(int depth) {
  depth_ = depth;
  must_answer_ = false;
  found_ = roots_[0].actions;
  if (roots_.size() == 1) return;
  for (RootAction& mean : found_) {
    mean = {.action = mean.action, .proof = {true, true}, .line = {mean.action}};
    for (const Root& root : roots_)
      for (const RootAction& one : root.actions)
        if (one.action == mean.action) {
          mean.value += one.value / static_cast<double>(roots_.size());
          for (std::size_t p = 0; p < mean.values.size(); ++p)
            mean.values[p] += one.values[p] / static_cast<double>(roots_.size());
          mean.nodes += one.nodes;
          mean.proof = {}; // sampled
        }
  }
  std::stable_sort(found_.begin(), found_.end(), [](auto& a, auto& b) { return a.value > b.value; });
}

// Whether a deeper search can find nothing else.
bool AlphaBeta::settled() const {
  if (found_.size() == 1 && !options_.every && limits_.depth >= kMaxDepth) return true; // no depth was asked for
  if (options_.every) return std::all_of(found_.begin(), found_.end(), [](auto& one) { return one.proof.both(); });
  return proven();
}

bool AlphaBeta::proven() const {
  const RootAction& best = found_.front();
  if (!best.proof.low) return false;
  return best.value >= half_ || std::all_of(found_.begin(), found_.end(),
                                            [&](auto& one) { return one.proof.high && one.value <= best.value; });
}

SearchReport AlphaBeta::report() const {
  SearchReport out;
  out.action = found_.front().action;
  out.values = values_of(found_.front());
  out.proven = depth_ > 0 && proven();
  out.simulations = out.nodes = nodes_;
  out.depth = depth_;
  out.method = maxn_ ? "max^n" : paranoid_ ? "paranoid" : "negamax";
  out.bytes = options_.table ? table_.bytes() : 0;
  for (std::size_t i = 0; i < kCounts; ++i)
    if (counts_[i] > 0) out.counts.emplace_back(kCountNames[i], counts_[i]);
  for (const RootAction& one : found_)
    out.actions.push_back({.action = one.action,
                           .visits = one.nodes,
                           .value = one.value + 0.0 + middle_,
                           .proven = one.proof.both(),
                           .bound = one.bound,
                           .pv = one.line});
  out.pv = extended(found_.front());
  out.actions.front().pv = out.pv;
  return out;
}

// The table ends a line where it knows the rest: that is read off it.
std::vector<Action> AlphaBeta::extended(const RootAction& one) const {
  std::vector<Action> line = one.line;
  if (!options_.table || roots_.size() > 1) return line;
  State state = roots_[0].state;
  ActionList legal;
  for (std::size_t i = 0; i < kLine; ++i) {
    if (state.to_move() < 0) break;
    if (i == line.size()) {
      const auto* entry = table_.find(base_key(state));
      if (entry == nullptr || entry->action == kNoAction ||
          (entry->bound != Bound::exact && !entry->proof.low && !entry->proof.high))
        break;
      line.push_back(entry->action);
    }
    legal.clear();
    state.legal_actions(legal);
    if (std::find(legal.begin(), legal.end(), line[i]) == legal.end()) {
      line.resize(std::max<std::size_t>(i, 1)); // chance has come between
      break;
    }
    state.play(line[i]);
  }
  return line;
}

// What everyone gets by an action. Paranoid knows the root player's value; the others' are read off the end of the
// expected line.
Values AlphaBeta::values_of(const RootAction& best) const {
  if (maxn_) return best.values;
  const auto mover = static_cast<std::size_t>(root_mover_);
  Values out{};
  if (paranoid_) {
    State state = roots_[0].state;
    for (const Action action : best.line) {
      ActionList legal;
      if (state.to_move() >= 0) state.legal_actions(legal);
      if (std::find(legal.begin(), legal.end(), action) == legal.end()) break; // chance comes between
      state.play(action);
    }
    evaluation_.settled(state, out);
  } else if (game_.facts().players == 2) {
    out[1 - mover] = 0.0 - best.value;
  }
  out[mover] = best.value + 0.0 + middle_;
  return out;
}

} // namespace sevenfold
