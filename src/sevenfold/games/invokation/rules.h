// Genius Invokation (七圣召唤): two players, three characters each, dice and cards; who has lost all three has lost.
//
// Action ids and chance outcomes are listed in position.h; page.md has the rules for people.
#pragma once

#include <algorithm>
#include <type_traits>

#include "invokation/dice.h"
#include "invokation/judgement.h"
#include "invokation/observation.h"
#include "invokation/text.h"

namespace sevenfold::invokation {

struct Invokation : Position {
  using Setup = invokation::Setup;

  static constexpr Facts facts{.name = "invokation",
                               .players = 2,
                               .actions = kActions,
                               .outcomes = kRolled + kThrows,
                               .features = kFeatures,
                               .max_plies = 20000};
  static OptionList options() { return Setup::options(); }

  explicit Invokation(const Setup& made) : Position(made) {}

  void returns(Values& out) const {
    if (winner < 0) return;
    out[static_cast<std::size_t>(winner)] = 1;
    out[static_cast<std::size_t>(1 - winner)] = -1;
  }
  std::string draw() const { return drawn(*this, -1); }
  std::string action_text(Action action) const { return action_words(*this, action); }
  // Ability: chance_for.
  int chance_for() const { return wait == Wait::coin ? -1 : mover; }
  // Ability: typical. One die of each kind, more or less; no card stands for all.
  Action typical() const {
    const int thrown = typical_throw();
    return thrown < 0 ? kNoAction : kRolled + thrown;
  }
  // Ability: observe.
  void observe(int viewer, Observation& out) const { observed(*this, viewer, out); }
  // Ability: redeal. Position has it.

  // Ability: handicap. Self-loss: two dice fewer.
  void handicap() {
    if (wait != Wait::act) return;
    Side& s = at(mover);
    const auto lost = payment(s, any(std::min(kHandicapDice, s.dice_total())));
    for (std::size_t face = 0; face < kFaces; ++face)
      s.dice[face] = static_cast<std::uint8_t>(s.dice[face] - lost[face]);
  }
  // Ability: independent. Cards whose effect waits for a switch.
  bool independent(Action action) const {
    return wait == Wait::act && (action == kPlayCard + 5 * kChangingShifts || action == kPlayCard + 5 * kLeaveItToMe);
  }
  // Ability: commutes. Fast actions that neither switch, nor draw, nor roll.
  bool commutes(Action action, Action other) const {
    return independent(action) && action != other && stays_put(other);
  }
  // Ability: order.
  void order(Action previous, ActionList& list) const { sort_actions(*this, previous, list); }
  // Ability: quiet. The end of a round, when everybody's dice are spent; and all that comes before the first round.
  bool quiet() const { return round == 0 || wait == Wait::over || (at(0).has(kEnded) && at(1).has(kEnded)); }
  // Ability: terms.
  static constexpr auto term_names = kTermNames;
  void terms(int player, Terms& out) const { list_terms(*this, player, out); }
  // Ability: heuristic.
  void heuristic(Values& out) const {
    out[0] = judged(*this);
    out[1] = -out[0];
  }
  // Ability: view.
  std::string view(int viewer) const { return drawn(*this, viewer); }
  // Ability: json.
  std::string json() const { return json_of(*this); }
  // Abilities: to_text and parse.
  std::string to_text() const { return written(*this); }
  void parse(std::string_view text) { read(*this, text); }
};

static_assert(sizeof(Invokation) < 1024 && std::is_trivially_copyable_v<Invokation>);

inline void enter(Registry& registry) { registry.add<Invokation>(); }

} // namespace sevenfold::invokation
