// Many lone games side by side, for environments and training loops in Python: one call plays a placement in each, and
// what Python reads (observations, rewards, legal actions) lies in arrays of this object, which it sees without copies.
// Chance is played by the batch's own random numbers; a game that is over begins anew, and `ended` says so.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core/rng.h"
#include "tetris/rules.h"

namespace sevenfold::tetris {

class Batch {
 public:
  Batch(std::shared_ptr<const Game> game, const Tetris& start, int count, std::uint64_t seed, bool observes)
      : shape(game->facts().planes),
        games(at(count), start),
        rewards(at(count)),
        ended(at(count)),
        lines(at(count)),
        offsets(at(count) + 1),
        game_(std::move(game)),
        start_(start),
        rng_(seed),
        observes_(observes) {
    planes.resize(at(count) * at(shape.size()));
    features.resize(at(count) * at(game_->facts().features));
    reset();
  }

  void reset() {
    for (Tetris& game : games) {
      game = start_;
      deal(game);
    }
    std::fill(rewards.begin(), rewards.end(), 0.0f);
    std::fill(ended.begin(), ended.end(), 0);
    std::fill(lines.begin(), lines.end(), 0);
    look();
  }

  // One placement in each game; an action that is not legal leaves everything as it was.
  void step(const std::int32_t* chosen) {
    for (std::size_t i = 0; i < games.size(); ++i)
      if (std::find(actions.begin() + offsets[i], actions.begin() + offsets[i + 1], chosen[i]) ==
          actions.begin() + offsets[i + 1])
        throw std::invalid_argument("action " + std::to_string(chosen[i]) + " is not legal in game " +
                                    std::to_string(i) + " of the batch.");
    for (std::size_t i = 0; i < games.size(); ++i) {
      Tetris& game = games[i];
      Values before{}, after{};
      game.returns(before);
      const int cleared = game.side.lines;
      game.play(chosen[i]);
      deal(game);
      game.returns(after);
      rewards[i] = static_cast<float>(after[0] - before[0]);
      lines[i] = game.side.lines - cleared;
      ended[i] = game.to_move() == TERMINAL;
      if (ended[i] != 0) {
        game = start_;
        deal(game);
      }
    }
    look();
  }

  // A legal action of each game, drawn at random.
  std::vector<std::int32_t> random() {
    std::vector<std::int32_t> out(games.size());
    for (std::size_t i = 0; i < games.size(); ++i)
      out[i] = actions[at(offsets[i]) + rng_.below(static_cast<std::uint32_t>(offsets[i + 1] - offsets[i]))];
    return out;
  }

  Planes shape;
  std::vector<Tetris> games;
  std::vector<float> planes, features, rewards;
  std::vector<std::int32_t> ended, lines;
  std::vector<std::int32_t> actions,
      offsets; // the legal ones of game i: actions[offsets[i]] .. actions[offsets[i + 1]]

 private:
  void deal(Tetris& game) {
    while (game.to_move() == CHANCE) {
      List<Outcome, kOutcomes> outcomes;
      game.side.chance(*game.setup, outcomes);
      double left = rng_.uniform();
      int i = 0;
      while (i + 1 < outcomes.size() && left >= outcomes[at(i)].probability) left -= outcomes[at(i++)].probability;
      game.play(outcomes[at(i)].action);
    }
  }
  void look() {
    actions.clear();
    std::fill(planes.begin(), planes.end(), 0.0f);
    std::fill(features.begin(), features.end(), 0.0f);
    const auto wide = at(game_->facts().features);
    for (std::size_t i = 0; i < games.size(); ++i) {
      offsets[i] = static_cast<std::int32_t>(actions.size());
      each_choice(*games[i].setup, games[i].side,
                  [&](bool hold, const Placement& p) { actions.push_back(encoded(*games[i].setup, hold, p)); });
      if (!observes_) continue;
      Observation out(shape, planes.data() + i * at(shape.size()), features.data() + i * wide);
      games[i].observe(0, out);
    }
    offsets[games.size()] = static_cast<std::int32_t>(actions.size());
  }

  std::shared_ptr<const Game> game_; // the games point into it
  Tetris start_;
  Rng rng_;
  bool observes_;
};

} // namespace sevenfold::tetris
