// Positions of recorded games as a network sees them, through a symmetry of the game where it has some.
#pragma once

#include <cstdint>

#include "game/registry.h"
#include "selfplay/record.h"

namespace sevenfold {

// One position to be encoded: where its game's actions begin, how many of them lead to it, and its policy.
struct Sample {
  const std::int32_t* actions;
  std::int32_t ply;
  std::uint32_t symmetry; // any number; taken modulo the number of symmetries, 0 is none
  const std::uint16_t* policy_actions;
  const float* policy_shares;
  std::size_t policy_size;
};

// Fills one row of each, which may hold anything. Returns the viewer: the player to move.
int encode(const Game& game, const Sample& sample, float* planes, float* features, std::uint8_t* legal, float* policy);

} // namespace sevenfold
