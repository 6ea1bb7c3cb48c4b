// What the page is told of a side, as Python objects; for the bindings of the rooms of Tetris (picture.py has the
// words).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "tetris/poses.h"
#include "tetris/story.h"
#include "tetris/text.h"

namespace sevenfold::tetris {

namespace nb = nanobind;

inline nb::object name_or_none(int piece) {
  return piece == kNoPiece ? nb::none() : nb::object(nb::str(&kLetters[at(piece)], 1));
}

inline nb::dict placement_dict(const Placement& p, bool hold) {
  nb::dict out;
  out["piece"] = name_or_none(p.piece);
  out["r"] = int{p.r};
  out["x"] = int{p.x};
  out["y"] = int{p.y};
  out["spin"] = static_cast<int>(p.spin);
  out["hold"] = hold;
  return out;
}

inline nb::dict side_dict(const Setup& setup, const Side& side, const SideStory& story) {
  nb::dict out;
  out["rows"] = story.rows;
  std::string queue;
  for (std::size_t i = 0; i < side.queued; ++i) queue += kLetters[at(side.queue[i])];
  out["queue"] = queue;
  out["hold"] = name_or_none(side.hold);
  out["bag"] = setup.uniform ? nb::none() : nb::object(nb::cast(pieces_text(side.bag)));
  out["combo"] = int{side.combo};
  out["b2b"] = int{side.b2b};
  out["incoming"] = side.incoming();
  out["due"] = side.due(setup);
  out["attack"] = side.attack;
  out["sent"] = side.sent;
  out["lines"] = side.lines;
  out["pieces"] = side.pieces;
  out["score"] = side.score;
  constexpr std::array<const char*, 5> ends{"", "block_out", "lock_out", "top_out", "done"};
  out["end"] = side.end == End::none ? nb::none() : nb::object(nb::str(ends[static_cast<std::size_t>(side.end)]));
  if (!story.last) {
    out["last"] = nb::none();
    return out;
  }
  const Last& last = *story.last;
  nb::dict told = placement_dict(last.placement, last.hold);
  std::vector<int> cleared;
  for (int y = 0; y < 64; ++y)
    if ((last.cleared >> y & 1) != 0) cleared.push_back(y);
  told["cleared"] = cleared;
  told["attack"] = last.placed.attack.lines;
  told["sent"] = last.placed.sent;
  told["perfect"] = last.placed.clear.perfect;
  told["b2b"] = last.placed.clear.b2b >= 0 && last.placed.clear.difficult();
  told["rose"] = last.rose;
  out["last"] = told;
  return out;
}

// The poses of the piece in play and of the one that hold gives; and every placement by its action.
inline nb::dict play_dict(const Setup& setup, const Side& side) {
  nb::list falls;
  for (const bool hold : {false, true}) {
    const int piece = hold ? side.other(setup) : side.current();
    if (piece == kNoPiece) continue;
    const PoseFinder finder(setup, side, hold, piece);
    const Poses& poses = finder.found();
    std::vector<int> flat;
    for (const Pose& p : poses.list) flat.insert(flat.end(), {p.r, p.x, p.y});
    nb::dict one;
    one["piece"] = name_or_none(piece);
    one["hold"] = hold;
    one["poses"] = flat;
    one["steps"] = poses.steps;
    one["locks"] = poses.locks;
    falls.append(one);
  }
  nb::dict places;
  each_choice(setup, side, [&](bool hold, const Placement& p) {
    places[nb::cast(std::to_string(encoded(setup, hold, p)))] = placement_dict(p, hold);
  });
  nb::dict out;
  out["falls"] = falls;
  out["places"] = places;
  return out;
}

// Everything: {"sides": [...], "mover": seat or None, "falls", "places"}.
template <class Game, class Sides, class Mover>
nb::dict picture_dict(const bind::BoundState& s, Sides sides, Mover mover) {
  const auto& now = held<Game>(s.state.data());
  State first = s.core->initial();
  if (s.start) first.parse(*s.start);
  // A mirrored position has no history that leads to it: its cells are all alike.
  std::vector<SideStory> told;
  if (s.replayable) told = story(held<Game>(first.data()), s.history, sides, mover);
  else told = story(now, {}, sides, mover);
  nb::list seats;
  for (std::size_t i = 0; i < told.size(); ++i) seats.append(side_dict(*now.setup, *sides(now)[i], told[i]));
  nb::dict out;
  out["sides"] = seats;
  const bool moves = s.state.to_move() >= 0;
  out["mover"] = moves ? nb::object(nb::int_(mover(now))) : nb::none();
  const nb::dict play = moves ? play_dict(*now.setup, *sides(now)[static_cast<std::size_t>(mover(now))]) : nb::dict();
  out["falls"] = moves ? nb::object(play["falls"]) : nb::list();
  out["places"] = moves ? nb::object(play["places"]) : nb::dict();
  return out;
}

} // namespace sevenfold::tetris
