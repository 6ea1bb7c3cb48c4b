// Where a piece can come to rest: full reachability by shifts, soft drops and turns with kicks, and the spins.
//
// Sets of poses are masks of rows, one word per orientation and column (board.h). The flood fill asks of the poses not
// reached yet, not of those reached: on a board without overhangs nothing is left to ask, and a few holes cost little.
//   1. blocked[r][x]: the rows in which the piece would overlap something, four shifted columns together.
//   2. If the stack ends three rows under the spawn, every column can be reached from above in every orientation;
//      otherwise only the spawn pose is reached.
//   3. A pose not reached yet is, if the pose beside or above it is, or if a turn from a reached pose ends in it: by
//      its test k, and the tests before k are blocked. Repeated until nothing new is reached.
//   4. A reached pose with something under it is a landing. It counts once as a spin for each kind of spin that some
//      last turn gives, and once without if a shift or a fall ends in it too.
// Poses that fill the same cells are merged into the canonical one.
#pragma once

#include <utility>

#include "core/list.h"
#include "tetris/board.h"

namespace sevenfold::tetris {

enum class Spin : std::uint8_t { none, mini, full };

struct Placement {
  std::int8_t piece = kNoPiece, r = 0, x = 0, y = 0;
  Spin spin = Spin::none;
  bool operator==(const Placement&) const = default;
};
using PlacementList = List<Placement, 512>;

// What counts as a spin. T by its corners: three of four filled, both front ones for a full spin, else a mini, which
// the fifth kick makes full. Any piece by immobility: it cannot move left, right, up or down.
struct SpinRules {
  enum class Fifth : std::uint8_t { always, from_flat, never };
  bool corners = true;         // T by its corners
  bool immobile_t = false;     // T that is immobile without three corners: a mini
  Spin immobile = Spin::none;  // what another immobile piece makes
  Fifth fifth = Fifth::always; // from_flat: only out of N or S (TETR.IO)
  bool operator==(const SpinRules&) const = default;
};

constexpr Column shifted(Column c, int up) { return up >= 0 ? c << up : c >> -up; }
constexpr Column shifted_wall(Column c, int up) {
  return up >= 0 ? (c << up) | below(up) : c >> -up;
} // floor is filled

// The rotation system is a template's argument, so that kicks are constants in the code.
template <int P, System Turns>
class Mover {
 public:
  static constexpr int kPad = 2; // columns beside the board, for kicks that leave it
  static constexpr int kWide = kCols + 2 * kPad;
  using Plane = std::array<Column, kWide>;

  Mover(const Board& board, int spawn_x, int spawn_y) : spawn_x_(spawn_x), spawn_y_(spawn_y) {
    block<0>(board);
    if ((blocked(0, spawn_x) >> spawn_y & 1) != 0) { // no room to appear
      for (Plane& face : reach_) face.fill(0);
      blocked_[1] = blocked_[2] = blocked_[3] = blocked_[0];
      return;
    }
    if constexpr (P != kO) block<1>(board);
    if (board.height() <= spawn_y - 3) {
      open_ = below(spawn_y);
      faces_ = P == kO ? 1 : two_faced(P) ? 2 : 4;
      if constexpr (P != kO && !two_faced(P)) {
        block<2>(board);
        block<3>(board);
      }
      bool left = false;
      for (int r = 0; r < faces_; ++r) left |= fall_from_the_sky(r);
      if (left) {
        if constexpr (two_faced(P)) {
          block<2>(board);
          block<3>(board);
          faces_ = 4;
          fall_from_the_sky(2);
          fall_from_the_sky(3);
        }
        flood();
      }
    } else {
      open_ = below(60);
      faces_ = P == kO ? 1 : 4;
      if constexpr (P != kO) {
        block<2>(board);
        block<3>(board);
      }
      for (int r = 0; r < faces_; ++r) reach_[at(r)].fill(0);
      reach(0, spawn_x) = fall(bit(spawn_y), ~blocked(0, spawn_x));
      flood();
    }
  }

  // For every canonical orientation and column with landings: emit(r, x, none, mini, full), masks of rows.
  template <class Emit>
  void landings(const Board& board, const SpinRules& rules, Emit emit) const {
    if constexpr (P == kT) {
      if (rules.corners || rules.immobile_t) return each_spin(board, rules, emit);
    } else if (P != kO && rules.immobile != Spin::none) {
      return each_spin(board, rules, emit);
    }
    for (int r = 0; r < (two_faced(P) ? 2 : faces_); ++r)
      for (int x = 0; x < kCols; ++x) {
        Column rows = landed(r, x);
        if constexpr (two_faced(P))
          if (faces_ == 4) rows |= twin(r, x, [&](int q, int c) { return landed(q, c); });
        if (rows != 0) emit(r, x, rows, Column{0}, Column{0});
      }
  }

 private:
  Column& reach(int r, int x) { return reach_[at(r)][at(x + kPad)]; }
  Column reach(int r, int x) const { return reach_[at(r)][at(x + kPad)]; }
  Column blocked(int r, int x) const { return blocked_[at(r)][at(x + kPad)]; }
  Column landed(int r, int x) const { return reach(r, x) & shifted_wall(blocked(r, x), 1); }

  template <int R>
  void block(const Board& board) {
    Plane& out = blocked_[R];
    constexpr Cells cells = kShape[P][R];
    constexpr int low = std::min({cells[0].x, cells[1].x, cells[2].x, cells[3].x});
    constexpr int high = std::max({cells[0].x, cells[1].x, cells[2].x, cells[3].x});
    out.fill(~Column{0});
    for (int x = -low; x < kCols - high; ++x) {
      Column rows = 0;
      for (const Cell c : cells) rows |= shifted_wall(board.col[at(x + c.x)], -c.y);
      out[at(x + kPad)] = rows;
    }
  }

  // Everything under the open sky is reached; whether something else is left.
  bool fall_from_the_sky(int r) {
    Column left = 0;
    reach_[at(r)].fill(0);
    for (int x = 0; x < kCols; ++x) {
      const Column wall = blocked(r, x) & open_;
      const Column sky = open_ & ~below(top(wall));
      reach(r, x) = sky;
      left |= open_ & ~wall & ~sky;
    }
    return left != 0;
  }

  // The rows that poses fall through.
  static Column fall(Column from, Column open) {
    Column way = open;
    from |= from >> 1 & way;
    way &= way >> 1;
    from |= from >> 2 & way;
    way &= way >> 2;
    from |= from >> 4 & way;
    way &= way >> 4;
    from |= from >> 8 & way;
    way &= way >> 8;
    from |= from >> 16 & way;
    way &= way >> 16;
    return from | (from >> 32 & way);
  }

  static constexpr KickTable kKicks = rotation_system(Turns).of(P);

  // Of some poses (R, x), those that a turn from another orientation reaches by its test K.
  template <int R, int From, std::size_t K>
  Column turned(int x, Column poses) const {
    constexpr Kicks kicks = kKicks[From][R];
    constexpr Cell kick = kicks.tests[K];
    const int source = x - kick.x;
    poses &= shifted(reach(From, source), kick.y);
    if (poses == 0) return 0;
    [&]<std::size_t... J>(std::index_sequence<J...>) {
      ((poses &= shifted_wall(blocked(R, source + kicks.tests[J].x), kick.y - kicks.tests[J].y)), ...);
    }(std::make_index_sequence<K>{});
    return poses;
  }
  // f.template operator()<From, K>() for every test of every turn into R.
  template <int R, class F>
  static void each_turn(F f) {
    [&]<std::size_t... From>(std::index_sequence<From...>) {
      const auto tests = [&]<std::size_t Q, std::size_t... K>(std::index_sequence<K...>) {
        (f.template operator()<static_cast<int>(Q), K>(), ...);
      };
      (tests.template operator()<From>(std::make_index_sequence<static_cast<std::size_t>(kKicks[From][R].count)>{}),
       ...);
    }(std::make_index_sequence<4>{});
  }

  template <int R>
  bool flood_face() {
    bool more = false;
    for (int x = 0; x < kCols; ++x) {
      const Column free = open_ & ~blocked(R, x), left = free & ~reach(R, x);
      if (left == 0) continue;
      Column fresh = left & (reach(R, x - 1) | reach(R, x + 1) | reach(R, x) >> 1);
      if constexpr (P != kO) each_turn<R>([&]<int From, std::size_t K>() { fresh |= turned<R, From, K>(x, left); });
      if (fresh == 0) continue;
      reach(R, x) |= fall(fresh, free);
      more = true;
    }
    return more;
  }
  void flood() {
    for (bool more = true; more;) {
      more = flood_face<0>();
      if constexpr (P != kO) {
        more |= flood_face<1>();
        more |= flood_face<2>();
        more |= flood_face<3>();
      }
    }
  }

  // The landings of the other orientation that looks like r, moved onto r.
  template <class Of>
  static Column twin(int r, int x, Of of) {
    const Canon c = canon(P, r + 2);
    const int source = x - c.x;
    return source >= 0 && source < kCols ? shifted(of(r + 2, source), c.y) : 0;
  }

  struct Kinds {
    Column none = 0, mini = 0, full = 0;
  };

  template <class Emit>
  void each_spin(const Board& board, const SpinRules& rules, Emit emit) const {
    for (int r = 0; r < (two_faced(P) ? 2 : faces_); ++r)
      for (int x = 0; x < kCols; ++x) {
        Kinds kinds = sorted_any(board, rules, r, x);
        if constexpr (two_faced(P))
          if (faces_ == 4) {
            kinds.none |= twin(r, x, [&](int q, int c) { return sorted_any(board, rules, q, c).none; });
            kinds.mini |= twin(r, x, [&](int q, int c) { return sorted_any(board, rules, q, c).mini; });
            kinds.full |= twin(r, x, [&](int q, int c) { return sorted_any(board, rules, q, c).full; });
          }
        if ((kinds.none | kinds.mini | kinds.full) != 0) emit(r, x, kinds.none, kinds.mini, kinds.full);
      }
  }

  Kinds sorted_any(const Board& board, const SpinRules& rules, int r, int x) const {
    switch (r) {
      case 0: return sorted<0>(board, rules, x);
      case 1: return sorted<1>(board, rules, x);
      case 2: return sorted<2>(board, rules, x);
      default: return sorted<3>(board, rules, x);
    }
  }
  // The landings of one orientation and column by what they are.
  template <int r>
  Kinds sorted(const Board& board, const SpinRules& rules, int x) const {
    const Column rows = landed(r, x);
    Kinds out{.none = rows};
    if (rows == 0) return out;
    Column spin = 0, front = 0; // where a last turn makes a spin; where it makes a full one
    if constexpr (P == kT) {
      if (rules.corners) {
        const auto wall = [&](int c, int up) {
          return c < 0 || c >= kCols ? ~Column{0} : shifted_wall(board.col[at(c)], up);
        };
        // Corners clockwise from the upper left one: the front ones of orientation r are r and r + 1.
        const std::array<Column, 4> corner{wall(x - 1, -1), wall(x + 1, -1), wall(x + 1, 1), wall(x - 1, 1)};
        front = corner[at(r)] & corner[at((r + 1) & 3)];
        const Column back = corner[at((r + 2) & 3)] & corner[at((r + 3) & 3)];
        spin = (front & (corner[at((r + 2) & 3)] | corner[at((r + 3) & 3)])) |
               (back & (corner[at(r)] | corner[at((r + 1) & 3)]));
      }
    }
    Column stuck = 0;
    if (P == kT ? rules.immobile_t : rules.immobile != Spin::none)
      stuck = blocked(r, x - 1) & blocked(r, x + 1) & blocked(r, x) >> 1 & ~spin;
    const Column candidates = rows & (spin | stuck);
    if (candidates == 0) return out;
    out.none = rows & ~candidates;
    out.none |= candidates & (reach(r, x - 1) | reach(r, x + 1) | reach(r, x) >> 1);
    if (r == 0 && x == spawn_x_) out.none |= candidates & bit(spawn_y_);
    each_turn<r>([&]<int from, std::size_t k>() {
      const Column hit = turned<r, from, k>(x, candidates);
      if (hit == 0) return;
      if constexpr (P == kT) {
        const bool fifth = k == 4 && ((from ^ r) & 1) != 0 && rules.fifth != SpinRules::Fifth::never &&
                           (rules.fifth == SpinRules::Fifth::always || (from & 1) == 0);
        const Column full = hit & spin & (fifth ? ~Column{0} : front);
        out.full |= full;
        out.mini |= hit & ~full;
      } else {
        (rules.immobile == Spin::full ? out.full : out.mini) |= hit;
      }
    });
    return out;
  }

  int spawn_x_, spawn_y_;
  int faces_ = 4;
  Column open_ = 0;
  std::array<Plane, 4> blocked_, reach_;
};

// Calls `body.template operator()<piece>()`.
template <class Body>
constexpr decltype(auto) for_piece(int piece, Body&& body) {
  switch (piece) {
    case kI: return body.template operator()<kI>();
    case kO: return body.template operator()<kO>();
    case kT: return body.template operator()<kT>();
    case kL: return body.template operator()<kL>();
    case kJ: return body.template operator()<kJ>();
    case kS: return body.template operator()<kS>();
    default: return body.template operator()<kZ>();
  }
}

struct Movement {
  System system = System::srs;
  SpinRules spins{};
};

template <class Emit>
void each_landing(const Board& board, const Movement& movement, int piece, int x, int y, Emit emit) {
  for_piece(piece, [&]<int P>() {
    switch (movement.system) {
      case System::srs: return Mover<P, System::srs>(board, x, y).landings(board, movement.spins, emit);
      case System::srs_plus: return Mover<P, System::srs_plus>(board, x, y).landings(board, movement.spins, emit);
      case System::none: return Mover<P, System::none>(board, x, y).landings(board, movement.spins, emit);
    }
  });
}

// All placements of a piece that spawns with its centre at (x, y): by orientation, column, row, spin.
inline void list_placements(const Board& board, const Movement& movement, int piece, int x, int y, PlacementList& out) {
  each_landing(board, movement, piece, x, y, [&](int r, int c, Column none, Column mini, Column full) {
    for (Column rows = none | mini | full; rows != 0; rows &= rows - 1) {
      const int row = std::countr_zero(rows);
      const auto push = [&](Spin spin) {
        out.push({static_cast<std::int8_t>(piece), static_cast<std::int8_t>(r), static_cast<std::int8_t>(c),
                  static_cast<std::int8_t>(row), spin});
      };
      if ((none >> row & 1) != 0) push(Spin::none);
      if ((mini >> row & 1) != 0) push(Spin::mini);
      if ((full >> row & 1) != 0) push(Spin::full);
    }
  });
}

// Straight drops only: every orientation over every column, from the sky.
inline void list_drops(const Board& board, int piece, PlacementList& out) {
  const int faces = piece == kO ? 1 : two_faced(piece) ? 2 : 4;
  for (int r = 0; r < faces; ++r)
    for (int x = 0; x < kCols; ++x) {
      int y = 0;
      bool inside = true;
      for (const Cell c : shape(piece, r)) {
        inside = inside && x + c.x >= 0 && x + c.x < kCols;
        if (inside) y = std::max(y, top(board.col[at(x + c.x)]) - c.y);
      }
      if (inside)
        out.push({static_cast<std::int8_t>(piece), static_cast<std::int8_t>(r), static_cast<std::int8_t>(x),
                  static_cast<std::int8_t>(y), Spin::none});
    }
}

} // namespace sevenfold::tetris
