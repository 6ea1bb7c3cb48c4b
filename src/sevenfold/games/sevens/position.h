// A position of Sevens and how it moves on: the deal, plays, covers, passes, and who acts next.
//
// The deal is chance: for each card in turn, which seat gets it, in proportion to the places its hand has left. That
// is a uniform deal in 52 steps of a few outcomes each. After it (deal, actions) determine everything.
//
// `frontier` is F of the rules page: the cards that may be laid on the table now. Time is told by `epoch`, the number
// of plays so far: F changes with plays only. `entry` has for each card the epoch at which it came into F, and `proof`
// for each seat the epoch of its last cover (or forced pass), which shows that it held nothing of F: belief.h lives on
// these two.
#pragma once

#include "core/hash.h"
#include "sevens/setup.h"

namespace sevenfold::sevens {

constexpr std::uint8_t kNever = 255;
constexpr std::size_t kLogged = kDeck + static_cast<std::size_t>(kSeats) * (kMostPasses + 1);

// What happened, in order. Forced passes of variant=pass are left out: they follow from the rest.
struct Event {
  std::uint8_t card; // or kPass
  std::uint8_t seat : 4;
  std::uint8_t covered : 4;
};

struct Position {
  const Setup* setup;
  Cards frontier = 0;
  Cards board = 0; // on the table, played or laid there
  std::array<Cards, kSeats> hand{}, played{};
  std::array<Cards, kSeats> covered{};  // face down; of a seat that is out by passing, its open hand
  std::array<Cards, kSeats> excluded{}; // everything that a seat has shown not to hold (card level)
  std::array<Event, kLogged> log;       // `logged` of them
  std::array<std::uint8_t, kDeck> entry;
  std::array<std::uint8_t, kSeats> proof;
  std::array<std::uint8_t, kSeats> passes{};
  std::array<std::uint8_t, kSeats> finish; // how manyth to empty its hand by playing or covering, from 0
  std::array<std::uint8_t, kSuits> closed; // the epoch at which close_on_end closed a suit
  std::uint16_t ply = 0;                   // actions of players so far
  std::uint8_t dealt = 0, logged = 0, epoch = 0;
  std::uint8_t waits = 0;  // forced passes since the last logged event
  std::uint8_t ousted = 0; // seats that are out by passing, one bit each
  std::uint8_t gone = 0;   // seats that have emptied their hands
  std::int8_t mover = 0, leader = -1, dealer = -1;
  bool over = false;

  explicit Position(const Setup& made) : setup(&made) {
    entry.fill(kNever);
    proof.fill(kNever);
    finish.fill(kNever);
    closed.fill(kNever);
    if (made.dealer != Dealer::starter && made.dealer != Dealer::none)
      dealer = static_cast<std::int8_t>(made.dealer_seat);
  }

  static std::size_t at(int seat) { return static_cast<std::size_t>(seat); }
  int players() const { return setup->players; }
  int next(int seat) const { return seat + 1 == players() ? 0 : seat + 1; }
  bool dealing() const { return dealt < kDeck; }
  bool is_out(int seat) const { return (ousted >> seat & 1) != 0; }
  int to_move() const { return dealing() ? CHANCE : over ? TERMINAL : mover; }

  // The cards a seat has been dealt.
  Cards origin(int seat) const { return hand[at(seat)] | played[at(seat)] | covered[at(seat)]; }
  // What is left of its cards unplayed: the penalty's cards.
  Cards unplayed(int seat) const { return hand[at(seat)] | covered[at(seat)]; }

  // Whether the first card is still to come and is a certain seven.
  bool opening() const { return ply == 0 && setup->first_named(); }

  // The mover's legal actions, one bit each; bit 52 is a pass.
  Cards legal() const {
    const Cards own = hand[at(mover)], fits = own & frontier;
    switch (setup->variant) {
      case Variant::cover: return fits != 0 ? fits : own;
      case Variant::pass: return fits != 0 ? fits : bit(kPass);
      case Variant::limited_pass: break;
    }
    const bool may_pass = fits == 0 || (passes[at(mover)] < setup->max_passes && !opening());
    return may_pass ? fits | bit(kPass) : fits;
  }

  // Where the next card may go: seats with a free place in their hand.
  int room(int seat) const { return setup->size[at(seat)] - count(hand[at(seat)]); }
  void chance(OutcomeList& list) const {
    const double share = 1.0 / (kDeck - dealt);
    for (int seat = 0; seat < players(); ++seat)
      if (const int places = room(seat); places > 0) list.push({seat, places * share});
  }
  void deal(int seat) {
    hand[at(seat)] |= bit(dealt++);
    if (!dealing()) begin();
  }

  void play(Action action) {
    if (dealing()) return deal(action);
    ++ply;
    if (action == kPass) pass();
    else if ((frontier & bit(action)) != 0) lay(action);
    else cover(action);
    if (!over) advance();
  }

  // The deal is done: who begins, and which cards may be first.
  void begin() {
    const Cards first = bit(setup->first_seven());
    for (int seat = 0; seat < players(); ++seat)
      if ((hand[at(seat)] & first) != 0) leader = static_cast<std::int8_t>(seat);
    switch (setup->start) {
      case Start::sevens_laid_first:
        if (setup->first_seat >= 0) leader = static_cast<std::int8_t>(setup->first_seat);
        for (int seat = 0; seat < players(); ++seat) {
          played[at(seat)] = hand[at(seat)] & kSevens;
          hand[at(seat)] &= ~kSevens;
        }
        board = kSevens;
        enter(kSevens << 1 | kSevens >> 1);
        break;
      case Start::left_of_dealer_any7:
        leader = static_cast<std::int8_t>(next(setup->dealer_seat));
        enter(kSevens);
        break;
      default: enter(first);
    }
    if (setup->dealer == Dealer::starter) dealer = leader;
    mover = leader;
  }

  std::uint64_t hash() const;

 private:
  void note(int card, bool face_down) {
    log[logged++] = {static_cast<std::uint8_t>(card), static_cast<std::uint8_t>(mover & 15), face_down};
    waits = 0;
  }
  void enter(Cards cards) {
    cards &= ~frontier;
    frontier |= cards;
    each(cards, [&](int card) { entry[static_cast<std::size_t>(card)] = epoch; });
  }

  void lay(int card) {
    note(card, false);
    hand[at(mover)] &= ~bit(card);
    played[at(mover)] |= bit(card);
    board |= bit(card);
    frontier &= ~bit(card);
    ++epoch;
    if (ply == 1 && setup->first_named()) enter(kSevens & ~board);
    if (setup->tunnel || ousted != 0) find_frontier();
    else enter(opens(card));
    if (setup->close_on_end && (bit(card) & kEnds) != 0) {
      frontier &= ~suit_cards(suit_of(card));
      closed[at(suit_of(card))] = epoch;
    }
    if (hand[at(mover)] == 0) leave(covered[at(mover)] == 0);
  }
  void cover(int card) {
    note(card, true);
    hand[at(mover)] &= ~bit(card);
    covered[at(mover)] |= bit(card);
    prove();
    if (hand[at(mover)] == 0) leave(false);
  }
  void pass() {
    ++passes[at(mover)];
    if (setup->variant == Variant::pass) {
      ++waits;
      prove();
      return;
    }
    note(kPass, false);
    if (passes[at(mover)] <= setup->max_passes) return;
    // Out: the hand is laid open where it belongs, and what does not touch the rows waits there for the gap to fill.
    covered[at(mover)] = hand[at(mover)];
    board |= hand[at(mover)];
    hand[at(mover)] = 0;
    ousted = static_cast<std::uint8_t>(ousted | 1u << mover);
    find_frontier();
  }

  // The mover has shown that it holds nothing that fits.
  void prove() {
    excluded[at(mover)] |= frontier;
    proof[at(mover)] = epoch;
  }
  void leave(bool all_played) {
    finish[at(mover)] = gone++;
    over = setup->end == End::first_out || (setup->end == End::first_shutout && all_played);
  }
  void advance() {
    int seat = mover;
    for (int i = 0; i < players(); ++i) {
      seat = next(seat);
      if (hand[at(seat)] != 0) {
        mover = static_cast<std::int8_t>(seat);
        return;
      }
    }
    over = true;
  }

  // F from the table: from each seven both ways to the first card that is missing.
  void find_frontier() {
    Cards found = kSevens & ~board;
    each(kSevens & board, [&](int seven) {
      const int base = seven - kSeven;
      for (const int step : {1, kRanks - 1}) {
        int place = kSeven;
        for (int i = 1; i < kRanks && (board >> (base + place) & 1) != 0; ++i) {
          const int ahead = (place + step) % kRanks;
          if (!setup->tunnel && (step == 1 ? ahead == 0 : ahead == kRanks - 1)) break;
          place = ahead;
        }
        if ((board >> (base + place) & 1) == 0) found |= bit(base + place);
      }
    });
    frontier &= found;
    enter(found);
  }
};

// Equal for positions that nobody can tell apart, the order of plays apart from what it has shown.
inline std::uint64_t Position::hash() const {
  std::uint64_t out = mix(frontier, board);
  for (int seat = 0; seat < players(); ++seat) {
    const std::uint64_t salt = 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(seat) + 1);
    out += mix(hand[at(seat)] + salt) + mix(played[at(seat)] ^ salt) + mix(~covered[at(seat)] + salt * 3) +
           mix(excluded[at(seat)] + salt * 5) + mix(std::uint64_t{passes[at(seat)]} + salt * 7) +
           mix(std::uint64_t{finish[at(seat)]} + salt * 11);
  }
  const std::uint64_t rest = std::uint64_t{ply} | std::uint64_t{dealt} << 16 | std::uint64_t{ousted} << 24 |
                             static_cast<std::uint64_t>(static_cast<std::uint8_t>(mover)) << 32 |
                             static_cast<std::uint64_t>(static_cast<std::uint8_t>(leader)) << 40 |
                             static_cast<std::uint64_t>(static_cast<std::uint8_t>(dealer)) << 48 |
                             std::uint64_t{over} << 56;
  return mix(out, rest);
}

} // namespace sevenfold::sevens
