// How a long computation is stopped and watched from another thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <stdexcept>

namespace sevenfold {

struct Watch {
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> done{0}; // units of work so far
};

struct Stopped : std::runtime_error {
  Stopped() : std::runtime_error("stopped") {}
};

} // namespace sevenfold
