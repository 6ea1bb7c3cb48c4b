// What easycard's options describe, made once per game: the cards, and what chance decides at the start of each round.
#pragma once

#include <array>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "game/registry.h"

namespace sevenfold::easycard {

enum Card : int { kSwiftCard, kCheapCard, kSnackCard, kFieldCard, kPetCard };
constexpr int kCards = 5;
constexpr std::string_view kCardNames[] = {"swift", "cheap", "snack", "field", "pet"};

enum Play : Action { kStrike, kBurst, kSwift, kCheap, kHeal, kAttack, kField, kPet, kPass };
constexpr int kPlays = 9;
constexpr std::string_view kPlayNames[] = {"strike", "burst", "swift", "cheap", "heal",
                                           "attack", "field", "pet",   "pass"};

using Counts = std::array<std::uint8_t, kCards>; // so many cards of each kind

inline int total(const Counts& counts) {
  int sum = 0;
  for (const auto count : counts) sum += count;
  return sum;
}

enum class Deal { fixed, same, piles };

// One thing that chance decides. An outcome is a card's kind, a number of heads or a number of hit points.
struct Draw {
  enum class What : std::uint8_t { card, hp, dice } what;
  int player; // whose; nobody's own where the cards are dealt to both
};

struct Setup {
  int hp, start_hp, dice, coins, rounds, hand;
  Deal deal;
  Counts cards{};                       // the fixed hand, the cards it is dealt from, or each player's pile
  std::vector<std::vector<Draw>> draws; // of each round, from 0, in order
  std::vector<double> heads;            // the probability of so many
  std::array<double, 100> danger;       // of so few hit points; for the evaluation

  static OptionList options() {
    OptionList out{
        Option::integer("hp", 12, 1, 99, "hit points, and the most that healing reaches"),
        Option::integer("start_hp", 0, 0, 99, "each player starts with a random number from this to hp; 0: with hp"),
        Option::integer("dice", 6, 0, 12, "dice per round"),
        Option::integer("coins", 0, 0, 12, "coins that are flipped each round, one die more for each head"),
        Option::integer("rounds", 6, 1, 20, "rounds, after which the higher hp wins"),
        Option::choice("deal", "fixed", {"fixed", "same", "piles"},
                       "fixed: all cards in hand; same: a random hand, the same for both; piles: a random hand from "
                       "each player's own pile, and one more card each later round"),
        Option::integer("hand", 0, 0, 45, "cards of a random hand; 0 with a fixed one"),
    };
    const int usual[] = {1, 1, 2, 1, 1};
    for (std::size_t card = 0; card < kCards; ++card)
      out.push_back(Option::integer(std::string(kCardNames[card]), usual[card], 0, 9,
                                    "cards of this kind, in a hand or to deal from"));
    out.push_back(Option::flag("hidden", false, "closed hands, with piles: the other's cards are only counted"));
    return out;
  }

  // Whether anything is left to chance.
  static bool has_chance(const Options& options) {
    const auto start_hp = options.integer("start_hp");
    return options.text("deal") != "fixed" || options.integer("coins") > 0 ||
           (start_hp > 0 && start_hp < options.integer("hp"));
  }

  explicit Setup(const Options& options)
      : hp(read(options, "hp")),
        start_hp(read(options, "start_hp")),
        dice(read(options, "dice")),
        coins(read(options, "coins")),
        rounds(read(options, "rounds")),
        hand(read(options, "hand")) {
    const std::string& how = options.text("deal");
    deal = how == "fixed" ? Deal::fixed : how == "same" ? Deal::same : Deal::piles;
    for (std::size_t card = 0; card < kCards; ++card)
      cards[card] = static_cast<std::uint8_t>(read(options, kCardNames[card]));
    if (start_hp == 0) start_hp = hp;
    require(start_hp <= hp, "start_hp must not be above hp.");
    require(deal != Deal::fixed || hand == 0, "hand is for deal=same and deal=piles; a fixed hand is all cards.");
    require(deal == Deal::fixed || (hand >= 1 && hand <= total(cards)),
            "hand must be from 1 to the number of cards that there are to deal.");
    require(!options.flag("hidden") || deal == Deal::piles, "hidden needs deal=piles: other hands are known to both.");

    for (std::size_t left = 0; left < danger.size(); ++left) danger[left] = std::exp(-static_cast<double>(left) / 4);

    using What = Draw::What;
    draws.resize(static_cast<std::size_t>(rounds));
    for (int round = 0; round < rounds; ++round) {
      auto& list = draws[static_cast<std::size_t>(round)];
      const int cards_now = round == 0 ? (deal == Deal::fixed ? 0 : hand) : deal == Deal::piles ? 1 : 0;
      const bool left = round == 0 || hand + round <= total(cards);
      for (int player = 0; player < (deal == Deal::piles ? 2 : 1); ++player)
        for (int i = 0; left && i < cards_now; ++i) list.push_back({What::card, deal == Deal::piles ? player : -1});
      for (int player = 0; player < 2 && round == 0 && start_hp < hp; ++player) list.push_back({What::hp, player});
      for (int player = 0; player < 2 && coins > 0; ++player) list.push_back({What::dice, player});
    }

    heads.assign(static_cast<std::size_t>(coins) + 1, 0);
    double ways = 1;
    for (int n = 0; n <= coins; ++n) {
      heads[static_cast<std::size_t>(n)] = ways / static_cast<double>(1 << coins);
      ways = ways * (coins - n) / (n + 1);
    }
  }

  // Outcome ids: the cards' kinds, then the numbers of heads, then the hit points from the lowest.
  Action first_heads() const { return kCards; }
  Action first_hp() const { return kCards + coins + 1; }
  int outcomes() const { return first_hp() + hp - start_hp + 1; }

  int most_dice() const { return dice + coins + 1; } // 1: the field's
  // Every action but Swift, Cheap and Pass costs a die at least.
  int max_plies() const {
    int out = 2 * rounds * (most_dice() + 1) + 2 * (cards[kSwiftCard] + cards[kCheapCard]);
    for (const auto& list : draws) out += static_cast<int>(list.size());
    return out;
  }

 private:
  static int read(const Options& options, std::string_view name) { return static_cast<int>(options.integer(name)); }
  static void require(bool fine, const char* sentence) {
    if (!fine) throw std::invalid_argument(std::string("easycard: ") + sentence);
  }
};

} // namespace sevenfold::easycard
