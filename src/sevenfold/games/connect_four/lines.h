// The board as lines: every row, column and diagonal is a number of at most twelve bits per side, and a table says
// which cells of a line complete it. A stone changes four lines, so a rollout on a large board keeps up the cells that
// complete a line for less than it costs to find them anew.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/bits.h"

namespace sevenfold::connect_four {

// What does not change during a game.
template <int Words>
struct LineTable {
  using Cells = Bits<Words>;
  static constexpr std::size_t kMost = 70; // 12 rows, 12 columns, 23 diagonals each way

  struct Place {
    std::uint8_t line, at;
  };
  std::array<std::array<Place, 4>, 64 * Words> places{};
  std::array<std::array<std::int16_t, 12>, kMost> cells{}; // -1: no stone can stand there
  std::vector<std::uint16_t> completing;                   // by the stones of a line

  template <class CellAt> // cell_at(row, col): the bit of a cell, or -1
  LineTable(int rows, int cols, int connect, CellAt cell_at) : completing(1u << 12) {
    for (auto& line : cells) line.fill(-1);
    for (int row = 0; row < rows; ++row) {
      for (int col = 0; col < cols; ++col) {
        const int cell = cell_at(row, col);
        if (cell < 0) continue;
        // A diagonal's cells are numbered by the column from where it enters the board.
        const int down = row - col, up = row + col;
        const int lines[] = {row, 12 + col, 24 + down + 11, 47 + up};
        const int ats[] = {col, row, down >= 0 ? col : row, up < rows ? col : rows - 1 - row};
        for (std::size_t d = 0; d < 4; ++d) {
          places[static_cast<std::size_t>(cell)][d] = {static_cast<std::uint8_t>(lines[d]),
                                                       static_cast<std::uint8_t>(ats[d])};
          cells[static_cast<std::size_t>(lines[d])][static_cast<std::size_t>(ats[d])] = static_cast<std::int16_t>(cell);
        }
      }
    }
    for (unsigned stones = 0; stones < completing.size(); ++stones)
      for (int at = 0; at < 12; ++at)
        if (has_run(stones | 1u << at, at, connect)) completing[stones] |= static_cast<std::uint16_t>(1u << at);
  }

 private:
  static bool has_run(unsigned stones, int through, int length) {
    int run = 1;
    for (int i = through - 1; i >= 0 && (stones >> i & 1); --i) ++run;
    for (int i = through + 1; i < 12 && (stones >> i & 1); ++i) ++run;
    return run >= length;
  }
};

// One side's stones as lines, and the cells that would complete one; filled cells too.
template <int Words>
class Lines {
 public:
  using Cells = Bits<Words>;

  Lines(const LineTable<Words>& table, const Cells& stones, const Cells& completing)
      : completing_(completing), table_(table) {
    stones.for_each([&](int cell) {
      for (const auto place : table_.places[static_cast<std::size_t>(cell)])
        lines_[place.line] |= static_cast<std::uint16_t>(1u << place.at);
    });
  }

  bool completes(int cell) const { return completing_.test(cell); }

  // Adds a stone and calls found(cell) for every cell that now completes a line and did not before.
  template <class Found>
  void add(int cell, Found found) {
    for (const auto place : table_.places[static_cast<std::size_t>(cell)]) {
      std::uint16_t& line = lines_[place.line];
      const unsigned before = table_.completing[line];
      line |= static_cast<std::uint16_t>(1u << place.at);
      for (unsigned added = table_.completing[line] & ~before; added != 0; added &= added - 1) {
        const int there = table_.cells[place.line][static_cast<std::size_t>(std::countr_zero(added))];
        if (there < 0) continue;
        completing_ |= Cells::bit(there);
        found(there);
      }
    }
  }

 private:
  std::array<std::uint16_t, LineTable<Words>::kMost> lines_{};
  Cells completing_;
  const LineTable<Words>& table_;
};

} // namespace sevenfold::connect_four
