// What the solver has to say about a position, and the one type behind which the solvers of all boards stand.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/types.h"
#include "game/state.h"
#include "game/watch.h"
#include "search/limits.h"

namespace sevenfold::connect_four {

// The steps that can be turned off to measure them; none of them changes a score.
struct Steps {
  bool safe = true;     // step 1: only moves that do not lose at once
  bool forced = true;   // step 2: a single reply is followed without a node
  bool table = true;    // step 3: what is known of a position is kept
  bool mirror = true;   // step 3: a position and its mirror image share an entry
  bool claims = true;   // step 4: bounds by pairing strategies
  bool threats = true;  // step 5: moves that make threats first
  bool children = true; // step 6: the table is asked about all children before one is searched
  bool windows = true;  // step 8: yes-or-no questions that close in on the score
};

// The score is between the two, ends included.
struct Verdict {
  int lower = -kFar, upper = kFar;
  static constexpr int kFar = 100;
  bool proven() const { return lower == upper; }
};

struct Analysis {
  Verdict score;                               // for the side to move
  std::vector<std::optional<Verdict>> columns; // for the same side; none where the column is full
  std::vector<Action> line;                    // best moves of both sides, as far as the limits allowed
  std::uint64_t nodes = 0;
  double seconds = 0;
};

// A solver of any board, behind one type.
class Analyst {
 public:
  virtual ~Analyst() = default;
  virtual void forget() = 0;
  // That the last question took.
  virtual std::uint64_t nodes() const = 0;
  // The score; with `all`, the score of every column and the line as well. `state` is not over.
  virtual Analysis analyse(const State& state, bool all, const Limits& limits, Watch& watch) = 0;
  // Who wins by each column, 1, 0 or -1 for the side to move; none where it is full. A question or two per column
  // instead of the search for its score. kNoWin: another column wins and this one does not, which is all that was asked
  // of it. Empty where a limit came first. `state` is not over.
  static constexpr int kNoWin = -2;
  virtual std::vector<std::optional<int>> outcomes(const State& state, const Limits& limits, Watch& watch) = 0;
  // Who wins, for the side to move; none where a limit came first. `state` is not over.
  virtual std::optional<int> outcome(const State& state, const Limits& limits, Watch& watch) = 0;

  // Makes one for the board of a state of connect_four, with so many bytes for its table. Set by `enter`, and not
  // called directly, so that the solvers are compiled where the rules are: with the core, for speed, instead of with
  // the binding, for size (four times as slow).
  using Maker = std::unique_ptr<Analyst> (*)(const State& state, std::size_t bytes, const Steps& steps);
  static inline Maker make = nullptr;
};

inline std::unique_ptr<Analyst> make_analyst(const State& state, std::size_t bytes, const Steps& steps);

} // namespace sevenfold::connect_four
