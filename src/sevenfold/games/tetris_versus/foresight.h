// Where a line of the mover's placements leads, for a net to judge: its own side goes through the line by the rules,
// garbage and all, while the other side waits and receives what is sent.
//
// A line was found without the garbage that rises meanwhile (tetris/beam.h): its placements rise with the stack. Where
// the holes are, and which pieces come, is drawn from `seed`: the pieces apart from the holes, so that lines that are
// compared get the same ones, however much garbage each of them cancels.
#pragma once

#include <vector>

#include "core/rng.h"
#include "game/playout.h"
#include "tetris_versus/rules.h"

namespace sevenfold::tetris_versus {

inline Versus after_line(Versus game, const std::vector<Choice>& line, std::uint64_t seed) {
  const tetris::Setup& setup = *game.setup;
  Side side = game.sides[at(game.mover)];
  side.sparing = true;
  Rng holes(seed), pieces(mix(seed, 1));
  int risen = 0, sent = 0;
  for (const Choice& choice : line) {
    Placement p = choice.placement;
    p.y = static_cast<std::int8_t>(p.y + risen);
    sent += side.place(setup, choice.hold, p).sent;
    while (side.needs_chance(setup)) {
      OutcomeList outcomes;
      side.chance(setup, outcomes);
      const bool hole = side.needs_hole();
      risen += hole;
      side.resolve(setup, sample(outcomes, hole ? holes : pieces));
    }
    if (side.end != End::none) break;
    side.arrive(setup);
    if (side.end != End::none) break;
  }
  game.sides[at(game.mover)] = side;
  game.sides[at(1 - game.mover)].receive(sent);
  return game;
}

} // namespace sevenfold::tetris_versus
