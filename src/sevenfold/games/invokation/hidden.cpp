// What a player cannot know, drawn anew: the other's hand and dice, the order of the piles, the character that the
// other has chosen in secret, and scripts. The other's deck is taken to be known: its cards that were not seen yet are
// in the hand, in the pile, or gone unseen, each equally likely in each place. Dice are taken to be rolled anew.
#include <algorithm>

#include "invokation/dice.h"

namespace sevenfold::invokation {

namespace {

template <class List>
void shuffle(List& list, std::size_t n, Rng& rng) {
  for (; n > 1; --n) std::swap(list[n - 1], list[rng.below(static_cast<std::uint32_t>(n))]);
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
  std::array<std::uint8_t, kMostHand + 2 * kMostPile> unseen{};
  std::size_t n = 0;
  for (std::size_t i = 0; i < s.hand_size; ++i)
    if (s.hand[i] != kStiletto) unseen[n++] = s.hand[i];
  for (std::size_t i = 0; i < s.pile_size; ++i) unseen[n++] = s.pile[i];
  for (std::size_t i = 0; i < s.gone; ++i) unseen[n++] = s.gone_cards[i];
  shuffle(unseen, n, rng);
  for (std::size_t i = 0; i < s.hand_size; ++i)
    if (s.hand[i] != kStiletto) s.hand[i] = unseen[--n];
  for (std::size_t i = 0; i < s.pile_size; ++i) s.pile[i] = unseen[--n];
  for (std::size_t i = 0; i < s.gone; ++i) s.gone_cards[i] = unseen[--n];
  if (!s.has(kStacked)) std::sort(s.pile.begin(), s.pile.begin() + s.pile_size);

  if (wait == Wait::pay && mover != viewer) {
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
