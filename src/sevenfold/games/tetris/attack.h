// What a clear sends: the attack tables of PPT, Jstris and TETR.IO, and the guideline score.
//
// b2b is a counter: -1 after a clear that is not difficult, then one more with each difficult clear (four lines, or a
// spin with a line), so the first makes it 0. combo is the number of placements in a row that cleared before this one.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "tetris/moves.h"

namespace sevenfold::tetris {

enum class AttackTable : std::uint8_t { ppt, jstris, tetrio, tetrio_chaining };

struct Clear {
  int lines = 0;
  Spin spin = Spin::none;
  int b2b = -1;         // before the placement
  int combo = 0;        // clears in a row before the placement
  bool perfect = false; // the board is empty afterwards
  bool dug = false;     // a garbage row was among the lines
  bool difficult() const { return lines >= 4 || (spin != Spin::none && lines > 0); }
};

struct Attack {
  int lines = 0;     // sent in all
  int surge = 0;     // of them, the packets of a broken chain (TETR.IO), which go first
  int all_clear = 0; // … and that of an empty board, which goes last
  int b2b = -1;      // after the placement

  // The packets they go in: three of a surge, the clear's own, an all-clear's; each has a hole of its own.
  std::array<int, 5> packets() const {
    const int third = (2 * surge + 3) / 6; // rounded
    return {third, third, surge - 2 * third, lines - surge - all_clear, all_clear};
  }
};

namespace detail {

// Lines by kind: [none, mini, full][lines cleared].
inline constexpr std::array<std::array<int, 5>, 3> kBase{{{0, 0, 1, 2, 4}, {0, 0, 1, 2, 4}, {0, 2, 4, 6, 10}}};
inline constexpr std::array<int, 12> kPptCombo{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5};
inline constexpr std::array<int, 13> kJstrisCombo{0, 0, 1, 1, 1, 2, 2, 3, 3, 4, 4, 4, 5};

template <std::size_t N>
constexpr int last_or(const std::array<int, N>& table, int i) {
  return table[std::min(at(i), N - 1)];
}

// The bonus of a chain in TETR.IO's first season.
inline double chaining(int b) {
  const double log = std::log1p(0.8 * b), whole = std::floor(1 + log);
  return b == 1 ? whole : whole + (1 + (log - std::floor(log))) / 3;
}

} // namespace detail

inline Attack attack_of(AttackTable table, const Clear& clear) {
  Attack out{.b2b = clear.b2b};
  if (clear.lines == 0) return out;
  const bool difficult = clear.difficult(), chained = difficult && clear.b2b >= 0;
  const int base = detail::kBase[static_cast<std::size_t>(clear.spin)][at(std::min(clear.lines, 4))];
  out.b2b = difficult ? clear.b2b + 1 : -1;
  if (table == AttackTable::ppt || table == AttackTable::jstris) {
    out.lines = base + chained;
    out.lines += table == AttackTable::ppt ? detail::last_or(detail::kPptCombo, clear.combo)
                                           : detail::last_or(detail::kJstrisCombo, clear.combo);
    if (clear.perfect) out.lines = 10;
    return out;
  }
  const bool league = table == AttackTable::tetrio;
  double sent = base;
  if (chained) sent += league ? 1 : detail::chaining(out.b2b);
  if (clear.combo > 0) sent *= 1 + 0.25 * clear.combo;
  if (clear.combo > 1) sent = std::max(sent, std::log1p(1.25 * clear.combo));
  out.lines = static_cast<int>(std::floor(sent));
  if (league && difficult && clear.dug) ++out.lines;
  if (league && !difficult && clear.b2b >= 4) out.surge = clear.b2b;
  out.lines += out.surge;
  if (clear.perfect) {
    out.all_clear = league ? 5 : 10;
    out.lines += out.all_clear;
    out.b2b += league ? 1 : 0;
  }
  return out;
}

// The guideline score of a placement at level 1, drops not counted.
inline int score_of(const Clear& clear) {
  constexpr std::array<int, 5> plain{0, 100, 300, 500, 800}, mini{100, 200, 400, 400, 400},
      full{400, 800, 1200, 1600, 1600}, perfect{0, 800, 1200, 1800, 2000};
  const auto lines = at(std::min(clear.lines, 4));
  int score = clear.spin == Spin::none ? plain[lines] : clear.spin == Spin::mini ? mini[lines] : full[lines];
  const bool chained = clear.difficult() && clear.b2b >= 0;
  if (chained) score += score / 2;
  if (clear.lines > 0) score += 50 * clear.combo;
  if (clear.perfect && clear.lines > 0) score += chained && clear.lines == 4 ? 3200 : perfect[lines];
  return score;
}

} // namespace sevenfold::tetris
