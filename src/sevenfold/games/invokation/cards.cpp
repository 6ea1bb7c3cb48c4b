// What a card does when it is played; its cost is paid and it has left the hand.
#include <algorithm>

#include "invokation/position.h"

namespace sevenfold::invokation {

namespace {

// The three equipment slots: what a new one takes the place of.
void unequip(Row<kMostAttached>& on, Kind kind) {
  for (Thing& thing : on)
    if (of(static_cast<Id>(thing.id)).kind == kind) return on.remove(&thing);
}

// Of the living characters with missing energy the first, from the active one on (LPSim: the active one, then by seat).
int hungry(const Side& s, const Numbers& numbers, bool by_seat) {
  for (int i = 0; i < kTeam; ++i) {
    const int seat = i == 0 ? s.active : by_seat ? (i - 1 < s.active ? i - 1 : i) : (s.active + i) % kTeam;
    if (s.at(seat).alive && s.at(seat).energy < numbers.energy[s.at(seat).who]) return seat;
  }
  return -1;
}

} // namespace

void Position::play_card(int card, int target) {
  Side& me = at(turn);
  const int player = turn;
  const Entry& entry = of(static_cast<Id>(card));
  const auto status = [&](int seat) { attach(player, seat, card, entry.usage); };
  Effect fx{.side = player};

  if (is_support(entry.kind)) {
    if (target >= 0) me.remove_support(static_cast<std::size_t>(target));
    Support& support = me.support[me.supports++];
    support = {
        .id = static_cast<std::uint8_t>(card), .usage = static_cast<std::int8_t>(entry.usage), .serial = ++serial};
    if (card == kLibrary) push({Task::reroll, turn, 0, 1});
    return;
  }
  if (entry.kind == Kind::weapon || entry.kind == Kind::artifact) {
    unequip(me.at(target).on, entry.kind);
    attach(player, target, card, entry.usage, card == kInstructorsCap && me.has(kCapNoted));
    if (card == kLithicSpear) {
      int liyue = 0;
      for (const Fighter& one : me.team)
        liyue += one.data().nation == Nation::liyue && (one.alive || setup->numbers.lithic_counts_defeated);
      if (liyue > 0) attach(player, target, kLithicGuard, liyue);
    }
    return;
  }
  if (entry.kind == Kind::talent) {
    Fighter& one = me.front();
    const Thing* old = one.on.find(kFloralSidewinder);
    const std::uint8_t used = old != nullptr ? old->used : 0; // its limit is the round's, not the card's
    unequip(one.on, Kind::talent);
    attach(player, me.active, card, 0).used = used;
    use_skill(me.active, entry.cost.energy > 0 ? kBurst : kSkill);
    return;
  }

  switch (card) {
    case kBestestCompanion: me.gain(kOmni, 2); break;
    case kChangingShifts:
    case kLeaveItToMe:
    case kCrane:
    case kEnduringRock: create(player, card, 1); break;
    case kTossUp: push({Task::reroll, turn, 0, 2}); break;
    case kStrategize: push({Task::draw, turn, 0, 2}); break;
    case kHaventLostYet:
      me.gain(kOmni, 1);
      me.set(kCameBack);
      if (Fighter& one = me.front(); one.energy < setup->numbers.energy[one.who]) ++one.energy;
      break;
    case kStarsigns: ++me.front().energy; break;
    case kCalxsArts: {
      Fighter& one = me.front();
      int taken = 0;
      for (int i = 1; i < kTeam; ++i)
        if (Fighter& other = me.at((me.active + i) % kTeam); other.alive && other.energy > 0) --other.energy, ++taken;
      one.energy = static_cast<std::uint8_t>(std::min<int>(setup->numbers.energy[one.who], one.energy + taken));
      break;
    }
    case kQuickKnit: ++me.summons.item[static_cast<std::size_t>(target)].usage; break;
    case kSendOff: {
      Side& foe = at(1 - player);
      Thing& thing = foe.summons.item[static_cast<std::size_t>(target)];
      thing.usage = static_cast<std::int8_t>(setup->numbers.send_off_destroys ? 0 : thing.usage - 2);
      if (thing.usage > 0) break;
      if (thing.id == kReflection && !setup->numbers.send_off_destroys) thing.usage = 0; // it is not removed at 0
      else foe.summons.remove(&thing);
      break;
    }
    case kGuardiansOath:
      for (Side& s : side) s.summons.clear();
      break;
    case kWovenIce:
    case kWovenWaters:
    case kWovenFlames:
    case kWovenThunder:
    case kWovenWinds:
    case kWovenStone:
    case kWovenWeeds: me.gain(entry.element, 1); break;
    case kShatteringIce:
    case kFerventFlames: status(me.active); break;
    case kSoothingWater:
      for (int seat = 0; seat < kTeam; ++seat) heal(player, seat, seat == me.active ? 2 : 1);
      break;
    case kHighVoltage:
      if (const int seat = hungry(me, setup->numbers, setup->lpsim); seat >= 0) ++me.at(seat).energy;
      break;
    case kImpetuousWinds:
      me.gain(kOmni, 1);
      switch_to(fx, player, target);
      break;
    case kSprawlingGreenery:
      create(player, card, 1);
      for (const int id : {kDendroCore, kCatalyzingField})
        if (Thing* thing = me.combat.find(id)) ++thing->usage;
      if (Thing* flame = me.summons.find(kBurningFlame)) ++flame->usage;
      break;
    case kJueyunGuoba:
    case kAdeptusTemptation:
    case kLotusFlowerCrisp:
    case kSmokedChicken: status(target); break;
    case kMintyMeatRolls: attach(player, target, card, setup->numbers.minty_uses); break;
    case kSweetMadame: heal(player, target, 1); break;
    case kHashBrown: heal(player, target, 2); break;
    case kMushroomPizza:
      heal(player, target, 1);
      status(target);
      break;
    case kFriedEgg: {
      Fighter& one = me.at(target);
      one.alive = 1;
      one.hp = 1;
      me.set(kRevived);
      break;
    }
    case kStiletto: {
      int seat = 0;
      while (me.at(seat).who != kKeqing) ++seat;
      push({Task::skill, turn, 0, static_cast<std::uint8_t>(seat), kSkill, 1});
      switch_to(fx, player, seat);
      break;
    }
    default: break;
  }
  if (entry.kind == Kind::food) attach(player, target, kSatiated, 1);
  settle(fx);
}

} // namespace sevenfold::invokation
