// What a viewer may believe about the hidden cards: the exact uniform sampler of the rules page (section 6).
//
// A hidden *slot* is a covered card of another seat, or a place in its hand. A cover (or forced pass) at epoch T proves
// that the seat held no card of the frontier then, so a slot cannot hold a card that entered the frontier at or before
// the slot's time: the epoch of that cover, or for a hand the seat's last one.
//
//   card x may be in a slot  <=>  time(slot) < entry(x)
//
// These sets are nested by entry(x): assigning the cards in ascending entry, each to any of the slots still free for
// it, draws uniformly from all consistent assignments without rejection, and their number is the product of the
// numbers of free slots. Only cards that entered the frontier and were not played are constrained; the rest are
// shuffled.
//
// close_on_end breaks the nesting: a card leaves the frontier again when its suit is closed, and later covers prove
// nothing about it. There are at most four such *odd* cards. They are placed first, each anywhere it may be, and the
// placement is kept with a probability in proportion to the number of ways to complete it; this stays exact.
//
// A weighted draw goes through the cards in the same order with picks in proportion to a preference, and returns the
// logarithm of (probability under the uniform draw) / (probability under this one), by which a mean over such worlds
// is to be weighted. The hard constraint always holds.
#pragma once

#include <cmath>

#include "core/rng.h"
#include "sevens/position.h"

namespace sevenfold::sevens {

class Belief {
 public:
  static constexpr int kInHand = -1;
  struct Slot {
    std::int8_t seat;
    std::int8_t event; // of the log: where the card was covered; kInHand: still in the hand
    std::int16_t time; // -1: nothing is proven
  };

  // What `viewer` cannot see in `p`. After the end, and while the cards are dealt, nothing is drawn.
  Belief(const Position& p, int viewer) : viewer_(viewer) {
    if (p.dealing() || p.over) return;
    list_slots(p);
    list_cards(p);
  }

  int slots() const { return static_cast<int>(slots_); }
  const Slot& slot(int i) const { return slot_[static_cast<std::size_t>(i)]; }

  // Turns the position this was made of into a world drawn uniformly.
  void draw(Position& world, Rng& rng) const {
    const auto uniform = [&](int, const Slot*, int free) { return rng.below(static_cast<std::uint32_t>(free)); };
    deal(world, rng, uniform);
  }

  // The same with preferences: `prefer(card, slot)` is how much the caller believes in the card being there (any
  // number from 0; where all are 0, each counts the same). The logarithm of the importance weight.
  template <class F>
  double draw_weighted(Position& world, Rng& rng, F prefer) const {
    double log_weight = 0;
    std::array<double, kDeck> weight;
    const auto weighted = [&](int card, const Slot* slots, int free) {
      double sum = 0;
      for (int i = 0; i < free; ++i) sum += weight[static_cast<std::size_t>(i)] = prefer(card, slots[i]);
      if (!(sum > 0)) return rng.below(static_cast<std::uint32_t>(free));
      double left = rng.uniform() * sum;
      int pick = -1;
      for (int i = 0; i < free && left >= 0; ++i) {
        if (weight[static_cast<std::size_t>(i)] <= 0) continue;
        left -= weight[static_cast<std::size_t>(i)];
        pick = i;
      }
      log_weight -= std::log(weight[static_cast<std::size_t>(pick)] / sum * free);
      return static_cast<std::uint32_t>(pick);
    };
    deal(world, rng, weighted);
    return log_weight;
  }

  // The logarithm of the number of assignments of the unseen cards to the slots. Not with odd cards.
  double log_count() const {
    double out = 0;
    std::size_t added = 0, free = 0;
    for (std::size_t i = 0; i < cards_; ++i) {
      for (; added < slots_ && slot_[added].time < entry_[i]; ++added) ++free;
      out += std::log(static_cast<double>(free--));
    }
    return out;
  }
  bool nested() const { return odd_ == 0; }

 private:
  using Slots = std::array<Slot, kDeck>;

  // In the order of their times, which is the order of the log.
  void list_slots(const Position& p) {
    std::array<int, kSeats> last{};
    last.fill(-1);
    for (int seat = 0; seat < p.players(); ++seat)
      if (seat != viewer_ && p.proof[Position::at(seat)] == kNever) add_hand(p, seat, -1);
    if (!p.setup->covers()) return list_pass_slots(p);
    for (int i = 0; i < p.logged; ++i)
      if (p.log[static_cast<std::size_t>(i)].covered != 0) last[p.log[static_cast<std::size_t>(i)].seat] = i;
    int epoch = 0;
    for (int i = 0; i < p.logged; ++i) {
      const Event& event = p.log[static_cast<std::size_t>(i)];
      if (event.covered == 0) {
        ++epoch;
      } else if (event.seat != viewer_) {
        slot_[slots_++] = {static_cast<std::int8_t>(event.seat), static_cast<std::int8_t>(i),
                           static_cast<std::int16_t>(epoch)};
        if (last[event.seat] == i) add_hand(p, event.seat, epoch);
      }
    }
  }
  // Passes leave hands only, each with the time of its seat's last forced pass.
  void list_pass_slots(const Position& p) {
    for (int epoch = 0; epoch <= p.epoch; ++epoch)
      for (int seat = 0; seat < p.players(); ++seat)
        if (seat != viewer_ && p.proof[Position::at(seat)] == epoch) add_hand(p, seat, epoch);
  }
  void add_hand(const Position& p, int seat, int time) {
    Cards own = p.hand[Position::at(seat)];
    if (p.opening()) own &= ~p.frontier; // everybody knows who has the first card
    for (int i = count(own); i > 0; --i)
      slot_[slots_++] = {static_cast<std::int8_t>(seat), kInHand, static_cast<std::int16_t>(time)};
  }

  void list_cards(const Position& p) {
    Cards unseen = 0;
    for (int seat = 0; seat < p.players(); ++seat)
      if (seat != viewer_) unseen |= p.is_out(seat) ? 0 : p.unplayed(seat);
    if (p.opening()) unseen &= ~p.frontier;
    Cards entered = unseen & p.frontier;
    if (p.setup->close_on_end) list_odd(p, unseen);
    // Insertion sort: there are at most a dozen.
    each(entered, [&](int card) {
      const std::uint8_t entry = p.entry[static_cast<std::size_t>(card)];
      std::size_t i = cards_++;
      for (; i > 0 && entry_[i - 1] > entry; --i) card_[i] = card_[i - 1], entry_[i] = entry_[i - 1];
      card_[i] = static_cast<std::uint8_t>(card);
      entry_[i] = entry;
    });
    constrained_ = cards_;
    each(unseen & ~entered, [&](int card) {
      card_[cards_] = static_cast<std::uint8_t>(card);
      entry_[cards_++] = kNever;
    });
  }

  // Cards that were on the frontier of a suit that has been closed since; taken out of `unseen`.
  void list_odd(const Position& p, Cards& unseen) {
    each(unseen & ~p.frontier, [&](int card) {
      const int entry = p.entry[static_cast<std::size_t>(card)];
      if (entry == kNever) return;
      const int left = p.closed[Position::at(suit_of(card))];
      std::uint64_t allowed = 0;
      for (std::size_t i = 0; i < slots_; ++i)
        if (!shown(p, slot_[i], entry, left)) allowed |= std::uint64_t{1} << i;
      odd_card_[odd_] = static_cast<std::uint8_t>(card);
      odd_allowed_[odd_++] = allowed;
      unseen &= ~bit(card);
    });
  }
  // Whether the slot's seat covered at an epoch in [entry, left), no later than the slot's time.
  static bool shown(const Position& p, const Slot& slot, int entry, int left) {
    int epoch = 0;
    for (std::size_t i = 0; i < p.logged && epoch <= slot.time; ++i) {
      const Event& event = p.log[i];
      if (event.covered == 0) ++epoch;
      else if (event.seat == slot.seat && epoch >= entry && epoch < left && epoch <= slot.time) return true;
    }
    return false;
  }

  template <class Pick>
  void deal(Position& world, Rng& rng, Pick pick) const {
    if (slots_ == 0) return;
    clear(world);
    Slots free;
    std::size_t total = slots_;
    if (odd_ == 0) {
      std::copy_n(slot_.begin(), slots_, free.begin());
    } else {
      const std::uint64_t taken = place_odd(world, rng);
      total = 0;
      for (std::size_t i = 0; i < slots_; ++i)
        if ((taken >> i & 1) == 0) free[total++] = slot_[i];
    }
    std::size_t added = 0, open = 0; // free[0, open) are the slots that the card may be in
    for (std::size_t i = 0; i < cards_; ++i) {
      if (i < constrained_) {
        for (; added < total && free[added].time < entry_[i]; ++added) free[open++] = free[added];
      } else if (i == constrained_) {
        for (; added < total; ++added) free[open++] = free[added];
      }
      const std::size_t chosen = pick(card_[i], free.data(), static_cast<int>(open));
      put(world, card_[i], free[chosen]);
      free[chosen] = free[--open];
    }
  }

  std::uint64_t place_odd(Position& world, Rng& rng) const {
    for (;;) {
      std::uint64_t taken = 0;
      std::array<std::size_t, kSuits> chosen{};
      bool fits = true;
      for (std::size_t i = 0; i < odd_ && fits; ++i) {
        std::uint64_t left = odd_allowed_[i];
        for (auto skip = rng.below(static_cast<std::uint32_t>(count(left))); skip > 0; --skip) left &= left - 1;
        chosen[i] = static_cast<std::size_t>(lowest(left));
        fits = (taken >> chosen[i] & 1) == 0;
        taken |= std::uint64_t{1} << chosen[i];
      }
      if (!fits || rng.uniform() >= completions(taken)) continue;
      for (std::size_t i = 0; i < odd_; ++i) put(world, odd_card_[i], slot_[chosen[i]]);
      return taken;
    }
  }
  // The ways to place the other cards when these slots are taken, as a share of those with none taken.
  double completions(std::uint64_t taken) const {
    double share = 1;
    int all = 0, left = 0;
    std::size_t added = 0;
    for (std::size_t i = 0; i < constrained_; ++i, --all, --left) {
      for (; added < slots_ && slot_[added].time < entry_[i]; ++added) {
        ++all;
        left += (taken >> added & 1) == 0;
      }
      if (left <= 0) return 0;
      share *= static_cast<double>(left) / all;
    }
    return share;
  }

  void clear(Position& world) const {
    const Cards known = world.opening() ? world.frontier : 0;
    for (int seat = 0; seat < world.players(); ++seat) {
      if (seat == viewer_ || world.is_out(seat)) continue;
      world.hand[Position::at(seat)] &= known;
      world.covered[Position::at(seat)] = 0;
    }
  }
  static void put(Position& world, int card, const Slot& slot) {
    const std::size_t seat = Position::at(slot.seat);
    if (slot.event == kInHand) {
      world.hand[seat] |= bit(card);
    } else {
      world.covered[seat] |= bit(card);
      world.log[static_cast<std::size_t>(slot.event)].card = static_cast<std::uint8_t>(card);
    }
  }

  int viewer_;
  std::size_t slots_ = 0, cards_ = 0, constrained_ = 0, odd_ = 0;
  Slots slot_;
  std::array<std::uint8_t, kDeck> card_, entry_; // in ascending entry; from `constrained_` on anywhere
  std::array<std::uint8_t, kSuits> odd_card_{};
  std::array<std::uint64_t, kSuits> odd_allowed_{};
};

} // namespace sevenfold::sevens
