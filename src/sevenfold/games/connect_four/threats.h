// A win by threats: every stone of the attacker threatens to win at once, so that the defender has one reply each time,
// until a stone makes two threats. Few stones threaten anything, so this sees many plies ahead for little work; and as
// every reply is forced, what it finds is a proof.
#pragma once

#include <array>

#include "connect_four/board.h"

namespace sevenfold::connect_four {

template <int Words>
class Threats {
 public:
  using Cells = Bits<Words>;

  // budget: how many stones to try at most.
  Threats(const Board<Words>& board, int budget) : board_(board), budget_(budget) {}

  // The first stone of a winning sequence for the side to move; none if none is found.
  Cells winning_stone(const Cells& mine, const Cells& theirs) { return search(mine, theirs, kDeepest); }

 private:
  static constexpr int kDeepest = 24; // stones of the attacker

  Cells landing(const Cells& filled) const { return (filled + board_.bottoms) & ~filled & board_.all; }

  // The cells where a stone may threaten to win at once: under a cell that completes a line, or beside two stones in a
  // line whose fourth cell can be reached next. (On boards with another `connect`: any cell.)
  Cells may_threaten(const Cells& mine, const Cells& completing, const Cells& free) const {
    if (board_.connect != 4) return free;
    const Cells up = free << 1;
    const Cells reach = free | (up & board_.all) | ((up & board_.blocked) << 1);
    Cells out = board_.under(completing) | ((mine << 1) & (mine << 2));
    const int height = board_.rows + 1;
    for (const int step : {height - 1, height, height + 1}) {
      const std::array<Cells, 4> stone{mine, mine >> step, mine >> 2 * step, mine >> 3 * step};
      const std::array<Cells, 4> open{reach, reach >> step, reach >> 2 * step, reach >> 3 * step};
      // Four cells in a row, by their first: two with stones, two within reach.
      const Cells outer = stone[0] & stone[3], inner = stone[1] & stone[2];
      const Cells left = stone[0] & stone[1], right = stone[2] & stone[3];
      const Cells even = stone[0] & stone[2], odd = stone[1] & stone[3];
      const Cells first = open[0] & ((open[1] & right) | (open[2] & odd) | (open[3] & inner));
      const Cells second = open[1] & ((open[0] & right) | (open[2] & outer) | (open[3] & even));
      const Cells third = open[2] & ((open[0] & odd) | (open[1] & outer) | (open[3] & left));
      const Cells fourth = open[3] & ((open[0] & inner) | (open[1] & even) | (open[2] & left));
      out |= first | (second << step) | (third << 2 * step) | (fourth << 3 * step);
    }
    return out & free;
  }

  Cells search(const Cells& mine, const Cells& theirs, int depth) {
    const Cells filled = mine | theirs | board_.blocked, free = landing(filled);
    // Step 1. Win at once.
    const Cells mine_completing = board_.completing(mine);
    if (const Cells wins = mine_completing & free; wins.any()) return Cells::bit(wins.select(0));
    // Step 2. What must be answered comes first, and no stone may be put under a cell where the other side wins.
    const Cells danger = board_.completing(theirs);
    const Cells must = danger & free;
    if (must.count() > 1) return {};
    const Cells stones = (must.any() ? must : free) & ~board_.under(danger) & may_threaten(mine, mine_completing, free);
    if (!stones.any()) return {};
    // Step 3. A stone with two threats wins; one with a single threat is tried below.
    struct Try {
      Cells stone, reply;
    };
    std::array<Try, 12> tries;
    std::size_t count = 0;
    Cells found{};
    stones.for_each([&](int cell) {
      if (found.any() || --budget_ < 0) return;
      const Cells stone = Cells::bit(cell);
      const Cells threats = board_.completing(mine | stone) & landing(filled | stone);
      if (!threats.any()) return;
      if (threats.count() > 1) found = stone;
      else tries[count++] = {stone, threats};
    });
    if (found.any() || depth == 0) return found;
    // Step 4. The reply to a single threat is forced; go on from there.
    for (std::size_t i = 0; i < count && budget_ > 0; ++i)
      if (search(mine | tries[i].stone, theirs | tries[i].reply, depth - 1).any()) return tries[i].stone;
    return {};
  }

  const Board<Words>& board_;
  int budget_;
};

} // namespace sevenfold::connect_four
