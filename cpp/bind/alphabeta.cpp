#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "search/alphabeta.h"

using namespace nb::literals;

namespace sevenfold::bind {

namespace {

// A search as Python sees it: with the game it belongs to.
struct BoundAlphaBeta {
  std::shared_ptr<const Game> game;
  AlphaBeta search;
  OneAtATime turns{};
};

// The player's action that led to a position, where that is sure: in games with chance the last one may be an outcome.
Action previous_of(const BoundState& s) {
  const bool chance = s.state.table().chance != nullptr;
  return chance || s.history.empty() ? kNoAction : s.history.back();
}

} // namespace

void bind_alphabeta(nb::module_& m) {
  using Options = AlphaBetaOptions;
  nb::class_<Options>(m, "AlphaBetaOptions", "How an AlphaBeta searches; see docs/methods/alphabeta.md.")
      .def(nb::init<>())
      .def_prop_rw(
          "several", [](const Options& o) { return o.several == Options::Several::paranoid ? "paranoid" : "maxn"; },
          [](Options& o, const std::string& word) {
            o.several = word == "maxn" ? Options::Several::maxn : Options::Several::paranoid;
          })
      .def_rw("deepening", &Options::deepening)
      .def_rw("table", &Options::table)
      .def_rw("order", &Options::order)
      .def_rw("killers", &Options::killers)
      .def_rw("history", &Options::history)
      .def_rw("pvs", &Options::pvs)
      .def_rw("aspiration", &Options::aspiration)
      .def_rw("star", &Options::star)
      .def_rw("independent", &Options::independent)
      .def_rw("razor", &Options::razor)
      .def_rw("self_loss", &Options::self_loss)
      .def_rw("probability", &Options::probability)
      .def_rw("sampling", &Options::sampling)
      .def_rw("expectation", &Options::expectation)
      .def_rw("guess", &Options::guess)
      .def_rw("quiet", &Options::quiet)
      .def_rw("plans", &Options::plans)
      .def_rw("processor", &Options::processor)
      .def_rw("margin", &Options::margin)
      .def_rw("growth", &Options::growth)
      .def_rw("first_plies", &Options::first_plies)
      .def_rw("ending", &Options::ending)
      .def_rw("ending_factor", &Options::ending_factor)
      .def_rw("razor_from", &Options::razor_from)
      .def_rw("razor_depth", &Options::razor_depth)
      .def_rw("self_loss_share", &Options::self_loss_share)
      .def_rw("self_loss_depth", &Options::self_loss_depth)
      .def_rw("self_loss_repeats", &Options::self_loss_repeats)
      .def_rw("least_probability", &Options::least_probability)
      .def_rw("boost", &Options::boost)
      .def_rw("window", &Options::window)
      .def_rw("samples", &Options::samples)
      .def_rw("sampling_depth", &Options::sampling_depth)
      .def_rw("quiet_plies", &Options::quiet_plies)
      .def_rw("most_worlds", &Options::most_worlds)
      .def_rw("worlds", &Options::worlds)
      .def_rw("every", &Options::every)
      .def_rw("memory", &Options::memory)
      .def_rw("seed", &Options::seed);
  nb::class_<BoundAlphaBeta>(m, "AlphaBeta", "Alpha-beta search.")
      .def(
          "__init__",
          [](BoundAlphaBeta* self, const BoundState& s, const Options& options, const Evaluation& evaluation) {
            if (!evaluation.fits(*s.core)) throw std::invalid_argument("this evaluation is of another game.");
            new (self) BoundAlphaBeta{s.core, AlphaBeta(*s.core, options, evaluation), {}};
          },
          "state"_a, "options"_a, "evaluation"_a)
      .def(
          "run",
          [](BoundAlphaBeta& self, const BoundState& s, double seconds, std::uint64_t nodes, int depth, Watch& watch) {
            const Limits limits{.seconds = seconds, .nodes = nodes, .depth = depth};
            const State root = s.state;
            const OneAtATime::Turn turn = self.turns.take();
            nb::gil_scoped_release release;
            return self.search.run(root, previous_of(s), limits, watch);
          },
          "state"_a, "seconds"_a, "nodes"_a, "depth"_a, "watch"_a, "Searches a position in which a player moves.")
      .def("forget", [](BoundAlphaBeta& self) { self.search.forget(); });
}

} // namespace sevenfold::bind
