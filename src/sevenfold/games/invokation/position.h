// A position of Genius Invokation and its rules. What happens is a stack of tasks: an effect runs to its end at once,
// and what follows from it (defeats, prompts, "after …" effects, the turn) waits on the stack, so that a prompt or a
// chance event may come in between and the position is still plain memory.
//
// phases.cpp has the tasks, costs.cpp what actions cost and which dice pay, skills.cpp and cards.cpp the effects,
// damage.cpp and reactions.h the damage, triggers.cpp what objects on the table do, actions.cpp what is legal.
#pragma once

#include "core/rng.h"
#include "core/types.h"
#include "invokation/setup.h"

namespace sevenfold::invokation {

// Action ids.
constexpr Action kUseSkill = 0; // + skill
constexpr Action kSwitchTo = 3; // + seat
constexpr Action kEndRound = 6;
constexpr Action kChoose = 7;                    // + seat: the new active character
constexpr Action kRedraw = 10;                   // + bits of the hand's places
constexpr Action kPay = 42;                      // + face: a die that pays
constexpr Action kRollNow = 50;                  // the chosen dice are rolled again
constexpr Action kReroll = 51;                   // + 16 * face + number - 1
constexpr Action kPlayCard = 180;                // + 5 * card + target + 1 (0: none)
constexpr Action kTune = kPlayCard + 5 * kCards; // + 8 * card + face
constexpr int kActions = kTune + 8 * kCards;
constexpr int kNoTarget = -1;

// Chance outcomes.
constexpr Action kCoin = 0;                 // + who begins
constexpr Action kDrawn = 2;                // + card
constexpr Action kRolled = kDrawn + kCards; // + number of a throw, see dice.h
constexpr int kThrownAtOnce = 4;

enum class Wait : std::uint8_t { coin, draw, roll, redraw, opening, reroll, choose, act, pay, over };

enum class Event : std::uint8_t { action_begins, end_phase, after_skill, after_switch, count };

// What the side's defeat, a reaction or a kind of damage leaves behind for "after …" effects.
enum Mark : std::uint8_t {
  kReacted = 1,       // a reaction happened
  kDendroReacted = 2, // one that has to do with Dendro
  kBlunt = 4,         // Physical or Piercing damage
  kOwnPyronado = 8,   // the burst that made Pyronado
  kReactedOn = 16     // a reaction whose target has stayed alive
};

struct Task {
  enum Type : std::uint8_t {
    draw, // who, a: how many, b: not of those just returned
    roll, // who, a: dice
    coin,
    redraw,  // who: 0 first player, 1 the other
    opening, // who: 0 first player, 1 the other
    round,   // a new round begins
    reroll,  // who, a: times
    action_phase,
    end_phase,
    end_draw,
    round_end,
    turn,   // a: combat action
    settle, // defeats between effects
    choose, // who
    event,  // key: the event, a, b, c
    skill,  // who, a: seat, b: type
    trigger // + event. who: side * 8 + place, key: id or serial, a, b, c
  };
  std::uint8_t type = 0, who = 0, key = 0, a = 0, b = 0, c = 0;
};
constexpr int kMostTasks = 40;

// Where an object is, in the order in which a side's objects react.
enum Place : std::uint8_t { kOnSeat = 0 /* + seat */, kInCombat = 3, kAmongSummons = 4, kAmongSupports = 5 };

// One effect being carried out: who causes it, and what came of it.
struct Effect {
  int side;            // whose
  int seat = -1;       // the character whose skill it is
  int skill = -1;      // SkillType
  bool summon = false; // a summon's
  std::uint8_t marks = 0;
  bool own_geo = false;  // the side's character has dealt Geo damage
  int swirled = -1;      // element
  bool switched[2] = {}; // a side's active character was changed
};

struct Position {
  std::array<Side, 2> side{};
  std::array<Task, kMostTasks> task{};
  const Setup* setup;
  const std::string* script = nullptr; // dice to come, one letter each
  std::uint16_t scripted = 0;          // how many of them are used up
  Wait wait = Wait::coin;
  std::uint8_t tasks = 0;
  std::uint8_t mover = 0; // whose decision or chance event
  std::uint8_t turn = 0;  // whose turn
  std::uint8_t first = 0; // who begins the round; in the end phase, who ended first
  std::uint8_t round = 0;
  std::uint8_t remaining = 0; // cards to draw, dice to roll or rerolls left
  std::uint8_t rerolled = 0;  // dice put aside to be rolled again
  std::uint8_t lowest = 0;    // the face from which on dice may still be chosen
  std::uint8_t serial = 0;
  std::uint8_t marks = 0;  // since the last skill began
  std::uint8_t opened = 0; // how many have chosen their first active character
  std::array<std::uint8_t, 5> returned{};
  std::array<std::uint8_t, kFaces> paid{};
  std::int16_t pending = -1; // the action that is being paid for
  std::int8_t winner = -1;

  explicit Position(const Setup& made);

  Side& at(int player) { return side[static_cast<std::size_t>(player)]; }
  const Side& at(int player) const { return side[static_cast<std::size_t>(player)]; }

  int to_move() const;
  void legal_actions(ActionList& out) const;
  void play(Action action);
  void chance(OutcomeList& out) const;

  // phases.cpp
  void start();
  void advance(); // carries out tasks until somebody has to decide
  void push(Task next) {
    if (tasks < kMostTasks) task[tasks++] = next;
  }
  void push_event(Event event, int a, int b, int c);
  bool next_face(int& face); // a die of the script
  void begin_round();
  void end_round();

  // costs.cpp
  Cost skill_cost(int skill, bool spend);
  Cost card_cost(int card, bool spend);
  Cost switch_cost(bool spend, bool& fast);
  bool affordable(const Side& s, const Cost& cost) const;
  std::array<std::uint8_t, kFaces> payment(const Side& s, const Cost& cost) const;
  bool may_pay(int face) const;
  Cost cost_of(Action action) const;

  // actions.cpp
  bool playable(int card, int target) const;
  int targets(int card) const;
  void act(Action action);
  void carry_out(Action action);

  // skills.cpp
  void use_skill(int seat, int type, bool from_stiletto = false);
  // cards.cpp
  void play_card(int card, int target);

  // damage.cpp
  void hit(Effect& fx, int element, int amount); // the enemy's active character
  void hit_at(Effect& fx, int seat, int element, int amount, bool spill = false);
  void pierce(Effect& fx, int seat, int amount);
  void pierce_standby(Effect& fx, int amount);
  void apply(Effect& fx, int player, int seat, int element);
  void heal(int player, int seat, int amount);
  void switch_to(Effect& fx, int player, int seat);
  void settle(Effect& fx);
  bool defeats();

  // triggers.cpp
  void gather(Event event, int a, int b, int c);
  void fire(const Task& task);
  void after_skill(int owner, int place, Thing& thing, const Task& task);
  void support_acts(Event event, int owner, std::size_t index, const Task& task);
  void end_phase_of(int owner, int place, int id);

  Thing& create(int player, int id, int usage, int extra = 0); // a combat status
  Thing& attach(int player, int seat, int id, int usage, int extra = 0);
  void summon(int player, int id, int usage, int extra = 0);
  Thing* thing_at(int owner, int place, int id);
  void remove_thing(int owner, int place, int id);
  void spend(int owner, int place, int id, int n = 1); // a usage; gone at 0
  void store_dice(Side& s, Support& support, int most, bool different);

  std::uint64_t hash() const;
  std::uint64_t canonical() const; // also without the order of a hand, and of statuses that wait for a switch

  // hidden.cpp
  void redeal(int viewer, Rng& rng);
  bool shows_active(int player, int viewer) const;
  int typical_throw() const; // -1: none
};

} // namespace sevenfold::invokation
