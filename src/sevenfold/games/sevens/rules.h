// Sevens (排七): 52 cards, four rows that grow from the sevens; who can play must, and who cannot lays a card face
// down (or passes, in the other variants). The cards that were not played are the penalty.
//
// Action ids: 0 .. 51 the card, played where it fits the table and covered otherwise (a position never has both), 52 a
// pass in the variants that have it. Chance outcomes: the seat that gets the next card.
//
// position.h has the rules, scoring.h what a deal is worth, belief.h the hidden cards, page.md all of it for people.
#pragma once

#include "game/playout.h"
#include "sevens/belief.h"
#include "sevens/observation.h"
#include "sevens/policy.h"
#include "sevens/scoring.h"
#include "sevens/stir.h"
#include "sevens/text.h"

namespace sevenfold::sevens {

namespace detail {
// The 24 orders of four suits, the usual one first.
inline constexpr auto kOrders = [] {
  std::array<std::array<std::int8_t, kSuits>, 24> out{};
  std::array<std::int8_t, kSuits> order{0, 1, 2, 3};
  for (auto& each_order : out) {
    each_order = order;
    std::next_permutation(order.begin(), order.end());
  }
  return out;
}();
} // namespace detail

struct Sevens : Position {
  using Setup = sevens::Setup;

  static constexpr Facts facts{.name = "sevens",
                               .players = 4,
                               .actions = kDeck,
                               .outcomes = 4,
                               .planes = {13, kSuits, kRanks},
                               .features = 12,
                               .min_return = -1232,
                               .max_return = 1960,
                               .max_plies = 2 * kDeck};
  static Facts facts_for(const Setup& setup) {
    Facts out = facts;
    out.players = out.outcomes = setup.players;
    out.actions = setup.covers() ? kDeck : kDeck + 1;
    out.planes.channels = setup.obs11   ? obs11_planes(setup.players)
                          : setup.timed ? timed_planes(setup.players)
                                        : obs24_planes(setup.players);
    out.features = setup.obs11 ? 0 : obs24_features(setup.players);
    setup.bounds(out.min_return, out.max_return);
    out.sum = setup.zero_sum() ? Sum::zero : Sum::any;
    out.max_plies = 2 * kDeck + setup.most_passes();
    return out;
  }
  static OptionList options() { return Setup::options(); }

  explicit Sevens(const Setup& made) : Position(made) {}

  void legal_actions(ActionList& out) const {
    each(legal(), [&](int action) { out.push(action); });
  }
  void returns(Values& out) const {
    if (over) settle(*this, out);
  }
  std::string draw() const { return Drawing(*this, -1).text(); }
  std::string action_text(Action action) const {
    if (dealing()) return "seat" + std::to_string(action);
    return action == kPass ? "pass" : card_text(action);
  }
  // Ability: parse_action. "♠7", "S7", "h10", "HT", "pass".
  Action parse_action(std::string_view text) const { return text == "pass" ? kPass : card_read(text); }

  // Ability: chance. Position has it.

  // Ability: redeal. A world drawn uniformly from all that the viewer cannot tell apart.
  void redeal(int viewer, Rng& rng) { Belief(*this, viewer).draw(*this, rng); }
  // Ability: view.
  std::string view(int viewer) const { return Drawing(*this, viewer).text(); }

  // Ability: observe.
  void observe(int viewer, Observation& out) const {
    const Observer observer(*this, viewer);
    if (setup->obs11) observer.obs11(out);
    else if (setup->timed) observer.timed(out);
    else observer.obs24(out);
  }

  // Ability: symmetries. The suits are interchangeable as soon as the first card lies, if that had to be a certain one.
  int symmetries() const { return dealing() || opening() ? 1 : static_cast<int>(detail::kOrders.size()); }
  Sevens symmetric(int s) const {
    Sevens out = *this;
    out.frontier = moved(s, frontier);
    out.board = moved(s, board);
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      out.hand[seat] = moved(s, hand[seat]);
      out.played[seat] = moved(s, played[seat]);
      out.covered[seat] = moved(s, covered[seat]);
      out.excluded[seat] = moved(s, excluded[seat]);
    }
    for (std::size_t i = 0; i < logged; ++i)
      out.log[i].card = static_cast<std::uint8_t>(symmetric_action(s, log[i].card));
    for (int card = 0; card < kDeck; ++card)
      out.entry[static_cast<std::size_t>(symmetric_action(s, card))] = entry[static_cast<std::size_t>(card)];
    for (std::size_t suit = 0; suit < kSuits; ++suit) out.closed[target(s, suit)] = closed[suit];
    return out;
  }
  Action symmetric_action(int s, Action action) const {
    if (action == kPass) return action;
    return static_cast<Action>(target(s, at(suit_of(action)))) * kRanks + place_of(action);
  }

  // Ability: random_action.
  Action random_action(Rng& rng) const {
    Cards left = legal();
    for (auto skip = rng.below(static_cast<std::uint32_t>(count(left))); skip > 0; --skip) left &= left - 1;
    return lowest(left);
  }

  // Ability: habit. The rule-based players.
  static constexpr std::array<std::string_view, 3> habits{"greedy", "keeper", "blocker"};
  Action habit(int which, Rng& rng) const {
    constexpr std::array policies{Policy::greedy, Policy::keeper, Policy::blocker};
    return choose(*this, policies[static_cast<std::size_t>(which)], rng);
  }

  // Ability: takers, in the habits' order. They never pass by choice.
  std::uint32_t takers(Action action) const {
    const Cards cards = legal() & kAll;
    if (action == kPass) return cards == 0 ? 7 : 0;
    if (count(cards) == 1) return 7;
    const Judge judge(*this);
    const bool plays = (cards & frontier) != 0;
    const std::array<Action, habits.size()> taken{plays ? judge.highest() : judge.lowest_card(),
                                                  plays ? judge.gate_kept() : judge.least_lost(),
                                                  plays ? judge.best_play(kBlocker) : judge.best_cover(kBlocker)};
    std::uint32_t out = 0;
    for (std::size_t which = 0; which < taken.size(); ++which)
      if (taken[which] == action) out |= std::uint32_t{1} << which;
    return out;
  }

  // Abilities: odds, suggest and rollout, by `blocker`.
  void odds(Odds& out) const { blocker_odds(*this, out); }
  Action suggest(Rng& rng) const { return choose(*this, Policy::blocker, rng); }
  int rollout(Rng& rng) {
    int plies = 0;
    for (; dealing(); ++plies) deal(random_outcome(*this, rng));
    for (; !over; ++plies) play(choose(*this, Policy::blocker, rng));
    return plies;
  }

  // Ability: known. The whole history as the viewer saw it, and its own cards.
  std::uint64_t known(int viewer) const {
    if (over) return hash();
    std::uint64_t out = mix(hand[at(viewer)], covered[at(viewer)]);
    for (std::size_t i = 0; i < logged; ++i) {
      const Event& event = log[i];
      const bool hidden = event.covered != 0 && event.seat != viewer;
      out = (out ^ (std::uint64_t{event.seat} << 8 | (hidden ? 63u : event.card))) * 0x9e3779b97f4a7c15u;
      out ^= out >> 29;
    }
    return mix(out, std::uint64_t{waits} << 8 | dealt);
  }

  // Ability: stir.
  std::uint32_t stir(int viewer, Rng& rng) { return exchange(*this, viewer, rng); }

  // Ability: rewind.
  void rewind(ActionList& out) {
    Sevens first(*setup);
    const Sevens here = *this;
    for (int seat = 0; seat < players(); ++seat) first.hand[at(seat)] = here.origin(seat);
    first.dealt = kDeck;
    first.begin();
    *this = first;
    if (setup->variant != Variant::pass) { // every action is in the log
      for (std::size_t i = 0; i < here.logged; ++i) out.push(here.log[i].card);
      return;
    }
    for (std::size_t i = 0; i < here.logged; ++i) {
      first.pass_on(out);
      out.push(here.log[i].card);
      first.play(here.log[i].card);
    }
    for (int i = 0; i < here.waits; ++i) first.pass_once(out);
  }

  // Abilities: to_text and parse.
  std::string to_text() const { return written(*this); }
  void parse(std::string_view text) { static_cast<Position&>(*this) = Reader(*setup).read(text); }

 private:
  static std::size_t target(int s, std::size_t suit) {
    return static_cast<std::size_t>(detail::kOrders[static_cast<std::size_t>(s)][suit]);
  }
  // Forced passes are not in the log: they follow from the rest.
  void pass_once(ActionList& out) {
    out.push(kPass);
    play(kPass);
  }
  void pass_on(ActionList& out) {
    while (setup->variant == Variant::pass && !over && legal() == bit(kPass)) pass_once(out);
  }
  static Cards moved(int s, Cards cards) {
    Cards out = 0;
    for (int suit = 0; suit < kSuits; ++suit)
      out |= (cards >> (kRanks * suit) & kSuit) << (kRanks * static_cast<int>(target(s, at(suit))));
    return out;
  }
};

static_assert(sizeof(Sevens) <= 512 && std::is_trivially_copyable_v<Sevens>);

inline void enter(Registry& registry) { registry.add<Sevens>(); }

} // namespace sevenfold::sevens
