// Something that finds exact results: a room's own solver, or alpha-beta (search/prover.h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"
#include "game/watch.h"

namespace sevenfold {

class State;

class Prover {
 public:
  struct Proof {
    Action action;
    Values values;
  };

  virtual ~Prover() = default;
  // Appends the exact results of actions of a position that is not over, as many as it finds within so many nodes; the
  // nodes that it took. Where an action is proven to be as good as can be, the others may be left out.
  virtual std::uint64_t prove(const State& state, Action previous, std::uint64_t nodes, Watch& watch,
                              std::vector<Proof>& out) = 0;
  // Whether the exact result of a position that is not over is found within so many nodes, without asking what each of
  // its actions is worth.
  virtual bool settle(const State& state, std::uint64_t nodes, Watch& watch, Values& out) = 0;
};

} // namespace sevenfold
