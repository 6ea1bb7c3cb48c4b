// When a search stops: whichever comes first.
#pragma once

#include <cstdint>
#include <limits>

namespace sevenfold {

struct Limits {
  double seconds = std::numeric_limits<double>::infinity();
  std::uint64_t simulations = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t nodes = std::numeric_limits<std::uint64_t>::max();
  int depth = std::numeric_limits<int>::max();
};

} // namespace sevenfold
