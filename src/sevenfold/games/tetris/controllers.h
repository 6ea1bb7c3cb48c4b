// The classic one-piece controllers: a linear evaluation of the board after each placement of the piece in hand.
// Dellacherie's was made by hand; BCTS is its successor with two more features and weights found by cross-entropy
// (Thiery and Scherrer 2009). Both were made for straight drops, one piece known, pieces drawn uniformly.
#pragma once

#include "tetris/codec.h"

namespace sevenfold::tetris {

struct Controller {
  double landing_height, eroded, row_transitions, column_transitions, holes, wells, hole_depth, rows_with_holes;
};
inline constexpr Controller kBcts{-12.63, 6.60, -9.22, -19.77, -13.08, -10.49, -1.61, -24.04};
inline constexpr Controller kDellacherie{-1, 1, -1, -1, -4, -1, 0, 0};

// The best placement of the piece in hand, the hold used where the rules have it; whether there is one that does not
// leave cells above the visible rows.
bool control(const Controller& weigh, const Setup& s, const Side& side, Choice& out);

// One game of the classic setting, until it is lost or so many pieces are placed: the lines cleared.
int lines_of_a_game(const Controller& weigh, int height, std::uint64_t seed, std::int64_t pieces);

} // namespace sevenfold::tetris
