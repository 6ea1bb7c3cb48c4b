// What a search has to say about a position.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace sevenfold {

struct ActionReport {
  Action action = kNoAction;
  std::uint64_t visits = 0;
  double value = 0; // for the mover, in the game's own units
  double prior = 0;
  double share = 0; // of the answer, where that is a mixture
  bool proven = false;
  std::vector<Action> pv{}; // this action and what is expected to follow
};

struct SearchReport {
  Action action = kNoAction; // the choice
  std::vector<ActionReport> actions;
  Values values{};
  std::vector<Action> pv;
  bool proven = false;
  std::uint64_t simulations = 0;
  std::uint64_t nodes = 0;
  std::uint64_t bytes = 0; // memory of the tree
  double seconds = 0;
};

} // namespace sevenfold
