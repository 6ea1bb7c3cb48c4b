#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/variant.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "bind/python_rules.h"

using namespace nb::literals;

namespace sevenfold::bind {
namespace {

nb::object python_value(const OptionValue& value) {
  return std::visit([](const auto& v) { return nb::cast(v); }, value);
}

const char* kind_name(Option::Kind kind) {
  switch (kind) {
    case Option::Kind::integer: return "integer";
    case Option::Kind::real: return "real";
    case Option::Kind::flag: return "flag";
    case Option::Kind::choice: return "choice";
    case Option::Kind::cell: return "cell";
    case Option::Kind::text: break;
  }
  return "text";
}

nb::dict options_dict(const Options& options) {
  nb::dict out;
  for (const auto& [name, value] : options.values()) out[nb::str(name.c_str())] = python_value(value);
  return out;
}

using Given = nb::typed<nb::dict, nb::str, nb::any>;

OptionPairs pairs_of(const Given& given) {
  OptionPairs out;
  for (auto [name, value] : given) out.emplace_back(nb::cast<std::string>(name), nb::cast<OptionValue>(value));
  return out;
}

std::shared_ptr<Game> house_game(const std::string& name, const Given& given) {
  return Registry::house().make(name, pairs_of(given));
}

std::shared_ptr<Game> python_game(nb::object initial, const nb::typed<nb::dict, nb::str, nb::any>& facts,
                                  const std::vector<std::string>& abilities, const OptionList& declared,
                                  const Given& given) {
  const auto number = [&](const char* key) { return nb::cast<int>(facts[key]); };
  auto about = std::make_shared<PythonClass>();
  about->name = nb::cast<std::string>(facts["name"]);
  about->facts.version = number("version");
  about->facts.players = number("players");
  about->facts.actions = number("actions");
  about->facts.outcomes = number("outcomes");
  const auto [channels, height, width] = nb::cast<std::tuple<int, int, int>>(facts["planes"]);
  about->facts.planes = {channels, height, width};
  about->facts.features = number("features");
  about->facts.min_return = nb::cast<double>(facts["min_return"]);
  about->facts.max_return = nb::cast<double>(facts["max_return"]);
  about->facts.sum = nb::cast<std::string>(facts["sum"]) == "zero" ? Sum::zero : Sum::any;
  about->facts.gain = nb::cast<double>(facts["gain"]);
  about->facts.max_plies = number("max_plies");
  about->copies = nb::cast<bool>(facts["copies"]);
  about->plain = nb::cast<bool>(facts["plain"]);
  about->hash = facts["hash"];
  about->draw = facts["draw"];
  about->action_text = facts["action_text"];
  about->observe = facts["observe"];
  about->clone = facts["clone"];
  about->random = facts["random"];
  Options options = check_options(about->name, declared, pairs_of(given));
  return make_python_game(std::move(initial), std::move(about), abilities, std::move(options));
}

} // namespace

void bind_game(nb::module_& m) {
  nb::class_<Option>(m, "Option", "One option of a game: name, kind, default, range, help.")
      .def_static("integer", &Option::integer, "name"_a, "initial"_a, "low"_a, "high"_a, "help"_a)
      .def_static("real", &Option::real, "name"_a, "initial"_a, "low"_a, "high"_a, "help"_a)
      .def_static("flag", &Option::flag, "name"_a, "initial"_a, "help"_a)
      .def_static("choice", &Option::choice, "name"_a, "initial"_a, "choices"_a, "help"_a)
      .def_static("cell", &Option::cell, "name"_a, "help"_a)
      .def_static("text", &Option::text, "name"_a, "initial"_a, "help"_a)
      .def_ro("name", &Option::name)
      .def_prop_ro("kind", [](const Option& o) { return kind_name(o.kind); })
      .def_prop_ro(
          "initial", [](const Option& o) { return python_value(o.initial); },
          nb::sig("def initial(self) -> bool | int | float | str"))
      .def_ro("low", &Option::low)
      .def_ro("high", &Option::high)
      .def_ro("choices", &Option::choices)
      .def_ro("help", &Option::help);

  nb::class_<Game>(m, "Game", "The rules of one game with its options fixed.")
      .def_prop_ro("name", [](const Game& g) { return std::string(g.facts().name); })
      .def_prop_ro("version", [](const Game& g) { return g.facts().version; })
      .def_prop_ro("players", [](const Game& g) { return g.facts().players; })
      .def_prop_ro("actions", [](const Game& g) { return g.facts().actions; })
      .def_prop_ro("outcomes", [](const Game& g) { return g.facts().outcomes; })
      .def_prop_ro("planes",
                   [](const Game& g) {
                     const Planes p = g.facts().planes;
                     return std::tuple(p.channels, p.height, p.width);
                   })
      .def_prop_ro("features", [](const Game& g) { return g.facts().features; })
      .def_prop_ro("min_return", [](const Game& g) { return g.facts().min_return; })
      .def_prop_ro("max_return", [](const Game& g) { return g.facts().max_return; })
      .def_prop_ro("sum", [](const Game& g) { return g.facts().sum == Sum::zero ? "zero" : "any"; })
      .def_prop_ro("gain", [](const Game& g) { return g.facts().gain; })
      .def_prop_ro("max_plies", [](const Game& g) { return g.facts().max_plies; })
      .def_prop_ro("abilities", &Game::abilities)
      .def_prop_ro(
          "options", [](const Game& g) { return options_dict(g.options()); },
          nb::sig("def options(self) -> dict[str, bool | int | float | str]"))
      .def(
          "new",
          [](std::shared_ptr<Game> game, nb::object owner, std::uint64_t seed) {
            return BoundState{.game = std::move(owner), .core = game, .state = game->initial(), .seed = seed};
          },
          "owner"_a, "seed"_a, "The initial position; `owner` is the Python Game that keeps these rules alive.")
      .def(
          "parse",
          [](std::shared_ptr<Game> game, nb::object owner, const std::string& text, std::uint64_t seed) {
            BoundState out{.game = std::move(owner), .core = game, .state = game->initial(), .seed = seed};
            if (out.state.table().parse == nullptr)
              throw std::invalid_argument(std::string(game->facts().name) + " has no text form for positions.");
            out.state.parse(text);
            (void)out.state.to_move(); // a Python game's nonsense shows here, not in a later search
            out.start = text;
            return out;
          },
          "owner"_a, "text"_a, "seed"_a, "The position of a text in the game's own form (ability to_text).");

  m.def(
      "house_games",
      [] {
        std::vector<std::string> names;
        for (const auto& entry : Registry::house().entries()) names.push_back(entry.name);
        return names;
      },
      "The names of the games written in C++.");
  m.def(
      "house_options",
      [](const std::string& name) {
        for (const auto& entry : Registry::house().entries())
          if (entry.name == name) return entry.options;
        return OptionList{};
      },
      "name"_a, "The options that a game of the house declares.");
  m.def("house_game", &house_game, "name"_a, "options"_a);
  m.def("python_game", &python_game, "initial"_a, "facts"_a, "abilities"_a, "declared"_a, "options"_a);
  m.def(
      "check_options",
      [](const std::string& game, const OptionList& declared, const Given& given) {
        return options_dict(check_options(game, declared, pairs_of(given)));
      },
      "game"_a, "declared"_a, "given"_a,
      nb::sig("def check_options(game: str, declared: collections.abc.Sequence[Option], given: dict[str, typing.Any]) "
              "-> dict[str, bool | int | float | str]"),
      "Fills in defaults and checks kinds and ranges.");
}

} // namespace sevenfold::bind
