// What a stack is worth to the beam: a linear evaluation in lines of attack. The weights are data (weights.json), set
// by hand so far; here is what they weigh.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tetris/attack.h"

namespace sevenfold::tetris {

enum Term : std::uint8_t {
  // of the stack
  kHeight,       // the highest column
  kHeightHigh,   // of it, above ten rows
  kHeightTop,    // of it, above fourteen
  kBumps,        // height differences of neighbours, the well left out
  kBumpsSquared, // their squares
  kRowChanges,   // filled to empty along the rows
  kHoles,        // covered empty cells
  kCoverage,     // filled cells above the highest hole of a column, up to six a column
  kReadyRows,    // rows full but for the well, from its bottom, up to four
  kTSlots,       // places where a T spins in for two lines
  kTSlotsOne,    // … for one
  kTSlotsNone,   // … shaped, with rows still open
  // of what is in hand
  kChain, // a back-to-back chain runs
  kHeldT, // T in the hold
  kHeldI, // I in the hold
  kCombo, // clears in a row
  // of what was placed on the way
  kAttack,  // lines sent
  kWastedT, // a T that does not spin for lines
  kPlain,   // lines cleared that are not difficult
  kBroken,  // a chain broken
  kTerms
};
inline constexpr std::array<std::string_view, kTerms> kTermNames{
    "height",   "height_high", "height_top", "bumps",       "bumps_squared", "row_changes", "holes",
    "coverage", "ready_rows",  "t_slots",    "t_slots_one", "t_slots_none",  "chain",       "held_t",
    "held_i",   "combo",       "attack",     "wasted_t",    "plain",         "broken"};
using Weights = std::array<float, kTerms>;
inline Weights weights_of(const std::vector<float>& given) {
  if (given.size() != kTerms) throw std::invalid_argument("the beam has " + std::to_string(kTerms) + " weights.");
  Weights out;
  std::copy(given.begin(), given.end(), out.begin());
  return out;
}

inline float stack_worth(const Weights& w, const Board& board, int lift) {
  std::array<int, kCols> tops;
  int highest = 0, well = 0;
  for (int x = 0; x < kCols; ++x) {
    tops[at(x)] = top(board.col[at(x)]);
    highest = std::max(highest, tops[at(x)]);
    if (tops[at(x)] < tops[at(well)]) well = x;
  }
  // 1. Heights, with the garbage that waits.
  const int high = highest + lift;
  float worth = w[kHeight] * static_cast<float>(high) + w[kHeightHigh] * static_cast<float>(std::max(0, high - 10)) +
                w[kHeightTop] * static_cast<float>(std::max(0, high - 14));
  // 2. The surface without the well.
  int bumps = 0, squared = 0, last = -1;
  for (int x = 0; x < kCols; ++x) {
    if (x == well) continue;
    if (last >= 0) {
      const int step = std::abs(tops[at(x)] - tops[at(last)]);
      bumps += step;
      squared += std::min(step * step, 36);
    }
    last = x;
  }
  worth += w[kBumps] * static_cast<float>(bumps) + w[kBumpsSquared] * static_cast<float>(squared);
  // 3. Rows and holes.
  const Column field = below(highest);
  int changes = std::popcount(~board.col[0] & field) + std::popcount(~board.col[kCols - 1] & field);
  int holes = 0, coverage = 0;
  for (int x = 0; x < kCols; ++x) {
    const Column c = board.col[at(x)];
    if (x > 0) changes += std::popcount((c ^ board.col[at(x - 1)]) & field);
    const Column covered = ~c & below(tops[at(x)]);
    if (covered == 0) continue;
    holes += std::popcount(covered);
    coverage += std::min(6, tops[at(x)] - top(covered));
  }
  worth += w[kRowChanges] * static_cast<float>(changes) + w[kHoles] * static_cast<float>(holes) +
           w[kCoverage] * static_cast<float>(coverage);
  // 4. Rows that a quad takes.
  Column others = ~Column{0};
  for (int x = 0; x < kCols; ++x)
    if (x != well) others &= board.col[at(x)];
  worth += w[kReadyRows] * static_cast<float>(std::min(4, std::countr_one(others >> tops[at(well)])));
  // 5. T-slots: a notch one wide, room for the T over it, one shoulder covered, and the other side open to the sky.
  for (int x = 1; x < kCols - 1; ++x) {
    const Column l = board.col[at(x - 1)], r = board.col[at(x + 1)];
    const int floor = tops[at(x)]; // the notch is the lowest open cell of its column, the T's centre one above
    const int y = floor + 1;
    if (y < 1 || y > 30) continue;
    const bool notch = (l >> floor & 1) != 0 && (r >> floor & 1) != 0 && (l >> y & 1) == 0 && (r >> y & 1) == 0;
    if (!notch) continue;
    const bool roof_left = (l >> (y + 1) & 1) != 0, roof_right = (r >> (y + 1) & 1) != 0;
    if (roof_left == roof_right) continue;
    const Column open = roof_left ? r : l;
    if (top(open) > y) continue;
    const int lines = (std::popcount(board.row(y)) == 7) + (std::popcount(board.row(floor)) == 9);
    worth += w[lines == 2 ? kTSlots : lines == 1 ? kTSlotsOne : kTSlotsNone];
    // The cell under the roof is no hole while it waits for the T.
    worth -= w[kHoles] + w[kCoverage];
  }
  return worth;
}

} // namespace sevenfold::tetris
