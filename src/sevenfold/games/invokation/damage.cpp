// Damage, healing, elements and defeats. One hit goes through six steps: type, reaction, what adds, what multiplies,
// what reduces, hit points; then the reaction's side effects.
#include "invokation/position.h"
#include "invokation/reactions.h"

namespace sevenfold::invokation {

namespace {

bool is_weapon(int id) { return id >= kMagicGuide && id <= kAquilaFavonia; }
bool is_shield(int id) { return id == kCatclawShield || id == kCrystallize || id == kFullPlate; }

// A shield takes what it can.
template <int Most>
void absorb(Row<Most>& row, Thing* shield, int& amount) {
  const int taken = amount < shield->usage ? amount : shield->usage;
  amount -= taken;
  shield->usage = static_cast<std::int8_t>(shield->usage - taken);
  if (shield->usage == 0) row.remove(shield);
}

// LPSim's Instructor's Cap, worn or still in a hand, notes every reaction on the table until the next skill has ended.
void note_reaction(std::array<Side, 2>& sides) {
  for (Side& s : sides) {
    if (s.holds(kInstructorsCap)) s.set(kCapNoted);
    for (Fighter& one : s.team)
      if (Thing* cap = one.on.find(kInstructorsCap)) cap->extra = 1;
  }
}

bool wears(const Side& s, Who who, Id talent) {
  for (const Fighter& one : s.team)
    if (one.who == who && one.alive) return one.on.has(talent);
  return false;
}

} // namespace

void Position::hit(Effect& fx, int element, int amount) { hit_at(fx, at(1 - fx.side).active, element, amount); }

void Position::hit_at(Effect& fx, int seat, int element, int amount, bool spill) {
  Side& me = at(fx.side);
  Side& foe = at(1 - fx.side);
  Fighter& target = foe.at(seat);
  Fighter* user = fx.seat >= 0 && !spill ? &me.at(fx.seat) : nullptr;
  const bool active = foe.active == seat;

  // Step 1. Type: an infusion turns Physical damage into an element.
  if (element == kPhysical && user != nullptr)
    for (const Thing& thing : user->on)
      if (thing.id == kPyroInfusion || thing.id == kElectroInfusion || thing.id == kSweepingTime)
        element = of(static_cast<Id>(thing.id)).element;

  // Step 2. Reaction.
  const Met met = element < kElements ? meet(target.aura, element) : Met{Reaction::none, kNoElement, target.aura};
  amount += bonus_of(met.reaction);
  const bool reacts = met.reaction != Reaction::none;
  const auto involves = [&](int e) { return reacts && (element == e || met.with == e); };
  if (reacts) fx.marks |= kReacted;
  if (involves(kDendro)) fx.marks |= kDendroReacted;
  if (element == kPhysical) fx.marks |= kBlunt;

  // Step 3. What adds.
  if (user != nullptr) {
    for (Thing* thing = user->on.begin(); thing != user->on.end();) {
      int added = 0;
      bool gone = false;
      if (is_weapon(thing->id)) {
        added = 1;
        if (thing->id >= kSkywardAtlas && thing->id <= kSkywardSpine && fx.skill == kNormal && thing->used == 0)
          ++added, thing->used = 1;
        if (thing->id == kWolfsGravestone && target.hp <= 6) added += 2;
      } else if (thing->id == kJueyunGuoba) {
        if (fx.skill == kNormal) added = 1, gone = true;
      } else if (thing->id == kAdeptusTemptation) {
        if (fx.skill == kBurst) added = 3, gone = true;
      } else if (thing->id == kShatteringIce) {
        added = 2, gone = true;
      } else if (thing->id == kFerventFlames) {
        if (involves(kPyro)) added = 3, gone = true;
      } else if (thing->id == kSweepingTime) {
        if (fx.skill == kNormal) added = 2;
      } else if (thing->id == kElectroInfusion) {
        if (thing->extra != 0 && element == kElectro) added = 1;
      }
      amount += added;
      if (gone) user->on.remove(thing);
      else ++thing;
    }
    if (element == kGeo) fx.own_geo = true;
  }
  for (Thing* thing = me.combat.begin(); thing != me.combat.end();) {
    bool gone = false;
    const auto use = [&](int added) {
      amount += added;
      gone = --thing->usage == 0;
    };
    // A core or a field that is used up leaves after the hit, so that a reaction which makes it anew keeps its place.
    if (thing->id == kDendroCore) {
      if (active && thing->usage > 0 && (element == kPyro || element == kElectro)) use(2), gone = false;
    } else if (thing->id == kCatalyzingField) {
      if (active && thing->usage > 0 && (element == kElectro || element == kDendro)) use(1), gone = false;
    } else if (thing->id == kSprawlingGreenery) {
      if (reacts) use(2);
    } else if (thing->id == kInspirationField) {
      if (user != nullptr && (user->hp >= 7 || thing->extra != 0)) amount += 2;
    } else if (thing->id == kJadeScreen) {
      if (element == kGeo && wears(me, kNingguang, kStrategicReserve)) ++amount;
    }
    if (gone) me.combat.remove(thing);
    else ++thing;
  }
  for (const Thing& thing : me.summons) {
    if (thing.id == kWindSpirit && (thing.extra & 16) != 0 && (thing.extra & 15) == element + 1) ++amount;
    if (thing.id == kDandelionField && element == kAnemo && wears(me, kJean, kLandsOfDandelion)) ++amount;
  }
  if (involves(kHydro) && me.front().who == kMona && me.front().on.has(kProphecy)) amount += 2;
  if ((element == kPyro || element == kPhysical) && target.on.has(kFrozen)) {
    amount += 2;
    target.on.remove(kFrozen);
  }

  // Step 4. What multiplies.
  if (user != nullptr)
    if (Thing* bubble = me.combat.find(kIllusoryBubble)) {
      amount *= 2;
      me.combat.remove(bubble);
    }
  if (active && element == kPhysical && foe.combat.has(kFullPlate)) amount = (amount + 1) / 2;

  // Step 5. What reduces, in the order of triggers.
  for (Thing* thing = target.on.begin(); thing != target.on.end() && amount > 0;) {
    const auto before = target.on.count;
    if (thing->id == kLotusFlowerCrisp) {
      amount = amount > 3 ? amount - 3 : 0;
      target.on.remove(thing);
    } else if (thing->id == kLithicGuard) {
      absorb(target.on, thing, amount);
    }
    if (target.on.count == before) ++thing;
  }
  if (active) {
    for (Thing* thing = foe.combat.begin(); thing != foe.combat.end() && amount > 0;) {
      const auto before = foe.combat.count;
      const auto barrier = [&](int threshold) {
        if (amount < threshold) return;
        --amount;
        if (--thing->usage == 0) foe.combat.remove(thing);
      };
      if (is_shield(thing->id)) absorb(foe.combat, thing, amount);
      else if (thing->id == kRainSword)
        barrier((thing->extra & 1) != 0 ? setup->numbers.rain_sword_talent_threshold : 3);
      else if (thing->id == kJadeScreen) barrier(2);
      if (foe.combat.count == before) ++thing;
    }
    if (Thing* reflection = foe.summons.find(kReflection); reflection != nullptr && reflection->usage > 0 && amount > 0)
      --amount, --reflection->usage;
  }

  // Step 6. Hit points and aura.
  target.hp = static_cast<std::int8_t>(target.hp > amount ? target.hp - amount : 0);
  target.aura = met.aura;
  if (reacts) {
    if (target.hp > 0) fx.marks |= kReactedOn;
    if (setup->lpsim) note_reaction(side);
  }

  // Step 7. Side effects of the reaction.
  switch (met.reaction) {
    case Reaction::overloaded:
      if (active)
        if (const int next = foe.neighbour(seat); next >= 0) switch_to(fx, 1 - fx.side, next);
      break;
    case Reaction::superconduct:
    case Reaction::electro_charged:
      for (int other = 0; other < kTeam; ++other)
        if (other != seat) pierce(fx, other, 1);
      break;
    case Reaction::swirl:
      fx.swirled = met.with;
      for (int i = 1; i < kTeam; ++i)
        if (const int other = (seat + i) % kTeam; foe.at(other).alive) hit_at(fx, other, met.with, 1, true);
      break;
    case Reaction::frozen: attach(1 - fx.side, seat, kFrozen, 1); break;
    case Reaction::crystallize: create(fx.side, kCrystallize, 1); break;
    case Reaction::burning: summon(fx.side, kBurningFlame, 1); break;
    case Reaction::bloom: create(fx.side, kDendroCore, 1); break;
    case Reaction::quicken: create(fx.side, kCatalyzingField, setup->numbers.catalyzing_field); break;
    default: break;
  }
  for (const int id : {kDendroCore, kCatalyzingField})
    if (Thing* thing = me.combat.find(id); thing != nullptr && thing->usage == 0) me.combat.remove(thing);
}

void Position::pierce(Effect& fx, int seat, int amount) {
  Fighter& target = at(1 - fx.side).at(seat);
  if (!target.alive) return;
  fx.marks |= kBlunt;
  target.hp = static_cast<std::int8_t>(target.hp > amount ? target.hp - amount : 0);
}

void Position::pierce_standby(Effect& fx, int amount) {
  const int active = at(1 - fx.side).active;
  for (int seat = 0; seat < kTeam; ++seat)
    if (seat != active) pierce(fx, seat, amount);
}

// An element without damage: what a reaction makes goes to the side opposite to the target.
void Position::apply(Effect& fx, int player, int seat, int element) {
  Side& s = at(player);
  Fighter& target = s.at(seat);
  if (!target.alive) return;
  const Met met = meet(target.aura, element);
  target.aura = met.aura;
  if (met.reaction != Reaction::none) {
    fx.marks |= kReacted | kReactedOn;
    if (setup->lpsim) note_reaction(side);
  }
  switch (met.reaction) {
    case Reaction::overloaded:
      if (s.active == seat)
        if (const int next = s.neighbour(seat); next >= 0) switch_to(fx, player, next);
      break;
    case Reaction::frozen: attach(player, seat, kFrozen, 1); break;
    case Reaction::burning: summon(1 - player, kBurningFlame, 1); break;
    case Reaction::bloom: create(1 - player, kDendroCore, 1); break;
    case Reaction::quicken: create(1 - player, kCatalyzingField, setup->numbers.catalyzing_field); break;
    default: break;
  }
}

void Position::heal(int player, int seat, int amount) {
  Fighter& one = at(player).at(seat);
  if (!one.alive) return;
  const int most = one.data().hp, hp = one.hp + amount;
  one.hp = static_cast<std::int8_t>(hp < most ? hp : most);
}

void Position::switch_to(Effect& fx, int player, int seat) {
  Side& s = at(player);
  if (s.active == seat) return;
  s.active = static_cast<std::uint8_t>(seat);
  fx.switched[player] = true;
}

// The end of an effect: what watches damage, then defeats, then what waits for a switch.
void Position::settle(Effect& fx) {
  marks |= fx.marks;
  Side& me = at(fx.side);
  if (fx.swirled >= 0)
    if (Thing* spirit = me.summons.find(kWindSpirit); spirit != nullptr && (spirit->extra & 15) == 0)
      spirit->extra = static_cast<std::uint8_t>(spirit->extra | (fx.swirled + 1));
  if (fx.own_geo && me.combat.has(kEnduringRock))
    for (Thing& thing : me.combat)
      if (is_shield(thing.id)) {
        thing.usage = static_cast<std::int8_t>(thing.usage + 3);
        me.combat.remove(kEnduringRock);
        break;
      }
  for (const int player : {1 - turn, static_cast<int>(turn)}) // the last pushed comes first
    if (fx.switched[player]) push_event(Event::after_switch, player, at(player).active, 0);
  defeats();
}

// Characters without hit points are out. True where somebody is.
bool Position::defeats() {
  bool any = false;
  for (const int player : {1 - turn, static_cast<int>(turn)}) {
    Side& s = at(player);
    bool living = false;
    for (Fighter& one : s.team) {
      if (one.alive && one.hp == 0) {
        any = true;
        one.alive = one.energy = one.aura = 0;
        one.on.clear();
        s.set(kLostOne);
        Side& other = at(1 - player);
        if (Thing* earrings = other.front().on.find(kEarrings)) {
          if (earrings->usage > 0) {
            other.gain(kOmni, 2);
            if (setup->numbers.earrings_limited) --earrings->usage;
          }
        }
      }
      living |= one.alive != 0;
    }
    if (!living) {
      winner = static_cast<std::int8_t>(1 - player);
      wait = Wait::over;
      tasks = 0;
      return true;
    }
    if (!s.front().alive) push({Task::choose, static_cast<std::uint8_t>(player)});
  }
  return any;
}

} // namespace sevenfold::invokation
