// When a search stops: whichever comes first.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

#include "game/watch.h"

namespace sevenfold {

struct Limits {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t simulations = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  int depth = std::numeric_limits<int>::max();
};

// Calls simulate() until a limit, a stop, or until it answers that there is nothing left to find; `count` is kept up to
// date. The seconds it took.
template <class Simulate>
double run_within(const Limits& limits, Watch& watch, std::uint64_t& count, Simulate simulate) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  const std::uint64_t most = std::min(limits.simulations, limits.nodes);
  std::uint64_t next_look = 1; // at the clock: about every half millisecond, however slow the game is
  for (count = 0; count < most && simulate();) {
    if (++count < next_look) continue;
    watch.done.store(count, std::memory_order_relaxed);
    const double now = seconds();
    if (watch.stop.load(std::memory_order_relaxed) || now >= limits.seconds) break;
    const double rate = static_cast<double>(count) / std::max(now, 1e-9);
    next_look = count + static_cast<std::uint64_t>(std::clamp(rate * 0.0005, 1.0, 64.0));
  }
  return seconds();
}

} // namespace sevenfold
