// Perft: the placement sequences of a queue without hold.
#pragma once

#include "game/watch.h"
#include "tetris/moves.h"

namespace sevenfold::tetris {

// `spins`: each spin of a placement counts by itself. The last piece is counted in bulk.
std::uint64_t count_sequences(const Board& board, const Movement& movement, const std::int8_t* queue, int length,
                              bool spins, int x, int y, Watch& watch);

} // namespace sevenfold::tetris
