#include "tetris/counting.h"

namespace sevenfold::tetris {

std::uint64_t count_sequences(const Board& board, const Movement& movement, const std::int8_t* queue, int length,
                              bool spins, int x, int y, Watch& watch) {
  if (length == 0) return 1;
  std::uint64_t total = 0;
  const auto pops = [&](Column none, Column mini, Column full) {
    const int all = std::popcount(none | mini | full);
    return spins ? std::popcount(none) + std::popcount(mini) + std::popcount(full) : all;
  };
  if (length == 1) {
    each_landing(board, movement, queue[0], x, y, [&](int, int, Column none, Column mini, Column full) {
      total += static_cast<std::uint64_t>(pops(none, mini, full));
    });
    return total;
  }
  if (length == 2 && watch.stop.load(std::memory_order_relaxed)) throw Stopped();
  each_landing(board, movement, queue[0], x, y, [&](int r, int c, Column none, Column mini, Column full) {
    for (Column rows = none | mini | full; rows != 0; rows &= rows - 1) {
      const int row = std::countr_zero(rows);
      Board next = board;
      next.put(queue[0], r, c, row);
      next.clear();
      const Column one = rows & (~rows + 1);
      total += static_cast<std::uint64_t>(pops(none & one, mini & one, full & one)) *
               count_sequences(next, movement, queue + 1, length - 1, spins, x, y, watch);
    }
  });
  if (length == 2) watch.done.fetch_add(total, std::memory_order_relaxed);
  return total;
}

} // namespace sevenfold::tetris
