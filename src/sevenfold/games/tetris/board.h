// The board as ten columns of bits: bit y of column x is the cell (x, y), row 0 at the bottom.
//
// Falling is a shift inside a word and moving sideways is the next word, so that reachability (moves.h) works on forty
// rows at once. Forty rows are the field; the bits above are air that pieces may turn in.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "tetris/pieces.h"

namespace sevenfold::tetris {

constexpr int kCols = 10, kRows = 40;
using Column = std::uint64_t;
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }
constexpr Column bit(int y) { return Column{1} << y; }
constexpr Column below(int y) { return bit(y) - 1; }             // the rows under y
constexpr int top(Column c) { return 64 - std::countl_zero(c); } // the highest filled row, counted from 1

struct Board {
  std::array<Column, kCols> col{};

  bool operator==(const Board&) const = default;

  // Cells outside the walls and under the floor are filled, cells above the field are not.
  bool filled(int x, int y) const { return x < 0 || x >= kCols || y < 0 || (y < 64 && (col[at(x)] >> y & 1) != 0); }

  bool fits(int piece, int r, int x, int y) const {
    return std::none_of(shape(piece, r).begin(), shape(piece, r).end(),
                        [&](Cell c) { return filled(x + c.x, y + c.y); });
  }
  void put(int piece, int r, int x, int y) {
    for (const Cell c : shape(piece, r)) col[at(x + c.x)] |= bit(y + c.y);
  }

  Column full_rows() const {
    Column rows = ~Column{0};
    for (const Column c : col) rows &= c;
    return rows;
  }
  Column any() const {
    Column rows = 0;
    for (const Column c : col) rows |= c;
    return rows;
  }
  bool empty() const { return any() == 0; }
  int height() const { return top(any()); }

  // Takes full rows out; which they were.
  Column clear() {
    const Column full = full_rows();
    if (full != 0)
      for (Column& c : col) c = without(c, full);
    return full;
  }
  // A column without some of its rows.
  static Column without(Column c, Column rows) {
    while (rows != 0) {
      const int y = 63 - std::countl_zero(rows); // from the top, so that the rows still to go stay where they are
      c = (c & below(y)) | c >> y >> 1 << y;
      rows &= ~bit(y);
    }
    return c;
  }

  // Garbage: every row moves up by one, and a row that is full but for its hole comes in at the bottom.
  void raise(int hole) {
    for (int x = 0; x < kCols; ++x) col[at(x)] = col[at(x)] << 1 | (x == hole ? 0u : 1u);
  }

  // The ten cells of a row, bit x for column x.
  unsigned row(int y) const {
    unsigned out = 0;
    for (int x = 0; x < kCols; ++x) out |= static_cast<unsigned>(col[at(x)] >> y & 1) << x;
    return out;
  }
  void set_row(int y, unsigned cells) {
    for (int x = 0; x < kCols; ++x) col[at(x)] = (col[at(x)] & ~bit(y)) | Column{cells >> x & 1} << y;
  }
  Board mirrored() const {
    Board out;
    std::reverse_copy(col.begin(), col.end(), out.col.begin());
    return out;
  }
};

} // namespace sevenfold::tetris
