// How an Analyst is made of a solver: the score first, then every column, then the line both sides follow.
#pragma once

#include <mutex>

#include "connect_four/rules.h"
#include "connect_four/solver.h"

namespace sevenfold::connect_four {

template <int Words, int Rows, int Connect>
class BoardAnalyst final : public Analyst {
 public:
  using Position = ConnectFour<Words>;

  BoardAnalyst(const Board<Words>& board, std::size_t bytes, const Steps& steps) : solver_(board, bytes, steps) {}

  void forget() override {
    const std::lock_guard one_at_a_time(mutex_);
    solver_.forget();
  }

  Analysis analyse(const State& state, bool all, const Limits& limits, Watch& watch) override {
    const std::lock_guard one_at_a_time(mutex_);
    const auto began = std::chrono::steady_clock::now();
    const auto& position = *static_cast<const Position*>(state.data());
    solver_.start(limits, watch);
    Analysis out;
    out.score = solver_.solve(stones_of(position));
    if (all) {
      score_columns(position, out);
      follow(position, out);
    }
    out.nodes = solver_.nodes();
    out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return out;
  }

  std::uint64_t nodes() const override { return solver_.nodes(); }

  std::vector<std::optional<int>> outcomes(const State& state, const Limits& limits, Watch& watch) override {
    const std::lock_guard one_at_a_time(mutex_);
    const auto& position = *static_cast<const Position*>(state.data());
    solver_.start(limits, watch);
    // The position first: what nobody can reach need not be asked of every column.
    const auto stones = stones_of(position);
    const bool can_win = !solver_.at_most(stones, 0), can_draw = can_win || !solver_.at_most(stones, -1);
    std::vector<std::optional<int>> out(static_cast<std::size_t>(position.board->cols));
    for (int i = 0; i < position.board->cols; ++i) {
      const int col = solver_.column_from_centre(i);
      std::optional<int> ended;
      const auto child = played(position, col, ended);
      if (!child) continue;
      int& outcome = out[static_cast<std::size_t>(col)].emplace();
      if (ended) outcome = *ended > 0;
      else if (can_win) outcome = solver_.at_most(stones_of(*child), -1) ? 1 : kNoWin;
      else outcome = can_draw && solver_.at_most(stones_of(*child), 0) ? 0 : -1;
    }
    if (solver_.stopped()) out.clear();
    return out;
  }

  std::optional<int> outcome(const State& state, const Limits& limits, Watch& watch) override {
    const std::lock_guard one_at_a_time(mutex_);
    const auto stones = stones_of(*static_cast<const Position*>(state.data()));
    solver_.start(limits, watch);
    const int found = !solver_.at_most(stones, 0) ? 1 : solver_.at_most(stones, -1) ? -1 : 0;
    if (solver_.stopped()) return {};
    return found;
  }

 private:
  static std::array<Bits<Words>, 2> stones_of(const Position& p) {
    const auto mover = static_cast<std::size_t>(p.ply & 1);
    return {p.stones[mover], p.stones[1 - mover]};
  }
  static Verdict negated(const Verdict& v) { return {-v.upper, -v.lower}; }

  // The position after a column, if it is not full; `ended` is its score for the mover if that ends the game.
  static std::optional<Position> played(const Position& position, int col, std::optional<int>& ended) {
    const Board<Words>& board = *position.board;
    if (!(position.landing() & board.column[static_cast<std::size_t>(col)]).any()) return {};
    Position child = position;
    child.play(col);
    ended.reset();
    if (child.to_move() == TERMINAL) ended = child.won ? (board.cells + 1 - position.ply) / 2 : 0;
    return child;
  }

  void score_columns(const Position& position, Analysis& out) {
    out.columns.resize(static_cast<std::size_t>(position.board->cols));
    for (int i = 0; i < position.board->cols; ++i) { // the centre first, as the limits may end it
      const int col = solver_.column_from_centre(i);
      std::optional<int> ended;
      const auto child = played(position, col, ended);
      if (!child) continue;
      Verdict& verdict = out.columns[static_cast<std::size_t>(col)].emplace();
      if (ended) verdict = {*ended, *ended};
      else {
        Verdict known = solver_.look_up(stones_of(*child));
        known.lower = std::max(known.lower, -out.score.upper);
        verdict = negated(solver_.solve(stones_of(*child), known));
      }
      verdict.upper = std::min(verdict.upper, out.score.upper);
      out.score.lower = std::max(out.score.lower, verdict.lower);
    }
    if (out.score.proven()) return;
    int upper = -Verdict::kFar;
    for (const auto& verdict : out.columns)
      if (verdict) upper = std::max(upper, verdict->upper);
    out.score.upper = std::min(out.score.upper, upper);
  }

  // From the proven score on: a column whose child is proven as good as that, by the table if it remembers.
  void follow(Position position, Analysis& out) {
    if (!out.score.proven()) return;
    for (int score = out.score.lower;; score = -score) {
      Action best = kNoAction;
      for (const bool search : {false, true}) {
        for (int i = 0; i < position.board->cols && best == kNoAction; ++i) {
          const int col = solver_.column_from_centre(i);
          std::optional<int> ended;
          const auto child = played(position, col, ended);
          if (!child) continue;
          const bool as_good = ended    ? *ended >= score
                               : search ? solver_.at_most(stones_of(*child), -score)
                                        : solver_.look_up(stones_of(*child)).upper <= -score;
          if (as_good) best = col;
        }
        if (best != kNoAction || solver_.stopped()) break;
      }
      if (best == kNoAction) return;
      out.line.push_back(best);
      position.play(best);
      if (position.to_move() == TERMINAL) return;
    }
  }

  Solver<Words, Rows, Connect> solver_;
  std::mutex mutex_;
};

template <int Words>
std::unique_ptr<Analyst> analyst_of(const Board<Words>& board, std::size_t bytes, const Steps& steps) {
  if constexpr (Words == 1)
    if (board.rows == 6 && board.connect == 4) return std::make_unique<BoardAnalyst<1, 6, 4>>(board, bytes, steps);
  if (board.connect == 4) return std::make_unique<BoardAnalyst<Words, 0, 4>>(board, bytes, steps);
  return std::make_unique<BoardAnalyst<Words, 0, 0>>(board, bytes, steps);
}

inline std::unique_ptr<Analyst> make_analyst(const State& state, std::size_t bytes, const Steps& steps) {
  const auto of = [&](const auto& rules) { return analyst_of(*rules.board, bytes, steps); };
  const auto to_move = state.table().to_move; // each rules struct has a table of its own
  if (to_move == kTable<ConnectFour<1>>.to_move) return of(*static_cast<const ConnectFour<1>*>(state.data()));
  if (to_move == kTable<ConnectFour<2>>.to_move) return of(*static_cast<const ConnectFour<2>*>(state.data()));
  if (to_move == kTable<ConnectFour<3>>.to_move) return of(*static_cast<const ConnectFour<3>*>(state.data()));
  throw std::invalid_argument("the solver is for connect_four.");
}

// The solver as a search wants it: who wins by each column, without the score.
class OutcomeProver final : public Prover {
 public:
  explicit OutcomeProver(std::unique_ptr<Analyst> analyst) : analyst_(std::move(analyst)) {}

  std::uint64_t prove(const State& state, Action, std::uint64_t nodes, Watch& watch, std::vector<Proof>& out) override {
    const auto outcomes = analyst_->outcomes(state, {.nodes = nodes}, watch);
    const auto mover = static_cast<std::size_t>(state.to_move());
    for (std::size_t col = 0; col < outcomes.size(); ++col) {
      if (!outcomes[col] || *outcomes[col] == Analyst::kNoWin) continue;
      Proof& proof = out.emplace_back(Proof{static_cast<Action>(col), {}});
      proof.values[mover] = *outcomes[col];
      proof.values[1 - mover] = -*outcomes[col];
    }
    return analyst_->nodes();
  }

  bool settle(const State& state, std::uint64_t nodes, Watch& watch, Values& out) override {
    const auto found = analyst_->outcome(state, {.nodes = nodes}, watch);
    if (!found) return false;
    const auto mover = static_cast<std::size_t>(state.to_move());
    out[mover] = *found;
    out[1 - mover] = -*found;
    return true;
  }

 private:
  std::unique_ptr<Analyst> analyst_;
};

template <int Words>
std::unique_ptr<Prover> ConnectFour<Words>::prover(std::size_t bytes) const {
  return std::make_unique<OutcomeProver>(analyst_of(*board, bytes, {}));
}

} // namespace sevenfold::connect_four
