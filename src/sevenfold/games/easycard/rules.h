// Easycard: two players strike at each other with dice and cards; who has no hit points left loses, and after the last
// round the higher hit points win. Open hands, and chance only where the options bring it in.
//
// A player acts several times in a turn: fast actions keep the turn, combat actions (Strike, Burst, Pet, Pass) give it
// to the other unless that one has ended its round. position.h has the rules, page.md has them for people.
#pragma once

#include "easycard/judgement.h"
#include "easycard/position.h"
#include "easycard/text.h"

namespace sevenfold::easycard {

// Chance: whether anything is left to it. Hidden: whether hands are closed.
template <bool Chance, bool Hidden>
struct EasyCard : Position {
  using Setup = easycard::Setup;

  static constexpr int kSideFeatures = 21;
  static constexpr Facts facts{
      .name = "easycard", .players = 2, .actions = kPlays, .features = 2 * kSideFeatures + 5, .max_plies = 100};
  static Facts facts_for(const Setup& setup) {
    Facts out = facts;
    out.outcomes = Chance ? setup.outcomes() : 0;
    out.max_plies = setup.max_plies();
    return out;
  }
  static OptionList options() { return Setup::options(); }
  static bool fits(const Options& options) {
    return Chance == Setup::has_chance(options) && Hidden == options.flag("hidden");
  }

  explicit EasyCard(const Setup& made) : Position(made) {}

  void legal_actions(ActionList& out) const {
    for (unsigned left = legal(); left != 0; left &= left - 1) out.push(std::countr_zero(left));
  }
  void play(Action action) {
    if constexpr (Chance) Position::play(action);
    else act(action);
  }
  int to_move() const {
    if constexpr (Chance) return Position::to_move();
    else return over ? TERMINAL : mover;
  }
  void returns(Values& out) const {
    if (const int won = winner(); won >= 0) {
      out[static_cast<std::size_t>(won)] = 1;
      out[static_cast<std::size_t>(1 - won)] = -1;
    }
  }
  std::string draw() const { return drawn(*this); }
  std::string action_text(Action action) const {
    if (open == 0) return std::string(kPlayNames[action]);
    if (action < setup->first_heads()) return std::string(kCardNames[action]);
    if (action < setup->first_hp()) return "heads" + std::to_string(action - setup->first_heads());
    return "hp" + std::to_string(setup->start_hp + action - setup->first_hp());
  }

  // Ability: chance.
  void chance(OutcomeList& out) const
    requires Chance
  {
    Position::chance(out);
  }
  // Ability: chance_for. Whose dice or card is decided; the hand and the hit points of a deal are nobody's.
  int chance_for() const
    requires Chance
  {
    return draw_now().what == Draw::What::hp ? -1 : draw_now().player;
  }
  // Ability: typical. Half of the coins show heads.
  Action typical() const
    requires Chance
  {
    return draw_now().what == Draw::What::dice ? setup->first_heads() + setup->coins / 2 : kNoAction;
  }

  // Ability: redeal. The other's hand is any of the cards that the viewer has not seen yet, each equally likely.
  void redeal(int viewer, Rng& rng)
    requires Hidden
  {
    Side& s = at(1 - viewer);
    const int cards = total(s.hand);
    for (std::size_t card = 0; card < kCards; ++card) {
      s.pile[card] = static_cast<std::uint8_t>(s.pile[card] + s.hand[card]);
      s.hand[card] = 0;
    }
    for (int i = 0; i < cards; ++i) {
      auto skip = static_cast<int>(rng.below(static_cast<std::uint32_t>(total(s.pile))));
      std::size_t card = 0;
      for (; skip >= s.pile[card]; ++card) skip -= s.pile[card];
      --s.pile[card];
      ++s.hand[card];
    }
  }
  // Ability: view.
  std::string view(int viewer) const
    requires Hidden
  {
    return drawn(*this, viewer);
  }

  // Ability: observe. The viewer's side, the other's, and the round; page.md lists the features.
  void observe(int viewer, Observation& out) const {
    int i = 0;
    const auto add = [&](double value) { out.feature(i++) = static_cast<float>(value); };
    for (const int player : {viewer, 1 - viewer}) {
      const Side& s = at(player);
      const bool closed = Hidden && player != viewer;
      add(static_cast<double>(s.hp) / setup->hp);
      add(s.dice / 8.0);
      add(static_cast<double>(s.energy) / kFullEnergy);
      add(static_cast<double>(s.pet) / kPetRounds);
      for (std::size_t flag = 0; flag < kFlagLetters.size(); ++flag) add(s.has(1 << flag));
      add(total(s.hand) / 8.0);
      for (std::size_t card = 0; card < kCards; ++card) add(closed ? 0 : s.hand[card] / 4.0);
      for (std::size_t card = 0; card < kCards; ++card) add((s.pile[card] + (closed ? s.hand[card] : 0)) / 4.0);
    }
    add(static_cast<double>(round) / setup->rounds);
    add(static_cast<double>(setup->rounds - round) / 10.0);
    add(!over && mover == viewer);
    add(!over && mover != viewer);
    add(open > 0);
  }

  // Ability: handicap. Self-loss: the mover throws dice away.
  void handicap() { at(mover).dice = static_cast<std::int8_t>(std::max(0, at(mover).dice - kHandicapDice)); }

  // Ability: independent. Cards whose effect waits for a later Strike.
  bool independent(Action action) const { return action == kSwift || action == kCheap; }
  // Ability: commutes. Fast cards neither use the flags nor give the turn away; combat actions do one or the other.
  bool commutes(Action action, Action other) const {
    const bool fast = other == kSwift || other == kCheap || other == kHeal || other == kAttack || other == kField;
    return independent(action) && fast && action != other;
  }

  // Ability: order.
  void order(Action previous, ActionList& list) const { sort_actions(*this, previous, list); }
  // Ability: terms.
  static constexpr auto term_names = kTermNames;
  void terms(int player, Terms& out) const { list_terms(*this, player, out); }
  // Ability: heuristic.
  void heuristic(Values& out) const {
    out[0] = judged(*this);
    out[1] = -out[0];
  }

  // Ability: random_action.
  Action random_action(Rng& rng) const {
    unsigned left = legal();
    for (auto skip = rng.below(static_cast<std::uint32_t>(std::popcount(left))); skip > 0; --skip) left &= left - 1;
    return std::countr_zero(left);
  }

  // Abilities: to_text and parse.
  std::string to_text() const { return written(*this); }
  void parse(std::string_view text) { static_cast<Position&>(*this) = Reader(text, *setup).read(); }
};

using Open = EasyCard<false, false>;
using Chancy = EasyCard<true, false>;
using Closed = EasyCard<true, true>;
static_assert(sizeof(Open) <= 48 && std::is_trivially_copyable_v<Open>);

inline void enter(Registry& registry) { registry.add<Open, Chancy, Closed>(); }

} // namespace sevenfold::easycard
