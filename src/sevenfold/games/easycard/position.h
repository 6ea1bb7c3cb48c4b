// A position of easycard and its rules, for every variant. rules.h makes the games of it, each with its abilities.
//
// Hands are counts of kinds, so that positions that differ in the order of play alone are equal.
#pragma once

#include <bit>
#include <cstring>

#include "core/hash.h"
#include "easycard/setup.h"

namespace sevenfold::easycard {

// Flags of a side, in the order of the letters of to_text.
enum Flag : std::uint8_t { kIsSwift = 1, kIsCheap = 2, kFood = 4, kAte = 8, kHasField = 16, kEnded = 32 };

constexpr int kStrikeDamage = 2, kFoodDamage = 1, kBurstDamage = 5, kPetDamage = 1;
constexpr int kStrikeDice = 2, kCheapDice = 1, kBurstDice = 3, kSnackDice = 1, kFieldDice = 2, kPetDice = 2;
constexpr int kFullEnergy = 2, kPetRounds = 2, kHandicapDice = 2;

struct Side {
  std::int8_t hp = 0, dice = 0, energy = 0, pet = 0;
  std::uint8_t flags = 0;
  std::uint8_t unused = 0; // so that all 16 bytes are the position's, for the hash
  Counts hand{}, pile{};

  bool has(int flag) const { return (flags & flag) != 0; }
  void set(int flag) { flags = static_cast<std::uint8_t>(flags | flag); }
  void clear(int flag) { flags = static_cast<std::uint8_t>(flags & ~flag); }
  void pay(int cost) { dice = static_cast<std::int8_t>(dice - cost); }
  int strike_cost() const { return has(kIsCheap) ? kCheapDice : kStrikeDice; }
};
static_assert(sizeof(Side) == 16);

struct Position {
  std::array<Side, 2> side{};
  const Setup* setup;
  std::uint8_t round = 0; // from 0
  std::int8_t mover = 0;  // while chance decides, who moves after it
  std::uint8_t open = 0;  // what chance has yet to decide before the round begins
  bool over = false;

  explicit Position(const Setup& made) : setup(&made) {
    for (auto& s : side) {
      s.hp = static_cast<std::int8_t>(made.hp);
      (made.deal == Deal::fixed ? s.hand : s.pile) = made.cards;
    }
    begin_round();
  }

  Side& at(int player) { return side[static_cast<std::size_t>(player)]; }
  const Side& at(int player) const { return side[static_cast<std::size_t>(player)]; }

  int to_move() const { return over ? TERMINAL : open > 0 ? CHANCE : mover; }

  // The mover's legal actions, one bit each.
  unsigned legal() const {
    const Side& s = at(mover);
    const auto bit = [](bool fine, Play play) { return static_cast<unsigned>(fine) << play; };
    const bool snack = s.hand[kSnackCard] > 0 && s.dice >= kSnackDice && !s.has(kAte);
    return bit(s.dice >= s.strike_cost(), kStrike) | bit(s.dice >= kBurstDice && s.energy == kFullEnergy, kBurst) |
           bit(s.hand[kSwiftCard] > 0 && !s.has(kIsSwift), kSwift) |
           bit(s.hand[kCheapCard] > 0 && !s.has(kIsCheap), kCheap) | bit(snack && s.hp < setup->hp, kHeal) |
           bit(snack, kAttack) | bit(s.hand[kFieldCard] > 0 && s.dice >= kFieldDice, kField) |
           bit(s.hand[kPetCard] > 0 && s.dice >= kPetDice, kPet) | bit(true, kPass);
  }

  // A player's action; combat actions give the turn away.
  void act(Action action) {
    Side& s = at(mover);
    switch (action) {
      case kStrike: {
        const bool fast = s.has(kIsSwift);
        const int damage = kStrikeDamage + (s.has(kFood) ? kFoodDamage : 0);
        s.pay(s.strike_cost());
        s.clear(kIsSwift | kIsCheap | kFood);
        if (s.energy < kFullEnergy) ++s.energy;
        if (!hit(1 - mover, damage) && !fast) give_turn();
        return;
      }
      case kBurst:
        s.pay(kBurstDice);
        s.energy = 0;
        if (!hit(1 - mover, kBurstDamage)) give_turn();
        return;
      case kSwift: return --s.hand[kSwiftCard], s.set(kIsSwift);
      case kCheap: return --s.hand[kCheapCard], s.set(kIsCheap);
      case kHeal: return --s.hand[kSnackCard], s.pay(kSnackDice), ++s.hp, s.set(kAte);
      case kAttack: return --s.hand[kSnackCard], s.pay(kSnackDice), s.set(kAte | kFood);
      case kField: return --s.hand[kFieldCard], s.pay(kFieldDice), s.set(kHasField);
      case kPet:
        --s.hand[kPetCard];
        s.pay(kPetDice);
        s.pet = kPetRounds;
        return give_turn();
      case kPass:
        s.set(kEnded);
        if (at(1 - mover).has(kEnded)) end_round();
        else give_turn();
        return;
      default: return;
    }
  }

  // What chance decides now.
  const Draw& draw_now() const {
    const auto& list = setup->draws[round];
    return list[list.size() - open];
  }
  void chance(OutcomeList& out) const {
    const Draw& draw = draw_now();
    if (draw.what == Draw::What::card) {
      const Counts& from = at(draw.player < 0 ? 0 : draw.player).pile;
      const double left = total(from);
      for (int card = 0; card < kCards; ++card)
        if (const int count = from[static_cast<std::size_t>(card)]; count > 0) out.push({card, count / left});
    } else if (draw.what == Draw::What::dice) {
      for (int n = 0; n <= setup->coins; ++n)
        out.push({setup->first_heads() + n, setup->heads[static_cast<std::size_t>(n)]});
    } else {
      const int values = setup->hp - setup->start_hp + 1;
      for (int i = 0; i < values; ++i) out.push({setup->first_hp() + i, 1.0 / values});
    }
  }
  void decide(Action outcome) {
    const Draw& draw = draw_now();
    --open;
    if (draw.what == Draw::What::card) {
      for (int player = 0; player < 2; ++player) {
        if (draw.player == 1 - player) continue;
        --at(player).pile[static_cast<std::size_t>(outcome)];
        ++at(player).hand[static_cast<std::size_t>(outcome)];
      }
      // The cards that were not dealt are out of the game.
      if (draw.player < 0 && total(side[0].hand) == setup->hand) side[0].pile = side[1].pile = {};
    } else if (draw.what == Draw::What::dice) {
      Side& s = at(draw.player);
      s.dice = static_cast<std::int8_t>(setup->dice + outcome - setup->first_heads() + s.has(kHasField));
    } else {
      at(draw.player).hp = static_cast<std::int8_t>(setup->start_hp + outcome - setup->first_hp());
    }
  }

  void play(Action action) { open > 0 ? decide(action) : act(action); }

  // The winner's seat, or -1.
  int winner() const { return !over || side[0].hp == side[1].hp ? -1 : side[1].hp > side[0].hp; }

  // Sums of mixed words do not wait for one another, unlike a chain of mixes.
  std::uint64_t hash() const {
    std::uint64_t word[4];
    std::memcpy(word, side.data(), sizeof word);
    const std::uint64_t rest = std::uint64_t{round} | std::uint64_t{static_cast<std::uint8_t>(mover)} << 8 |
                               std::uint64_t{open} << 16 | std::uint64_t{over} << 24;
    return mix(mix(word[0]) + mix(word[1] + 0x9e3779b97f4a7c15u) + mix(word[2] + 0x3c6ef372fe94f82au) +
               mix(word[3] + 0xdaa66d2c7ddf743fu) + mix(rest + 0x78dde6e5fd29f054u));
  }

 private:
  // Damage; true where it ends the game.
  bool hit(int player, int damage) {
    Side& s = at(player);
    s.hp = static_cast<std::int8_t>(s.hp > damage ? s.hp - damage : 0);
    return over = s.hp == 0;
  }
  void give_turn() {
    if (!at(1 - mover).has(kEnded)) mover = static_cast<std::int8_t>(1 - mover);
  }
  // The mover has passed last; the other one passed first, so its pet bites first and it begins the next round.
  void end_round() {
    const int first = 1 - mover;
    for (const int player : {first, 1 - first}) {
      if (at(player).pet == 0) continue;
      --at(player).pet;
      if (hit(1 - player, kPetDamage)) return;
    }
    mover = static_cast<std::int8_t>(first);
    if (round + 1 == setup->rounds) {
      over = true;
      return;
    }
    ++round;
    begin_round();
  }
  void begin_round() {
    for (auto& s : side) {
      s.clear(kFood | kAte | kEnded);
      s.dice = static_cast<std::int8_t>(setup->coins > 0 ? 0 : setup->dice + s.has(kHasField));
    }
    open = static_cast<std::uint8_t>(setup->draws[round].size());
  }
};

} // namespace sevenfold::easycard
