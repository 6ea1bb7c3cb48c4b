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

#include "game/registry.h"

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
  // The tables so made, in that order, as games of their own.
  std::unique_ptr<Lockstep> take_branches();
  // An action for each of them; std::invalid_argument where one is illegal, and then nothing is played.
  void play(const std::int32_t* actions);

  std::size_t size() const { return tables_.size(); }
  // [game, player]; of games that are over.
  std::vector<float> returns() const;
  const Facts& facts() const { return game_->facts(); }

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

  std::shared_ptr<const Game> game_;
  Everything everything_;
  int adviser_;
  std::vector<Table> tables_, branches_;
  std::vector<std::size_t> waiting_;
  ActionList list_;
  std::vector<float> seen_planes_, seen_features_; // scratch
};

} // namespace sevenfold
