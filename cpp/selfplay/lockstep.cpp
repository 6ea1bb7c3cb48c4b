#include "selfplay/lockstep.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "game/playout.h"

namespace sevenfold {

Lockstep::Lockstep(std::shared_ptr<const Game> game, std::vector<LockstepGame> games, Everything everything,
                   int adviser)
    : game_(std::move(game)), everything_(std::move(everything)), adviser_(adviser) {
  const Facts& facts = game_->facts();
  const auto players = static_cast<std::size_t>(facts.players);
  if (game_->initial().table().observe == nullptr)
    throw std::invalid_argument("a net needs the ability 'observe', which " + std::string(facts.name) +
                                " does not offer.");
  const auto habits = static_cast<int>(game_->initial().habits().size());
  if (adviser > kRandomSeat || adviser <= kFirstHabit - habits)
    throw std::invalid_argument("the adviser has a habit that the game does not know.");
  for (const LockstepGame& one : games) {
    if (one.seats.size() != players) throw std::invalid_argument("a game in lockstep needs somebody in every seat.");
    for (const int seat : one.seats)
      if (seat <= kFirstHabit - habits) throw std::invalid_argument("a seat has a habit that the game does not know.");
    tables_.push_back({game_->initial(), Rng(one.deal), Rng(one.dice), one.seats});
  }
  const auto within = [&](const std::vector<int>& chosen, int each) {
    return std::ranges::all_of(chosen, [&](int one) { return one >= 0 && one < each * facts.players; });
  };
  if (!within(everything_.planes, facts.planes.channels) || !within(everything_.features, facts.features))
    throw std::invalid_argument("a critic was to see a plane or feature that the game does not have.");
  seen_planes_.resize(players * static_cast<std::size_t>(facts.planes.size()));
  seen_features_.resize(players * static_cast<std::size_t>(facts.features));
}

Lockstep::Lockstep(std::shared_ptr<const Game> game, std::vector<Table> tables)
    : game_(std::move(game)), adviser_(kRandomSeat), tables_(std::move(tables)) {}

void Lockstep::branch(const std::int64_t* rows, std::size_t count, int own) {
  if (own != kSame && own <= kFirstHabit - static_cast<int>(game_->initial().habits().size()))
    throw std::invalid_argument("a seat has a habit that the game does not know.");
  for (std::size_t i = 0; i < count; ++i) {
    if (rows[i] < 0 || static_cast<std::size_t>(rows[i]) >= waiting_.size())
      throw std::invalid_argument("there is no such position that waits.");
    const Table& table = tables_[waiting_[static_cast<std::size_t>(rows[i])]];
    list_.clear();
    table.state.legal_actions(list_);
    std::sort(list_.begin(), list_.end());
    for (const Action action : list_) {
      Table& made = branches_.emplace_back(table);
      if (own != kSame) made.seats[static_cast<std::size_t>(table.state.to_move())] = own;
      made.state.play(action);
    }
  }
}

std::unique_ptr<Lockstep> Lockstep::take_branches() {
  return std::unique_ptr<Lockstep>(new Lockstep(game_, std::exchange(branches_, {})));
}

// To the next decision of a network; false at the end of the game.
bool Lockstep::advance(Table& table) {
  State& state = table.state;
  for (;; ++table.plies) {
    const int mover = state.to_move();
    if (mover == TERMINAL || table.plies >= kMaxPlies) return false;
    if (mover == CHANCE) {
      state.play(random_outcome(state, table.deal));
      continue;
    }
    list_.clear();
    state.legal_actions(list_);
    if (list_.empty()) throw std::invalid_argument("a game has no legal action and is not over.");
    const int who = table.seats[static_cast<std::size_t>(mover)];
    if (list_.size() == 1) state.play(list_[0]);
    else if (who >= 0) return true;
    else if (who == kRandomSeat) state.play(list_[table.dice.below(static_cast<std::uint32_t>(list_.size()))]);
    else state.play(state.habit(kFirstHabit - who, table.dice));
  }
}

LockstepBatch Lockstep::collect() {
  waiting_.clear();
  for (std::size_t i = 0; i < tables_.size(); ++i)
    if (advance(tables_[i])) waiting_.push_back(i);
  const Facts& facts = game_->facts();
  const std::size_t count = waiting_.size();
  const auto cells = static_cast<std::size_t>(facts.planes.height * facts.planes.width);
  LockstepBatch out;
  out.size = count;
  out.planes.resize(count * static_cast<std::size_t>(facts.planes.size()));
  out.features.resize(count * static_cast<std::size_t>(facts.features));
  out.all_planes.resize(count * everything_.planes.size() * cells);
  out.all_features.resize(count * everything_.features.size());
  out.legal.resize(count * static_cast<std::size_t>(facts.actions));
  for (std::size_t row = 0; row < count; ++row) {
    Table& table = tables_[waiting_[row]];
    const int mover = table.state.to_move();
    out.games.push_back(static_cast<std::int64_t>(waiting_[row]));
    out.viewers.push_back(mover);
    out.networks.push_back(table.seats[static_cast<std::size_t>(mover)]);
    list_.clear();
    table.state.legal_actions(list_);
    for (const Action action : list_)
      out.legal[row * static_cast<std::size_t>(facts.actions) + static_cast<std::size_t>(action)] = 1;
    if (adviser_ <= kFirstHabit) out.advice.push_back(table.state.habit(kFirstHabit - adviser_, table.dice));
    see(table.state, out, row);
  }
  return out;
}

void Lockstep::see(const State& state, LockstepBatch& out, std::size_t row) {
  const Facts& facts = game_->facts();
  const auto size = static_cast<std::size_t>(facts.planes.size()), wide = static_cast<std::size_t>(facts.features);
  const int mover = state.to_move();
  Observation own(facts.planes, out.planes.data() + row * size, out.features.data() + row * wide);
  state.observe(mover, own);
  if (everything_.planes.empty() && everything_.features.empty()) return;
  std::ranges::fill(seen_planes_, 0.0f);
  std::ranges::fill(seen_features_, 0.0f);
  for (int i = 0; i < facts.players; ++i) {
    const auto seat = static_cast<std::size_t>(i);
    Observation one(facts.planes, seen_planes_.data() + seat * size, seen_features_.data() + seat * wide);
    state.observe((mover + i) % facts.players, one);
  }
  const auto cells = static_cast<std::size_t>(facts.planes.height * facts.planes.width);
  float* to = out.all_planes.data() + row * everything_.planes.size() * cells;
  for (const int plane : everything_.planes) {
    to = std::copy_n(seen_planes_.data() + static_cast<std::size_t>(plane) * cells, cells, to);
  }
  to = out.all_features.data() + row * everything_.features.size();
  for (const int feature : everything_.features) *to++ = seen_features_[static_cast<std::size_t>(feature)];
}

void Lockstep::play(const std::int32_t* actions) {
  for (std::size_t row = 0; row < waiting_.size(); ++row) {
    list_.clear();
    tables_[waiting_[row]].state.legal_actions(list_);
    if (std::find(list_.begin(), list_.end(), actions[row]) == list_.end())
      throw std::invalid_argument("a network was made to play an illegal action.");
  }
  for (std::size_t row = 0; row < waiting_.size(); ++row) {
    tables_[waiting_[row]].state.play(actions[row]);
    ++tables_[waiting_[row]].plies;
  }
  waiting_.clear();
}

std::vector<float> Lockstep::returns() const {
  std::vector<float> out;
  for (const Table& table : tables_) {
    Values values{};
    table.state.returns(values);
    for (int p = 0; p < game_->facts().players; ++p)
      out.push_back(static_cast<float>(values[static_cast<std::size_t>(p)]));
  }
  return out;
}

} // namespace sevenfold
