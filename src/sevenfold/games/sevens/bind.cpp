// The room's own as Python sees it: `_core._sevens`, of which the players (players.py), the measurements and the tests
// are made.
#include "bind/bind.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "sevens/duplicate.h"
#include "sevens/solver.h"

namespace sevenfold {

namespace {

using sevens::Belief;
using sevens::Policy;
using sevens::Sevens;

const Sevens& position_of(const bind::BoundState& s) {
  if (&s.state.table() != &kTable<Sevens>) throw std::invalid_argument("this is for positions of sevens.");
  return held<Sevens>(s.state.data());
}

Policy policy_named(const std::string& name) {
  if (name == "random") return Policy::random;
  if (name == "greedy") return Policy::greedy;
  if (name == "keeper") return Policy::keeper;
  if (name == "blocker") return Policy::blocker;
  throw std::invalid_argument("there is no rule-based player " + name + ".");
}

// Which seat holds each card, and whether it is covered: seat, or seat + 8 where covered, or -1 on the table.
std::vector<int> holders(const Sevens& p) {
  std::vector<int> out(sevens::kDeck, -1);
  for (int seat = 0; seat < p.players(); ++seat) {
    sevens::each(p.hand[Sevens::at(seat)], [&](int card) { out[static_cast<std::size_t>(card)] = seat; });
    sevens::each(p.covered[Sevens::at(seat)], [&](int card) { out[static_cast<std::size_t>(card)] = seat + 8; });
  }
  return out;
}

// Worlds drawn by preferences: holders and importance weight of each.
std::vector<std::pair<std::vector<int>, double>> weighted(const Sevens& p, int viewer,
                                                          const std::vector<std::vector<double>>& prefer, int worlds,
                                                          std::uint64_t seed) {
  const Belief belief(p, viewer);
  Rng rng(seed);
  std::vector<std::pair<std::vector<int>, double>> out;
  for (int i = 0; i < worlds; ++i) {
    Sevens world = p;
    const double weight = belief.draw_weighted(world, rng, [&](int card, const Belief::Slot& slot) {
      return prefer.at(static_cast<std::size_t>(card)).at(static_cast<std::size_t>(slot.seat));
    });
    out.emplace_back(holders(world), weight);
  }
  return out;
}

// Worlds per second of processor time come from here: the search draws in C++, without Python in between.
std::uint64_t draw_many(const Sevens& p, int viewer, std::int64_t worlds, std::uint64_t seed) {
  const Belief belief(p, viewer);
  Sevens world = p;
  Rng rng(seed);
  std::uint64_t out = 0;
  for (std::int64_t i = 0; i < worlds; ++i) {
    belief.draw(world, rng);
    out ^= world.hand[0];
  }
  return out;
}

std::vector<double> settle(const Sevens& p, const std::vector<int>& penalties, int dealer) {
  sevens::Result result;
  result.dealer = dealer;
  for (std::size_t seat = 0; seat < penalties.size(); ++seat) {
    result.penalty.at(seat) = penalties[seat];
    result.cards.at(seat) = penalties[seat] > 0;
    result.order.at(seat) = static_cast<int>(seat);
  }
  Values values{};
  sevens::Settlement(*p.setup, result).rewards(values);
  return {values.begin(), values.begin() + p.players()};
}

using Solved = std::vector<std::pair<int, std::vector<double>>>;

Solved solve(const Sevens& p, const std::string& mode, const std::string& equal, std::size_t most) {
  using sevens::Solver;
  if (mode != "maxn" && mode != "paranoid") throw std::invalid_argument("solve by maxn or paranoid, not " + mode + ".");
  if (equal != "average" && equal != "kind" && equal != "hostile")
    throw std::invalid_argument("equal actions are average, kind or hostile, not " + equal + ".");
  Solver solver(p, mode == "maxn" ? Solver::Mode::maxn : Solver::Mode::paranoid,
                equal == "average" ? Solver::Equal::average
                : equal == "kind"  ? Solver::Equal::kind
                                   : Solver::Equal::hostile,
                most);
  Solved out;
  for (const auto& [action, values] : solver.actions(p))
    out.emplace_back(action, std::vector<double>(values.begin(), values.begin() + p.players()));
  return out;
}

} // namespace

void bind_sevens(nb::module_& m) {
  m.def(
      "choose",
      [](const bind::BoundState& s, const std::string& name, std::uint64_t seed) {
        Rng rng(seed);
        return sevens::choose(position_of(s), policy_named(name), rng);
      },
      "What a rule-based player does.");
  m.def(
      "duplicate",
      [](const bind::BoundState& s, const std::string& candidate, const std::string& reference, std::int64_t deals,
         std::uint64_t seed) {
        const Sevens start = position_of(s);
        const Policy one = policy_named(candidate), others = policy_named(reference);
        nb::gil_scoped_release release;
        return sevens::duplicate(start, one, others, deals, seed);
      },
      "For each deal the mean score of one candidate among copies of a reference, once in every seat.");
  m.def("takers", [](const bind::BoundState& s, Action action) { return position_of(s).takers(action); });
  m.def("holders", [](const bind::BoundState& s) { return holders(position_of(s)); });
  m.def(
      "dead",
      [](const bind::BoundState& s, int viewer) {
        const Sevens& p = position_of(s);
        if (viewer < 0 || viewer >= p.players()) throw std::invalid_argument("there is no such seat.");
        std::vector<int> out;
        sevens::each(sevens::dead_cards(p, viewer), [&](int card) { out.push_back(card); });
        return out;
      },
      "The cards in a hand that can never be played any more, as far as their holder can tell.");
  m.def("slots", [](const bind::BoundState& s, int viewer) {
    const Belief belief(position_of(s), viewer);
    std::vector<std::pair<int, int>> out;
    for (int i = 0; i < belief.slots(); ++i) out.emplace_back(belief.slot(i).seat, belief.slot(i).time);
    return out;
  });
  m.def("log_count", [](const bind::BoundState& s, int viewer) {
    const Belief belief(position_of(s), viewer);
    if (!belief.nested()) throw std::invalid_argument("with close_on_end worlds are drawn, not counted.");
    return belief.log_count();
  });
  m.def("entries", [](const bind::BoundState& s) {
    const auto& entry = position_of(s).entry;
    return std::vector<int>(entry.begin(), entry.end());
  });
  m.def("weighted",
        [](const bind::BoundState& s, int viewer, const std::vector<std::vector<double>>& prefer, int worlds,
           std::uint64_t seed) { return weighted(position_of(s), viewer, prefer, worlds, seed); });
  m.def("draw_many", [](const bind::BoundState& s, int viewer, std::int64_t worlds, std::uint64_t seed) {
    return draw_many(position_of(s), viewer, worlds, seed);
  });
  m.def(
      "solve",
      [](const bind::BoundState& s, const std::string& mode, const std::string& equal, std::size_t most) {
        const Sevens position = position_of(s);
        nb::gil_scoped_release release;
        return solve(position, mode, equal, most);
      },
      "What each seat gets after each legal action, with all cards open.");
  m.def("settle", [](const bind::BoundState& s, const std::vector<int>& penalties, int dealer) {
    return settle(position_of(s), penalties, dealer);
  });
}

} // namespace sevenfold
