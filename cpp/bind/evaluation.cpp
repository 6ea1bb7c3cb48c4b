#include "search/evaluation.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "core/text.h"

using namespace nb::literals;

namespace sevenfold::bind {

void bind_evaluation(nb::module_& m) {
  nb::class_<Evaluation>(m, "Evaluation", "A guess at positions: heuristic, linear or zero.")
      .def(
          "__init__",
          [](Evaluation* self, const Game& game, const std::string& kind, std::vector<double> weights) {
            const auto chosen = kind == "heuristic" ? Evaluation::Kind::heuristic
                                : kind == "linear"  ? Evaluation::Kind::linear
                                                    : Evaluation::Kind::zero;
            if (chosen == Evaluation::Kind::zero && kind != "zero")
              throw std::invalid_argument("an evaluation is heuristic, linear or zero, not " + quote(kind) + ".");
            new (self) Evaluation(game, chosen, std::move(weights));
          },
          "game"_a, "kind"_a, "weights"_a = std::vector<double>())
      .def_prop_ro("kind",
                   [](const Evaluation& e) {
                     switch (e.kind()) {
                       case Evaluation::Kind::heuristic: return "heuristic";
                       case Evaluation::Kind::linear: return "linear";
                       case Evaluation::Kind::zero: break;
                     }
                     return "zero";
                   })
      .def_prop_ro("weights", [](const Evaluation& e) { return e.weights(); })
      .def(
          "__call__",
          [](const Evaluation& e, const BoundState& s) {
            if (!e.fits(*s.core))
              throw std::invalid_argument("this evaluation is not one of " + std::string(s.core->facts().name) + ".");
            Values values{};
            e.settled(s.state, values);
            return std::vector<double>(values.begin(), values.begin() + s.core->facts().players);
          },
          "state"_a, "The value of a position for each player; the returns where the game is over.");
}

} // namespace sevenfold::bind
