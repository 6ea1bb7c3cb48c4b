// A game played to its end by a quick policy: win now; block now; do not hand over the win above; keep an own win above
// for later, because on a full board such cells are what is left, and who must play under them loses; otherwise any
// column.
//
// Two ways to the same decisions: where a board is one machine word, the cells that complete a line are found anew
// after every stone; on larger boards that would take most of the time, and sets of columns, twelve bits each, are kept
// up to date instead. Both return the number of stones played, negative for a draw.
#pragma once

#include "connect_four/board.h"
#include "core/rng.h"

namespace sevenfold::connect_four {

// The k-th set bit of six.
struct SelectTable {
  std::array<std::array<std::int8_t, 6>, 64> at{};
  constexpr SelectTable() {
    for (unsigned set = 0; set < 64; ++set)
      for (unsigned bit = 0, k = 0; bit < 6; ++bit)
        if (set >> bit & 1) at[set][k++] = static_cast<std::int8_t>(bit);
  }
};
inline constexpr SelectTable kSelect;

template <class Board, class Cells>
int roll_out_words(const Board& board, std::array<Cells, 2> stones, std::size_t side, Rng& rng) {
  std::array<Cells, 2> completing{board.completing(stones[0]), board.completing(stones[1])};
  for (int plies = 0;; ++plies, side = 1 - side) {
    const Cells filled = stones[0] | stones[1] | board.blocked;
    const Cells open = (filled + board.bottoms) & ~filled & board.all;
    if (!open.any()) return -plies;
    if ((completing[side] & open).any()) return plies + 1;
    Cells choice = completing[1 - side] & open;
    if (!choice.any()) {
      const Cells safe = open & ~board.under(completing[1 - side]);
      choice = safe & ~board.under(completing[side]);
      if (!choice.any()) choice = safe.any() ? safe : open;
    }
    const int n = choice.count();
    stones[side] |= Cells::bit(choice.select(n == 1 ? 0 : static_cast<int>(rng.below(static_cast<std::uint32_t>(n)))));
    completing[side] = board.completing(stones[side]);
  }
}

template <int Words>
class Rollout {
 public:
  using Cells = Bits<Words>;

  // landing: the cells a stone can fall to.
  Rollout(const Board<Words>& board, const std::array<Cells, 2>& stones, const Cells& landing)
      : board_(board),
        lines_{Lines<Words>(*board.line_table, stones[0], board.completing(stones[0])),
               Lines<Words>(*board.line_table, stones[1], board.completing(stones[1]))} {
    landing.for_each([&](int cell) { land(board_.column_of[static_cast<std::size_t>(cell)], cell); });
  }

  // Plays until `side` or the other has won, or no column is open.
  int run(std::size_t side, Rng& rng) {
    int played = 0;
    for (int plies = 1; open_ != 0; ++plies, side = 1 - side) {
      const std::size_t other = 1 - side;
      if (wins_[side] != 0) return plies;
      unsigned choice = wins_[other];
      if (choice == 0) {
        const unsigned safe = open_ & ~above_[other];
        choice = safe & ~above_[side];
        if (choice == 0) choice = safe != 0 ? safe : open_;
      }
      place(side, any(choice, rng));
      played = plies;
    }
    return -played;
  }

 private:
  // Any column of a set, without a branch on what chance says: six columns at a time from a table.
  static int any(unsigned columns, Rng& rng) {
    const auto n = static_cast<std::uint32_t>(std::popcount(columns));
    const unsigned k = rng.below(n), low = columns & 63, in_low = static_cast<unsigned>(std::popcount(low));
    const bool high = k >= in_low;
    return kSelect.at[high ? columns >> 6 : low][high ? k - in_low : k] + (high ? 6 : 0);
  }

  void place(std::size_t side, int col) {
    const int cell = landing_[static_cast<std::size_t>(col)];
    lines_[side].add(cell, [&](int found) {
      const int there = board_.column_of[static_cast<std::size_t>(found)];
      const unsigned bit = 1u << there;
      if ((open_ & bit) == 0) return;
      const int lands = landing_[static_cast<std::size_t>(there)];
      if (lands == found) wins_[side] |= bit;
      else if (board_.next[static_cast<std::size_t>(lands)] == found) above_[side] |= bit;
    });
    land(col, board_.next[static_cast<std::size_t>(cell)]);
  }

  // The next stone of a column falls to this cell; -1: the column is full.
  void land(int col, int cell) {
    const unsigned bit = 1u << col;
    landing_[static_cast<std::size_t>(col)] = static_cast<std::int16_t>(cell);
    if (cell < 0) {
      open_ &= ~bit;
      for (std::size_t side = 0; side < 2; ++side) wins_[side] &= ~bit, above_[side] &= ~bit;
      return;
    }
    open_ |= bit;
    const int above = board_.next[static_cast<std::size_t>(cell)];
    for (std::size_t side = 0; side < 2; ++side) {
      wins_[side] = (wins_[side] & ~bit) | static_cast<unsigned>(lines_[side].completes(cell)) << col;
      above_[side] &= ~bit;
      if (above >= 0) above_[side] |= static_cast<unsigned>(lines_[side].completes(above)) << col;
    }
  }

  const Board<Words>& board_;
  std::array<Lines<Words>, 2> lines_;
  std::array<std::int16_t, 12> landing_{};
  unsigned open_ = 0;                        // columns that are not full
  std::array<unsigned, 2> wins_{}, above_{}; // columns where the next stone wins, and those where the one above it does
};

} // namespace sevenfold::connect_four
