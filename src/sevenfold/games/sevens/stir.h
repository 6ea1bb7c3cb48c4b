// A small change of a world: two hidden cards change places, where both may be in the other's (belief.h).
//
// Both cards are drawn from all hidden ones, so a change is as likely as the change back, and a long row of changes
// leads to every world equally often: of two worlds, take the card with the earliest entry that lies differently; what
// is in its place in the other world entered later, so it may lie wherever that card may, and one exchange puts the
// card right. So exchanges connect all worlds, unless close_on_end breaks the nesting.
#pragma once

#include "core/rng.h"
#include "sevens/position.h"

namespace sevenfold::sevens {

class Exchange {
 public:
  Exchange(Position& world, int viewer) : p_(world), viewer_(viewer) {
    for (int seat = 0; seat < p_.players(); ++seat)
      if (seat != viewer && !p_.is_out(seat)) hidden_ |= p_.unplayed(seat);
    if (p_.opening()) hidden_ &= ~p_.frontier; // everybody knows who has the first card
  }

  // One bit for each seat that has another card now, in its hand or covered.
  std::uint32_t two(Rng& rng) {
    if (count(hidden_) < 2) return 0;
    const int one = any(rng), other = any(rng);
    const Place here = place(one), there = place(other);
    if (here.seat == there.seat && here.event == there.event) return 0;
    if (!fits(one, there) || !fits(other, here)) return 0;
    take(one, here), take(other, there);
    put(one, there), put(other, here);
    return 1u << here.seat | 1u << there.seat;
  }

 private:
  static constexpr int kHand = -1;
  struct Place {
    int seat;
    int event; // of the log, where it was covered; kHand: it was not
  };

  int any(Rng& rng) const {
    Cards left = hidden_;
    for (auto skip = rng.below(static_cast<std::uint32_t>(count(left))); skip > 0; --skip) left &= left - 1;
    return lowest(left);
  }
  Place place(int card) const {
    for (int seat = 0; seat < p_.players(); ++seat)
      if (seat != viewer_ && (p_.hand[Position::at(seat)] & bit(card)) != 0) return {seat, kHand};
    int i = 0;
    while (p_.log[static_cast<std::size_t>(i)].card != card) ++i;
    return {p_.log[static_cast<std::size_t>(i)].seat, i};
  }
  // Whether the seat has never shown, up to the place's time, that it does not hold the card: by a cover or a forced
  // pass while the card was on the frontier.
  bool fits(int card, const Place& to) const {
    const int entry = p_.entry[static_cast<std::size_t>(card)];
    const bool open = (p_.frontier & bit(card)) != 0;
    const int left = open ? kNever : p_.closed[Position::at(suit_of(card))];
    if (entry == kNever || (!open && left == kNever)) return true;
    if (to.event == kHand && left == kNever) {
      const int proof = p_.proof[Position::at(to.seat)];
      return proof == kNever || proof < entry;
    }
    int epoch = 0;
    for (int i = 0; i < p_.logged && (to.event == kHand || i <= to.event); ++i) {
      const Event& event = p_.log[static_cast<std::size_t>(i)];
      if (event.covered == 0) ++epoch;
      else if (event.seat == to.seat && epoch >= entry && epoch < left) return false;
    }
    return true;
  }
  Cards& cards(const Place& of) {
    return of.event == kHand ? p_.hand[Position::at(of.seat)] : p_.covered[Position::at(of.seat)];
  }
  void take(int card, const Place& from) { cards(from) &= ~bit(card); }
  void put(int card, const Place& to) {
    cards(to) |= bit(card);
    if (to.event != kHand) p_.log[static_cast<std::size_t>(to.event)].card = static_cast<std::uint8_t>(card);
  }

  Position& p_;
  int viewer_;
  Cards hidden_ = 0;
};

inline std::uint32_t exchange(Position& world, int viewer, Rng& rng) {
  return world.dealing() || world.over ? 0 : Exchange(world, viewer).two(rng);
}

} // namespace sevenfold::sevens
