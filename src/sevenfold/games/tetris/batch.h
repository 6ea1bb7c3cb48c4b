// Many lone games side by side, for environments and training loops in Python: one call plays a placement in each, and
// what Python reads (observations, rewards, legal actions, masks) lies in arrays of this object, which it sees without
// copies. Nothing in here is allocated after the beginning, so that a view stays valid.
//
// Chance is played by random numbers of each game's own: a game does not depend on its neighbours. What happens after
// the end of a game is one of Gymnasium's three ways (`Restart`).
#pragma once

#include <memory>
#include <vector>

#include "core/rng.h"
#include "tetris/rules.h"

namespace sevenfold::tetris {

enum class Restart : std::uint8_t {
  same_step, // a game that ends begins anew at once; its last observation is kept apart
  next_step, // the next step begins it anew, whatever its action
  never,     // it waits for `reset`
};

struct BatchOptions {
  bool observes = true; // planes and features are written
  bool masks = false;   // the legal actions are written as masks, too
  bool strict = true;   // an action that is not legal is refused; else it ends its game with the worst return
  Restart restart = Restart::same_step;
};

class Batch {
 public:
  Batch(std::shared_ptr<const Game> game, const Tetris& start, const std::vector<std::uint64_t>& seeds,
        BatchOptions options);

  std::size_t size() const { return games.size(); }
  int count_of_actions() const;

  // All games anew; those of a mask. Their random numbers go on.
  void reset();
  void reset(const bool* which);
  void seed(std::size_t i, std::uint64_t seed) { rngs_[i] = Rng(seed); }

  // One placement in each game; a refused action leaves everything as it was.
  void step(const std::int32_t* chosen);

  // A legal action of each game, drawn at random; 0 for a game that is over.
  void random(std::int32_t* out);

  Planes shape;
  std::vector<Tetris> games;
  std::vector<float> planes, features, rewards;
  std::vector<float> last_planes, last_features; // of the games that have just ended, where they begin anew at once
  std::vector<std::int32_t> ended, illegal, lines, attack; // of the last step
  std::vector<std::int32_t> actions,
      offsets;                    // the legal ones of game i: actions[offsets[i]] .. actions[offsets[i + 1]]
  std::vector<std::int8_t> masks; // 1 for each legal action of each game

 private:
  void begin(std::size_t i);
  void deal(std::size_t i);
  void observe(std::size_t i, std::vector<float>& to_planes, std::vector<float>& to_features) const;
  void look();
  bool is_legal(std::size_t i, Action action) const;

  std::shared_ptr<const Game> game_; // the games point into it
  Tetris start_;
  std::vector<Rng> rngs_;
  Rng free_; // of random()
  BatchOptions options_;
};

} // namespace sevenfold::tetris
