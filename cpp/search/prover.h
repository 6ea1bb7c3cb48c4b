// The prover of a game: the room's own, or alpha-beta where it brings none.
#pragma once

#include <memory>

#include "game/prover.h"
#include "game/registry.h"

namespace sevenfold {

// Whether exact results can be found: two players, zero sum, no chance, nothing hidden.
bool can_prove(const Game& game);
// With a table of so many bytes. The game outlives it.
std::unique_ptr<Prover> make_prover(const Game& game, std::size_t bytes);

} // namespace sevenfold
