// The course of a game: the set-up, rounds with their phases, turns. Each step is a task; `advance` carries tasks out
// until a player or chance has to decide.
#include <algorithm>
#include <cstring>

#include "core/hash.h"
#include "invokation/dice.h"

namespace sevenfold::invokation {

namespace {
std::uint8_t byte(int n) { return static_cast<std::uint8_t>(n); }

bool drops_of(const Position& p, int card) {
  return std::find(p.returned.begin(), p.returned.end(), card) != p.returned.end();
}
} // namespace

Position::Position(const Setup& made) : setup(&made) {
  for (int player = 0; player < 2; ++player) {
    Side& s = at(player);
    const Deck& deck = made.decks[static_cast<std::size_t>(player)];
    for (int seat = 0; seat < kTeam; ++seat) s.at(seat).who = deck.team[static_cast<std::size_t>(seat)];
    for (const std::uint8_t card : deck.cards) s.pile[s.pile_size++] = card;
    std::sort(s.pile.begin(), s.pile.begin() + s.pile_size); // shuffled: the order means nothing
  }
  start();
}

// The teams and piles are there; whatever the options changed, this begins the game.
void Position::start() {
  for (Side& s : side)
    for (Fighter& one : s.team) one.hp = static_cast<std::int8_t>(one.data().hp), one.alive = 1;
  tasks = 0;
  push({Task::round});
  push({Task::opening, 1});
  push({Task::opening, 0});
  push({Task::redraw, 1});
  push({Task::redraw, 0});
  push({Task::draw, 1, 0, 5});
  push({Task::draw, 0, 0, 5});
  push({Task::coin});
  advance();
}

int Position::to_move() const {
  if (wait == Wait::over) return TERMINAL;
  return wait <= Wait::roll ? CHANCE : mover;
}

bool Position::next_face(int& face) {
  static constexpr std::string_view kLetters = "CHPEAGDO";
  if (setup->omni) return face = kOmni, true;
  if (script == nullptr || scripted >= script->size()) return false;
  face = static_cast<int>(kLetters.find((*script)[scripted]));
  ++scripted;
  return true;
}

void Position::advance() {
  while (tasks > 0) {
    const Task now = task[--tasks];
    task[tasks] = {};
    switch (now.type) {
      case Task::coin: wait = Wait::coin; return;
      case Task::draw: {
        Side& s = at(now.who);
        remaining = now.a;
        mover = now.who;
        if (s.pile_size == 0) break;
        if (!s.has(kStacked)) {
          wait = Wait::draw;
          rerolled = now.b; // whether what was just returned may not come back
          return;
        }
        if (now.b == 0) {
          for (int n = 0; n < now.a && s.pile_size > 0; ++n) s.draw_at(0);
          break;
        }
        // What was just returned goes under the pile and is taken only where nothing else is left.
        int wanted = now.a;
        std::array<std::uint8_t, kMostPile> aside{};
        std::size_t put = 0;
        while (wanted > 0 && s.pile_size > 0) {
          if (drops_of(*this, s.pile[0])) {
            aside[put++] = s.pile[0];
            for (std::size_t i = 1; i < s.pile_size; ++i) s.pile[i - 1] = s.pile[i];
            s.pile[--s.pile_size] = kNothing;
          } else {
            s.draw_at(0);
            --wanted;
          }
        }
        std::size_t from = 0;
        for (; wanted > 0 && from < put; --wanted) s.take(aside[from++]);
        while (from < put) s.pile[s.pile_size++] = aside[from++];
        break;
      }
      case Task::roll: {
        Side& s = at(now.who);
        int left = now.a, face = 0;
        while (left > 0 && next_face(face)) ++s.dice[static_cast<std::size_t>(face)], --left;
        if (left == 0) break;
        remaining = byte(left);
        mover = now.who;
        wait = Wait::roll;
        return;
      }
      case Task::redraw:
        mover = now.who == 0 ? first : byte(1 - first);
        wait = Wait::redraw;
        return;
      case Task::opening:
        mover = now.who == 0 ? first : byte(1 - first);
        opened = now.who;
        wait = Wait::opening;
        return;
      case Task::round: begin_round(); break;
      case Task::reroll: {
        const Side& s = at(now.who);
        if (s.dice_total() == 0) break;
        mover = now.who;
        remaining = now.a;
        rerolled = lowest = 0;
        wait = Wait::reroll;
        return;
      }
      case Task::action_phase:
        turn = first;
        push({Task::turn});
        gather(Event::action_begins, 0, 0, 0);
        break;
      case Task::turn:
        if (now.a != 0 && !at(1 - turn).has(kEnded)) turn = byte(1 - turn);
        mover = turn;
        wait = Wait::act;
        return;
      case Task::end_phase:
        turn = first;
        push({Task::end_draw});
        gather(Event::end_phase, 0, 0, 0);
        break;
      case Task::end_draw:
        push({Task::round_end});
        push({Task::draw, byte(1 - first), 0, 2});
        push({Task::draw, first, 0, 2});
        break;
      case Task::round_end:
        end_round();
        if (wait == Wait::over) return;
        break;
      case Task::choose:
        if (at(now.who).front().alive) break;
        mover = now.who;
        wait = Wait::choose;
        return;
      case Task::event: gather(static_cast<Event>(now.key), now.a, now.b, now.c); break;
      case Task::skill:
        if (at(now.who).active == now.a) use_skill(now.a, now.b, now.c != 0);
        break;
      default: fire(now); break;
    }
    if (wait == Wait::over) return;
  }
}

void Position::begin_round() {
  ++round;
  push({Task::action_phase});
  for (const int player : {1 - first, static_cast<int>(first)}) {
    int times = 1;
    for (const Support& support : at(player).support) times += support.id == kLibrary;
    push({Task::reroll, byte(player), 0, byte(times)});
  }
  for (const int player : {1, 0}) {
    at(player).dice = {};
    push({Task::roll, byte(player), 0, 8});
  }
}

// Durations, what lasts for a round, and what may be used again.
void Position::end_round() {
  const auto pass = [](auto& row) {
    for (Thing* thing = row.begin(); thing != row.end();) {
      const Entry& entry = of(static_cast<Id>(thing->id));
      thing->used = 0;
      if (entry.this_round || (entry.rounds && --thing->usage == 0)) row.remove(thing);
      else ++thing;
    }
  };
  for (Side& s : side) {
    for (Fighter& one : s.team) {
      pass(one.on);
      one.uses = {};
    }
    pass(s.combat);
    pass(s.summons);
    for (Support& support : s.support) support.used = 0;
    bool rests = true; // in LPSim Mona's passive is renewed only while she lives
    for (const Fighter& one : s.team) rests &= one.who != kMona || one.alive || !setup->lpsim;
    s.unset(kEnded | kLostOne | kCameBack | kRevived | (rests ? kMonaSwift : 0));
  }
  if (round >= setup->rounds) {
    wait = Wait::over;
    tasks = 0;
    return;
  }
  push({Task::round});
}

void Position::chance(OutcomeList& out) const {
  if (wait == Wait::coin) {
    out.push({kCoin, 0.5});
    out.push({kCoin + 1, 0.5});
  } else if (wait == Wait::roll) {
    const auto n = static_cast<std::size_t>(std::min<int>(remaining, kThrownAtOnce));
    for (int i = kFirstThrow[n]; i < kFirstThrow[n + 1]; ++i)
      out.push({kRolled + i, kThrowTable[static_cast<std::size_t>(i)].probability});
  } else if (wait == Wait::draw) {
    const Side& s = at(mover);
    std::array<std::uint8_t, kCards> count{};
    int fine = 0;
    for (std::size_t i = 0; i < s.pile_size; ++i) fine += rerolled == 0 || !drops_of(*this, s.pile[i]);
    const bool all = fine == 0; // nothing else is left
    const double total = all ? s.pile_size : fine;
    for (std::size_t i = 0; i < s.pile_size; ++i)
      if (all || rerolled == 0 || !drops_of(*this, s.pile[i])) ++count[s.pile[i]];
    for (int card = 0; card < kCards; ++card)
      if (const int n = count[static_cast<std::size_t>(card)]; n > 0) out.push({kDrawn + card, n / total});
  }
}

void Position::play(Action action) {
  switch (wait) {
    case Wait::coin: first = turn = byte(action - kCoin); break;
    case Wait::draw: {
      Side& s = at(mover);
      const int card = action - kDrawn;
      for (std::size_t i = 0; i < s.pile_size; ++i)
        if (s.pile[i] == card) {
          s.draw_at(i);
          break;
        }
      if (remaining > 1) push({Task::draw, mover, 0, byte(remaining - 1), rerolled});
      rerolled = 0;
      break;
    }
    case Wait::roll: {
      Side& s = at(mover);
      const Throw& thrown = kThrowTable[static_cast<std::size_t>(action - kRolled)];
      int n = 0;
      for (std::size_t face = 0; face < kFaces; ++face) {
        s.dice[face] = byte(s.dice[face] + thrown.faces[face]);
        n += thrown.faces[face];
      }
      if (remaining > n) push({Task::roll, mover, 0, byte(remaining - n)});
      break;
    }
    case Wait::redraw: {
      Side& s = at(mover);
      const int places = action - kRedraw;
      returned = {};
      int n = 0;
      for (int i = s.hand_size - 1; i >= 0; --i) {
        if ((places >> i & 1) == 0) continue;
        const std::uint8_t card = s.hand[static_cast<std::size_t>(i)];
        returned[static_cast<std::size_t>(n++)] = card;
        s.pile[s.pile_size++] = card;
        s.discard_at(static_cast<std::size_t>(i));
      }
      if (!s.has(kStacked)) std::sort(s.pile.begin(), s.pile.begin() + s.pile_size);
      if (n > 0) push({Task::draw, mover, 0, byte(n), 1});
      break;
    }
    case Wait::opening: at(mover).active = byte(action - kChoose); break;
    case Wait::choose:
      at(mover).active = byte(action - kChoose);
      push_event(Event::after_switch, mover, action - kChoose, 0);
      break;
    case Wait::reroll: {
      Side& s = at(mover);
      if (action != kRollNow) {
        const int face = (action - kReroll) / 16, n = (action - kReroll) % 16 + 1;
        s.dice[static_cast<std::size_t>(face)] = byte(s.dice[static_cast<std::size_t>(face)] - n);
        rerolled = byte(rerolled + n);
        lowest = byte(face + 1);
        return;
      }
      if (rerolled > 0 && remaining > 1) push({Task::reroll, mover, 0, byte(remaining - 1)});
      if (rerolled > 0) push({Task::roll, mover, 0, rerolled});
      rerolled = lowest = 0;
      break;
    }
    case Wait::act:
    case Wait::pay: act(action); return;
    case Wait::over: return;
  }
  advance();
}

// Sums of mixed words do not wait for one another, unlike a chain of mixes.
std::uint64_t Position::hash() const {
  static_assert(sizeof side % 2 == 0 && alignof(Side) == 1);
  std::uint64_t sum = 0, salt = 0;
  const auto add = [&](const void* from, std::size_t bytes) {
    const auto* at_byte = static_cast<const unsigned char*>(from);
    while (bytes > 0) {
      std::uint64_t word = 0;
      const std::size_t n = std::min<std::size_t>(bytes, 8);
      std::memcpy(&word, at_byte, n);
      salt += 0x9e3779b97f4a7c15u;
      if (word != 0) sum += mix(word + salt); // most of a position is empty
      at_byte += n;
      bytes -= n;
    }
  };
  add(side.data(), sizeof side);
  add(task.data(), sizeof(Task) * tasks);
  const std::array<std::uint8_t, 16> rest{static_cast<std::uint8_t>(wait),
                                          tasks,
                                          mover,
                                          turn,
                                          first,
                                          round,
                                          remaining,
                                          rerolled,
                                          lowest,
                                          marks,
                                          opened,
                                          returned[0],
                                          returned[1],
                                          returned[2],
                                          returned[3],
                                          returned[4]};
  add(rest.data(), rest.size());
  add(paid.data(), paid.size());
  const std::array<std::uint16_t, 3> more{static_cast<std::uint16_t>(pending), scripted,
                                          static_cast<std::uint16_t>(winner)};
  add(more.data(), sizeof more);
  return mix(sum + 1);
}

std::uint64_t Position::canonical() const {
  Position plain = *this;
  for (Side& s : plain.side) {
    std::sort(s.hand.begin(), s.hand.begin() + s.hand_size);
    std::sort(s.gone_cards.begin(), s.gone_cards.begin() + s.gone);
    for (const int id : {kChangingShifts, kLeaveItToMe})
      if (Thing* thing = s.combat.find(id)) {
        const Thing last = *thing;
        s.combat.remove(thing);
        s.combat.add(last);
      }
  }
  return plain.hash();
}

} // namespace sevenfold::invokation
