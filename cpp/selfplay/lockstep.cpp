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

void Lockstep::check_habit(int own) const {
  if (own != kSame && own <= kFirstHabit - game_->initial().habit_count())
    throw std::invalid_argument("a seat has a habit that the game does not know.");
}

void Lockstep::branch(const std::int64_t* rows, std::size_t count, int own) {
  check_habit(own);
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

std::size_t Lockstep::finish(const RowsNet& net) {
  constexpr std::size_t kAtOnce = 256; // tables, so that what they look at stays near
  net.check(game_->facts());
  waiting_.clear();
  std::size_t asked = 0;
  for (std::size_t first = 0; first < tables_.size(); first += kAtOnce)
    asked += finish(tables_.data() + first, std::min(kAtOnce, tables_.size() - first), &net);
  return asked;
}

std::size_t Lockstep::finish(Table* tables, std::size_t count, const RowsNet* net) {
  const Facts& facts = game_->facts();
  const auto size = static_cast<std::size_t>(facts.planes.size()), wide = static_cast<std::size_t>(facts.features);
  const auto actions = static_cast<std::size_t>(facts.actions);
  std::size_t asked = 0;
  live_.clear();
  for (std::size_t i = 0; i < count; ++i) live_.push_back(i);
  while (!live_.empty()) {
    still_.clear();
    for (const std::size_t i : live_)
      if (advance(tables[i])) still_.push_back(i);
    if (still_.empty()) break;
    if (net == nullptr) throw std::invalid_argument("somebody at the table waits for a net, and there is none.");
    planes_.assign(still_.size() * size, 0.0f);
    features_.assign(still_.size() * wide, 0.0f);
    logits_.resize(still_.size() * actions);
    for (std::size_t row = 0; row < still_.size(); ++row) {
      const State& state = tables[still_[row]].state;
      Observation seen(facts.planes, planes_.data() + row * size, features_.data() + row * wide);
      state.observe(state.to_move(), seen);
    }
    net->evaluate_roughly(planes_.data(), features_.data(), still_.size(), logits_.data());
    for (std::size_t row = 0; row < still_.size(); ++row) {
      Table& table = tables[still_[row]];
      list_.clear();
      table.state.legal_actions(list_);
      const float* likes = logits_.data() + row * actions;
      table.state.play(*std::max_element(list_.begin(), list_.end(), [&](Action a, Action b) {
        return likes[static_cast<std::size_t>(a)] < likes[static_cast<std::size_t>(b)];
      }));
      ++table.plies;
    }
    asked += still_.size();
    live_.swap(still_);
  }
  return asked;
}

std::vector<float> Lockstep::try_worlds(const std::int64_t* rows, std::size_t count, int own, const Believed& how,
                                        const RowsNet* net) {
  check_habit(own);
  const Facts& facts = game_->facts();
  if (net != nullptr) net->check(facts);
  const auto players = static_cast<std::size_t>(facts.players), actions = static_cast<std::size_t>(facts.actions);
  if (belief_ == nullptr) {
    BeliefOptions options;
    options.weigh = BeliefOptions::Weigh::policy;
    options.worlds = how.worlds, options.stir = how.stir, options.kinds = how.kinds;
    options.memory = std::size_t{1} << 20; // no tree is made
    belief_ = std::make_unique<BeliefSearch>(*game_, options);
  }
  std::vector<float> out(count * players * actions);
  ActionList legal;
  std::vector<Table> tries;
  for (std::size_t i = 0; i < count; ++i) {
    if (rows[i] < 0 || static_cast<std::size_t>(rows[i]) >= waiting_.size())
      throw std::invalid_argument("there is no such position that waits.");
    Table& table = tables_[waiting_[static_cast<std::size_t>(rows[i])]];
    belief_->reset(table.state);
    belief_->seed(table.dice.next());
    belief_->weigh_now();
    legal.clear();
    table.state.legal_actions(legal);
    tries.clear();
    for (const State& world : belief_->worlds())
      for (const Action action : legal) {
        Table& made = tries.emplace_back(table);
        if (own != kSame) made.seats[static_cast<std::size_t>(table.state.to_move())] = own;
        made.state = world;
        made.state.play(action);
      }
    finish(tries.data(), tries.size(), net);
    const auto worlds = static_cast<float>(belief_->worlds().size());
    for (std::size_t one = 0; one < tries.size(); ++one) {
      Values values{};
      tries[one].state.returns(values);
      const auto action = static_cast<std::size_t>(legal[one % static_cast<std::size_t>(legal.size())]);
      for (std::size_t p = 0; p < players; ++p)
        out[(i * players + p) * actions + action] += static_cast<float>(values[p]) / worlds;
    }
  }
  return out;
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
