// What the solver asks of a board besides its rules: threats, lines and pairs, as few machine instructions as possible.
//
// Rows and Connect are 0 where they are known only at run time; the usual board has them fixed at compile time, which
// turns every shift into one by a constant.
#pragma once

#include <array>

#include "connect_four/board.h"

namespace sevenfold::connect_four {

template <int Words, int Rows = 0, int Connect = 0>
class Shape {
 public:
  using Cells = Bits<Words>;

  Board<Words> board;
  // Cells with an even number of cells from there to the top of the column, itself included: when all columns have an
  // even number of free cells, the side to move gets these and the other side, answering above, gets the rest.
  Cells first{};
  std::array<Cells, 64 * Words> below{};       // the cells under a cell
  std::array<std::int8_t, 64 * Words> above{}; // how many cells are above it
  std::array<std::int8_t, 12> centre_first{};  // the columns, from the centre outwards

  explicit Shape(const Board<Words>& its_board) : board(its_board) {
    for (int col = 0; col < board.cols; ++col) {
      centre_first[at(col)] =
          static_cast<std::int8_t>((board.cols - 1) / 2 + (col % 2 == 0 ? -(col / 2) : (col + 1) / 2));
      int free = 0;
      for (int row = 0; row < board.rows; ++row) {
        const int cell = board.cell(row, col);
        above[at(cell)] = static_cast<std::int8_t>(free);
        if (board.blocked.test(cell)) continue;
        if (++free % 2 == 0) first |= Cells::bit(cell);
        for (int under = row + 1; under < board.rows; ++under) below[at(cell)] |= Cells::bit(board.cell(under, col));
      }
    }
  }

  // The cells that would complete a line of these stones; filled cells too.
  Cells completing(const Cells& stones) const {
    if constexpr (Connect == 4) return completing_four(stones, height()) & board.all;
    else return board.completing(stones);
  }

  bool has_line(const Cells& stones) const {
    if constexpr (Connect != 4) {
      return board.has_line(stones);
    } else {
      const int height = this->height();
      Cells lines{};
      for (const int step : {1, height - 1, height, height + 1}) {
        const Cells two = stones & (stones >> step);
        lines |= two & (two >> 2 * step);
      }
      return lines.any();
    }
  }

  Cells landing(const Cells& filled) const { return (filled + board.bottoms) & ~filled & board.all; }

  // One number per position: the side to move's stones, and in every column the bit of its first free cell above them.
  Cells key(const Cells& mover, const Cells& filled) const { return ((filled + board.bottoms) & ~filled) | mover; }

  Cells mirrored(const Cells& key) const {
    if constexpr (Words == 1) {
      const int height = this->height();
      const std::uint64_t one = (std::uint64_t{1} << height) - 1;
      std::uint64_t in = key.word[0], out = 0;
      for (int col = 0; col < board.cols; ++col, in >>= height) out = (out << height) | (in & one);
      Cells result;
      result.word[0] = out;
      return result;
    } else {
      Cells out;
      key.for_each([&](int cell) {
        const int height = this->height();
        out |= Cells::bit((board.cols - 1 - cell / height) * height + cell % height);
      });
      return out;
    }
  }

  int height() const { return Rows > 0 ? Rows + 1 : board.rows + 1; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

} // namespace sevenfold::connect_four
