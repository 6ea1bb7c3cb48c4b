// How a position came about, for drawing it: which piece each cell is from, and what the last placement of each side
// did. The rules need neither, so no state holds it; it is found by playing the game again.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tetris/codec.h"

namespace sevenfold::tetris {

constexpr char kGarbageCell = 'G', kNoCell = '.';

struct Last {
  bool hold = false;
  Placement placement{};
  Placed placed{};
  Column cleared = 0; // the rows that went, as they stood
  int rose = 0;       // rows of garbage since
};

struct SideStory {
  std::vector<std::string> rows{}; // from the bottom, as high as the stack: a piece's letter, G, or a dot
  std::optional<Last> last{};
};

// The cells of a side, in colours.
class Colours {
 public:
  explicit Colours(const Board& board) : board_(board) {
    for (int y = 0; y < board.height(); ++y) rows_.push_back(garbage(board, y));
  }
  Column put(const Placement& p) {
    for (const Cell c : shape(p.piece, p.r)) {
      const auto y = at(p.y + c.y);
      if (rows_.size() <= y) rows_.resize(y + 1, std::string(kCols, kNoCell));
      rows_[y][at(p.x + c.x)] = kLetters[at(p.piece)];
    }
    board_.put(p.piece, p.r, p.x, p.y);
    const Column full = board_.clear();
    for (int y = 63; y >= 0; --y)
      if ((full >> y & 1) != 0) rows_.erase(rows_.begin() + y);
    return full;
  }
  // Garbage has come in from below: the rows by which the board now stands higher.
  int rise(const Board& now) {
    int by = 0;
    while (by < kRows && !raised(now, by)) ++by;
    for (int i = by - 1; i >= 0; --i) rows_.insert(rows_.begin(), garbage(now, i));
    board_ = now;
    return by;
  }
  const std::vector<std::string>& rows() const { return rows_; }

 private:
  static std::string garbage(const Board& board, int y) {
    std::string row(kCols, kNoCell);
    for (int x = 0; x < kCols; ++x)
      if (board.filled(x, y)) row[at(x)] = kGarbageCell;
    return row;
  }
  bool raised(const Board& now, int by) const {
    for (int x = 0; x < kCols; ++x)
      if (now.col[at(x)] >> by != board_.col[at(x)]) return false;
    return true;
  }

  Board board_;
  std::vector<std::string> rows_;
};

// Game: a rules struct; sides: from it to an array of its sides; mover: from it to the index of who places.
template <class Game, class Sides, class Mover>
auto story(Game game, const std::vector<Action>& actions, Sides sides, Mover mover) {
  std::vector<Colours> colours;
  for (const Side* side : sides(game)) colours.emplace_back(side->board);
  std::vector<SideStory> out(colours.size());
  for (const Action action : actions) {
    if (game.to_move() < 0) {
      game.play(action);
    } else {
      const auto seat = static_cast<std::size_t>(mover(game));
      const Choice choice = chosen(*game.setup, *sides(game)[seat], action);
      Last last{.hold = choice.hold, .placement = choice.placement};
      last.cleared = colours[seat].put(choice.placement);
      last.placed = game.place(choice.hold, choice.placement);
      out[seat].last = last;
    }
    for (std::size_t seat = 0; seat < colours.size(); ++seat) {
      const int rose = colours[seat].rise(sides(game)[seat]->board);
      if (out[seat].last) out[seat].last->rose += rose;
    }
  }
  for (std::size_t seat = 0; seat < colours.size(); ++seat) out[seat].rows = colours[seat].rows();
  return out;
}

} // namespace sevenfold::tetris
