// Tic-tac-toe: two players set stones on a 3×3 board in turn; three in a row wins.
// Actions are the cells 0..8, row by row from the top left. A solved game: best play is a draw.
#pragma once

#include <bit>
#include <stdexcept>

#include "core/hash.h"
#include "game/registry.h"

namespace sevenfold::tic_tac_toe {

constexpr std::uint16_t kFull = 0777; // nine cells, one bit each
constexpr std::uint16_t kLines[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};
constexpr char kStone[] = {'x', 'o'};

// Whether a set of stones has a line, for all 512 sets.
struct LineTable {
  std::array<bool, 512> has_line{};
  constexpr LineTable() {
    for (unsigned stones = 0; stones < 512; ++stones)
      for (const unsigned line : kLines) has_line[stones] |= (stones & line) == line;
  }
};
inline constexpr LineTable kLineTable;

struct TicTacToe {
  static constexpr Facts facts{.name = "tic_tac_toe", .players = 2, .actions = 9, .planes = {2, 3, 3}, .max_plies = 9};

  std::array<std::uint16_t, 2> stones{}; // one bit per cell
  std::int8_t ply = 0;

  int to_move() const { return ply == 9 || winner() >= 0 ? TERMINAL : ply & 1; }
  void legal_actions(ActionList& out) const {
    for (unsigned free = empty(); free != 0; free &= free - 1) out.push(std::countr_zero(free));
  }
  void play(Action cell) { stones[ply++ & 1] |= static_cast<std::uint16_t>(1 << cell); }
  void returns(Values& out) const {
    if (const int won = winner(); won >= 0) {
      out[static_cast<std::size_t>(won)] = 1;
      out[static_cast<std::size_t>(1 - won)] = -1;
    }
  }
  std::uint64_t hash() const { return mix(stones[0] | std::uint64_t{stones[1]} << 16); }

  // Only the last mover can have completed a line.
  int winner() const {
    const int last = (ply & 1) ^ 1;
    return kLineTable.has_line[stones[static_cast<std::size_t>(last)]] ? last : -1;
  }
  unsigned empty() const { return kFull & ~(stones[0] | stones[1]); }

  // Ability: observe. Plane 0 the viewer's stones, plane 1 the other's.
  void observe(int viewer, Observation& out) const {
    out.plane(0, stones[static_cast<std::size_t>(viewer)]);
    out.plane(1, stones[static_cast<std::size_t>(1 - viewer)]);
  }

  // Ability: symmetries of the square. Symmetry s turns the board by s & 3 quarters, then mirrors it if s & 4.
  int symmetries() const { return 8; }
  Action symmetric_action(int s, Action cell) const {
    int row = cell / 3, col = cell % 3;
    for (int quarter = 0; quarter < (s & 3); ++quarter) {
      const int turned = 2 - row;
      row = col;
      col = turned;
    }
    return 3 * row + (s & 4 ? 2 - col : col);
  }
  TicTacToe symmetric(int s) const {
    TicTacToe out;
    out.ply = ply;
    for (std::size_t side = 0; side < 2; ++side)
      for (int cell = 0; cell < 9; ++cell)
        if (stones[side] >> cell & 1) out.stones[side] |= static_cast<std::uint16_t>(1 << symmetric_action(s, cell));
    return out;
  }

  // Ability: heuristic. The textbook's: lines still open to x minus lines still open to o, of eight each.
  void heuristic(Values& out) const {
    int lead = 0;
    for (const unsigned line : kLines) lead += !(stones[1] & line) - !(stones[0] & line);
    out[0] = lead / 9.0;
    out[1] = -out[0];
  }

  // Ability: random_action.
  Action random_action(Rng& rng) const {
    unsigned free = empty();
    for (auto skip = rng.below(static_cast<std::uint32_t>(9 - ply)); skip > 0; --skip) free &= free - 1;
    return std::countr_zero(free);
  }

  // A cell is a column letter and a row number, the first row at the bottom as on a chess board.
  std::string action_text(Action cell) const {
    return {static_cast<char>('a' + cell % 3), static_cast<char>('3' - cell / 3)};
  }
  char stone_at(int cell) const {
    for (std::size_t side = 0; side < 2; ++side)
      if (stones[side] >> cell & 1) return kStone[side];
    return '.';
  }
  std::string draw() const {
    std::string out;
    for (int row = 0; row < 3; ++row) {
      out += static_cast<char>('3' - row);
      for (int col = 0; col < 3; ++col) out += {' ', stone_at(3 * row + col)};
      out += '\n';
    }
    return out + "  a b c";
  }

  // Ability: to_text. Three rows from the top, then who moves: "x.o/.x./... o".
  std::string to_text() const {
    std::string out;
    for (int cell = 0; cell < 9; ++cell) {
      if (cell == 3 || cell == 6) out += '/';
      out += stone_at(cell);
    }
    return out + ' ' + kStone[ply & 1];
  }
  void parse(std::string_view text) {
    const auto require = [](bool fine, const char* sentence) {
      if (!fine) throw std::invalid_argument(sentence);
    };
    require(text.size() == 13 && text[3] == '/' && text[7] == '/' && text[11] == ' ',
            "a tic_tac_toe position looks like 'x.o/.x./... o': three rows and who moves.");
    TicTacToe out;
    for (int cell = 0; cell < 9; ++cell) {
      const char c = text[static_cast<std::size_t>(cell + cell / 3)];
      require(c == '.' || c == 'x' || c == 'o', "a tic_tac_toe position has only the cells '.', 'x' and 'o'.");
      if (c != '.') {
        out.stones[c == 'o'] |= static_cast<std::uint16_t>(1 << cell);
        ++out.ply;
      }
    }
    const int lead = std::popcount(out.stones[0]) - std::popcount(out.stones[1]);
    require(lead == 0 || lead == 1, "in a tic_tac_toe position x has as many stones as o, or one more.");
    require(text[12] == kStone[out.ply & 1], "the tic_tac_toe position names the wrong side to move.");
    TicTacToe before = out; // the side to move must not have a line: the game would have ended
    ++before.ply;
    require(before.winner() < 0, "in this tic_tac_toe position the game had ended before the last stone.");
    *this = out;
  }
};

inline void enter(Registry& registry) { registry.add<TicTacToe>(); }

} // namespace sevenfold::tic_tac_toe
