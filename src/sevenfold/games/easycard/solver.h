// The value of an easycard position under best play, for player 0: 1 a win, 0 a draw, -1 a loss, and the expectation
// where chance takes part. Plain depth-first search over all actions and outcomes with a table of every position seen.
// Its only cut is that nothing is better than a certain win. Exact, and slow on purpose: searches are tested with it.
//
// It also gives the value of a search to a fixed depth with the heuristic at the horizon, without any cut or table.
// Closed hands are out of its reach: it sees all cards.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "easycard/judgement.h"
#include "game/watch.h"

namespace sevenfold::easycard {

struct Solution {
  double value = 0;                               // for player 0
  std::vector<std::pair<Action, double>> actions; // the value after each action, or outcome, for player 0
  std::uint64_t nodes = 0;
  bool complete = false; // false where a limit or a stop came first; the values then mean nothing
};

class Solver {
 public:
  explicit Solver(std::uint64_t limit) : limit_(limit) {}

  std::size_t positions() const { return table_.size(); }
  void forget() { table_.clear(); }

  // With `every`, each action of the position has its value; without, the search ends at the first that wins.
  Solution solve(const Position& p, bool every, Watch& watch) {
    if (table_.size() > limit_) table_.clear(); // one question's worth of memory
    return root(p, every, watch, [&](const Position& child) { return exact(child); });
  }
  // Depth counts every action; with `chance_plies` the outcomes of chance as well.
  Solution minimax(const Position& p, int depth, bool chance_plies, Watch& watch) {
    chance_plies_ = chance_plies;
    const int below = depth - spent(p);
    return root(p, true, watch, [&](const Position& child) { return to_depth(child, below); });
  }

 private:
  // All that tells positions of one game apart; the table compares it as a whole, so that no hash can deceive it.
  struct Key {
    std::array<Side, 2> side;
    std::uint32_t rest;
    explicit Key(const Position& p)
        : side(p.side),
          rest(static_cast<std::uint32_t>(p.round | p.mover << 8 | p.open << 16 | static_cast<int>(p.over) << 24)) {}
    bool operator==(const Key& other) const {
      return rest == other.rest && std::memcmp(side.data(), other.side.data(), sizeof side) == 0;
    }
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t word[4];
      std::memcpy(word, key.side.data(), sizeof word);
      return mix(mix(mix(word[0], word[1]), mix(word[2], word[3])), key.rest);
    }
  };

  static double result(const Position& p) { return p.winner() < 0 ? 0 : p.winner() == 0 ? 1 : -1; }

  // The value of a position from the values of what follows; `enough` says whether the best so far will do.
  template <class Value, class Enough>
  static double combine(const Position& p, Value value, Enough enough) {
    if (p.open > 0) {
      OutcomeList outcomes;
      p.chance(outcomes);
      double sum = 0;
      for (const auto& [outcome, probability] : outcomes) sum += probability * value(outcome);
      return sum;
    }
    const double sign = p.mover == 0 ? 1 : -1;
    double best = -2;
    for (unsigned left = p.legal(); left != 0 && !enough(best); left &= left - 1)
      best = std::max(best, sign * value(std::countr_zero(left)));
    return sign * best;
  }
  static Position after(Position p, Action action) {
    p.play(action);
    return p;
  }

  template <class Value>
  Solution root(const Position& p, bool every, Watch& watch, Value value) {
    watch_ = &watch;
    nodes_ = 0;
    stopped_ = false;
    Solution out;
    out.value = combine(
        p,
        [&](Action action) {
          const double child = value(after(p, action));
          out.actions.emplace_back(action, child);
          return child;
        },
        [every](double best) { return !every && best >= 1; });
    out.nodes = nodes_;
    out.complete = !stopped_;
    return out;
  }

  bool count() {
    if (++nodes_ >= limit_) stopped_ = true;
    if (nodes_ % 4096 == 0) {
      watch_->done.store(nodes_, std::memory_order_relaxed);
      if (watch_->stop.load(std::memory_order_relaxed)) stopped_ = true;
    }
    return !stopped_;
  }

  double exact(const Position& p) {
    if (p.over) return result(p);
    const Key key(p);
    if (const auto found = table_.find(key); found != table_.end()) return found->second;
    if (stopped_ || !count()) return 0;
    const double value =
        combine(p, [&](Action action) { return exact(after(p, action)); }, [](double best) { return best >= 1; });
    if (!stopped_) table_.emplace(key, value);
    return value;
  }

  int spent(const Position& p) const { return p.open > 0 && !chance_plies_ ? 0 : 1; }
  double to_depth(const Position& p, int depth) {
    if (stopped_ || !count()) return 0;
    if (p.over) return result(p);
    if (depth < spent(p)) return judged(p);
    const int below = depth - spent(p);
    return combine(p, [&](Action action) { return to_depth(after(p, action), below); }, [](double) { return false; });
  }

  std::unordered_map<Key, double, KeyHash> table_;
  std::uint64_t limit_, nodes_ = 0;
  Watch* watch_ = nullptr;
  bool stopped_ = false, chance_plies_ = true;
};

} // namespace sevenfold::easycard
