// The recursion of alpha-beta: visit() values any position, decide() one where a player moves.
#include "search/alphabeta.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "core/hash.h"

namespace sevenfold {

AlphaBeta::Frame::Frame(const State& like, bool chance)
    : state(like), outcomes(chance ? std::make_unique<OutcomeList>() : nullptr) {
  ranks.reserve(256); // more than most games ever list
}

AlphaBeta::AlphaBeta(const Game& game, const AlphaBetaOptions& options, const Evaluation& evaluation)
    : game_(game),
      options_(options),
      evaluation_(evaluation),
      table_(options.table ? options.memory : 0),
      leaf_(game.initial()) {
  const Facts& facts = game.facts();
  const Table& abilities = game.initial().table();
  const bool duel = facts.players == 2 && facts.sum == Sum::zero;
  maxn_ = !duel && facts.players > 1 && options.several == AlphaBetaOptions::Several::maxn;
  paranoid_ = !duel && facts.players > 1 && !maxn_;
  orders_ = options.order && abilities.order != nullptr;
  independents_ = options.independent && abilities.independent != nullptr;
  commutes_ = abilities.commutes != nullptr;
  quiets_ = options.quiet && abilities.quiet != nullptr && !maxn_;
  plans_ = quiets_ && options.plans && options.worlds > 0;
  if (quiets_) quiet_.assign(3, game.initial());
  prunes_ = options.razor || options.self_loss;
  middle_ = duel ? 0 : (facts.max_return + facts.min_return) / 2;
  half_ = duel ? std::max(std::abs(facts.max_return), std::abs(facts.min_return))
               : (facts.max_return - facts.min_return) / 2;
  null_ = half_ * 1e-9;
  history_.resize(2 * static_cast<std::size_t>(facts.actions));
}

void AlphaBeta::forget() {
  table_.clear();
  std::fill(history_.begin(), history_.end(), 0u);
  for (auto& frame : frames_) frame->killers = {kNoAction, kNoAction};
}

AlphaBeta::Frame& AlphaBeta::frame(int ply) {
  while (frames_.size() <= static_cast<std::size_t>(ply))
    frames_.push_back(std::make_unique<Frame>(game_.initial(), game_.initial().table().chance != nullptr));
  return *frames_[static_cast<std::size_t>(ply)];
}

double AlphaBeta::ended(const State& state, int side) const {
  Values values{};
  state.returns(values);
  const double value = values[static_cast<std::size_t>(reference_)] - middle_;
  return side == 0 ? value : -value;
}

double AlphaBeta::evaluated(const State& state, int side) const {
  if (evaluation_.kind() == Evaluation::Kind::zero) return 0;
  Values values;
  evaluation_(state, values);
  const double value = values[static_cast<std::size_t>(reference_)] - middle_;
  return side == 0 ? value : -value;
}

double AlphaBeta::now() const {
  if (!options_.processor)
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

bool AlphaBeta::look() {
  if (must_answer_ && !watch_->stop.load(std::memory_order_relaxed)) return false;
  watch_->done.store(nodes_, std::memory_order_relaxed);
  const double seconds = now() - start_;
  stopped_ = nodes_ >= limits_.nodes || seconds >= limits_.seconds || watch_->stop.load(std::memory_order_relaxed);
  const double rate = static_cast<double>(nodes_) / std::max(seconds, 1e-9); // about every quarter of a millisecond
  next_look_ = nodes_ + static_cast<std::uint64_t>(std::clamp(rate * 0.00025, 1.0, 4096.0));
  next_look_ = std::min(next_look_, std::max(limits_.nodes, nodes_ + 1));
  return stopped_;
}

// Positions whose candidates are cut down by the step `independent` are other positions to the table.
std::uint64_t AlphaBeta::key_of(const Frame& frame) const {
  std::uint64_t key = base_key(frame.state);
  for (std::size_t i = frame.count; i < static_cast<std::size_t>(frame.actions.size()); ++i)
    key += mix(static_cast<std::uint64_t>(frame.actions[i]) + 1);
  return key;
}

// Some values depend on who asks.
std::uint64_t AlphaBeta::base_key(const State& state) const {
  const std::uint64_t key = state.canonical();
  return paranoid_ || options_.guess ? mix(key, static_cast<std::uint64_t>(root_mover_)) : key;
}

// The value of a frame's position for a side.
double AlphaBeta::visit(int ply, int side, int depth, double alpha, double beta, Proof& proof) {
  Frame& here = *frames_[static_cast<std::size_t>(ply)];
  here.line.clear();
  if (++nodes_ >= next_look_ && look()) return 0;
  if (here.mover == TERMINAL) {
    proof = {true, true};
    return ended(here.state, side);
  }
  if (depth <= 0 || ply >= kMaxPly) {
    proof = {};
    return quiets_ ? at_horizon(here.state, side) : evaluated(here.state, side);
  }
  const int mine = here.mover == CHANCE ? 0 : side_of(here.mover); // chance nodes are valued for side 0
  const auto value_of = [&](double low, double high, Proof& how) {
    return here.mover == CHANCE ? chance(ply, depth, low, high, how) : decide(ply, depth, low, high, how);
  };
  if (mine == side) return value_of(alpha, beta, proof);
  const double value = -value_of(-beta, -alpha, proof);
  proof = proof.turned();
  return value;
}

// The frame below becomes the position after an action.
void AlphaBeta::enter(int ply, Action action, int mover) {
  const Frame& here = *frames_[static_cast<std::size_t>(ply)];
  Frame& next = frame(ply + 1);
  next.mover = next.state.step(here.state, action);
  next.previous = mover == CHANCE ? kNoAction : action;
  next.extends = mover != CHANCE && next.mover == mover;
  next.handicaps = 0;
  const auto at = static_cast<std::size_t>(ply);
  next.on_line = here.on_line && at < last_line_.size() && last_line_[at] == action;
}

// The value of the frame below for the mover of this one: the first action with the whole window, the others with a
// null window first.
double AlphaBeta::follow(int ply, bool first, int depth, double alpha, double beta, Proof& proof) {
  const int side = side_of(frames_[static_cast<std::size_t>(ply)]->mover);
  if (!first && options_.pvs && depth > 1 && splits(alpha, beta)) {
    const double value = visit(ply + 1, side, depth - 1, alpha, alpha + null_, proof);
    if (value <= alpha || value >= beta || stopped_) return value;
    ++counts_[kPvs];
  }
  return visit(ply + 1, side, depth - 1, alpha, beta, proof);
}

// The value of an action for the mover, when nothing is looked at after it: visit() without the way there.
double AlphaBeta::horizon(const Frame& here, Action action, Proof& proof) {
  const bool over = leaf_.step(here.state, action) == TERMINAL;
  if (++nodes_ >= next_look_ && look()) return 0;
  proof = {over, over};
  const int side = side_of(here.mover);
  if (over) return ended(leaf_, side);
  return quiets_ ? at_horizon(leaf_, side) : evaluated(leaf_, side);
}

// The value of a position for its mover.
double AlphaBeta::decide(int ply, int depth, double alpha, double beta, Proof& proof) {
  Frame& here = *frames_[static_cast<std::size_t>(ply)];
  const bool early = independents_ && here.extends; // the key then depends on the actions
  if (early) list_actions(ply);
  else here.count = 0, here.actions.clear();

  // 2 table
  const bool tabled = options_.table && depth > 1;
  std::uint64_t key = 0;
  Action first = kNoAction;
  if (tabled) {
    key = key_of(here);
    if (const auto* entry = table_.find(key)) {
      first = entry->action;
      if (entry->settles(depth, alpha, beta)) {
        ++counts_[kTable];
        proof = entry->proof;
        if (first != kNoAction) here.line.push(first);
        return entry->value;
      }
    }
  }

  if (here.on_line && static_cast<std::size_t>(ply) < last_line_.size()) // 1 deepening
    first = last_line_[static_cast<std::size_t>(ply)];

  double best = 0;
  const int full = depth;
  if (prunes_ && ply >= options_.first_plies && prune(ply, depth, alpha, beta, best)) {
    proof = {};
    return best;
  }

  if (!early) list_actions(ply);
  order_actions(ply, first, depth);
  best = -std::numeric_limits<double>::infinity();
  Action best_action = kNoAction;
  Proof found{false, true};
  const double floor = alpha;
  bool all = true; // whether every action has had its say
  for (std::size_t i = 0; i < here.count; ++i) {
    const Action action = here.actions[i];
    Proof how;
    double value;
    if (depth == 1) {
      value = horizon(here, action, how);
    } else {
      enter(ply, action, here.mover);
      value = follow(ply, i == 0, depth, alpha, beta, how);
    }
    if (stopped_) return 0;
    found.high &= how.high;
    if (value > best) {
      best = value;
      best_action = action;
      found.low = how.low;
      if (value > alpha) {
        alpha = value;
        here.line.clear();
        here.line.push(action);
        if (depth > 1)
          for (const Action next : frames_[static_cast<std::size_t>(ply) + 1]->line)
            if (!here.line.full()) here.line.push(next);
      }
    }
    if (best >= beta) {
      all = i + 1 == here.count;
      remember(ply, action, depth);
      break;
    }
  }
  found.high &= all;
  if (independents_ && !commutes_ && here.count < static_cast<std::size_t>(here.actions.size())) found.high = false;
  if (best >= half_) found.high = true; // there is nothing above
  if (best <= -half_) found.low = true;
  proof = found;
  if (tabled) {
    const Bound bound = best >= beta ? Bound::lower : best <= floor ? Bound::upper : Bound::exact;
    table_.store({.key = key,
                  .value = best,
                  .action = best_action,
                  .depth = static_cast<std::uint8_t>(std::min(full, 255)),
                  .bound = bound,
                  .proof = found});
  }
  return best;
}

} // namespace sevenfold
