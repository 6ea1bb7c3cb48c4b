// Terms, weights and the order of actions. The order follows what players know: a tuned die is for a skill, not for a
// switch; Changing Shifts and Leave It to Me! are for a switch; who has a summon out does not call it again; nobody
// opens with a switch.
#include "invokation/judgement.h"

#include <algorithm>
#include <cmath>

namespace sevenfold::invokation {

namespace {

// Set by hand, in the order of the names.
constexpr std::array<double, kTermNames.size()> kWeights{0.55, 0.35, 0.35,  0.18, 0.05, 0.02, 0.12, 0.45, 0.20,
                                                         0.22, 0.07, 0.045, 0.06, 0.05, 0.05, 0.08, 0.05, 0.13,
                                                         0.10, 0.10, 0.22,  0.12, 0.10, 0.04, 0.02, 0.05};

struct Worth {
  double hits = 0, heals = 0; // of one usage
};
Worth worth_of(int summon) {
  switch (summon) {
    case kDrunkenMist: return {1, 2};
    case kMelodyLoop: return {0, 2};
    case kGuoba: return {2, 0};
    case kOz: return {1, 0};
    case kWindSpirit: return {2, 0};
    case kCuileinAnbar: return {2, 0};
    case kReflection: return {1, 1};
    case kDandelionField: return {1, 1};
    case kBurningFlame: return {1, 0};
    default: return {};
  }
}

const std::array<double, 16> kDanger = [] {
  std::array<double, 16> out{};
  for (std::size_t hp = 0; hp < out.size(); ++hp) out[hp] = std::exp(-static_cast<double>(hp) / 3);
  return out;
}();

} // namespace

void list_terms(const Position& p, int player, Terms& out) {
  const Side& s = p.at(player);
  const Side& other = p.at(1 - player);
  double hp = 0, low = 0, alive = 0, energy = 0, aura = 0, weapons = 0, artifacts = 0, talents = 0, boosts = 0;
  double shields = 0, infusion = 0;
  for (const Fighter& one : s.team) {
    if (!one.alive) continue;
    ++alive;
    hp += one.hp;
    low += kDanger[static_cast<std::size_t>(std::min<int>(one.hp, 15))];
    energy += static_cast<double>(one.energy) / p.setup->numbers.energy[one.who];
    aura += one.aura != 0;
    for (const Thing& thing : one.on) {
      switch (of(static_cast<Id>(thing.id)).kind) {
        case Kind::weapon: ++weapons; break;
        case Kind::artifact: ++artifacts; break;
        case Kind::talent: ++talents; break;
        case Kind::food: boosts += thing.usage; break;
        case Kind::event: ++boosts; break;
        default:
          if (thing.id == kLithicGuard) shields += thing.usage;
          else if (thing.id == kPyroInfusion || thing.id == kElectroInfusion || thing.id == kSweepingTime)
            infusion += thing.usage;
      }
    }
  }
  double hits = 0, heals = 0, strikes = 0, barriers = 0, cheap = 0;
  for (const Thing& thing : s.summons) {
    const Worth worth = worth_of(thing.id);
    hits += worth.hits * thing.usage;
    heals += worth.heals * thing.usage;
  }
  for (const Thing& thing : s.combat) {
    switch (thing.id) {
      case kIcicle:
      case kPyronado:
      case kDendroCore: strikes += 2 * thing.usage; break;
      case kRainbowBladework:
      case kCatalyzingField: strikes += thing.usage; break;
      case kIllusoryBubble:
      case kInspirationField: strikes += 3 * thing.usage; break;
      case kCatclawShield:
      case kCrystallize:
      case kFullPlate: shields += thing.usage; break;
      case kRainSword:
      case kJadeScreen: barriers += thing.usage; break;
      case kChangingShifts:
      case kLeaveItToMe: ++cheap; break;
      default: ++boosts; break;
    }
  }
  double dice_supports = 0, card_supports = 0, other_supports = 0;
  for (std::size_t i = 0; i < s.supports; ++i) {
    const Support& one = s.support[i];
    switch (one.id) {
      case kPaimon: dice_supports += one.usage; break;
      case kLiben: dice_supports += 0.5 + one.usage * 0.4; break;
      case kVanarana: dice_supports += 0.5 + one.usage * 0.5; break;
      case kTimmie: dice_supports += 0.3 + 0.2 * one.usage; break;
      case kWharf: card_supports += one.usage; break;
      case kChang: card_supports += 0.3 * (1 + one.usage); break;
      default: other_supports += 1; break;
    }
  }
  const bool acting = p.wait != Wait::over && p.round > 0;
  const bool rolled = p.wait >= Wait::choose || p.wait == Wait::act;
  const double dice = s.has(kEnded) ? 0.15 * s.dice_total() : rolled || s.dice_total() > 0 ? s.dice_total() : 8;
  const int fit = s.dice[kOmni] + (s.front().alive ? s.dice[s.front().data().element] : 0);
  out.push(hp / 10);
  out.push(-low);
  out.push(alive);
  out.push(energy);
  out.push(s.front().alive && s.front().energy == p.setup->numbers.energy[s.front().who]);
  out.push(-aura);
  out.push(-(s.front().on.has(kFrozen) ? 1.0 : 0.0));
  out.push(dice / 8);
  out.push(s.has(kEnded) ? 0 : fit / 8.0);
  out.push(s.hand_size / 5.0);
  out.push(hits);
  out.push(heals);
  out.push(strikes);
  out.push(shields);
  out.push(barriers);
  out.push(infusion);
  out.push(boosts);
  out.push(weapons);
  out.push(artifacts);
  out.push(talents);
  out.push(dice_supports);
  out.push(card_supports);
  out.push(other_supports);
  out.push(cheap);
  out.push(acting && p.turn == player);
  out.push(acting && other.has(kEnded) && !s.has(kEnded));
}

double judged(const Position& p) {
  constexpr double kSure = 3.7; // tanh of it is below 0.999: a guess is never as sure as a result
  if (p.wait == Wait::over) return p.winner < 0 ? 0 : p.winner == 0 ? std::tanh(kSure) : -std::tanh(kSure);
  Terms mine, other;
  list_terms(p, 0, mine);
  list_terms(p, 1, other);
  double sum = 0;
  for (std::size_t k = 0; k < kWeights.size(); ++k) sum += kWeights[k] * (mine[k] - other[k]);
  return std::tanh(std::clamp(sum, -kSure, kSure));
}

bool stays_put(Action action) {
  if (action >= kTune) return true;
  if (action < kPlayCard) return false;
  const int card = (action - kPlayCard) / 5;
  const Kind kind = of(static_cast<Id>(card)).kind;
  if (kind == Kind::talent || card == kStiletto) return false;
  return card != kStrategize && card != kTossUp && card != kLibrary && card != kImpetuousWinds;
}

namespace {

bool summoned(const Side& s, int who) { // what the character's skill would only refresh
  switch (who) {
    case kBarbara: return s.summons.has(kMelodyLoop);
    case kXiangling: return s.summons.has(kGuoba);
    case kFischl: return s.summons.has(kOz);
    case kMona: return s.summons.has(kReflection);
    case kDiona: return s.combat.has(kCatclawShield);
    case kXingqiu: return s.combat.has(kRainSword);
    case kNingguang: return s.combat.has(kJadeScreen);
    case kNoelle: return s.combat.has(kFullPlate);
    default: return false;
  }
}

int merit_of_card(const Position& p, int card, Action previous) {
  const Side& s = p.at(p.mover);
  const Entry& entry = of(static_cast<Id>(card));
  switch (entry.kind) {
    case Kind::talent: return 92;
    case Kind::weapon:
    case Kind::artifact: return 62;
    case Kind::location:
    case Kind::companion: return p.round <= 6 ? 86 : 48;
    case Kind::food: return s.dice_total() < 3 || entry.cost.dice() == 0 ? 64 : 52;
    default: break;
  }
  if (card == kChangingShifts || card == kLeaveItToMe)
    return previous >= kPlayCard && previous < kTune && (previous - kPlayCard) / 5 == card ? 8 : 54;
  return card == kSendOff || card == kQuickKnit ? 66 : 60;
}

int merit(const Position& p, Action previous, Action action) {
  const Side& s = p.at(p.mover);
  if (p.wait == Wait::reroll) {
    if (action == kRollNow) return p.rerolled > 0 ? 60 : 50;
    const int face = (action - kReroll) / 16, n = (action - kReroll) % 16 + 1;
    bool fits = face == kOmni;
    for (const Fighter& one : s.team) fits |= one.alive && one.data().element == face;
    return fits ? 5 - n : 60 + n;
  }
  if (p.wait == Wait::redraw) return 60 - 3 * __builtin_popcount(static_cast<unsigned>(action - kRedraw));
  if (p.wait == Wait::opening || p.wait == Wait::choose) return s.at(action - kChoose).hp;
  if (p.wait == Wait::pay) return kPay + kFaces - action;
  const Fighter& front = s.front();
  if (action < kSwitchTo) {
    if (action == kBurst) return 95;
    if (action == kSkill) return summoned(s, front.who) ? 57 : 90;
    return 74;
  }
  if (action < kEndRound) {
    const int card = previous >= kPlayCard && previous < kTune ? (previous - kPlayCard) / 5 : 0;
    if (card == kChangingShifts || card == kLeaveItToMe) return 94;
    if (previous >= kTune) return 3;
    if (p.round == 1 && s.dice_total() == 8) return 4;
    return front.hp <= 3 ? 58 : 40;
  }
  if (action == kEndRound) return s.dice_total() < 3 ? 56 : p.at(1 - p.mover).has(kEnded) ? 6 : 12;
  if (action < kTune) return merit_of_card(p, (action - kPlayCard) / 5, previous);
  return s.dice[front.data().element] + s.dice[kOmni] < 3 ? 30 : 14;
}

} // namespace

void sort_actions(const Position& p, Action previous, ActionList& list) {
  struct Ranked {
    int value;
    Action action;
  };
  std::array<Ranked, 512> ranked; // more than can be legal at once
  const auto n = static_cast<std::size_t>(std::min(list.size(), 512));
  for (std::size_t i = 0; i < n; ++i) ranked[i] = {merit(p, previous, list[i]), list[i]};
  std::sort(ranked.begin(), ranked.begin() + n, [](const Ranked& a, const Ranked& b) {
    return a.value != b.value ? a.value > b.value : a.action < b.action;
  });
  for (std::size_t i = 0; i < n; ++i) list[i] = ranked[i].action;
}

} // namespace sevenfold::invokation
