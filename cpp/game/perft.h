// Perft: counts action sequences, or distinct positions, ply by ply. The cheapest strong test of a rules file:
// two independent implementations that agree on these numbers agree on the rules.
// A sequence counts at ply n if it has exactly n actions; a game that ended earlier is counted where it ended.
#pragma once

#include <cstdint>
#include <vector>

#include "game/state.h"
#include "game/watch.h"

namespace sevenfold {

inline constexpr int kMaxPerftDepth = 256; // one recursion level per ply must fit the stack

struct PerftPly {
  std::uint64_t count = 0; // sequences of this length, or distinct positions after this many plies
  std::uint64_t ended = 0; // those of them where the game is over
};

// Plies 0 .. depth. Throws Stopped when watch.stop is set.
std::vector<PerftPly> perft(const State& state, int depth, bool distinct, Watch& watch);

} // namespace sevenfold
