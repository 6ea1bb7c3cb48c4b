// Duplicate deals: the same deal once with the candidate in every seat, the others all a reference. The mean over the
// seats is one number per deal, free of the luck of the seat; over deals they are independent.
#pragma once

#include <vector>

#include "game/playout.h"
#include "sevens/policy.h"
#include "sevens/rules.h"

namespace sevenfold::sevens {

inline Sevens dealt(const Sevens& start, std::uint64_t seed) {
  Sevens out = start;
  Rng rng(seed);
  while (out.dealing()) out.play(random_outcome(out, rng));
  return out;
}

inline double seat_score(const Sevens& deal, Policy candidate, Policy reference, int seat, Rng& rng) {
  Sevens table = deal;
  while (!table.over) table.play(choose(table, table.mover == seat ? candidate : reference, rng));
  Values values{};
  table.returns(values);
  return values[static_cast<std::size_t>(seat)];
}

inline std::vector<double> duplicate(const Sevens& start, Policy candidate, Policy reference, std::int64_t deals,
                                     std::uint64_t seed) {
  std::vector<double> out;
  Rng rng(mix(seed, 1));
  for (std::int64_t i = 0; i < deals; ++i) {
    const Sevens deal = dealt(start, mix(seed, static_cast<std::uint64_t>(i) + 2));
    double sum = 0;
    for (int seat = 0; seat < start.players(); ++seat) sum += seat_score(deal, candidate, reference, seat, rng);
    out.push_back(sum / start.players());
  }
  return out;
}

} // namespace sevenfold::sevens
