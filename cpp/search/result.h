// What a search has to say about a position.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/types.h"

namespace sevenfold {

// What a value says about the true one.
enum class Bound : std::uint8_t { exact, lower, upper };

struct ActionReport {
  Action action = kNoAction;
  std::uint64_t visits = 0;
  double value = 0; // for the mover, in the game's own units
  double prior = 0;
  double share = 0; // of the answer, where that is a mixture
  bool proven = false;
  Bound bound = Bound::exact;
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
  int depth = 0;                                               // of the last complete iteration, where there are any
  std::string method{};                                        // how several players were dealt with
  std::vector<std::pair<std::string, std::uint64_t>> counts{}; // what each step has done
};

// A node of a search tree, for people who look into it.
struct EdgeView {
  Action action = kNoAction;
  std::uint64_t visits = 0;
  double q = 0;     // the mean for the mover, scaled to [-1, 1]; 0 before the first visit
  double u = 0;     // what the formula adds to it
  double prior = 0; // or the probability, at a chance node
  bool proven = false;
  bool expanded = false; // there is a node behind it
};

struct NodeView {
  int mover = TERMINAL;
  std::uint64_t visits = 0;
  bool proven = false;
  std::vector<EdgeView> edges; // those tried so far
};

} // namespace sevenfold
