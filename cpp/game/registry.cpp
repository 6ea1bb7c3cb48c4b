#include "game/registry.h"

#include <cmath>

#include "core/text.h"

namespace sevenfold {

std::vector<std::string> abilities_of(const Table& table) {
  std::vector<std::string> out;
  const auto add = [&](bool has, const char* name) {
    if (has) out.emplace_back(name);
  };
  add(table.chance != nullptr, "chance");
  add(table.chance_for != nullptr, "chance_for");
  add(table.typical != nullptr, "typical");
  add(table.observe != nullptr, "observe");
  add(table.redeal != nullptr, "redeal");
  add(table.view != nullptr, "view");
  add(table.known != nullptr, "known");
  add(table.rewind != nullptr, "rewind");
  add(table.stir != nullptr, "stir");
  add(table.odds != nullptr, "odds");
  add(table.suggest != nullptr, "suggest");
  add(table.heuristic != nullptr, "heuristic");
  add(table.terms != nullptr, "terms");
  add(table.handicap != nullptr, "handicap");
  add(table.order != nullptr, "order");
  add(table.independent != nullptr, "independent");
  add(table.commutes != nullptr, "commutes");
  add(table.quiet != nullptr, "quiet");
  add(table.canonical != nullptr, "canonical");
  add(table.symmetries != nullptr, "symmetries");
  add(table.looks != nullptr, "looks");
  add(table.put_off != nullptr, "put_off");
  add(table.narrow != nullptr, "narrow");
  add(table.forced_win != nullptr, "forced_win");
  add(table.prover != nullptr, "prover");
  add(table.rollout != nullptr, "rollout");
  add(table.habit != nullptr, "habit");
  add(table.takers != nullptr, "takers");
  add(table.random_action != nullptr, "random_action");
  add(table.to_text != nullptr, "to_text");
  add(table.json != nullptr, "json");
  add(table.parse_action != nullptr, "parse_action");
  return out;
}

void Game::check_facts() const {
  const auto require = [&](bool fine, const char* sentence) {
    if (!fine) throw std::invalid_argument(name_ + ": " + sentence);
  };
  require(!name_.empty(), "a game needs a name.");
  require(facts_.version >= 1, "version must be 1 or more.");
  require(facts_.players >= 1 && facts_.players <= kMaxPlayers, "players must be from 1 to 8.");
  require(facts_.actions >= 1 && facts_.actions <= kMaxActions, "actions must be from 1 to 65536.");
  require(facts_.outcomes >= 0 && facts_.outcomes <= kMaxActions, "outcomes must be from 0 to 65536.");
  require(facts_.planes.channels >= 0 && facts_.planes.height >= 0 && facts_.planes.width >= 0 && facts_.features >= 0,
          "planes and features must not be negative.");
  constexpr double kLargest = 1 << 24; // an observation is made at every step
  require(static_cast<double>(facts_.planes.channels) * facts_.planes.height * facts_.planes.width <= kLargest &&
              facts_.features <= kLargest,
          "planes and features must not be more than 16777216 numbers.");
  require(
      std::isfinite(facts_.min_return) && std::isfinite(facts_.max_return) && facts_.min_return <= facts_.max_return,
      "min_return must not be above max_return.");
  require(std::isfinite(facts_.gain) && facts_.gain >= 0, "gain must be 0, or above where returns grow on the way.");
  require(facts_.max_plies >= 0 && facts_.max_plies <= kMaxPlies, "max_plies must be from 0 to 100000.");
}

std::unique_ptr<Game> Registry::make(std::string_view name, const OptionPairs& given) const {
  for (const auto& entry : entries_)
    if (entry.name == name) return entry.make(check_options(name, entry.options, given));
  throw std::invalid_argument("there is no game " + quote(name) + ".");
}

} // namespace sevenfold
