// Lockstep: many games side by side that wait for decisions together, for learning without a search.
//
//   collect()  every game goes on to its next decision of a network; those positions, as arrays
//   play()     an action for each of them
//
// Chance is drawn, single legal actions are played and seats with a habit (ability habit; or random) play by
// themselves, so that only decisions with a choice come out. A game's deal and its dice are seeds of their own: the
// same deal can be played with everybody in every seat.
//
// With `everything`, each position also comes as all seats together see it, from the mover on: for a critic that judges
// what has happened and never plays. What the seats see is mostly the same, so only chosen planes and features are
// copied. An adviser, one of the habits, says what it would do in each position: for learning by imitation.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "eval/rows_net.h"
#include "game/registry.h"
#include "search/belief.h"

namespace sevenfold {

// Who sits where: a network's number, or
inline constexpr int kRandomSeat = -1; // any legal action, or
inline constexpr int kFirstHabit = -2; // the habit number kFirstHabit - seat.

struct LockstepGame {
  std::uint64_t deal = 0; // chance
  std::uint64_t dice = 0; // random seats and habits
  std::vector<int> seats; // per player
};

// Which of the planes (features) of all seats together a critic sees: seat from the mover on × channels + channel.
struct Everything {
  std::vector<int> planes, features;
};

struct LockstepBatch {
  std::size_t size = 0;
  std::vector<float> planes, features, all_planes, all_features;
  std::vector<std::uint8_t> legal;
  std::vector<std::int64_t> games, viewers, networks;
  std::vector<std::int64_t> advice; // what the adviser would do
};

// How worlds are looked for that a mover believes in: see BeliefOptions.
struct Believed {
  int worlds = 64, stir = 16;
  double kinds = 0;
};

class Lockstep {
 public:
  Lockstep(std::shared_ptr<const Game> game, std::vector<LockstepGame> games, Everything everything,
           int adviser = kRandomSeat);
  Lockstep(const Lockstep&) = delete;
  Lockstep& operator=(const Lockstep&) = delete;

  // The positions that wait; none when all games are over.
  LockstepBatch collect();
  std::size_t waiting() const { return waiting_.size(); }
  // Tries every legal action of some of them (numbers of rows, in the order of the actions): each at a table of its own
  // with the same dice, where the mover's seat is `own` from then on, or stays who it is at kSame.
  static constexpr int kSame = kMaxActions;
  void branch(const std::int64_t* rows, std::size_t count, int own);
  // Tries every legal action of some of them in worlds that the mover believes in instead (belief_stir.cpp), to the
  // end: what everybody gets on average [rows, players, actions], 0 where an action is illegal. `own` is a habit, or
  // kSame and then a native net plays for all networks.
  std::vector<float> try_worlds(const std::int64_t* rows, std::size_t count, int own, const Believed& how,
                                const RowsNet* net);
  // The tables so made, in that order, as games of their own.
  std::unique_ptr<Lockstep> take_branches();
  // An action for each of them; std::invalid_argument where one is illegal, and then nothing is played.
  void play(const std::int32_t* actions);

  // Plays all games to their ends, a native net for whoever is a network, by what it likes best; how often it was
  // asked.
  std::size_t finish(const RowsNet& net);

  std::size_t size() const { return tables_.size(); }
  // [game, player]; of games that are over.
  std::vector<float> returns() const;
  const Facts& facts() const { return game_->facts(); }
  const State& like() const { return game_->initial(); }

 private:
  struct Table {
    State state;
    Rng deal, dice;
    std::vector<int> seats;
    int plies = 0;
  };
  Lockstep(std::shared_ptr<const Game> game, std::vector<Table> tables);
  bool advance(Table& table);
  void see(const State& state, LockstepBatch& out, std::size_t row);
  void check_habit(int own) const;
  std::size_t finish(Table* tables, std::size_t count, const RowsNet* net);

  std::shared_ptr<const Game> game_;
  Everything everything_;
  int adviser_;
  std::vector<Table> tables_, branches_;
  std::vector<std::size_t> waiting_;
  ActionList list_;
  std::unique_ptr<BeliefSearch> belief_;
  // scratch
  std::vector<float> seen_planes_, seen_features_, planes_, features_, logits_;
  std::vector<std::size_t> live_, still_;
};

} // namespace sevenfold
