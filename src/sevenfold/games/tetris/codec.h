// Action ids: a placement, whether it uses the hold, and its spin, as a number.
//
// The default is layer * rows * 10 + y * 10 + x with layer = hold * 12 + orientation * 3 + spin, so that a policy head
// of 24 planes over the board has the right shape. The founding document's is ((hold * 4 + orientation) * 12 + x + 1) *
// 24 + y, 2304 in all; it does not tell spins apart, and the best one is meant.
#pragma once

#include "tetris/side.h"

namespace sevenfold::tetris {

struct Choice {
  bool hold = false;
  Placement placement{};
};

constexpr int kLayers = 24, kDocumentActions = 2304, kDocumentRows = 24;

inline int actions_of(const Setup& s) { return s.document ? kDocumentActions : kLayers * s.rows * kCols; }

inline Action encoded(const Setup& s, bool hold, const Placement& p) {
  if (s.document) return ((hold * 4 + p.r) * 12 + p.x + 1) * kDocumentRows + p.y;
  const int layer = hold * 12 + p.r * 3 + static_cast<int>(p.spin);
  return (layer * s.rows + p.y) * kCols + p.x;
}

// The placement of an id; in the document's encoding, without its spin.
inline Choice decoded(const Setup& s, const Side& side, Action action) {
  Choice out;
  Placement& p = out.placement;
  const auto small = [](int value) { return static_cast<std::int8_t>(value); };
  if (s.document) {
    p.y = small(action % kDocumentRows);
    p.x = small(action / kDocumentRows % 12 - 1);
    p.r = small(action / (kDocumentRows * 12) % 4);
    out.hold = action >= kDocumentActions / 2;
  } else {
    p.x = small(action % kCols);
    p.y = small(action / kCols % s.rows);
    const int layer = action / (kCols * s.rows);
    p.spin = static_cast<Spin>(layer % 3);
    p.r = small(layer / 3 % 4);
    out.hold = layer >= 12;
  }
  p.piece = small(out.hold ? side.other(s) : side.current());
  return out;
}

// Every choice of a side: f(hold, placement), the current piece first.
template <class F>
void each_choice(const Setup& s, const Side& side, F f) {
  const int rows = s.document ? kDocumentRows : s.rows;
  for (const bool hold : {false, true}) {
    const int piece = hold ? side.other(s) : side.current();
    if (piece == kNoPiece) continue;
    PlacementList list;
    side.placements(s, piece, list);
    for (int i = 0; i < list.size(); ++i) {
      const Placement& p = list[at(i)];
      if (p.y >= rows) continue;
      if (s.document && i + 1 < list.size()) { // spins of one pose follow each other, the best last
        const Placement& next = list[at(i + 1)];
        if (next.r == p.r && next.x == p.x && next.y == p.y) continue;
      }
      f(hold, p);
    }
  }
}

// The choice that an id means, its spin included.
inline Choice chosen(const Setup& s, const Side& side, Action action) {
  Choice out = decoded(s, side, action);
  if (s.document)
    each_choice(s, side, [&](bool hold, const Placement& p) {
      if (encoded(s, hold, p) == action) out.placement.spin = p.spin;
    });
  return out;
}

// A placement as people type it: h where it uses the hold, piece, orientation, the centre's column a-j and row from 1,
// and m or f for a spin: hTEb2f.
inline std::string choice_text(bool hold, const Placement& p) {
  std::string out = hold ? "h" : "";
  out += kLetters[at(p.piece)];
  out += kOrientations[at(p.r)];
  out += static_cast<char>('a' + p.x);
  out += std::to_string(p.y + 1);
  if (p.spin != Spin::none) out += p.spin == Spin::mini ? 'm' : 'f';
  return out;
}

// What a placement is in a mirror.
inline Placement mirrored(const Placement& p) {
  Placement out = p;
  out.piece = kMirrored[at(p.piece)];
  out.x = static_cast<std::int8_t>(kCols - 1 - p.x);
  const bool wide = p.piece == kO || (p.piece == kI && p.r == 0) || ((p.piece == kS || p.piece == kZ) && p.r == 1);
  if (wide) --out.x; // the centre of an even width is left of its middle
  else if (p.piece != kI && p.piece != kS && p.piece != kZ && (p.r & 1) != 0) out.r = static_cast<std::int8_t>(4 - p.r);
  return out;
}

} // namespace sevenfold::tetris
