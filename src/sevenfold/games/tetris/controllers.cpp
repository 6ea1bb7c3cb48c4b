#include "tetris/controllers.h"

#include "core/rng.h"

namespace sevenfold::tetris {

namespace {

// The worth of a placement: of the board it leaves, where the piece landed and what it cleared.
double judged(const Controller& weigh, const Board& before, const Placement& p, int height, Board& after) {
  after = before;
  after.put(p.piece, p.r, p.x, p.y);
  const Column full = after.clear();
  int low = kRows, high = 0, own = 0;
  for (const Cell c : shape(p.piece, p.r)) {
    low = std::min(low, p.y + c.y);
    high = std::max(high, p.y + c.y);
    own += static_cast<int>(full >> (p.y + c.y) & 1);
  }
  const Column field = below(height);
  const auto side = [&](int x) { return x < 0 || x >= kCols ? field : after.col[at(x)]; };
  int rows = 0, columns = 0, holes = 0, wells = 0, depth = 0;
  Column hollow = 0;
  for (int x = 0; x < kCols; ++x) {
    const Column c = after.col[at(x)];
    rows += std::popcount((c ^ side(x - 1)) & field);
    columns += std::popcount((c ^ (c << 1 | 1)) & below(height + 1));
    const Column covered = ~c & below(top(c));
    hollow |= covered;
    holes += std::popcount(covered);
    for (Column left = covered; left != 0; left &= left - 1) depth += std::countr_one(c >> std::countr_zero(left) >> 1);
    // A well is open above and filled on both sides: each of its cells counts with the empty ones under it.
    for (Column left = ~c & side(x - 1) & side(x + 1) & field & ~below(top(c)); left != 0; left &= left - 1)
      wells += std::countr_zero(left) + 1 - top(c);
  }
  rows += std::popcount((after.col[kCols - 1] ^ field) & field);
  return weigh.landing_height * (low + high) / 2.0 + weigh.eroded * std::popcount(full) * own +
         weigh.row_transitions * rows + weigh.column_transitions * columns + weigh.holes * holes + weigh.wells * wells +
         weigh.hole_depth * depth + weigh.rows_with_holes * std::popcount(hollow);
}

} // namespace

bool control(const Controller& weigh, const Setup& s, const Side& side, Choice& out) {
  double best = -1e300;
  bool safe = false;
  each_choice(s, side, [&](bool hold, const Placement& p) {
    Board after;
    const double worth = judged(weigh, side.board, p, s.height, after);
    const bool inside = (after.any() >> s.height) == 0;
    if (inside < safe || (inside == safe && worth <= best)) return;
    best = worth;
    safe = inside;
    out = {hold, p};
  });
  return safe;
}

int lines_of_a_game(const Controller& weigh, int height, std::uint64_t seed, std::int64_t pieces) {
  Rng rng(seed);
  Board board;
  int lines = 0;
  for (std::int64_t i = 0; i < pieces; ++i) {
    PlacementList list;
    list_drops(board, static_cast<int>(rng.below(kPieces)), list);
    double best = -1e300;
    Board next;
    int cleared = -1;
    for (const Placement& p : list) {
      Board after;
      const double worth = judged(weigh, board, p, height, after);
      if (worth <= best || (after.any() >> height) != 0) continue;
      best = worth;
      int cells = 4;
      for (int x = 0; x < kCols; ++x) cells += std::popcount(board.col[at(x)]) - std::popcount(after.col[at(x)]);
      cleared = cells / kCols;
      next = after;
    }
    if (cleared < 0) break;
    lines += cleared;
    board = next;
  }
  return lines;
}

} // namespace sevenfold::tetris
