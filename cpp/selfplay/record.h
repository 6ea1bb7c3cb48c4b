// What self-play leaves behind: whole games by their actions, and what the search found at each decision. Planes are
// not kept: encode.h makes them again, so that old games outlive a change of the observation.
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.h"

namespace sevenfold {

// How a decision came about.
enum class Kind : std::uint8_t {
  full,   // by a search whose policy is to be learnt
  fast,   // by a short search, to get on with the game
  forced, // there was one legal action
};

enum class Ended : std::uint8_t { by_rules, proven, resigned, capped };

struct Position {
  std::int32_t ply; // how many actions and outcomes came before
  Kind kind;
  bool exact;                        // `value` is proven
  float surprise;                    // how far the search's policy is from the network's: its relative entropy, in nats
  std::uint32_t policy, policy_size; // a part of PlayedGame::policy
  Values value;                      // by the search
  Values target;                     // what the value head should say
  Values got;                        // what each player had got before, where returns grow on the way
};

struct Share {
  std::uint16_t action;
  float share;
};

struct PlayedGame {
  std::uint64_t id = 0;
  std::uint16_t game = 0; // which of the pool's games
  Ended ended = Ended::by_rules;
  std::int32_t resign_ply = -1; // where a player would have resigned, in a game that was played on all the same
  Values returns{};
  std::vector<std::int32_t> actions{};
  std::vector<Position> positions{};
  std::vector<Share> policy{};
};

} // namespace sevenfold
