// What a player cannot know, drawn anew: the other's hand and dice, the order of the piles, the character that the
// other has chosen in secret, and scripts. Where the other's deck is known, its cards that were not seen yet are in the
// hand, in the pile, or gone unseen, each equally likely in each place; else the unseen cards are drawn from what decks
// of its team usually have. The Lightning Stiletto, which a skill makes in the open, is in the hand; but where a card
// was tuned away since, it may have been that one. Dice are taken to be rolled anew.
#include <algorithm>

#include "invokation/dice.h"

namespace sevenfold::invokation {

namespace {

template <class List>
void shuffle(List& list, std::size_t n, Rng& rng) {
  for (; n > 1; --n) std::swap(list[n - 1], list[rng.below(static_cast<std::uint32_t>(n))]);
}

// How many copies of each card a deck of this team may be expected to have: what all sample decks share, the team's
// talents, and the plain weapons of its characters.
std::array<int, kCards> archetype(const Side& s) {
  std::array<int, kCards> out{};
  for (const int card :
       {kBestestCompanion, kChangingShifts, kTossUp, kStrategize, kLeaveItToMe, kJueyunGuoba, kSweetMadame, kHashBrown,
        kVanarana, kPaimon, kKatheryne, kLiben, kStarsigns, kSendOff, kQuickKnit, kBandana, kSilverCirclet})
    out[static_cast<std::size_t>(card)] = 2;
  for (const Fighter& one : s.team) {
    out[one.data().talent] = 2;
    for (int card = kMagicGuide; card <= kSacrificialSword; ++card)
      if (of(static_cast<Id>(card)).weapon == one.data().weapon) out[static_cast<std::size_t>(card)] = 2;
  }
  return out;
}

// Puts other cards in the place of the unseen ones, none more often than the archetype has it next to those seen.
// Nothing is changed where the hidden cards are not those of the deck: a scripted start has its own.
template <class List>
void draw_from_archetype(const Side& s, const Deck& deck, List& unseen, std::size_t n, Rng& rng) {
  std::array<int, kCards> seen{};
  for (const std::uint8_t card : deck.cards) ++seen[card];
  for (std::size_t i = 0; i < n; ++i)
    if (--seen[unseen[i]] < 0) return;
  std::array<int, kCards> left = archetype(s);
  int total = 0;
  for (std::size_t card = 0; card < kCards; ++card) total += left[card] = std::max(0, left[card] - seen[card]);
  if (total < static_cast<int>(n)) return;
  for (std::size_t i = 0; i < n; ++i, --total) {
    int at = static_cast<int>(rng.below(static_cast<std::uint32_t>(total)));
    std::size_t card = 0;
    while (at >= left[card]) at -= left[card++];
    --left[card];
    unseen[i] = static_cast<std::uint8_t>(card);
  }
}

// The Lightning Stiletto in any place of the hand or among the cards gone unseen, each equally likely.
void place_stiletto(Side& s, Rng& rng) {
  const auto place = [&s](std::size_t i) -> std::uint8_t& {
    return i < s.hand_size ? s.hand[i] : s.gone_cards[i - s.hand_size];
  };
  const std::size_t places = static_cast<std::size_t>(s.hand_size) + s.gone;
  for (std::size_t i = 0; i < places; ++i)
    if (place(i) == kStiletto) return std::swap(place(i), place(rng.below(static_cast<std::uint32_t>(places))));
}

} // namespace

bool Position::shows_active(int player, int viewer) const {
  if (round > 0) return true;
  if (wait != Wait::opening || opened == 0 || mover == player) return false;
  return viewer < 0 || viewer == player;
}

void Position::redeal(int viewer, Rng& rng) {
  script = nullptr;
  Side& own = at(viewer);
  if (own.has(kStacked)) shuffle(own.pile, own.pile_size, rng);

  Side& s = at(1 - viewer);
  if (s.has(kMayHaveTuned)) place_stiletto(s, rng);
  std::array<std::uint8_t, kMostHand + 2 * kMostPile> unseen{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.hand_size; ++i)
    if (s.hand[i] != kStiletto) unseen[n++] = s.hand[i];
  for (std::size_t i = 0; i < s.pile_size; ++i) unseen[n++] = s.pile[i];
  for (std::size_t i = 0; i < s.gone; ++i)
    if (s.gone_cards[i] != kStiletto) unseen[n++] = s.gone_cards[i];
  const bool announced = wait == Wait::pay && mover != viewer; // then a card of the hand is seen
  if (setup->archetypes && !announced)
    draw_from_archetype(s, setup->decks[static_cast<std::size_t>(1 - viewer)], unseen, n, rng);
  shuffle(unseen, n, rng);
  for (std::size_t i = 0; i < s.hand_size; ++i)
    if (s.hand[i] != kStiletto) s.hand[i] = unseen[--n];
  for (std::size_t i = 0; i < s.pile_size; ++i) s.pile[i] = unseen[--n];
  for (std::size_t i = 0; i < s.gone; ++i)
    if (s.gone_cards[i] != kStiletto) s.gone_cards[i] = unseen[--n];
  if (!s.has(kStacked)) std::sort(s.pile.begin(), s.pile.begin() + s.pile_size);

  if (announced) {
    const int card = (pending - kPlayCard) / 5; // the action is announced: its card and dice are there
    if (pending >= kPlayCard && !s.holds(card)) {
      for (std::size_t i = 0; i < s.pile_size; ++i)
        if (s.pile[i] == card) {
          std::swap(s.pile[i], s.hand[0]);
          if (!s.has(kStacked)) std::sort(s.pile.begin(), s.pile.begin() + s.pile_size);
          break;
        }
      for (std::size_t i = 0; i < s.gone && !s.holds(card); ++i)
        if (s.gone_cards[i] == card) std::swap(s.gone_cards[i], s.hand[0]);
    }
  } else {
    const int dice = s.dice_total();
    s.dice = {};
    for (int i = 0; i < dice; ++i) ++s.dice[rng.below(kFaces)];
  }
  if (wait == Wait::opening && opened == 1 && mover == viewer) s.active = static_cast<std::uint8_t>(rng.below(kTeam));
}

int Position::typical_throw() const {
  if (wait != Wait::roll) return -1;
  const Side& s = at(mover);
  // The active character's element, Omni, the other characters' elements, then the rest: the expected eight dice are
  // one of each, and a reroll tilts them to the team.
  std::array<std::uint8_t, kFaces> order{};
  std::size_t n = 0;
  const auto add = [&](int face) {
    if (std::find(order.begin(), order.begin() + n, face) == order.begin() + n)
      order[n++] = static_cast<std::uint8_t>(face);
  };
  add(s.front().data().element);
  add(kOmni);
  for (int i = 1; i < kTeam; ++i)
    if (const Fighter& one = s.at((s.active + i) % kTeam); one.alive) add(one.data().element);
  for (int face = 0; face < kElements; ++face) add(face);
  const int dice = std::min<int>(remaining, kThrownAtOnce);
  const std::size_t from = remaining > 4 || dice < 4 ? 0 : 4;
  std::array<std::uint8_t, kFaces> faces{};
  for (int i = 0; i < dice; ++i) ++faces[order[(from + static_cast<std::size_t>(i)) % kFaces]];
  const auto size = static_cast<std::size_t>(dice);
  for (int i = kFirstThrow[size]; i < kFirstThrow[size + 1]; ++i)
    if (kThrowTable[static_cast<std::size_t>(i)].faces == faces) return i;
  return -1;
}

} // namespace sevenfold::invokation
