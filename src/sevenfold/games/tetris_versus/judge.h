// What a judge sees of a side, for the player `guided`: how its stack is, what waits and what comes, as few numbers.
//
// A few hundred games teach a small net more through these than through the cells of two boards. The last is what a
// narrow beam promises over the next pieces; all sides are seen with as short a queue, however much of it is known.
#pragma once

#include "tetris/beam.h"
#include "tetris_versus/rules.h"

namespace sevenfold::tetris_versus {

inline constexpr int kShapes = kTSlotsNone + 1; // the terms of a stack
inline constexpr std::array<std::string_view, 11> kJudgedToo{
    "cells", "dug", "waiting", "due", "chain", "combo", "held_t", "held_i", "until_t", "until_i", "promise"};
inline constexpr int kJudged = kShapes + static_cast<int>(kJudgedToo.size());
inline constexpr int kShortQueue = 2, kNarrow = 4;

inline void judged(const tetris::Setup& s, Side side, const Weights& weights, float* out) {
  for (int term = 0; term < kShapes; ++term) {
    Weights one{};
    one[at(term)] = 1;
    *out++ = stack_worth(one, side.board, 0);
  }
  int cells = 0;
  for (const Column c : side.board.col) cells += std::popcount(c);
  side.queued = static_cast<std::uint8_t>(std::min<int>(side.queued, kShortQueue));
  const auto until = [&](int piece) {
    const auto end = side.queue.begin() + side.queued;
    return static_cast<float>(std::find(side.queue.begin(), end, piece) - side.queue.begin());
  };
  *out++ = static_cast<float>(cells);
  *out++ = static_cast<float>(std::popcount(side.dug));
  *out++ = static_cast<float>(side.incoming());
  *out++ = static_cast<float>(side.due(s));
  *out++ = side.b2b >= 0 ? 1.0f : 0.0f;
  *out++ = static_cast<float>(std::min<int>(side.combo, 8));
  *out++ = side.hold == kT ? 1.0f : 0.0f;
  *out++ = side.hold == kI ? 1.0f : 0.0f;
  *out++ = until(kT);
  *out++ = until(kI);
  Watch watch;
  float promise = -20;
  for (const float worth : beam(s, side, weights, {.width = kNarrow, .samples = 0}, watch).worth)
    promise = std::max(promise, worth);
  *out = promise;
}

} // namespace sevenfold::tetris_versus
