// Every pose that a piece can take from its spawn, and where each key leads from it: what a page needs so that a person
// can move a falling piece without knowing a rule.
//
// A pose here remembers what spin it would be if the piece locked now: a turn makes one, a shift or a fall ends it. So
// the same cells may be several poses. The set of those that can lock is the set of placements (moves.h), spins
// included; the tests compare the two.
#pragma once

#include <vector>

#include "tetris/codec.h"

namespace sevenfold::tetris {

enum Key { kLeft, kRight, kDown, kClockwise, kCounter, kHalf, kKeys };

struct Pose {
  int r = 0, x = 0, y = 0;
  Spin spin = Spin::none;
};

struct Poses {
  int piece = kNoPiece;
  std::vector<Pose> list{}; // the spawn first; empty where the piece has no room
  std::vector<int> steps{}; // kKeys for each pose: the pose that the key leads to, -1 where nothing moves
  std::vector<int> locks{}; // the action of locking in each pose, -1 where it would fall on
};

class PoseFinder {
 public:
  PoseFinder(const Setup& setup, const Side& side, bool hold, int piece)
      : setup_(setup), side_(side), hold_(hold), kicks_(rotation_system(setup.movement.system).of(piece)) {
    out_.piece = piece;
    const int y = side.spawn_row(setup, piece);
    if (y < 0) return;
    index(0, 4, y, Spin::none);
    for (std::size_t i = 0; i < out_.list.size(); ++i) look(i);
  }
  const Poses& found() const { return out_; }

 private:
  static constexpr int kPad = 4, kHigh = 64;

  bool fits(int r, int x, int y) const { return side_.board.fits(out_.piece, r, x, y); }

  int index(int r, int x, int y, Spin spin) {
    int& known = known_[at(((r * (kCols + 2 * kPad) + x + kPad) * kHigh + y) * 3 + static_cast<int>(spin))];
    if (known == 0) {
      out_.list.push_back({r, x, y, spin});
      known = static_cast<int>(out_.list.size());
    }
    return known - 1;
  }

  void look(std::size_t i) {
    const Pose p = out_.list[i];
    const auto moved = [&](int dx, int dy) {
      return fits(p.r, p.x + dx, p.y + dy) ? index(p.r, p.x + dx, p.y + dy, Spin::none) : -1;
    };
    const std::array<int, kKeys> to{moved(-1, 0),       moved(1, 0),        moved(0, -1),
                                    turned(p, p.r + 1), turned(p, p.r + 3), turned(p, p.r + 2)};
    out_.steps.insert(out_.steps.end(), to.begin(), to.end());
    out_.locks.push_back(to[kDown] < 0 ? action(p) : -1);
  }

  int turned(const Pose& p, int to) {
    to &= 3;
    if (out_.piece == kO) return -1; // looks the same
    const Kicks& kicks = kicks_[at(p.r)][at(to)];
    for (int k = 0; k < kicks.count; ++k) {
      const int x = p.x + kicks.tests[at(k)].x, y = p.y + kicks.tests[at(k)].y;
      if (y < kHigh && fits(to, x, y)) return index(to, x, y, spin(p.r, to, x, y, k));
    }
    return -1;
  }

  Spin spin(int from, int r, int x, int y, int test) const {
    const SpinRules& rules = setup_.movement.spins;
    const auto filled = [&](int dx, int dy) { return static_cast<int>(side_.board.filled(x + dx, y + dy)); };
    if (out_.piece == kT && rules.corners) {
      // Clockwise from the upper left one: the front ones of orientation r are r and r + 1.
      const std::array<int, 4> corner{filled(-1, 1), filled(1, 1), filled(1, -1), filled(-1, -1)};
      const int front = corner[at(r)] + corner[at((r + 1) & 3)];
      const int back = corner[at((r + 2) & 3)] + corner[at((r + 3) & 3)];
      const bool fifth = test == 4 && ((from ^ r) & 1) != 0 && rules.fifth != SpinRules::Fifth::never &&
                         (rules.fifth == SpinRules::Fifth::always || (from & 1) == 0);
      if (front + back >= 3) return front == 2 || fifth ? Spin::full : Spin::mini;
    }
    const Spin stuck = out_.piece != kT ? rules.immobile : rules.immobile_t ? Spin::mini : Spin::none;
    if (stuck == Spin::none || fits(r, x - 1, y) || fits(r, x + 1, y) || fits(r, x, y + 1) || fits(r, x, y - 1))
      return Spin::none;
    return stuck;
  }

  int action(const Pose& p) const {
    const Canon c = canon(out_.piece, p.r);
    const auto small = [](int value) { return static_cast<std::int8_t>(value); };
    const Placement placed{small(out_.piece), small(c.r), small(p.x + c.x), small(p.y + c.y), p.spin};
    if (placed.y >= (setup_.document ? kDocumentRows : setup_.rows)) return -1;
    return encoded(setup_, hold_, placed);
  }

  const Setup& setup_;
  const Side& side_;
  bool hold_;
  const KickTable& kicks_;
  Poses out_;
  std::vector<int> known_ = std::vector<int>(static_cast<std::size_t>(4 * (kCols + 2 * kPad) * kHigh * 3));
};

} // namespace sevenfold::tetris
