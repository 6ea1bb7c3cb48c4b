// The solver and the founding report's search as Python sees them: `_core._connect_four.Solver`, of which the player
// `perfect` (perfect.py) is made, and `Report`, of which `uct:preset=report` (report.py) is.
#include "bind/bind.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "connect_four/analyst.h"
#include "connect_four/report.h"

namespace sevenfold {

namespace {

using connect_four::Analysis;
using connect_four::Analyst;
using connect_four::ReportFindings;
using connect_four::ReportSearch;
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
      .def("analyse",
           [](Analyst& self, const bind::BoundState& s, bool all, std::optional<double> seconds,
              std::optional<std::uint64_t> nodes, Watch& watch) {
             Limits limits;
             if (seconds) limits.seconds = *seconds;
             if (nodes) limits.nodes = *nodes;
             const State state = s.state;
             nb::gil_scoped_release release;
             return self.analyse(state, all, limits, watch);
           })
      .def("outcomes", [](Analyst& self, const bind::BoundState& s, std::optional<double> seconds, Watch& watch) {
        Limits limits;
        if (seconds) limits.seconds = *seconds;
        const State state = s.state;
        nb::gil_scoped_release release;
        return self.outcomes(state, limits, watch);
      });

  nb::class_<ReportFindings>(m, "ReportFindings", "What the founding report's search found; lists by column.")
      .def_ro("action", &ReportFindings::action)
      .def_ro("visits", &ReportFindings::visits)
      .def_ro("totals", &ReportFindings::totals)
      .def_ro("line", &ReportFindings::line)
      .def_ro("simulations", &ReportFindings::simulations)
      .def_ro("bytes", &ReportFindings::bytes)
      .def_ro("seconds", &ReportFindings::seconds);
  nb::class_<ReportSearch>(m, "Report", "The founding report's search, with so many bytes for its tree.")
      .def(nb::new_([](double c1, double c2, std::size_t bytes, std::uint64_t seed) {
        return std::make_unique<ReportSearch>(
            connect_four::ReportOptions{.c1 = c1, .c2 = c2, .bytes = bytes, .seed = seed});
      }))
      .def("run", [](ReportSearch& self, const bind::BoundState& s, std::optional<double> seconds,
                     std::optional<std::uint64_t> simulations, Watch& watch) {
        Limits limits;
        if (seconds) limits.seconds = *seconds;
        if (simulations) limits.simulations = *simulations;
        const State state = s.state;
        nb::gil_scoped_release release;
        return self.run(state, limits, watch);
      });
}

} // namespace sevenfold
