// What objects on the table do when something has happened.
//
// The order: the side whose turn it is, then the other; inside a side the active character's attachments, the combat
// statuses, the standby characters in their ring, summons, supports. The list is made when the event happens; an object
// that is gone when its turn comes does nothing.
#include <algorithm>

#include "invokation/position.h"

namespace sevenfold::invokation {

namespace {

constexpr std::uint8_t bit(Event event) { return static_cast<std::uint8_t>(1 << static_cast<int>(event)); }

// Which events an object cares for.
constexpr auto kCares = [] {
  std::array<std::uint8_t, kIds> out{};
  for (const int id : {kVanarana, kPaimon, kTimmie, kLiben})
    out[static_cast<std::size_t>(id)] |= bit(Event::action_begins);
  for (const int id : {kMushroomPizza, kDrunkenMist, kMelodyLoop, kGuoba, kOz, kWindSpirit, kCuileinAnbar, kReflection,
                       kDandelionField, kBurningFlame, kWharf, kWangshuInn, kCathedral, kVanarana, kLiben, kTian})
    out[static_cast<std::size_t>(id)] |= bit(Event::end_phase);
  for (const int id : {kColdBloodedStrike,
                       kGotYourBack,
                       kSacrificialFragments,
                       kSacrificialBow,
                       kSacrificialGreatsword,
                       kSacrificialSword,
                       kAquilaFavonia,
                       kBandana,
                       kSilverCirclet,
                       kHandkerchief,
                       kInstructorsCap,
                       kExilesCirclet,
                       kRainbowBladework,
                       kPyronado,
                       kInspirationField,
                       kSprout,
                       kCrane,
                       kOz,
                       kChang,
                       kFullPlate})
    out[static_cast<std::size_t>(id)] |= bit(Event::after_skill);
  for (const int id : {kIcicle, kLiuSu}) out[static_cast<std::size_t>(id)] |= bit(Event::after_switch);
  return out;
}();

} // namespace

Thing& Position::create(int player, int id, int usage, int extra) {
  Row<kMostCombat>& row = at(player).combat;
  Thing* old = row.find(id);
  if (setup->lpsim && id == kRainSword) { // it adds up to the most it was ever made with, and keeps its threshold
    const bool three = extra != 0 || (old != nullptr && (old->extra & 2) != 0);
    extra = (old != nullptr ? old->extra & 1 : extra) | (three ? 2 : 0);
    if (old != nullptr) usage = std::max<int>(old->usage, std::min(three ? 3 : 2, old->usage + usage));
  }
  if (old == nullptr)
    return row.add(
        {static_cast<std::uint8_t>(id), static_cast<std::int8_t>(usage), 0, static_cast<std::uint8_t>(extra)});
  const int most = of(static_cast<Id>(id)).most;
  if (most > 0) usage = std::max<int>(old->usage, std::min(most, old->usage + usage));
  else if (setup->numbers.refresh_to_larger) usage = std::max<int>(usage, old->usage);
  old->usage = static_cast<std::int8_t>(usage);
  old->extra = static_cast<std::uint8_t>(old->extra | extra);
  return *old;
}

Thing& Position::attach(int player, int seat, int id, int usage, int extra) {
  Row<kMostAttached>& row = at(player).at(seat).on;
  Thing* old = row.find(id);
  if (old == nullptr)
    return row.add(
        {static_cast<std::uint8_t>(id), static_cast<std::int8_t>(usage), 0, static_cast<std::uint8_t>(extra)});
  const int most = of(static_cast<Id>(id)).most;
  if (most > 0 && !setup->lpsim) usage = std::min(most, old->usage + usage);
  else if (setup->numbers.refresh_to_larger) usage = std::max<int>(usage, old->usage);
  old->usage = static_cast<std::int8_t>(usage);
  old->extra = static_cast<std::uint8_t>(old->extra | extra);
  if (setup->lpsim && id == kSweepingTime) old->used = 0;
  return *old;
}

void Position::summon(int player, int id, int usage, int extra) {
  Row<kMostSummons>& row = at(player).summons;
  Thing* old = row.find(id);
  if (old == nullptr) {
    if (!row.full())
      row.add({static_cast<std::uint8_t>(id), static_cast<std::int8_t>(usage), 0, static_cast<std::uint8_t>(extra)});
    return;
  }
  const int most = of(static_cast<Id>(id)).most;
  if (most > 0) usage = std::max<int>(old->usage, std::min(most, old->usage + usage));
  else if (setup->numbers.refresh_to_larger) usage = std::max<int>(usage, old->usage);
  old->usage = static_cast<std::int8_t>(usage);
  if (id == kWindSpirit) old->extra = static_cast<std::uint8_t>((old->extra & 16) | extra); // Anemo again
  else old->extra = static_cast<std::uint8_t>(old->extra | extra);
}

Thing* Position::thing_at(int owner, int place, int id) {
  Side& s = at(owner);
  if (place == kInCombat) return s.combat.find(id);
  if (place == kAmongSummons) return s.summons.find(id);
  return s.at(place).on.find(id);
}

void Position::remove_thing(int owner, int place, int id) {
  Side& s = at(owner);
  if (place == kInCombat) s.combat.remove(id);
  else if (place == kAmongSummons) s.summons.remove(id);
  else s.at(place).on.remove(id);
}

void Position::spend(int owner, int place, int id, int n) {
  Thing* thing = thing_at(owner, place, id);
  if (thing == nullptr) return;
  thing->usage = static_cast<std::int8_t>(thing->usage - n);
  if (thing->usage <= 0) remove_thing(owner, place, id);
}

void Position::push_event(Event event, int a, int b, int c) {
  push({Task::event, 0, static_cast<std::uint8_t>(event), static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b),
        static_cast<std::uint8_t>(c)});
}

void Position::gather(Event event, int a, int b, int c) {
  const std::uint8_t wanted = bit(event);
  const std::uint8_t begin = tasks;
  if (event == Event::after_skill)
    for (Side& s : side) s.unset(kCapNoted);
  const auto add = [&](int owner, int place, int key) {
    push({static_cast<std::uint8_t>(Task::trigger + static_cast<int>(event)),
          static_cast<std::uint8_t>(owner * 8 + place), static_cast<std::uint8_t>(key), static_cast<std::uint8_t>(a),
          static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(c)});
  };
  // After a skill most objects look only at their own side's, and what a character wears at this character's.
  const auto idle = [&](int owner, int place, int id) {
    if (event != Event::after_skill || id == kAquilaFavonia || (setup->lpsim && id == kInstructorsCap)) return false;
    return owner != a / 4 || (place < kInCombat && place != a % 4);
  };
  const auto row = [&](const auto& things, int owner, int place) {
    for (const Thing& thing : things)
      if ((kCares[thing.id] & wanted) != 0 && !idle(owner, place, thing.id)) add(owner, place, thing.id);
  };
  for (const int owner : {static_cast<int>(turn), 1 - turn}) {
    const Side& s = at(owner);
    if (event == Event::after_switch && owner != a) continue;
    row(s.front().on, owner, s.active);
    row(s.combat, owner, kInCombat);
    for (int i = 1; i < kTeam; ++i) row(s.at((s.active + i) % kTeam).on, owner, (s.active + i) % kTeam);
    row(s.summons, owner, kAmongSummons);
    for (std::size_t i = 0; i < s.supports; ++i)
      if ((kCares[s.support[i].id] & wanted) != 0) add(owner, kAmongSupports, s.support[i].serial);
  }
  std::reverse(task.begin() + begin, task.begin() + tasks); // a stack: the first has to be on top
}

void Position::fire(const Task& now) {
  const int owner = now.who / 8, place = now.who % 8;
  const auto event = static_cast<Event>(now.type - Task::trigger);
  if (place == kAmongSupports) {
    Side& s = at(owner);
    for (std::size_t i = 0; i < s.supports; ++i)
      if (s.support[i].serial == now.key) return support_acts(event, owner, i, now);
    return;
  }
  Thing* thing = thing_at(owner, place, now.key);
  if (thing == nullptr) return;
  if (event == Event::end_phase) return end_phase_of(owner, place, now.key);
  if (event == Event::after_skill) return after_skill(owner, place, *thing, now);
  if (event == Event::after_switch && now.key == kIcicle) {
    Effect fx{.side = owner};
    spend(owner, place, kIcicle);
    hit(fx, kCryo, 2);
    settle(fx);
  }
}

void Position::end_phase_of(int owner, int place, int id) {
  Side& me = at(owner);
  Effect fx{.side = owner, .summon = true};
  switch (id) {
    case kMushroomPizza: heal(owner, place, 1); break;
    case kDrunkenMist:
      hit(fx, kCryo, 1);
      heal(owner, me.active, 2);
      break;
    case kMelodyLoop:
      for (int seat = 0; seat < kTeam; ++seat) heal(owner, seat, 1);
      apply(fx, owner, me.active, kHydro);
      break;
    case kGuoba: hit(fx, kPyro, 2); break;
    case kOz: hit(fx, kElectro, 1); break;
    case kWindSpirit: {
      const int converted = thing_at(owner, place, id)->extra & 15;
      hit(fx, converted > 0 ? converted - 1 : static_cast<int>(kAnemo), 2);
      break;
    }
    case kCuileinAnbar: hit(fx, kDendro, 2); break;
    case kReflection:
      hit(fx, kHydro, 1);
      me.summons.remove(kReflection);
      break;
    case kDandelionField:
      hit(fx, kAnemo, setup->numbers.dandelion_damage);
      heal(owner, me.active, 1);
      break;
    case kBurningFlame: hit(fx, kPyro, 1); break;
    default: break;
  }
  spend(owner, place, id);
  settle(fx);
}

void Position::after_skill(int owner, int place, Thing& thing, const Task& now) {
  const int user_side = now.a / 4, seat = now.a % 4, type = now.b, id = thing.id;
  Side& me = at(owner);
  Effect fx{.side = owner};
  const bool own = owner == user_side, worn = own && place == seat; // the object is on the character that used it
  const auto once = [&](bool fine, int times = 1) {
    if (!fine || thing.used >= times) return false;
    ++thing.used;
    return true;
  };
  const auto strike = [&](int element, int amount) {
    spend(owner, place, id);
    hit(fx, element, amount);
    settle(fx);
  };
  const auto all = [&](int amount) {
    for (int other = 0; other < kTeam; ++other) heal(owner, other, amount);
  };
  switch (id) {
    case kColdBloodedStrike:
      if (once(worn && type == kSkill)) heal(owner, seat, 2);
      break;
    case kGotYourBack:
      if (!setup->lpsim && once(worn && type == kNormal && me.combat.has(kFullPlate))) all(1);
      break;
    case kFullPlate: // in LPSim the shield heals, as often as Noelle attacks
      if (setup->lpsim && type == kNormal && me.front().who == kNoelle && me.front().on.has(kGotYourBack)) all(1);
      break;
    case kSacrificialFragments:
    case kSacrificialBow:
    case kSacrificialGreatsword:
    case kSacrificialSword:
      if (once(worn && type == kSkill)) me.gain(me.at(seat).data().element, 1);
      break;
    case kAquilaFavonia: {
      const Fighter& one = me.at(place);
      if (once(!own && place == me.active && one.alive, 2)) heal(owner, place, 1);
      break;
    }
    case kBandana:
      if (once(worn && type == kNormal, 3)) heal(owner, seat, 1);
      break;
    case kSilverCirclet:
      if (once(worn && type == kSkill)) heal(owner, seat, 2);
      break;
    case kHandkerchief:
      if (once(worn && type == kBurst)) all(1);
      break;
    case kInstructorsCap: {
      const bool due = setup->lpsim ? thing.extra != 0 : (now.c & kReactedOn) != 0;
      thing.extra = 0;
      if (once(worn && due, 3)) me.gain(me.at(seat).data().element, 1);
      break;
    }
    case kExilesCirclet:
      if (once(worn && type == kBurst))
        for (int other = 0; other < kTeam; ++other) {
          Fighter& one = me.at(other);
          if (other != me.active && one.alive && one.energy < setup->numbers.energy[one.who]) ++one.energy;
        }
      break;
    case kRainbowBladework:
      if (own && type == kNormal) strike(kHydro, setup->numbers.rainbow_damage);
      break;
    case kPyronado:
      if (own && (now.c & kOwnPyronado) == 0) strike(kPyro, 2);
      break;
    case kInspirationField:
      if (own && me.at(seat).hp <= 6) heal(owner, seat, 2);
      break;
    case kSprout:
      if (own && (now.c & kDendroReacted) != 0) strike(kDendro, 1);
      break;
    case kOz:
      if (own && thing.extra != 0 && type == kNormal && me.at(seat).who == kFischl) {
        fx.summon = true;
        strike(kElectro, 2);
      }
      break;
    case kCrane:
      if (own) {
        const int to = me.neighbour(me.active);
        if (to < 0 && setup->lpsim) break;
        me.combat.remove(kCrane);
        if (to >= 0) switch_to(fx, owner, to);
        settle(fx);
      }
      break;
    default: break;
  }
}

// The dice that Liben and Vanarana keep: the most numerous element first, equals in the elements' order, Omni last.
void Position::store_dice(Side& s, Support& support, int most, bool different) {
  static constexpr std::array<std::uint8_t, kElements> kOurs{kCryo, kHydro, kPyro, kElectro, kAnemo, kGeo, kDendro};
  static constexpr std::array<std::uint8_t, kElements> kLpsim{kCryo, kHydro, kPyro, kElectro, kGeo, kDendro, kAnemo};
  const auto& order = setup->lpsim ? kLpsim : kOurs;
  std::array<std::uint8_t, kElements> sorted{}; // places in the order
  for (std::size_t i = 0; i < kElements; ++i) sorted[i] = static_cast<std::uint8_t>(i);
  std::sort(sorted.begin(), sorted.end(), [&](std::uint8_t a, std::uint8_t b) {
    const int more = s.dice[order[a]], less = s.dice[order[b]];
    return more != less ? more > less : a < b;
  });
  const auto put = [&](std::size_t face, int n) {
    for (; n > 0 && support.stores < most; --n) {
      --s.dice[face];
      support.stored[support.stores++] = static_cast<std::uint8_t>(face);
    }
  };
  for (const std::uint8_t place : sorted) {
    const std::size_t element = order[place];
    put(element, different ? std::min<int>(1, s.dice[element]) : s.dice[element]);
  }
  put(kOmni, s.dice[kOmni]);
}

void Position::support_acts(Event event, int owner, std::size_t index, const Task& now) {
  Side& me = at(owner);
  Support& support = me.support[index];
  const auto use = [&] {
    if (--support.usage == 0) me.remove_support(index);
  };
  const auto draw = [&](int n) {
    push({Task::draw, static_cast<std::uint8_t>(owner), 0, static_cast<std::uint8_t>(n)});
  };
  const bool end = event == Event::end_phase;
  switch (support.id) {
    case kPaimon:
      me.gain(kOmni, 2);
      use();
      break;
    case kTimmie:
      if (++support.usage < 3) break;
      me.remove_support(index);
      draw(1);
      me.gain(kOmni, 1);
      break;
    case kVanarana:
      if (end) {
        store_dice(me, support, 2, false);
      } else {
        for (std::size_t i = 0; i < support.stores; ++i) me.gain(support.stored[i], 1);
        support.stores = 0;
        support.stored = {};
      }
      support.usage = static_cast<std::int8_t>(support.stores);
      break;
    case kLiben:
      if (end) {
        store_dice(me, support, 3, true);
        support.usage = static_cast<std::int8_t>(support.stores);
      } else if (support.stores == 3) {
        me.remove_support(index);
        draw(2);
        me.gain(kOmni, 2);
      }
      break;
    case kWharf:
      draw(2);
      use();
      break;
    case kCathedral:
      if (const Fighter& one = me.front(); one.alive && one.hp < one.data().hp) {
        heal(owner, me.active, 2);
        use();
      }
      break;
    case kWangshuInn: {
      int best = -1, most = 0;
      for (int i = 1; i < kTeam; ++i) {
        const int seat = setup->lpsim ? (i - 1 < me.active ? i - 1 : i) : (me.active + i) % kTeam;
        const Fighter& one = me.at(seat);
        if (one.alive && one.data().hp - one.hp > most) best = seat, most = one.data().hp - one.hp;
      }
      if (best < 0) break;
      heal(owner, best, 2);
      use();
      break;
    }
    case kTian: {
      int hungry = -1;
      for (int i = 0; i < kTeam && hungry < 0; ++i) {
        const int seat = i == 0 ? me.active : setup->lpsim ? (i - 1 < me.active ? i - 1 : i) : (me.active + i) % kTeam;
        const Fighter& one = me.at(seat);
        if (one.alive && one.energy < setup->numbers.energy[one.who]) hungry = seat;
      }
      if (hungry >= 0) ++me.at(hungry).energy;
      else if (setup->lpsim) break;
      use();
      break;
    }
    case kLiuSu:
      if (Fighter& one = me.at(now.b); support.used == 0 && one.alive && one.energy == 0) {
        ++one.energy;
        support.used = 1;
        use();
      }
      break;
    case kChang:
      if ((marks & (kReacted | kBlunt)) == 0) break;
      if (++support.usage < 3) break;
      me.remove_support(index);
      draw(2);
      break;
    default: break;
  }
}

} // namespace sevenfold::invokation
