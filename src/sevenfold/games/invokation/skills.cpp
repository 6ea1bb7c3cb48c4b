// What the skills of the characters do.
#include "invokation/position.h"

namespace sevenfold::invokation {

void Position::use_skill(int seat, int type, bool from_stiletto) {
  Side& me = at(turn);
  Fighter& user = me.at(seat);
  if (!user.alive || user.on.has(kFrozen)) return;
  const int player = turn;
  const auto& numbers = setup->numbers;
  const bool talented = user.on.has(user.data().talent);
  const int uses = ++user.uses[static_cast<std::size_t>(type)];
  marks = 0;
  Effect fx{.side = player, .seat = seat, .skill = type};
  const auto all = [&](int amount) {
    for (int other = 0; other < kTeam; ++other) heal(player, other, amount);
  };

  if (type == kNormal) {
    const bool catalyst = user.data().weapon == Weapon::catalyst;
    hit(fx, catalyst ? static_cast<int>(user.data().element) : kPhysical, catalyst ? 1 : 2);
  } else if (type == kSkill) {
    switch (static_cast<Who>(user.who)) {
      case kKaeya: hit(fx, kCryo, 3); break;
      case kDiona:
        hit(fx, kCryo, 2);
        create(player, kCatclawShield, talented ? 2 : 1);
        break;
      case kBarbara:
        hit(fx, kHydro, 1);
        summon(player, kMelodyLoop, 2);
        break;
      case kXingqiu:
        hit(fx, kHydro, 2);
        apply(fx, player, seat, kHydro);
        create(player, kRainSword, talented ? 3 : 2, talented);
        break;
      case kDiluc: hit(fx, kPyro, uses == 3 ? 5 : 3); break;
      case kXiangling:
        if (talented) hit(fx, kPyro, 1);
        summon(player, kGuoba, 2);
        break;
      case kFischl:
        hit(fx, kElectro, 1);
        summon(player, kOz, 2, talented);
        break;
      case kKeqing: {
        const bool infused = from_stiletto || me.holds(kStiletto);
        hit(fx, kElectro, 3);
        if (!from_stiletto) me.stiletto_seen();
        if (!from_stiletto && infused) me.discard(kStiletto);
        if (infused) attach(player, seat, kElectroInfusion, talented ? 3 : 2, talented);
        else me.take(kStiletto);
        break;
      }
      case kSucrose:
      case kJean:
        hit(fx, kAnemo, 3);
        if (const Side& foe = at(1 - player); true) {
          const int to = foe.neighbour(foe.active, user.who == kSucrose ? 2 : 1);
          if (to >= 0) switch_to(fx, 1 - player, to);
        }
        break;
      case kNingguang:
        hit(fx, kGeo, 2);
        create(player, kJadeScreen, 2);
        break;
      case kNoelle:
        hit(fx, kGeo, 1);
        create(player, kFullPlate, 2);
        break;
      case kCollei:
        hit(fx, kDendro, 3);
        if (Thing* talent = user.on.find(kFloralSidewinder); talent != nullptr && talent->used == 0) {
          talent->used = 1; // once a round
          create(player, kSprout, 1);
        }
        break;
      case kMona:
        hit(fx, kHydro, 1);
        summon(player, kReflection, 1);
        break;
      case kBennett: hit(fx, kPyro, 3); break;
      default: break;
    }
  } else {
    switch (static_cast<Who>(user.who)) {
      case kKaeya:
        hit(fx, kCryo, 1);
        create(player, kIcicle, 3);
        break;
      case kDiona:
        hit(fx, kCryo, 1);
        heal(player, seat, 2);
        summon(player, kDrunkenMist, 2);
        break;
      case kBarbara: all(4); break;
      case kXingqiu:
        hit(fx, kHydro, numbers.xingqiu_burst);
        apply(fx, player, seat, kHydro);
        create(player, kRainbowBladework, 3);
        break;
      case kDiluc:
        hit(fx, kPyro, 8);
        attach(player, seat, kPyroInfusion, 2);
        break;
      case kXiangling:
        hit(fx, kPyro, numbers.xiangling_burst);
        create(player, kPyronado, 2);
        fx.marks |= kOwnPyronado;
        break;
      case kFischl:
        pierce_standby(fx, 2);
        hit(fx, kElectro, 4);
        break;
      case kKeqing:
        pierce_standby(fx, 3);
        hit(fx, kElectro, 4);
        break;
      case kSucrose:
        hit(fx, kAnemo, 1);
        summon(player, kWindSpirit, 3, talented ? 16 : 0);
        break;
      case kNingguang: hit(fx, kGeo, me.combat.has(kJadeScreen) ? 8 : 6); break;
      case kNoelle:
        hit(fx, kGeo, 4);
        attach(player, seat, kSweepingTime, 2);
        break;
      case kCollei:
        hit(fx, kDendro, 2);
        summon(player, kCuileinAnbar, 2);
        break;
      case kMona:
        hit(fx, kHydro, 4);
        create(player, kIllusoryBubble, 1);
        break;
      case kBennett:
        hit(fx, kPyro, 2);
        create(player, kInspirationField, 2, talented);
        break;
      case kJean:
        all(2);
        summon(player, kDandelionField, 2);
        break;
      default: break;
    }
  }
  push_event(Event::after_skill, player * 4 + seat, type, fx.marks);
  settle(fx);
  if (wait != Wait::over && type != kBurst && user.alive && user.energy < numbers.energy[user.who]) ++user.energy;
}

} // namespace sevenfold::invokation
