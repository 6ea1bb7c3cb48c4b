// The small vocabulary every other file uses: actions, who moves, values per player.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/list.h"

namespace sevenfold {

// An action (or, at a chance node, an outcome) is a small number that the game gives its meaning.
using Action = std::int32_t;
inline constexpr Action kNoAction = -1;

// The two answers to `to_move` that are not a player.
inline constexpr int CHANCE = -1;
inline constexpr int TERMINAL = -2;

inline constexpr int kMaxPlayers = 8;
inline constexpr int kMaxLegal = 4096;    // legal actions, or chance outcomes, at one state
inline constexpr int kMaxActions = 65536; // distinct action ids of a game
inline constexpr int kMaxPlies = 100000;  // a game still running after this many plies is taken to be endless

using ActionList = List<Action, kMaxLegal>;

// One number per player, absolute: never "for the side to move".
using Values = std::array<double, kMaxPlayers>;

struct Outcome {
  Action action;
  double probability;
};
using OutcomeList = List<Outcome, kMaxLegal>;

// A weight for each of a list of actions, in their order.
using Odds = List<double, kMaxLegal>;

// The numbers that a linear evaluation weighs for one player.
inline constexpr int kMaxTerms = 64;
using Terms = List<double, kMaxTerms>;

} // namespace sevenfold
