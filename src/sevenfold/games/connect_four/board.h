// The board that connect_four's options describe: its shape as bit masks, made once per game, and the text forms
// of columns and rows.
#pragma once

#include <charconv>
#include <memory>
#include <stdexcept>

#include "connect_four/lines.h"
#include "core/bits.h"
#include "core/text.h"
#include "game/registry.h"

namespace sevenfold::connect_four {

inline OptionList board_options() {
  return {
      Option::integer("rows", 6, 4, 12, "rows of the board"),
      Option::integer("cols", 7, 4, 12, "columns of the board"),
      Option::integer("connect", 4, 3, 6, "stones in a row that win"),
      Option::cell("blocked", "a cell that never holds a stone, as 'row,col' from 0 at the top left; or 'none'"),
  };
}

// A column's letter or its number from 1; kNoAction for anything else.
inline Action read_column(std::string_view text, int cols) {
  int col = -1;
  if (text.size() == 1 && text[0] >= 'a' && text[0] <= 'z') {
    col = text[0] - 'a';
  } else {
    const auto read = std::from_chars(text.data(), text.data() + text.size(), col);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return kNoAction;
    --col;
  }
  return col >= 0 && col < cols ? col : kNoAction;
}

// Walks over "7/7/3x3/… o", calling cell(row, col, stone) for each cell; throws where it is not rows × cols.
template <class F>
void read_rows(std::string_view text, int rows, int cols, F cell) {
  const auto fail = [&] {
    throw std::invalid_argument("not a connect_four position of this board: it needs " + std::to_string(rows) +
                                " rows of " + std::to_string(cols) +
                                " cells and who moves, as in '7/7/7/7/3o3/2xx3 o'.");
  };
  int row = 0, col = 0;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != ' '; ++i) {
    const char c = text[i];
    if (c == '/') {
      if (col != cols) fail();
      ++row, col = 0;
    } else if (c >= '0' && c <= '9') {
      int gap = 0;
      const auto read = std::from_chars(&text[i], text.data() + text.size(), gap);
      if (read.ec != std::errc() || gap < 1 || gap > cols - col) fail();
      i = static_cast<std::size_t>(read.ptr - text.data()) - 1;
      for (; gap > 0; --gap) {
        if (row >= rows) fail();
        cell(row, col++, '.');
      }
    } else {
      if ((c != 'x' && c != 'o' && c != '#') || row >= rows || col >= cols) fail();
      cell(row, col++, c);
    }
  }
  const bool mover = i + 2 == text.size() && (text[i + 1] == 'x' || text[i + 1] == 'o');
  if (row != rows - 1 || col != cols || !mover) fail();
}

// The cells that would complete four of these stones in a row, filled and impossible ones too: on the usual boards
// this is what a search asks most often.
template <class Cells>
Cells completing_four(const Cells& stones, int height) {
  Cells out = (stones << 1) & (stones << 2) & (stones << 3);
  for (const int step : {height - 1, height, height + 1}) {
    // Pairs on either side, joined by a stone just before, just behind, or one cell further.
    const Cells up = (stones << step) & (stones << 2 * step);
    const Cells down = (stones >> step) & (stones >> 2 * step);
    out |= (up & ((stones << 3 * step) | (stones >> step))) | (down & ((stones << step) | (stones >> 3 * step)));
  }
  return out;
}

template <int Words>
struct Board {
  using Cells = Bits<Words>;

  int rows, cols, connect;
  int cells;       // that can hold a stone
  bool mirrors;    // left and right may be exchanged
  Cells all{};     // every cell that can hold a stone
  Cells blocked{}; // the blocked cell, if any
  Cells bottoms{}; // the lowest bit of every column
  std::array<Cells, 12> bottom{}, column{};
  std::array<std::int8_t, 64 * Words> column_of{};
  std::array<std::int16_t, 64 * Words> next{}; // the cell that a stone makes reachable; -1: none
  std::shared_ptr<const LineTable<Words>> line_table;
  Cells tops{};                          // the empty bit above every column
  std::array<Cells, 2> late{};           // the cells that a side fills if their column is the last to be filled
  std::array<std::int8_t, 12> central{}; // higher for columns nearer to the centre

  explicit Board(const Options& options)
      : rows(static_cast<int>(options.integer("rows"))),
        cols(static_cast<int>(options.integer("cols"))),
        connect(static_cast<int>(options.integer("connect"))),
        cells(rows * cols),
        mirrors(true) {
    if (connect > rows && connect > cols)
      throw std::invalid_argument("connect_four: connect=" + std::to_string(connect) + " does not fit on a board of " +
                                  std::to_string(rows) + " rows and " + std::to_string(cols) + " columns.");
    for (int col = 0; col < cols; ++col) {
      bottom[static_cast<std::size_t>(col)] = Cells::bit(cell(rows - 1, col));
      bottoms |= bottom[static_cast<std::size_t>(col)];
      for (int row = 0; row < rows; ++row) {
        column[static_cast<std::size_t>(col)] |= Cells::bit(cell(row, col));
        column_of[static_cast<std::size_t>(cell(row, col))] = static_cast<std::int8_t>(col);
      }
    }
    for (const Cells& one : column) all |= one;
    if (const std::string& text = options.text("blocked"); text != "none") block(text);
    if constexpr (Words > 1) // rollouts on one word do without
      line_table = std::make_shared<LineTable<Words>>(rows, cols, connect,
                                                      [&](int row, int col) { return stone_cell(row, col); });
    for (int col = 0; col < cols; ++col)
      for (int row = rows - 1, below = -1; row >= 0; --row) {
        const int at = stone_cell(row, col);
        if (at < 0) continue;
        if (below >= 0) next[static_cast<std::size_t>(below)] = static_cast<std::int16_t>(at);
        next[static_cast<std::size_t>(at)] = -1;
        below = at;
      }
    for (int col = 0; col < cols; ++col) {
      tops |= Cells::bit(cell(-1, col));
      central[static_cast<std::size_t>(col)] = static_cast<std::int8_t>(-std::abs(2 * col + 1 - cols));
      for (int row = 0, left = cells; row < rows; ++row) // from the last stone backwards
        if (const int at = stone_cell(row, col); at >= 0) late[static_cast<std::size_t>(--left & 1)] |= Cells::bit(at);
    }
  }

  int cell(int row, int col) const { return col * (rows + 1) + rows - 1 - row; }
  // The same, or -1 where no stone can stand.
  int stone_cell(int row, int col) const { return blocked.test(cell(row, col)) ? -1 : cell(row, col); }
  int row_of(int cell) const { return rows - 1 - cell % (rows + 1); }
  int col_of(int cell) const { return cell / (rows + 1); }

  // The highest stone of a column; empty where it has none.
  Cells top(const Cells& stones, int col) const {
    for (int row = 0; row < rows; ++row)
      if (stones.test(cell(row, col))) return Cells::bit(cell(row, col));
    return {};
  }
  Cells mirrored(const Cells& stones) const {
    Cells out;
    stones.for_each([&](int at) { out |= Cells::bit(cell(row_of(at), cols - 1 - col_of(at))); });
    return out;
  }

  // The cells just under these, where a stone would make them reachable: the blocked cell is jumped.
  Cells under(const Cells& these) const {
    const Cells down = these >> 1;
    return down | ((down & blocked) >> 1);
  }

  // Whether `connect` of these stones stand in a row. Each step doubles the length of the runs it looks for.
  bool has_line(const Cells& stones) const {
    const int height = rows + 1;
    Cells lines{};
    for (const int step : {1, height - 1, height, height + 1}) {
      const Cells two = stones & (stones >> step);
      Cells run = two & (two >> (connect == 3 ? step : 2 * step)); // three or four
      if (connect > 4) run &= run >> (connect == 5 ? step : 2 * step);
      lines |= run;
    }
    return lines.any();
  }

  // The cells that would complete a line of these stones, whether a stone can fall there yet or not; filled cells too.
  // For each direction: how far do stones reach to either side of a cell? A gap with j stones before it and
  // connect - 1 - j behind it is such a cell.
  Cells completing(const Cells& stones) const {
    const int height = rows + 1;
    if (connect == 4) return completing_four(stones, height) & all;
    Cells out{};
    for (const int step : {1, height - 1, height, height + 1}) {
      std::array<Cells, 6> before, behind; // [j]: j stones in a row on that side
      before[0] = behind[0] = all;
      Cells down = stones, up = stones;
      for (std::size_t j = 1; j < static_cast<std::size_t>(connect); ++j) {
        down = down << step;
        up = up >> step;
        before[j] = before[j - 1] & down;
        behind[j] = behind[j - 1] & up;
      }
      for (std::size_t j = 0; j < static_cast<std::size_t>(connect); ++j)
        out |= before[j] & behind[static_cast<std::size_t>(connect) - 1 - j];
    }
    return out;
  }

 private:
  void block(const std::string& text) {
    const auto comma = text.find(',');
    const int row = std::stoi(text.substr(0, comma)), col = std::stoi(text.substr(comma + 1));
    if (row < 0 || row >= rows || col < 0 || col >= cols)
      throw std::invalid_argument("connect_four: option blocked must be 'none' or a cell 'row,col' with row below " +
                                  std::to_string(rows) + " and col below " + std::to_string(cols) + ", not " +
                                  quote(text) + ".");
    blocked = Cells::bit(cell(row, col));
    all &= ~blocked;
    --cells;
    mirrors = 2 * col + 1 == cols;
  }
};

} // namespace sevenfold::connect_four
