// The solver as Python sees it: `_core._connect_four.Solver`. The player `perfect` (perfect.py) is made of it.
#include "bind/bind.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "connect_four/analyst.h"

namespace sevenfold {

namespace {

using connect_four::Analysis;
using connect_four::Analyst;
using connect_four::Steps;
using connect_four::Verdict;

std::pair<int, int> bounds(const Verdict& verdict) { return {verdict.lower, verdict.upper}; }

} // namespace

void bind_connect_four(nb::module_& m) {
  nb::class_<Steps>(m, "Steps", "The steps of the solver that can be turned off to measure them.")
      .def(nb::init<>())
      .def_rw("safe", &Steps::safe)
      .def_rw("forced", &Steps::forced)
      .def_rw("table", &Steps::table)
      .def_rw("mirror", &Steps::mirror)
      .def_rw("claims", &Steps::claims)
      .def_rw("threats", &Steps::threats)
      .def_rw("children", &Steps::children)
      .def_rw("windows", &Steps::windows);
  nb::class_<Analysis>(m, "Analysis", "What the solver found: scores as (lower, upper), for the side to move.")
      .def_prop_ro("score", [](const Analysis& a) { return bounds(a.score); })
      .def_prop_ro("columns",
                   [](const Analysis& a) {
                     std::vector<std::optional<std::pair<int, int>>> out;
                     for (const auto& verdict : a.columns)
                       out.push_back(verdict ? std::optional(bounds(*verdict)) : std::nullopt);
                     return out;
                   })
      .def_ro("line", &Analysis::line)
      .def_ro("nodes", &Analysis::nodes)
      .def_ro("seconds", &Analysis::seconds);
  nb::class_<Analyst>(m, "Solver", "A solver for the board of the given state, with a table of so many bytes.")
      .def(nb::new_([](const bind::BoundState& s, std::size_t bytes, const Steps& steps) {
        return Analyst::make(s.state, bytes, steps);
      }))
      .def("forget",
           [](Analyst& self) {
             nb::gil_scoped_release release;
             self.forget();
           })
      .def("analyse", [](Analyst& self, const bind::BoundState& s, bool all, std::optional<double> seconds,
                         std::optional<std::uint64_t> nodes, Watch& watch) {
        Limits limits;
        if (seconds) limits.seconds = *seconds;
        if (nodes) limits.nodes = *nodes;
        const State state = s.state;
        nb::gil_scoped_release release;
        return self.analyse(state, all, limits, watch);
      });
}

} // namespace sevenfold
