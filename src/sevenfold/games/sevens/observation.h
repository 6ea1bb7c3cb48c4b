// What a network sees of Sevens: planes [C, 4, 13] of suits and ranks, from one pair of eyes. page.md lists them.
//
// Everything comes from the viewer's own cards and what happened in the open. Other seats' covered cards are counted,
// never looked at, until the deal is over.
#pragma once

#include "sevens/position.h"

namespace sevenfold::sevens {

// The viewer's cards in hand that can never be played as far as it can tell: beyond its own covered cards, or in a
// closed suit.
inline Cards dead_cards(const Position& p, int viewer) {
  const Cards own = p.hand[Position::at(viewer)], blocked = p.covered[Position::at(viewer)];
  Cards dead = 0;
  for (int suit = 0; suit < kSuits; ++suit)
    if (p.closed[Position::at(suit)] != kNever) dead |= suit_cards(suit);
  if (!p.setup->tunnel) return own & (dead | beyond_any(blocked));
  // Both ways round: what no way from the frontier reaches.
  Cards reached = 0;
  each(p.frontier | kSevens, [&](int from) {
    const int base = from - place_of(from);
    for (const int step : {1, kRanks - 1}) {
      int place = place_of(from);
      for (int i = 0; i < kRanks && (blocked & bit(base + place)) == 0; ++i) {
        reached |= bit(base + place);
        place = (place + step) % kRanks;
      }
    }
  });
  return own & ~reached;
}

inline int obs24_planes(int players) { return 6 + players + players - 1; }
inline int obs24_features(int players) { return 2 * players + 4; }
inline int timed_planes(int players) { return obs24_planes(players) + players; }
inline int obs11_planes(int players) { return 5 + 2 * (players - 1); }

constexpr float kOften = 4.0f; // turns that say all they can

class Observer {
 public:
  Observer(const Position& p, int viewer) : p_(p), viewer_(viewer), n_(p.players()) {
    if (p.to_move() == viewer) legal_ = p.legal() & kAll;
    must_cover_ = p.to_move() == viewer && (p.hand[Position::at(viewer)] & p.frontier) == 0;
  }

  void obs11(Observation& out) const {
    int channel = 0;
    out.plane(channel++, own());
    out.plane(channel++, p_.board);
    out.plane(channel++, legal_);
    for (int i = 1; i < n_; ++i) out.fill(channel++, silences(seat(i)));
    for (int i = 1; i < n_; ++i) out.plane(channel++, excluded(seat(i)));
    out.fill(channel++, p_.dealer == viewer_ ? 1.0f : 0.0f);
    out.fill(channel++, time());
  }

  void obs24(Observation& out) const {
    int channel = 0;
    out.plane(channel++, own());
    out.plane(channel++, p_.board);
    out.plane(channel++, legal_);
    out.plane(channel++, p_.frontier);
    const Cards covered = p_.covered[Position::at(viewer_)], dead = dead_cards(p_, viewer_);
    out.plane(channel++, covered);
    out.plane(channel++, dead);
    for (int i = 0; i < n_; ++i) out.plane(channel++, p_.played[Position::at(seat(i))]);
    for (int i = 1; i < n_; ++i) out.plane(channel++, excluded(seat(i)));
    int feature = 0;
    for (int i = 0; i < n_; ++i) out.feature(feature++) = silences(seat(i));
    for (int i = 0; i < n_; ++i) out.feature(feature++) = p_.dealer == seat(i) ? 1.0f : 0.0f;
    out.feature(feature++) = time();
    out.feature(feature++) = must_cover_ ? 1.0f : 0.0f;
    out.feature(feature++) = static_cast<float>(points(covered | dead)) / 50.0f;
    out.feature(feature++) = static_cast<float>(points(own())) / 90.0f;
  }

  // obs24, and when things happened: who has left an open card alone probably does not hold it, or keeps a gate.
  void timed(Observation& out) const {
    obs24(out);
    const int first = obs24_planes(n_);
    const Cards open = p_.frontier & ~own();
    int epoch = 0;
    std::array<std::array<std::uint8_t, kDeck>, kSeats> left{}; // how often a seat played another card
    for (int i = 0; i < p_.logged; ++i) {
      const Event& event = p_.log[static_cast<std::size_t>(i)];
      if (event.covered != 0 || event.card >= kDeck) continue;
      put(out, first + n_ - 1, event.card, static_cast<float>(i + 1) / kDeck);
      each(open, [&](int card) {
        if (p_.entry[static_cast<std::size_t>(card)] <= epoch) ++left[event.seat][static_cast<std::size_t>(card)];
      });
      ++epoch;
    }
    for (int i = 1; i < n_; ++i)
      each(open, [&](int card) {
        const float times = left[Position::at(seat(i))][static_cast<std::size_t>(card)];
        put(out, first + i - 1, card, std::min(1.0f, times / kOften));
      });
  }

 private:
  static void put(Observation& out, int channel, int card, float value) {
    out.at(channel, suit_of(card), place_of(card)) = value;
  }
  int seat(int relative) const { return (viewer_ + relative) % n_; }
  Cards own() const { return p_.hand[Position::at(viewer_)]; }
  // Covers or passes of a seat.
  float silences(int who) const {
    const int number = p_.setup->covers() ? count(p_.covered[Position::at(who)]) : p_.passes[Position::at(who)];
    return std::min(1.0f, static_cast<float>(number) / 13.0f);
  }
  // What a seat has shown not to hold; as the founding document has it, by whole suits.
  Cards excluded(int who) const {
    const Cards cards = p_.excluded[Position::at(who)];
    if (!p_.setup->void_by_suit) return cards;
    Cards out = 0;
    for (int suit = 0; suit < kSuits; ++suit)
      if ((cards & suit_cards(suit)) != 0) out |= suit_cards(suit);
    return out;
  }
  float time() const { return std::min(1.0f, static_cast<float>(p_.ply) / kDeck); }

  const Position& p_;
  int viewer_, n_;
  Cards legal_ = 0;
  bool must_cover_ = false;
};

} // namespace sevenfold::sevens
