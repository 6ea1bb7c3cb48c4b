// The pieces of a position: what lies on the table, characters and the two sides. Plain memory of fixed size.
#pragma once

#include <array>
#include <cstddef>

#include "invokation/tables.h"

namespace sevenfold::invokation {

constexpr int kTeam = 3;
constexpr int kMostHand = 10, kMostPile = 30, kMostDice = 16, kMostSupports = 4, kMostSummons = 4;
constexpr int kMostAttached = 11, kMostCombat = 14;

// An object on the table. `used` counts what is limited per round; `extra` is the object's own note: that a talent
// made it stronger, or an element.
struct Thing {
  std::uint8_t id = kNothing;
  std::int8_t usage = 0;
  std::uint8_t used = 0, extra = 0;
};

// Objects of one place, in the order of their arrival, each kind at most once.
template <int Most>
struct Row {
  std::uint8_t count = 0;
  std::array<Thing, Most> item{};

  Thing* begin() { return item.data(); }
  Thing* end() { return item.data() + count; }
  const Thing* begin() const { return item.data(); }
  const Thing* end() const { return item.data() + count; }
  bool full() const { return count == Most; }
  Thing* find(int id) {
    for (Thing& thing : *this)
      if (thing.id == id) return &thing;
    return nullptr;
  }
  const Thing* find(int id) const { return const_cast<Row*>(this)->find(id); }
  bool has(int id) const { return find(id) != nullptr; }
  Thing& add(Thing thing) {
    if (full()) return item[Most - 1] = thing; // cannot be: the row is as long as there are kinds for it
    return item[count++] = thing;
  }
  void remove(Thing* thing) {
    for (Thing* next = thing + 1; next != end(); ++thing, ++next) *thing = *next;
    item[--count] = {};
  }
  void remove(int id) {
    if (Thing* thing = find(id)) remove(thing);
  }
  void clear() { *this = {}; }
};

// A support has a number of its own, because a kind may be there twice, and room for stored dice.
struct Support {
  std::uint8_t id = kNothing;
  std::int8_t usage = 0;
  std::uint8_t used = 0, serial = 0;
  std::array<std::uint8_t, 3> stored{};
  std::uint8_t stores = 0;
};

struct Fighter {
  std::uint8_t who = 0;
  std::int8_t hp = 0;
  std::uint8_t energy = 0;
  std::uint8_t aura = 0; // a bit for each element
  std::uint8_t alive = 0;
  std::array<std::uint8_t, 3> uses{}; // of each skill in this round
  Row<kMostAttached> on;

  const Character& data() const { return of(static_cast<Who>(who)); }
};

enum Flag : std::uint8_t {
  kEnded = 1,
  kLostOne = 2,       // a character was defeated in this round
  kCameBack = 4,      // "I Haven't Lost Yet!" was played in this round
  kRevived = 8,       // food has revived somebody in this round
  kStacked = 16,      // the pile's order is given: cards are drawn from its front
  kMonaSwift = 32,    // Mona's passive was used in this round
  kCapNoted = 64,     // LPSim's reading: a cap in the hand has noted a reaction
  kMayHaveTuned = 128 // a card was tuned away while the Lightning Stiletto was in the hand: it may have been that one
};

struct Side {
  std::array<Fighter, kTeam> team{};
  Row<kMostCombat> combat;
  Row<kMostSummons> summons;
  std::uint8_t supports = 0;
  std::array<Support, kMostSupports> support{};
  std::uint8_t hand_size = 0, pile_size = 0;
  std::array<std::uint8_t, kMostHand> hand{};
  std::array<std::uint8_t, kMostPile> pile{};
  std::uint8_t gone = 0; // cards that left the hand unseen: tuned away, or drawn into a full hand
  std::array<std::uint8_t, kMostPile> gone_cards{};
  std::array<std::uint8_t, kFaces> dice{};
  std::uint8_t active = 0;
  std::uint8_t flags = 0;

  bool has(int flag) const { return (flags & flag) != 0; }
  void set(int flag) { flags = static_cast<std::uint8_t>(flags | flag); }
  void unset(int flag) { flags = static_cast<std::uint8_t>(flags & ~flag); }

  Fighter& at(int seat) { return team[static_cast<std::size_t>(seat)]; }
  const Fighter& at(int seat) const { return team[static_cast<std::size_t>(seat)]; }
  Fighter& front() { return team[active]; }
  const Fighter& front() const { return team[active]; }

  // The living character after (step 1) or before (step 2) a seat, the seats in a ring; -1: there is no other.
  int neighbour(int seat, int step = 1) const {
    for (int i = 1; i < kTeam; ++i)
      if (const int other = (seat + i * step) % kTeam; at(other).alive) return other;
    return -1;
  }
  int dice_total() const {
    int sum = 0;
    for (const int n : dice) sum += n;
    return sum;
  }
  // Dice beyond the most are lost.
  void gain(int element, int n) {
    for (; n > 0 && dice_total() < kMostDice; --n) ++dice[static_cast<std::size_t>(element)];
  }
  bool holds(int card) const {
    for (int i = 0; i < hand_size; ++i)
      if (hand[static_cast<std::size_t>(i)] == card) return true;
    return false;
  }
  // A card above the most is gone.
  void take(int card) {
    if (hand_size < kMostHand) hand[hand_size++] = static_cast<std::uint8_t>(card);
    else if (card != kStiletto) lose(card); // the card that a skill makes is nobody's secret
  }
  void lose(int card) {
    if (gone < kMostPile) gone_cards[gone++] = static_cast<std::uint8_t>(card);
  }
  // Which card it is nobody else sees.
  void tune_away(int card) {
    if (holds(kStiletto)) set(kMayHaveTuned);
    discard(card);
    lose(card);
  }
  // A skill or the card itself has shown where the Stiletto is: not among the cards gone unseen.
  void stiletto_seen() {
    unset(kMayHaveTuned);
    for (std::size_t i = 0; i < gone; ++i)
      if (gone_cards[i] == kStiletto) {
        gone_cards[i] = gone_cards[--gone];
        gone_cards[gone] = kNothing;
        return;
      }
  }
  void discard(int card) {
    for (std::size_t i = 0; i < hand_size; ++i)
      if (hand[i] == card) return discard_at(i);
  }
  void discard_at(std::size_t i) {
    for (--hand_size; i < hand_size; ++i) hand[i] = hand[i + 1];
    hand[hand_size] = kNothing;
  }
  void draw_at(std::size_t i) {
    const std::uint8_t card = pile[i];
    for (--pile_size; i < pile_size; ++i) pile[i] = pile[i + 1];
    pile[pile_size] = kNothing;
    take(card);
  }
  void remove_support(std::size_t i) {
    for (--supports; i < supports; ++i) support[i] = support[i + 1];
    support[supports] = {};
  }
};

} // namespace sevenfold::invokation
