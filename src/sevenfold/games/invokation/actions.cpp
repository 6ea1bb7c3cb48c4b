// What may be done, and doing it: paying, then the effect, then the turn.
#include "invokation/position.h"

namespace sevenfold::invokation {

namespace {

// Cards in hand that were looked at already: a card held twice is one action.
class Seen {
 public:
  bool first_time(int card) {
    std::uint64_t& word = bits_[card >> 6];
    const std::uint64_t bit = std::uint64_t{1} << (card & 63);
    const bool is_new = (word & bit) == 0;
    word |= bit;
    return is_new;
  }

 private:
  std::uint64_t bits_[2]{};
};

bool has_standby(const Side& s) { return s.neighbour(s.active) >= 0; }
bool hurt(const Fighter& one) { return one.alive && one.hp < one.data().hp; }

} // namespace

// Whether a card may be played on a target, whatever it costs.
bool Position::playable(int card, int target) const {
  const Side& me = at(turn);
  const Entry& entry = of(static_cast<Id>(card));
  const Numbers& numbers = setup->numbers;
  const auto full = [&](const Fighter& one) { return one.energy >= numbers.energy[one.who]; };
  switch (entry.kind) {
    case Kind::weapon: return me.at(target).alive && me.at(target).data().weapon == entry.weapon;
    case Kind::artifact: return me.at(target).alive;
    case Kind::location:
    case Kind::companion: return true;
    case Kind::talent: {
      const Fighter& one = me.front();
      if (one.data().talent != card || one.on.has(kFrozen)) return false;
      return numbers.cost[static_cast<std::size_t>(card)].energy <= one.energy;
    }
    case Kind::food: {
      const Fighter& one = me.at(target);
      if (card == kFriedEgg) return !one.alive && !me.has(kRevived);
      if (!one.alive || one.on.has(kSatiated)) return false;
      return (card != kSweetMadame && card != kHashBrown && card != kMushroomPizza) || hurt(one);
    }
    default: break;
  }
  switch (card) {
    case kChangingShifts:
    case kLeaveItToMe:
    case kCrane: return has_standby(me);
    case kHaventLostYet: return me.has(kLostOne) && !(numbers.one_comeback_a_round && me.has(kCameBack));
    case kStarsigns: return !full(me.front());
    case kCalxsArts: {
      bool source = false;
      for (int seat = 0; seat < kTeam; ++seat)
        source |= seat != me.active && me.at(seat).alive && me.at(seat).energy > 0;
      return source && !full(me.front());
    }
    case kQuickKnit: return target < me.summons.count;
    case kSendOff: return target < at(1 - turn).summons.count;
    case kGuardiansOath: return !setup->lpsim || side[0].summons.count + side[1].summons.count > 0;
    case kSoothingWater: return hurt(me.team[0]) || hurt(me.team[1]) || hurt(me.team[2]);
    case kHighVoltage:
      for (const Fighter& one : me.team)
        if (one.alive && !full(one)) return true;
      return false;
    case kImpetuousWinds: return target != me.active && me.at(target).alive;
    case kStiletto:
      for (const Fighter& one : me.team)
        if (one.who == kKeqing) return one.alive && !one.on.has(kFrozen);
      return false;
    default: return true;
  }
}

// How many targets a card has to be tried on; 0: it takes none.
int Position::targets(int card) const {
  const Entry& entry = of(static_cast<Id>(card));
  if (is_support(entry.kind)) return at(turn).supports == kMostSupports ? kMostSupports : 0;
  switch (entry.target) {
    case Target::none: return 0;
    case Target::own_summon: return at(turn).summons.count;
    case Target::enemy_summon: return at(1 - turn).summons.count;
    default: return kTeam;
  }
}

void Position::legal_actions(ActionList& out) const {
  const Side& me = at(mover);
  switch (wait) {
    case Wait::redraw:
      for (int places = 0; places < 1 << me.hand_size; ++places) {
        bool plain = true; // of equal cards the first ones
        for (int i = 0; i < me.hand_size && plain; ++i)
          for (int j = 0; j < i && plain; ++j)
            plain = me.hand[static_cast<std::size_t>(i)] != me.hand[static_cast<std::size_t>(j)] ||
                    (places >> j & 1) >= (places >> i & 1);
        if (plain) out.push(kRedraw + places);
      }
      return;
    case Wait::opening:
    case Wait::choose:
      for (int seat = 0; seat < kTeam; ++seat)
        if (me.at(seat).alive) out.push(kChoose + seat);
      return;
    case Wait::reroll:
      out.push(kRollNow);
      for (int face = lowest; face < kFaces; ++face)
        for (int n = 1; n <= me.dice[static_cast<std::size_t>(face)]; ++n) out.push(kReroll + 16 * face + n - 1);
      return;
    case Wait::pay:
      for (int face = lowest; face < kFaces; ++face)
        if (may_pay(face)) out.push(kPay + face);
      return;
    case Wait::act: break;
    default: return;
  }
  auto& self = const_cast<Position&>(*this); // costs are only looked at
  const Fighter& front = me.front();
  if (!front.on.has(kFrozen)) {
    for (int skill = 0; skill < 3; ++skill) {
      if (skill == kBurst && front.energy < setup->numbers.energy[front.who]) continue;
      if (affordable(me, self.skill_cost(skill, false))) out.push(kUseSkill + skill);
    }
  }
  bool fast = false;
  if (affordable(me, self.switch_cost(false, fast)))
    for (int seat = 0; seat < kTeam; ++seat)
      if (seat != me.active && me.at(seat).alive) out.push(kSwitchTo + seat);
  out.push(kEndRound);
  Seen seen;
  const int element = front.data().element;
  for (std::size_t i = 0; i < me.hand_size; ++i) {
    const int card = me.hand[i];
    if (!seen.first_time(card)) continue;
    if (affordable(me, self.card_cost(card, false))) {
      if (const int n = targets(card); n == 0) {
        if (of(static_cast<Id>(card)).target == Target::none && playable(card, kNoTarget))
          out.push(kPlayCard + 5 * card);
      } else {
        for (int target = 0; target < n; ++target)
          if (playable(card, target)) out.push(kPlayCard + 5 * card + target + 1);
      }
    }
    for (int face = 0; face < kElements; ++face)
      if (face != element && me.dice[static_cast<std::size_t>(face)] > 0) out.push(kTune + 8 * card + face);
  }
}

void Position::act(Action action) {
  Side& me = at(turn);
  if (wait == Wait::pay) {
    const auto face = static_cast<std::size_t>(action - kPay);
    ++paid[face];
    lowest = static_cast<std::uint8_t>(face);
    int sum = 0;
    for (const int n : paid) sum += n;
    if (sum < cost_of(pending).dice()) return;
    action = pending;
  } else if (action >= kTune) {
    const int card = (action - kTune) / 8, face = (action - kTune) % 8;
    me.tune_away(card);
    --me.dice[static_cast<std::size_t>(face)];
    ++me.dice[me.front().data().element];
    return;
  } else if (action == kEndRound) {
    me.set(kEnded);
    if (at(1 - turn).has(kEnded)) {
      push({Task::end_phase});
    } else {
      first = turn;
      push({Task::turn, 0, 0, 1});
    }
    return advance();
  } else {
    const Cost cost = cost_of(action);
    if (setup->choose_dice && cost.dice() > 0) {
      pending = static_cast<std::int16_t>(action);
      lowest = 0;
      wait = Wait::pay;
      return;
    }
    paid = payment(me, cost);
  }
  carry_out(action);
}

// The dice in `paid` pay; then the action happens.
void Position::carry_out(Action action) {
  Side& me = at(turn);
  for (std::size_t face = 0; face < kFaces; ++face)
    me.dice[face] = static_cast<std::uint8_t>(me.dice[face] - paid[face]);
  paid = {};
  pending = -1;
  lowest = 0;
  if (action < kSwitchTo) {
    const int skill = action - kUseSkill;
    skill_cost(skill, true);
    if (skill == kBurst) me.front().energy = 0;
    push({Task::turn, 0, 0, 1});
    use_skill(me.active, skill);
  } else if (action < kEndRound) {
    bool fast = false;
    switch_cost(true, fast);
    push({Task::turn, 0, 0, static_cast<std::uint8_t>(!fast)});
    Effect fx{.side = turn};
    switch_to(fx, turn, action - kSwitchTo);
    settle(fx);
  } else {
    const int card = (action - kPlayCard) / 5, target = (action - kPlayCard) % 5 - 1;
    card_cost(card, true);
    const Entry& entry = of(static_cast<Id>(card));
    if (entry.cost.energy > 0) me.front().energy = 0;
    me.discard(card);
    if (card == kStiletto) me.stiletto_seen();
    push({Task::turn, 0, 0, static_cast<std::uint8_t>(entry.kind == Kind::talent || card == kStiletto)});
    play_card(card, target);
  }
  if (wait != Wait::over) advance();
}

} // namespace sevenfold::invokation
