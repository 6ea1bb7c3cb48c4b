// Beam search over placements: of all sequences of the known pieces, level by level, the best few hundred stay.
//
//   1. The root's placements, hold included, are the first level; each later level places one piece more.
//   2. A position is worth what it has sent, its stack and what is in hand (evaluation.h); of equal positions the best
//      stays. The last level's best leads to the move.
//   3. Beyond the known queue pieces are drawn: several futures from the bag, each continued from the same last level;
//      a move is worth its mean over them. Nothing looks at the real future, which no state has.
//   4. With a time limit the width doubles from pass to pass, and the last complete pass counts.
// Garbage that waits counts as height; where its holes will be is not searched.
#pragma once

#include <vector>

#include "game/watch.h"
#include "tetris/codec.h"
#include "tetris/evaluation.h"

namespace sevenfold::tetris {

struct BeamLimits {
  int width = 200;    // positions kept at a level; the widest pass where there is a time limit
  int samples = 4;    // futures beyond the queue
  int ahead = 2;      // pieces of a future
  double seconds = 0; // 0: one pass of `width`
  std::uint64_t seed = 0;
  bool processor = false; // seconds of this thread's processor time, not of the clock
  bool lines = false;     // whether the best line of each choice is told
};

struct BeamResult {
  std::vector<Choice> choices; // of the root
  std::vector<float> worth;    // of each
  // With `lines`: the placements of the best line over the known pieces that begins with it; none where the last level
  // has none.
  std::vector<std::vector<Choice>> lines;
  int best = -1;
  std::uint64_t nodes = 0; // positions judged
  int depth = 0, width = 0;
};

// The search from a side's position; what it has found so far when the watch stops it.
BeamResult beam(const Setup& setup, const Side& side, const Weights& weights, const BeamLimits& limits, Watch& watch);

// A lone game from empty, played by the beam until it is lost or so many pieces are placed, pieces drawn by `seed`: how
// it stands then. For tuning weights.
Side beam_game(const Setup& setup, const Weights& weights, const BeamLimits& limits, int pieces, std::uint64_t seed,
               Watch& watch);

} // namespace sevenfold::tetris
