#include "tetris/batch.h"

#include <algorithm>

namespace sevenfold::tetris {

namespace {

constexpr std::size_t kMostActions = 1024; // two lists of placements

} // namespace

Batch::Batch(std::shared_ptr<const Game> game, const Tetris& start, const std::vector<std::uint64_t>& seeds,
             BatchOptions options)
    : shape(game->facts().planes),
      games(seeds.size(), start),
      rewards(seeds.size()),
      ended(seeds.size()),
      illegal(seeds.size()),
      lines(seeds.size()),
      attack(seeds.size()),
      offsets(seeds.size() + 1),
      game_(std::move(game)),
      start_(start),
      free_(seeds.front() ^ 0x5eedu),
      options_(options) {
  const std::size_t wide = at(shape.size()), features_wide = at(game_->facts().features);
  planes.resize(size() * wide);
  features.resize(size() * features_wide);
  if (options_.observes && options_.restart == Restart::same_step) {
    last_planes.resize(planes.size());
    last_features.resize(features.size());
  }
  if (options_.masks) masks.resize(size() * at(count_of_actions()));
  actions.reserve(size() * kMostActions);
  for (const std::uint64_t seed : seeds) rngs_.emplace_back(seed);
  reset();
}

int Batch::count_of_actions() const { return game_->facts().actions; }

void Batch::begin(std::size_t i) {
  games[i] = start_;
  deal(i);
}

void Batch::reset() {
  for (std::size_t i = 0; i < size(); ++i) begin(i);
  for (auto* counts : {&ended, &illegal, &lines, &attack}) std::fill(counts->begin(), counts->end(), 0);
  std::fill(rewards.begin(), rewards.end(), 0.0f);
  look();
}

void Batch::reset(const bool* which) {
  for (std::size_t i = 0; i < size(); ++i) {
    if (!which[i]) continue;
    begin(i);
    for (auto* counts : {&ended, &illegal, &lines, &attack}) (*counts)[i] = 0;
    rewards[i] = 0;
  }
  look();
}

bool Batch::is_legal(std::size_t i, Action action) const {
  const auto first = actions.begin() + offsets[i], last = actions.begin() + offsets[i + 1];
  return std::find(first, last, action) != last;
}

void Batch::step(const std::int32_t* chosen) {
  const bool waits = options_.restart != Restart::same_step;
  for (std::size_t i = 0; i < size(); ++i) {
    const bool over = waits && ended[i] != 0;
    illegal[i] = !over && !is_legal(i, chosen[i]);
    if (illegal[i] != 0 && options_.strict) {
      const std::string which = std::to_string(chosen[i]), where = std::to_string(i);
      throw std::invalid_argument("action " + which + " is not legal in game " + where + " of the batch.");
    }
    if (over && options_.restart == Restart::never)
      throw std::invalid_argument("game " + std::to_string(i) + " of the batch is over: reset it.");
  }
  for (std::size_t i = 0; i < size(); ++i) {
    Tetris& game = games[i];
    if (waits && ended[i] != 0) {
      begin(i);
      rewards[i] = 0;
      ended[i] = lines[i] = attack[i] = 0;
      continue;
    }
    Values before{}, after{};
    game.returns(before);
    const int cleared = game.side.lines, sent = game.side.attack;
    if (illegal[i] != 0) {
      after[0] = game_->facts().min_return;
      ended[i] = 1;
    } else {
      game.play(chosen[i]);
      deal(i);
      game.returns(after);
      ended[i] = game.to_move() == TERMINAL;
    }
    rewards[i] = static_cast<float>(after[0] - before[0]);
    lines[i] = game.side.lines - cleared;
    attack[i] = game.side.attack - sent;
    if (ended[i] == 0 || waits) continue;
    if (options_.observes) observe(i, last_planes, last_features);
    begin(i);
  }
  look();
}

void Batch::random(std::int32_t* out) {
  for (std::size_t i = 0; i < size(); ++i) {
    const auto many = static_cast<std::uint32_t>(offsets[i + 1] - offsets[i]);
    out[i] = many == 0 ? 0 : actions[at(offsets[i]) + free_.below(many)];
  }
}

void Batch::deal(std::size_t i) {
  Tetris& game = games[i];
  while (game.to_move() == CHANCE) {
    List<Outcome, kOutcomes> outcomes;
    game.side.chance(*game.setup, outcomes);
    double left = rngs_[i].uniform();
    int which = 0;
    while (which + 1 < outcomes.size() && left >= outcomes[at(which)].probability)
      left -= outcomes[at(which++)].probability;
    game.play(outcomes[at(which)].action);
  }
}

void Batch::observe(std::size_t i, std::vector<float>& to_planes, std::vector<float>& to_features) const {
  const std::size_t wide = at(shape.size()), features_wide = at(game_->facts().features);
  float *const first = to_planes.data() + i * wide, *const first_feature = to_features.data() + i * features_wide;
  std::fill(first, first + wide, 0.0f);
  std::fill(first_feature, first_feature + features_wide, 0.0f);
  Observation out(shape, first, first_feature);
  games[i].observe(0, out);
}

void Batch::look() {
  const std::size_t ids = at(count_of_actions());
  if (options_.masks) // only what the last look has set
    for (std::size_t i = 0; i < size(); ++i)
      for (int k = offsets[i]; k < offsets[i + 1]; ++k) masks[i * ids + at(actions[at(k)])] = 0;
  actions.clear();
  for (std::size_t i = 0; i < size(); ++i) {
    offsets[i] = static_cast<std::int32_t>(actions.size());
    const bool over = ended[i] != 0 && options_.restart != Restart::same_step;
    if (!over)
      each_choice(*games[i].setup, games[i].side, [&](bool hold, const Placement& p) {
        actions.push_back(encoded(*games[i].setup, hold, p));
        if (options_.masks) masks[i * ids + at(actions.back())] = 1;
      });
    if (options_.observes) observe(i, planes, features);
  }
  offsets[size()] = static_cast<std::int32_t>(actions.size());
}

} // namespace sevenfold::tetris
