// What is good in connect_four, as far as a look can tell: the terms of an evaluation, their weights, and an order of
// the columns.
//
//   V = tanh(sum over k of w_k (t_k(me) - t_k(other)))      at most kQuiet, either way
//
// and beyond kQuiet where the next plies are plain: the side to move completes a line, or cannot keep the other side
// from it. So V is antisymmetric between the players and inside (-1, 1).
//
// A threat is an empty cell that completes a line. Most games are decided by one that nobody can reach yet: in the end
// only its column is left, and who must play under it loses (zugzwang). Who fills a cell then is a matter of counting
// (`Board::late`): on 7×6 the first player gets the odd rows and the second the even ones. See V. Allis, "A
// Knowledge-based Approach of Connect-Four" (1988).
//
// It does not handle what several threats do to each other beyond one column, nor lines that a threat below cuts off.
#pragma once

#include <algorithm>
#include <cmath>

#include "connect_four/board.h"

namespace sevenfold::connect_four {

constexpr std::array<std::string_view, 14> kTermNames{"far",   "near",   "late_first", "late_second", "late",
                                                      "early", "over",   "stacked",    "late_end",    "safe",
                                                      "pace",  "answer", "wins",       "traps"};
constexpr std::size_t kQuietTerms = 12; // the last two are what the next plies decide

// Terms are of the order of 1. The weights are rounded from a logistic regression of the solver's verdicts on eleven
// thousand quiet positions of 7×6, most of them from ply 13 on, since only those solved within a third of a second
// were asked about; the last two stand for kWinning and kTrapped.
constexpr std::array<double, kTermNames.size()> kWeights{0.5,  0.8,  0.45, 0.2, 0.45, 0.13, 0.04,
                                                         0.13, 0.75, 0.3,  0.3, 0.2,  3.0,  3.0};

constexpr double kQuiet = 0.95, kTrapped = 0.97, kWinning = 0.98;

// Both sides' stones, and where they would complete a line. Height: rows + 1 where it is known at compile time (which
// makes every shift one by a constant) and connect is 4; else 0.
template <int Words, int Height = 0>
class Judgement {
 public:
  using Cells = Bits<Words>;

  Judgement(const Board<Words>& board, const std::array<Cells, 2>& stones, int ply)
      : board_(board), stones_(stones), ply_(ply), mover_(static_cast<std::size_t>(ply & 1)) {
    const Cells filled = stones[0] | stones[1] | board.blocked;
    landing_ = (filled + board.bottoms) & ~filled & board.all;
    for (std::size_t side = 0; side < 2; ++side) threats_[side] = completing(stones[side]) & ~filled;
  }

  // The side to move completes a line.
  bool wins() const { return (threats_[mover_] & landing_).any(); }
  // Each of its stones lets the other side complete one.
  bool trapped() const { return !safe(mover_).any(); }

  void terms(std::size_t side, Terms& out) const {
    const bool moves = side == mover_;
    const auto quiet = this->quiet(side);
    for (const double term : quiet) out.push(term);
    out.push(moves && wins());
    out.push(!moves && !wins() && trapped());
  }

  double value() const { // for player 0
    const double sign = mover_ == 0 ? 1 : -1;
    if (wins()) return sign * kWinning;
    if (trapped()) return -sign * kTrapped;
    const auto first = quiet(0), second = quiet(1);
    double sum = 0;
    for (std::size_t k = 0; k < kQuietTerms; ++k) sum += kWeights[k] * (first[k] - second[k]);
    return kQuiet * std::tanh(sum);
  }

  // Best first: a line, the cell that must be answered, then what does not hand over the cell above: what makes most
  // threats, from the centre.
  void sort(ActionList& list) const {
    const Cells wins = threats_[mover_] & landing_, must = threats_[1 - mover_] & landing_;
    const Cells lost = board_.under(threats_[1 - mover_]), kept = board_.under(threats_[mover_]);
    const Cells empty = board_.all & ~(stones_[0] | stones_[1]);
    std::array<int, 12> merit;
    std::size_t count = 0;
    for (const Action action : list) {
      const auto col = static_cast<std::size_t>(action);
      const Cells cell = landing_ & board_.column[col];
      int mine = board_.central[col] + 4 * (completing(stones_[mover_] | cell) & empty).count();
      if ((cell & wins).any()) mine += 4000;
      if ((cell & must).any()) mine += 2000;
      if ((cell & lost).any()) mine -= 1000;
      if ((cell & kept).any()) mine -= 100; // the other side answers there, and the threat is gone
      std::size_t place = count++;
      for (; place > 0 && merit[place - 1] < mine; --place) {
        merit[place] = merit[place - 1];
        list[place] = list[place - 1];
      }
      merit[place] = mine;
      list[place] = action;
    }
  }

 private:
  int height() const { return Height > 0 ? Height : board_.rows + 1; }

  Cells completing(const Cells& stones) const {
    if constexpr (Height > 0) return completing_four(stones, Height) & board_.all;
    else return board_.completing(stones);
  }

  // The cells where a side's stone does not let the other complete a line at once.
  Cells safe(std::size_t side) const {
    const Cells& danger = threats_[1 - side];
    const Cells now = danger & landing_;
    const Cells out = landing_ & ~board_.under(danger);
    if (!now.any()) return out;
    return now.count() > 1 ? Cells{} : now & out;
  }

  // The cells above the lowest of these in their columns: a borrow runs up to it from the bottom.
  Cells above_lowest(const Cells& these) const {
    const Cells ended = these | board_.tops;
    const Cells less = ~(~ended + board_.bottoms);          // ended - bottoms
    return board_.all & ((ended & less) | ~(ended | less)); // where the two agree
  }

  std::array<double, kQuietTerms> quiet(std::size_t side) const {
    const Cells waiting = threats_[side] & ~landing_;
    const Cells over = waiting & above_lowest(threats_[1 - side]);
    const Cells good = waiting & ~over & board_.late[side];
    const Cells other = waiting & ~over & ~board_.late[side];
    const auto [far, near] = open_lines(stones_[side], stones_[1 - side]);
    const bool late = good.any(), moves = side == mover_;
    return {far / 10.0,
            near / 5.0,
            static_cast<double>(late && side == 0),
            static_cast<double>(late && side == 1),
            static_cast<double>(good.count()),
            static_cast<double>(other.count()),
            static_cast<double>(over.count()),
            static_cast<double>((waiting & (waiting >> 1)).count()),
            late ? static_cast<double>(ply_) / board_.cells : 0,
            safe(side).count() / 7.0,
            static_cast<double>(moves),
            static_cast<double>(!moves && (threats_[side] & landing_).any())};
  }

  struct Open {
    int far, near;
  };
  // Rows and diagonals without a stone of the other side, by how many of the own they hold: two less than wins (near),
  // three less (far). In a column nothing else matters than the next stone.
  Open open_lines(const Cells& mine, const Cells& theirs) const {
    Open out{};
    const Cells free = board_.all & ~theirs;
    for (const int step : {height() - 1, height(), height() + 1}) {
      if (Height > 0 || board_.connect == 4) four(mine, free, step, out);
      else any(mine, free, step, out);
    }
    return out;
  }

  // Four cells as two pairs, by their first cell: x, y one stone in a pair, c, d both.
  static void four(const Cells& mine, const Cells& free, int step, Open& out) {
    const Cells pair = free & (free >> step), open = pair & (pair >> 2 * step);
    const Cells next = mine >> step;
    const Cells c = mine & next, some = mine | next, x = some & ~c;
    const Cells d = c >> 2 * step, others = some >> 2 * step, y = others & ~d;
    out.near += (open & ((x & y) | (c & ~others) | (d & ~some))).count();
    out.far += (open & ((x & ~others) | (y & ~some))).count();
  }

  // Stones are counted in binary, all lines at once.
  void any(const Cells& mine, const Cells& free, int step, Open& out) const {
    Cells stones = mine, cells = free, open = free, ones{}, twos{}, fours{};
    for (int i = 0; i < board_.connect; ++i) {
      if (i > 0) stones = stones >> step, cells = cells >> step, open &= cells;
      const Cells carry = ones & stones, second = twos & carry;
      ones = (ones | stones) & ~carry;
      twos = (twos | carry) & ~second;
      fours |= second;
    }
    const auto holding = [&](int n) {
      const Cells no = ~open;
      return open & (n & 1 ? ones : ~(ones | no)) & (n & 2 ? twos : ~(twos | no)) & (n & 4 ? fours : ~(fours | no));
    };
    out.near += holding(board_.connect - 2).count();
    out.far += holding(board_.connect - 3).count();
  }

  const Board<Words>& board_;
  const std::array<Cells, 2>& stones_;
  int ply_;
  std::size_t mover_;
  Cells landing_;
  std::array<Cells, 2> threats_;
};

// Calls f with the judgement of a position, the usual board's by its own code.
template <int Words, class F>
auto with_judgement(const Board<Words>& board, const std::array<Bits<Words>, 2>& stones, int ply, F f) {
  if constexpr (Words == 1)
    if (board.rows == 6 && board.connect == 4) return f(Judgement<1, 7>(board, stones, ply));
  return f(Judgement<Words>(board, stones, ply));
}

} // namespace sevenfold::connect_four
