// The solver as Python sees it: `_core._easycard.Solver`, of which the player `perfect` (perfect.py) is made.
#include "bind/bind.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "easycard/rules.h"
#include "easycard/solver.h"

namespace sevenfold {

namespace {

using easycard::Position;
using easycard::Solution;
using easycard::Solver;

// The position inside a state: all variants are one struct with different abilities.
Position position_of(const State& state) {
  const Table* table = &state.table();
  if (table == &kTable<easycard::Open>) return held<easycard::Open>(state.data());
  if (table == &kTable<easycard::Chancy>) return held<easycard::Chancy>(state.data());
  throw std::invalid_argument("the solver is for easycard with open hands.");
}

} // namespace

void bind_easycard(nb::module_& m) {
  nb::class_<Solution>(m, "Solution", "What the solver found: values for player 0; `complete` where they are exact.")
      .def_ro("value", &Solution::value)
      .def_ro("actions", &Solution::actions)
      .def_ro("nodes", &Solution::nodes)
      .def_ro("complete", &Solution::complete);
  nb::class_<Solver>(m, "Solver", "Exact values, with a limit in nodes for each question.")
      .def(nb::init<std::uint64_t>())
      .def_prop_ro("positions", &Solver::positions)
      .def("forget", &Solver::forget)
      .def("solve",
           [](Solver& self, const bind::BoundState& s, bool every, Watch& watch) {
             const Position position = position_of(s.state);
             nb::gil_scoped_release release;
             return self.solve(position, every, watch);
           })
      .def("minimax", [](Solver& self, const bind::BoundState& s, int depth, bool chance_plies, Watch& watch) {
        const Position position = position_of(s.state);
        nb::gil_scoped_release release;
        return self.minimax(position, depth, chance_plies, watch);
      });
}

} // namespace sevenfold
