// What actions cost, and which dice pay.
//
// Changes of a cost come in stages: fewer dice of any kind for normal attacks, then fewer of an element, then fewer
// dice of whatever kind; inside a stage in the order of triggers. A change whose dice are not there is not used up.
//
// The dice that pay, unless the player picks them: the element's own dice before Omni; for "the same element" the
// element that needs the fewest Omni; for "any", and between equals, first the elements that no living character of the
// side has, then those of the standby characters, then the active one's, Omni last; among these the smaller number
// first.
#include <algorithm>

#include "invokation/position.h"

namespace sevenfold::invokation {

namespace {

void take_element(Cost& cost, int element, bool any_too, bool& used) {
  if (cost.element == element && cost.of_element > 0) --cost.of_element, used = true;
  else if (any_too && cost.any > 0) --cost.any, used = true;
}

void take_whatever(Cost& cost, bool& used) {
  if (cost.of_element > 0) --cost.of_element, used = true;
  else if (cost.any > 0) --cost.any, used = true;
  else if (cost.same > 0) --cost.same, used = true;
}

bool lowers_element(int id) { return id >= kBrokenRime && id <= kLaurelCoronet; }

} // namespace

Cost Position::skill_cost(int skill, bool spending) {
  Side& s = at(turn);
  Fighter& user = s.front();
  const Character& data = user.data();
  Cost cost = skill == kNormal  ? of(data.element, 1, 0, 2)
              : skill == kSkill ? of(data.element, data.skill_cost)
                                : of(data.element, data.burst_cost, setup->numbers.energy[user.who]);
  if (skill == kNormal) {
    for (Thing* thing = user.on.begin(); thing != user.on.end();) {
      const auto before = user.on.count;
      if ((thing->id == kSmokedChicken || thing->id == kMintyMeatRolls) && cost.any > 0) {
        --cost.any;
        if (spending && --thing->usage == 0) user.on.remove(thing);
      }
      if (user.on.count == before) ++thing;
    }
  }
  for (Thing& thing : user.on) {
    bool used = false;
    if (lowers_element(thing.id) && thing.used == 0) {
      take_element(cost, of(static_cast<Id>(thing.id)).element, setup->lpsim, used);
    } else if (thing.id == kFlowingFlame && skill == kSkill && user.uses[kSkill] == 1) {
      take_element(cost, kPyro, setup->lpsim, used);
      used = false; // the number of uses is its counter
    } else if (thing.id == kSweepingTime && skill == kNormal && thing.used == 0) {
      take_element(cost, kGeo, setup->lpsim, used);
    }
    if (used && spending) thing.used = 1;
  }
  if (user.uses[static_cast<std::size_t>(skill)] > 0) {
    for (std::size_t i = 0; i < s.supports; ++i) {
      Support& support = s.support[i];
      bool used = false;
      if (support.id == kEllin && support.used == 0) take_whatever(cost, used);
      if (used && spending) support.used = 1;
    }
  }
  return cost;
}

Cost Position::card_cost(int card, bool spending) {
  Side& s = at(turn);
  Cost cost = setup->numbers.cost[static_cast<std::size_t>(card)];
  const Entry& entry = of(static_cast<Id>(card));
  if (entry.kind == Kind::talent || card == kStiletto) {
    Fighter* user = &s.front();
    for (Fighter& one : s.team) // the Stiletto calls Keqing from wherever she is
      if (card == kStiletto && one.who == kKeqing) user = &one;
    for (Thing& thing : user->on) {
      bool used = false;
      if (lowers_element(thing.id) && thing.used == 0)
        take_element(cost, of(static_cast<Id>(thing.id)).element, false, used);
      if (used && spending) thing.used = 1;
    }
  } else if (entry.kind == Kind::location) {
    for (std::size_t i = 0; i < s.supports; ++i) {
      Support& support = s.support[i];
      if (support.id != kTubby || support.used != 0 || cost.dice() == 0) continue;
      bool used = false;
      take_whatever(cost, used);
      take_whatever(cost, used);
      if (spending) support.used = 1;
    }
  }
  return cost;
}

Cost Position::switch_cost(bool spending, bool& fast) {
  Side& s = at(turn);
  Cost cost = any(1);
  const auto glorious = [&](int seat) {
    Thing* talent = s.at(seat).on.find(kGloriousSeason);
    if (cost.any == 0 || talent == nullptr || talent->used != 0 || !s.summons.has(kMelodyLoop)) return;
    --cost.any;
    if (spending) talent->used = 1;
  };
  fast = s.front().who == kMona && !s.has(kMonaSwift);
  if (fast && spending) s.set(kMonaSwift);
  glorious(s.active);
  if (Thing* shifts = s.combat.find(kChangingShifts); shifts != nullptr && cost.any > 0) {
    --cost.any;
    if (spending) s.combat.remove(shifts);
  }
  if (Thing* leave = s.combat.find(kLeaveItToMe); leave != nullptr && !fast) {
    fast = true;
    if (spending) s.combat.remove(leave);
  }
  for (int i = 1; i < kTeam; ++i) glorious((s.active + i) % kTeam);
  for (std::size_t i = 0; i < s.supports; ++i) {
    Support& support = s.support[i];
    if (support.used != 0) continue;
    if (support.id == kDawnWinery && cost.any > 0) {
      --cost.any;
      if (spending) support.used = 1;
    } else if (support.id == kKatheryne && !fast) {
      fast = true;
      if (spending) support.used = 1;
    }
  }
  return cost;
}

bool Position::affordable(const Side& s, const Cost& cost) const {
  const int omni = s.dice[kOmni], total = s.dice_total();
  if (total < cost.dice()) return false;
  if (cost.of_element > 0 && s.dice[cost.element] + omni < cost.of_element) return false;
  if (cost.same > 0) {
    int most = 0;
    for (int e = 0; e < kElements; ++e) most = std::max<int>(most, s.dice[static_cast<std::size_t>(e)]);
    if (most + omni < cost.same) return false;
  }
  return true;
}

std::array<std::uint8_t, kFaces> Position::payment(const Side& s, const Cost& cost) const {
  std::array<std::uint8_t, kFaces> out{};
  std::array<std::uint8_t, kFaces> worth{};
  for (const Fighter& one : s.team)
    if (one.alive) worth[one.data().element] = 1;
  if (s.front().alive) worth[s.front().data().element] = 2;
  worth[kOmni] = 3;
  const auto left = [&](std::size_t face) { return s.dice[face] - out[face]; };
  if (cost.of_element > 0) {
    const int own = std::min<int>(cost.of_element, s.dice[cost.element]);
    out[cost.element] = static_cast<std::uint8_t>(own);
    out[kOmni] = static_cast<std::uint8_t>(cost.of_element - own);
  }
  if (cost.same > 0) {
    int best = kOmni, best_rank = 1 << 20;
    for (int e = 0; e < kElements; ++e) {
      const int n = s.dice[static_cast<std::size_t>(e)];
      const int wild = std::max(0, cost.same - n);
      if (wild > s.dice[kOmni] || n == 0) continue;
      const int rank = (wild << 8) + (worth[static_cast<std::size_t>(e)] << 5) + n;
      if (rank < best_rank) best = e, best_rank = rank;
    }
    const int own = best == kOmni ? 0 : std::min<int>(cost.same, s.dice[static_cast<std::size_t>(best)]);
    if (best != kOmni) out[static_cast<std::size_t>(best)] = static_cast<std::uint8_t>(own);
    out[kOmni] = static_cast<std::uint8_t>(out[kOmni] + cost.same - own);
  }
  for (int n = 0; n < cost.any; ++n) {
    std::size_t best = kOmni;
    int best_rank = 1 << 20;
    for (std::size_t face = 0; face < kFaces; ++face) {
      if (left(face) <= 0) continue;
      const int rank = (worth[face] << 5) + s.dice[face];
      if (rank < best_rank) best = face, best_rank = rank;
    }
    ++out[best];
  }
  return out;
}

Cost Position::cost_of(Action action) const {
  auto& self = const_cast<Position&>(*this); // nothing is spent here
  bool fast = false;
  if (action < kSwitchTo) return self.skill_cost(action - kUseSkill, false);
  if (action < kEndRound) return self.switch_cost(false, fast);
  if (action >= kPlayCard && action < kTune) return self.card_cost((action - kPlayCard) / 5, false);
  return {};
}

// Whether a die of this face may pay next for the pending action, faces in rising order, so that each payment is one
// sequence.
bool Position::may_pay(int face) const {
  const Side& s = at(turn);
  if (face < lowest || s.dice[static_cast<std::size_t>(face)] <= paid[static_cast<std::size_t>(face)]) return false;
  const Cost cost = cost_of(pending);
  std::array<int, kFaces> given{}, rest{};
  int sum = 0, later = 0;
  for (std::size_t f = 0; f < kFaces; ++f) {
    given[f] = paid[f] + (static_cast<int>(f) == face);
    sum += given[f];
    rest[f] = static_cast<int>(f) >= face ? s.dice[f] - given[f] : 0;
    later += rest[f];
  }
  const int need = cost.dice() - sum;
  if (need < 0 || later < need) return false;
  if (cost.same > 0) {
    int element = -1;
    for (int e = 0; e < kElements; ++e) {
      if (given[static_cast<std::size_t>(e)] == 0) continue;
      if (element >= 0) return false;
      element = e;
    }
    if (element >= 0) return rest[static_cast<std::size_t>(element)] + rest[kOmni] >= need;
    return rest[kOmni] >= need; // only Omni so far, and Omni is the last face
  }
  const int missing = cost.of_element == 0 ? 0 : std::max(0, cost.of_element - given[cost.element] - given[kOmni]);
  return missing == 0 || (missing <= need && rest[cost.element] + rest[kOmni] >= missing);
}

} // namespace sevenfold::invokation
