// What is good in easycard, as far as a look can tell: the terms of an evaluation, their weights, and an order of the
// actions.
//
// The evaluation is linear in the terms, V = tanh(sum over k of w_k (t_k(me) - t_k(other))): smooth, antisymmetric
// between the players and inside (-1, 1).
#pragma once

#include <algorithm>
#include <cmath>

#include "easycard/position.h"

namespace sevenfold::easycard {

constexpr std::array<std::string_view, 22> kTermNames{
    "hp",          "hp_low",      "hp_late",   "dice",  "energy",      "charged", "swift_cards", "cheap_cards",
    "snack_cards", "field_cards", "pet_cards", "swift", "cheap",       "food",    "field",       "pet",
    "to_move",     "alone",       "first",     "reach", "reach_alone", "lethal"};

// Terms are of the order of 1. The weights are a logistic regression of the results of some thousand games between tree
// searches on all presets; the cards of field and pet came out below 0, and are left at 0.
constexpr std::array<double, kTermNames.size()> kWeights{2.3, 0.65, 1.9, 0.55, 0.35, 0.1, 0.5,  0.1, 0.2,  0,    0,
                                                         0.5, 0.05, 0.3, 0.15, 0.2,  0.1, 0.15, 0.2, 0.65, 0.15, 0.4};

// Dice that are not thrown yet count as what can be expected of them.
inline double expected_dice(const Position& p, int player) {
  const Side& s = p.at(player);
  if (p.open == 0 || s.dice > 0) return s.dice;
  return p.setup->dice + p.setup->coins / 2.0 + s.has(kHasField);
}

// The damage that a side could do in this round if the other did nothing.
inline int reach(const Side& s, int dice) {
  int damage = 0, energy = s.energy;
  bool cheap = s.has(kIsCheap) || s.hand[kCheapCard] > 0, food = s.has(kFood);
  if (!food && s.hand[kSnackCard] > 0 && !s.has(kAte) && dice % 2 == 1) food = true, --dice;
  for (;;) {
    if (energy == kFullEnergy && dice >= kBurstDice) {
      dice -= kBurstDice;
      energy = 0;
      damage += kBurstDamage;
    } else if (const int cost = cheap ? kCheapDice : kStrikeDice; dice >= cost) {
      dice -= cost;
      damage += kStrikeDamage + (food ? kFoodDamage : 0);
      energy = std::min(energy + 1, kFullEnergy);
      cheap = food = false;
    } else {
      return damage;
    }
  }
}

inline void list_terms(const Position& p, int player, Terms& out) {
  const Side& s = p.at(player);
  const Side& other = p.at(1 - player);
  const int later = p.setup->rounds - 1 - p.round; // rounds after this one
  // As many as will be played: a round costs some seven hit points.
  const double coming = std::min<double>(later, std::min(s.hp, other.hp) / 7.0);
  const double dice = s.has(kEnded) ? 0 : expected_dice(p, player);
  const bool alone = other.has(kEnded) && !s.has(kEnded);
  const bool moves = p.mover == player && !p.over;
  const double share =
      std::min(1.5, static_cast<double>(reach(s, static_cast<int>(dice))) / std::max<int>(1, other.hp));
  out.push(s.hp / 10.0);
  out.push(-p.setup->danger[static_cast<std::size_t>(s.hp)]);
  out.push(s.hp / 10.0 / (1 + later));
  out.push(dice / 4);
  out.push(s.energy / 2.0);
  out.push(s.energy == kFullEnergy);
  out.push(s.hand[kSwiftCard]);
  out.push(s.hand[kCheapCard]);
  out.push(std::min<double>(s.hand[kSnackCard], coming + !s.has(kAte)));
  out.push(s.hand[kFieldCard] > 0 && !s.has(kHasField) ? coming / 2 : 0);
  out.push(std::min<double>(s.hand[kPetCard], coming));
  out.push(s.has(kIsSwift));
  out.push(s.has(kIsCheap));
  out.push(s.has(kFood));
  out.push(s.has(kHasField) ? coming / 2 : 0);
  out.push(std::min<int>(s.pet, later + 1));
  out.push(moves);
  out.push(alone ? dice / 4 : 0);
  out.push(s.has(kEnded) && !other.has(kEnded));
  out.push(share);
  out.push(alone ? share : 0);
  out.push(moves && share >= 1);
}

constexpr double kSure = 3.7; // tanh of it is below 0.999: a guess is never as sure as a result

inline double judged(const Position& p) { // for player 0
  Terms mine, other;
  list_terms(p, 0, mine);
  list_terms(p, 1, other);
  double sum = 0;
  for (std::size_t k = 0; k < kWeights.size(); ++k) sum += kWeights[k] * (mine[k] - other[k]);
  return std::tanh(std::clamp(sum, -kSure, kSure));
}

// How promising an action is, for the order in which a search tries them.
inline int merit(const Position& p, Action previous, Action action) {
  const Side& s = p.at(p.mover);
  const Side& other = p.at(1 - p.mover);
  const int later = p.setup->rounds - 1 - p.round;
  const bool prepared = previous == kSwift || previous == kCheap || previous == kAttack;
  switch (action) {
    case kBurst: return other.hp <= kBurstDamage ? 1000 : 90;
    case kStrike:
      if (other.hp <= kStrikeDamage + (s.has(kFood) ? kFoodDamage : 0)) return 999;
      return prepared ? 100 : 70; // what was prepared is used
    case kSwift: return s.dice >= s.strike_cost() ? 60 : 15;
    case kCheap: return s.dice >= kCheapDice ? 65 : 15;
    case kField: // at the start of a round, and early; later a strike is worth more
      if (s.has(kHasField) || later < 2) return 5;
      return later >= 4 && (previous == kNoAction || previous == kPass) ? 80 : 52;
    case kAttack: // the odd die of a strike to come
      if (s.dice <= s.strike_cost()) return 8;
      return s.dice % 2 == s.strike_cost() % 2 ? 55 : 72;
    case kPet: return later >= 1 || s.dice < kBurstDice ? 58 : 50;
    case kHeal: return s.dice == kSnackDice ? 45 : 30; // the last die buys nothing better
    default: return s.dice >= kStrikeDice ? 10 : 40;   // no early pass
  }
}

inline void sort_actions(const Position& p, Action previous, ActionList& list) {
  std::array<int, kPlays> value{};
  for (const Action action : list) value[static_cast<std::size_t>(action)] = merit(p, previous, action);
  std::sort(list.begin(), list.end(), [&](Action a, Action b) {
    return std::pair(value[static_cast<std::size_t>(a)], b) > std::pair(value[static_cast<std::size_t>(b)], a);
  });
}

} // namespace sevenfold::easycard
