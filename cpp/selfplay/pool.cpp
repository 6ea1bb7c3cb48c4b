#include "selfplay/pool.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "core/hash.h"

namespace sevenfold {
namespace {

constexpr std::uint32_t kFewTries = 24;   // endgames of a ply, before their luck is judged
constexpr std::uint32_t kWorthwhile = 10; // one proof in so many tries …
constexpr int kOpenings = 16;             // are drawn at most, until one is quiet
constexpr double kTryAnyway = 0.04;       // … or a try now and then, because the network's play changes
// For the tables of all games' provers, and of one at least.
constexpr std::size_t kProverBytes = std::size_t{64} << 20, kLeastBytes = std::size_t{1} << 20;

} // namespace

Pool::Pool(std::vector<std::shared_ptr<const Game>> games, const PoolOptions& options)
    : games_(std::move(games)),
      options_(options),
      players_(static_cast<std::size_t>(facts().players)),
      actions_(static_cast<std::size_t>(facts().actions)),
      plane_size_(static_cast<std::size_t>(facts().planes.size())),
      feature_size_(static_cast<std::size_t>(facts().features)),
      cache_(options.cache, players_ + actions_) {
  const Facts& first = facts();
  hidden_ = games_[0]->initial().table().redeal != nullptr;
  const bool chance = games_[0]->initial().table().chance != nullptr;
  for (const auto& game : games_) {
    const Facts& one = game->facts();
    if (game->initial().table().observe == nullptr)
      throw std::invalid_argument("self-play needs the ability 'observe', which " + std::string(one.name) +
                                  " does not offer.");
    if (game->initial().table().view != nullptr && game->initial().table().redeal == nullptr)
      throw std::invalid_argument("self-play under hidden information needs the ability 'redeal', which " +
                                  std::string(one.name) + " does not offer.");
    if (one.players != first.players || one.actions != first.actions || one.features != first.features ||
        one.planes.channels != first.planes.channels || one.planes.height != first.planes.height ||
        one.planes.width != first.planes.width)
      throw std::invalid_argument("the games of one pool must have the same planes, features, actions and players.");
    if (one.sum != first.sum || (game->initial().table().redeal != nullptr) != hidden_ ||
        (game->initial().table().chance != nullptr) != chance)
      throw std::invalid_argument("the games of one pool must be alike in chance, hidden information and sum.");
  }
  belief_ = hidden_ && options_.belief;
  if (belief_) {
    const Table& table = games_[0]->initial().table();
    const bool weighs = options_.hidden.weigh != BeliefOptions::Weigh::off;
    if (weighs && (table.rewind == nullptr || table.odds == nullptr))
      throw std::invalid_argument("weighing worlds needs the abilities 'rewind' and 'odds', which " +
                                  std::string(first.name) + " does not offer.");
    options_.hidden.leaf = BeliefOptions::Leaf::evaluator;
    options_.hidden.exploration = options_.search.exploration;
    options_.hidden.memory = options_.search.memory;
    options_.hidden.mix = options_.search.mix;
    options_.search.root = MctsOptions::Root::formula;
    options_.endgame = 0;
  }
  zero_sum_ = first.players == 2 && first.sum == Sum::zero;
  options_.search.leaf = MctsOptions::Leaf::evaluator;
  options_.search.selection = MctsOptions::Selection::puct;
  options_.search.slice = 0; // the clock would make another game of the same dice
  guided_ = options_.search.expand_at > 0 && !belief_;
  if (!can_prove(*games_[0])) options_.endgame = options_.search.settle = 0;
  settlers_.resize(games_.size());
  const auto slots = static_cast<std::size_t>(options_.slots), rows = slots * static_cast<std::size_t>(options_.leaves);
  for (std::size_t i = 0; i < slots; ++i) slots_.push_back(std::make_unique<Slot>(*games_[0]));
  planes_.resize(rows * plane_size_);
  features_.resize(rows * feature_size_);
  viewers_.resize(rows);
  keys_.resize(rows);
  values_.resize(static_cast<std::size_t>(options_.leaves) * players_);
  weights_.resize(static_cast<std::size_t>(options_.leaves) * actions_);
  row_.resize(players_ + actions_);
}

std::size_t Pool::unfinished() const {
  std::size_t out = queue_.size();
  for (const auto& slot : slots_) out += slot->playing ? 1 : 0;
  return out;
}

// Where returns grow on the way, what there has been of them: nets say what is still to come.
Values Pool::got_by(const Slot& slot) const {
  Values out{};
  if (facts().gain > 0 && options_.search.to_come && !belief_) slot.state.returns(out);
  return out;
}

double Pool::scaled(const Facts& facts, double value) const {
  const double range = facts.max_return - facts.min_return;
  return range > 0 ? 2 * (value - facts.min_return) / range - 1 : 0;
}

std::size_t Pool::collect() {
  if (waiting_ > 0) return waiting_;
  cached_.clear();
  for (const auto& slot : slots_) {
    slot->rows.clear();
    step(*slot);
  }
  return waiting_;
}

void Pool::resume(const float* values, const float* logits) {
  if (waiting_ == 0) return;
  for (const auto& slot : slots_)
    if (!slot->rows.empty()) {
      answer(*slot, values, logits);
      slot->rows.clear();
    }
  counts_.evaluations += waiting_;
  waiting_ = 0;
}

// One game, until it waits for the network (true) or there is nothing left to play.
bool Pool::step(Slot& slot) {
  for (;;) {
    if (!slot.playing) {
      if (queue_.empty()) return false;
      start(slot);
    }
    if (!slot.searching && !prepare(slot)) continue;
    if (belief_) {
      if (search(slot)) return true;
      continue;
    }
    Mcts& tree = *slot.trees[slot.world];
    if (tree.has_priors() && !slot.rooted && !at_root(slot)) continue;
    if (!tree.done()) {
      // 7 search
      if (const std::size_t count = tree.collect(static_cast<std::size_t>(options_.leaves)); count > 0) {
        if (ask(slot, count)) return true;
        continue;
      }
    }
    if (slot.world + 1 < slot.trees.size()) {
      ++slot.world;
      slot.rooted = false;
    } else {
      decide(slot);
    }
  }
}

// The search of a game with `belief`; true: it waits. The move is made when the search is over.
bool Pool::search(Slot& slot) {
  BeliefSearch& tree = *slot.tree;
  if (tree.has_root() && !slot.rooted) {
    slot.rooted = true;
    if (slot.full && options_.noise_share > 0) tree.add_noise(options_.noise_alpha, options_.noise_share); // 6 noise
  }
  while (!tree.done())
    if (const std::size_t count = tree.collect(static_cast<std::size_t>(options_.leaves)); count > 0)
      return ask(slot, count); // 7 search
  decide(slot);
  return false;
}

const State& Pool::waiting(const Slot& slot, std::size_t i) const {
  return belief_ ? slot.tree->waiting(i) : slot.trees[slot.world]->waiting(i);
}

// With `belief` a position is what its mover sees: worlds that look alike to it have the same evaluation. Else it is
// the whole position. A hash says nothing of the game's options.
std::uint64_t Pool::key_of(const Slot& slot, const State& state, const float* planes, const float* features) const {
  if (!belief_) return mix(state.hash(), slot.record.game);
  std::uint64_t key = static_cast<std::uint64_t>(state.to_move()) + 1;
  for (std::size_t i = 0; i < plane_size_; ++i)
    key = (key ^ std::bit_cast<std::uint32_t>(planes[i])) * 0x9e3779b97f4a7c15u;
  for (std::size_t i = 0; i < feature_size_; ++i) key = mix(key, std::bit_cast<std::uint32_t>(features[i]));
  return mix(key, slot.record.game);
}

void Pool::start(Slot& slot) {
  const Wanted wanted = queue_.front();
  queue_.pop_front();
  slot.game = games_[wanted.game].get();
  slot.rng = Rng(mix(options_.seed, wanted.id));
  slot.playing = true;
  slot.record = {.id = wanted.id, .game = wanted.game};
  slot.may_resign = options_.resign > -1 && zero_sum_ && slot.rng.uniform() >= options_.play_on_share;
  slot.may_stop = slot.rng.uniform() < options_.stop_proven;
  // 2 openings
  const bool opening = options_.random_plies > 0 && slot.rng.uniform() < options_.random_share;
  slot.openings_left = opening ? kOpenings : 0;
  if (slot.trees_game != slot.game) { // a tree belongs to one game
    slot.trees.clear();
    slot.trees_game = slot.game;
    if (belief_) slot.tree = std::make_unique<BeliefSearch>(*slot.game, options_.hidden);
    for (int i = 0; i < (belief_ ? 0 : hidden_ ? options_.worlds : 1); ++i)
      slot.trees.push_back(std::make_unique<Mcts>(*slot.game, options_.search));
    if (options_.search.settle > 0 && options_.search.solver)
      for (const auto& tree : slot.trees) tree->settle_by(&settler_of(wanted.game));
  }
  set_up(slot);
}

// The game from its beginning, with an opening where it has one.
void Pool::set_up(Slot& slot) {
  slot.state = slot.game->initial();
  slot.searching = false;
  slot.losing.assign(players_, 0);
  slot.random_left = 0;
  if (slot.openings_left > 0) {
    slot.random_left = 1 + static_cast<int>(slot.rng.below(static_cast<std::uint32_t>(options_.random_plies)));
    slot.openings_left = options_.quiet < 1 ? slot.openings_left - 1 : 0;
  }
  for (const auto& tree : slot.trees) {
    tree->reset(slot.state);
    tree->seed(slot.rng.next());
  }
  if (belief_) slot.tree->seed(slot.rng.next());
}

// Whether an opening has led to a position that is decided, and another one is begun in its place.
bool Pool::dropped(Slot& slot, double value) {
  if (slot.openings_left == 0 || std::abs(value) <= options_.quiet) {
    slot.openings_left = 0;
    return false;
  }
  slot.record.actions.clear();
  slot.record.positions.clear();
  slot.record.policy.clear();
  ++counts_.openings_dropped;
  set_up(slot);
  return true;
}

// Everything up to the next decision that takes a search; false when the game has ended on the way.
bool Pool::prepare(Slot& slot) {
  for (;;) {
    const int mover = slot.state.to_move();
    const auto plies = static_cast<int>(slot.record.actions.size());
    const bool capped = options_.move_cap > 0 && plies >= options_.move_cap;
    if (mover == TERMINAL && dropped(slot, 2)) continue; // over before a move was thought about
    if (mover == TERMINAL || capped) {
      Values returns{};
      slot.state.returns(returns);
      finish(slot, mover == TERMINAL ? Ended::by_rules : Ended::capped, returns);
      return false;
    }
    if (mover == CHANCE) { // 1 chance
      OutcomeList outcomes;
      slot.state.chance(outcomes);
      play(slot, sample(outcomes, slot.rng));
      continue;
    }
    list_.clear();
    slot.state.legal_actions(list_);
    const auto count = static_cast<std::uint32_t>(list_.size());
    if (slot.random_left > 0) {
      --slot.random_left;
      play(slot, list_[slot.rng.below(count)]);
      continue;
    }
    if (count == 1) { // 3 forced moves
      auto& policy = slot.record.policy;
      policy.push_back({static_cast<std::uint16_t>(list_[0]), 1.0f});
      slot.record.positions.push_back({.ply = plies,
                                       .kind = Kind::forced,
                                       .exact = false,
                                       .surprise = 0,
                                       .policy = static_cast<std::uint32_t>(policy.size() - 1),
                                       .policy_size = 1,
                                       .value = {},
                                       .target = {},
                                       .got = got_by(slot)});
      play(slot, list_[0]);
      continue;
    }
    begin_search(slot);
    return true;
  }
}

void Pool::begin_search(Slot& slot) {
  slot.full = options_.full_share >= 1 || slot.rng.uniform() < options_.full_share; // 4 playout cap
  const int simulations = slot.full ? options_.simulations : options_.fast_simulations;
  slot.searching = true;
  slot.rooted = false;
  slot.world = 0;
  if (belief_) {
    slot.tree->reset(slot.state);
    slot.tree->plan(static_cast<std::uint64_t>(simulations));
  }
  for (const auto& tree : slot.trees) {
    if (hidden_) {
      State world = slot.state;
      world.redeal(slot.state.to_move(), slot.rng);
      tree->reset(world);
    } else if (!options_.reuse) {
      tree->reset(slot.state, slot.record.actions.size());
    }
    tree->plan(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(simulations) / slot.trees.size()));
  }
  ++counts_.searches;
}

// The root has just got its priors; false where it is left for another opening.
bool Pool::at_root(Slot& slot) {
  slot.rooted = true;
  Mcts& tree = *slot.trees[slot.world];
  if (options_.endgame > 0 && !tree.done()) try_endgame(slot); // 5 endgame
  if (dropped(slot, tree.first_sight())) return false;
  if (slot.full && options_.search.root == MctsOptions::Root::formula && options_.noise_share > 0)
    tree.add_noise(options_.noise_alpha, options_.noise_share); // 6 noise
  return true;
}

Settler& Pool::settler_of(std::uint16_t game) {
  auto& settler = settlers_[game];
  if (settler == nullptr) {
    const std::size_t bytes = std::max(kProverBytes / games_.size(), kLeastBytes);
    settler = std::make_unique<Settler>(make_prover(*games_[game], bytes));
  }
  return *settler;
}

void Pool::try_endgame(Slot& slot) {
  const std::size_t ply = slot.record.actions.size();
  if (tried_.size() <= ply) tried_.resize(ply + 1);
  Tried& luck = tried_[ply];
  if (luck.tries >= kFewTries && luck.proofs * kWorthwhile < luck.tries && slot.rng.uniform() >= kTryAnyway) return;
  const Action previous = slot.record.actions.empty() ? kNoAction : slot.record.actions.back();
  proofs_.clear();
  counts_.endgame_nodes +=
      settler_of(slot.record.game).prover().prove(slot.state, previous, options_.endgame, watch_, proofs_);
  for (const auto& [action, values] : proofs_) slot.trees[slot.world]->know(action, values);
  ++luck.tries;
  ++counts_.endgames;
  if (slot.trees[slot.world]->done()) {
    ++luck.proofs;
    ++counts_.endgames_proven;
  }
}

// Puts what waits into the batch; false when the cache knew all of it.
bool Pool::ask(Slot& slot, std::size_t count) {
  bool waits = false;
  slot.rows.clear();
  const std::size_t others = cached_.size();
  for (std::size_t i = 0; i < count; ++i) {
    const State& state = waiting(slot, i);
    float* planes = planes_.data() + waiting_ * plane_size_;
    float* features = features_.data() + waiting_ * feature_size_;
    const int viewer = state.to_move();
    const auto look = [&] {
      std::fill(planes, planes + plane_size_, 0.0f);
      std::fill(features, features + feature_size_, 0.0f);
      Observation seen(facts().planes, planes, features);
      state.observe(viewer, seen);
    };
    if (belief_) look();
    const std::uint64_t key = key_of(slot, state, planes, features);
    if (cache_.enabled()) {
      if (const float* row = cache_.find(key); row != nullptr) {
        slot.rows.push_back(-1 - static_cast<std::int64_t>(cached_.size()));
        cached_.insert(cached_.end(), row, row + players_ + actions_);
        ++counts_.cached;
        continue;
      }
    }
    waits = true;
    if (!belief_) look();
    viewers_[waiting_] = viewer;
    keys_[waiting_] = key;
    slot.rows.push_back(static_cast<std::int64_t>(waiting_++));
  }
  if (waits) return true;
  answer(slot, nullptr, nullptr);
  slot.rows.clear();
  cached_.resize(others);
  return false;
}

std::vector<Pool::Place> Pool::places() const {
  std::vector<Place> out(waiting_);
  for (const auto& slot : slots_)
    for (std::size_t i = 0; i < slot->rows.size(); ++i) {
      if (slot->rows[i] < 0) continue;
      Place& place = out[static_cast<std::size_t>(slot->rows[i])];
      place = {slot->record.game, slot->record.actions};
      if (belief_) continue; // the position is in a sampled world: the game up to the decision is what can be told
      for (const Action action : slot->trees[slot->world]->way_to(i)) place.actions.push_back(action);
    }
  return out;
}

// Values as they are; of logits, the odds of the legal actions.
void Pool::answer(Slot& slot, const float* values, const float* logits) {
  for (std::size_t i = 0; i < slot.rows.size(); ++i) {
    double* value = values_.data() + i * players_;
    float* weight = weights_.data() + i * actions_;
    if (slot.rows[i] < 0) {
      const float* row = cached_.data() + (-1 - slot.rows[i]);
      std::copy(row, row + players_, value);
      std::copy(row + players_, row + players_ + actions_, weight);
      continue;
    }
    const auto at = static_cast<std::size_t>(slot.rows[i]);
    const float* own = logits + at * actions_;
    std::copy(values + at * players_, values + (at + 1) * players_, value);
    std::fill(weight, weight + actions_, 0.0f);
    list_.clear();
    waiting(slot, i).legal_actions(list_);
    float highest = own[list_[0]];
    for (const Action action : list_) highest = std::max(highest, own[action]);
    for (const Action action : list_) weight[action] = std::exp(own[action] - highest);
    if (cache_.enabled()) {
      std::copy(value, value + players_, row_.begin());
      std::copy(weight, weight + actions_, row_.begin() + static_cast<std::ptrdiff_t>(players_));
      cache_.keep(keys_[at], row_.data());
    }
  }
  if (belief_) {
    slot.tree->resume(values_.data(), weights_.data());
    return;
  }
  if (!guided_) counts_.simulations += slot.rows.size();
  slot.trees[slot.world]->resume(values_.data(), weights_.data());
}

// The search is over: what it found is recorded, and the move is made.
void Pool::decide(Slot& slot) {
  Position position{.ply = static_cast<std::int32_t>(slot.record.actions.size()),
                    .kind = slot.full ? Kind::full : Kind::fast,
                    .exact = false,
                    .surprise = 0,
                    .policy = static_cast<std::uint32_t>(slot.record.policy.size()),
                    .policy_size = 0,
                    .value = {},
                    .target = {},
                    .got = got_by(slot)};
  Action best = kNoAction;
  add_up(slot, position, best);
  slot.searching = false;
  const int mover = slot.state.to_move();
  slot.record.positions.push_back(position);
  if (position.exact) {
    ++counts_.proven;
    if (slot.may_stop) return finish(slot, Ended::proven, position.value);
  }
  if (resigns(slot, position, mover)) { // 8 resignation
    Values returns{};
    returns[static_cast<std::size_t>(mover)] = slot.game->facts().min_return;
    returns[static_cast<std::size_t>(1 - mover)] = slot.game->facts().max_return;
    return finish(slot, Ended::resigned, returns);
  }
  play(slot, choose(slot, position, best));
}

// The policy and the values of all worlds together; of the only one, where nothing is hidden.
void Pool::add_up(Slot& slot, Position& position, Action& best) {
  shares_.assign(actions_, 0);
  priors_.assign(actions_, 0);
  position.exact = !hidden_; // what is proven in a sampled world need not be so in the true one
  const double part = 1.0 / static_cast<double>(std::max<std::size_t>(slot.trees.size(), 1));
  const auto add = [&](const SearchReport& report) {
    for (const ActionReport& one : report.actions) {
      shares_[static_cast<std::size_t>(one.action)] += part * one.share;
      priors_[static_cast<std::size_t>(one.action)] += part * one.prior;
    }
    for (std::size_t p = 0; p < players_; ++p) position.value[p] += part * report.values[p];
    position.exact = position.exact && report.proven;
    if (belief_ || guided_) counts_.simulations += report.simulations; // not every one of them is an evaluation
    best = report.action;
  };
  if (belief_) add(slot.tree->report());
  for (const auto& tree : slot.trees) add(tree->report());
  for (std::size_t action = 0; action < actions_; ++action) {
    const double share = shares_[action];
    if (share <= 1e-6) continue;
    slot.record.policy.push_back({static_cast<std::uint16_t>(action), static_cast<float>(share)});
    position.surprise += static_cast<float>(share * std::log(share / std::max(priors_[action], 1e-9)));
    if (slot.trees.size() > 1 && share > shares_[static_cast<std::size_t>(best)]) best = static_cast<Action>(action);
  }
  position.policy_size = static_cast<std::uint32_t>(slot.record.policy.size()) - position.policy;
}

// 9 the move
Action Pool::choose(Slot& slot, const Position& position, Action best) {
  const bool early = position.ply < options_.temperature_moves;
  const bool gumbel = options_.search.root == MctsOptions::Root::gumbel;
  const double tau = early ? options_.temperature : options_.final_temperature;
  const Share* shares = slot.record.policy.data() + position.policy;
  if (tau <= 0 || (gumbel && !early)) {
    if (!gumbel || position.exact) return best;
    return std::max_element(shares, shares + position.policy_size,
                            [](const Share& a, const Share& b) { return a.share < b.share; })
        ->action;
  }
  if (gumbel && !position.exact && !hidden_) return best; // its own noise is in it, but not in a mean over worlds
  float most = 0; // taken out, lest a low temperature leave nothing that a double can hold
  for (std::uint32_t i = 0; i < position.policy_size; ++i) most = std::max(most, shares[i].share);
  const auto odds = [&](const Share& one) { return std::pow(static_cast<double>(one.share / most), 1 / tau); };
  double total = 0;
  for (std::uint32_t i = 0; i < position.policy_size; ++i) total += odds(shares[i]);
  double drawn = slot.rng.uniform() * total;
  for (std::uint32_t i = 0; i < position.policy_size; ++i) {
    drawn -= odds(shares[i]);
    if (drawn < 0) return shares[i].action;
  }
  return best;
}

bool Pool::resigns(Slot& slot, const Position& position, int mover) {
  if (options_.resign <= -1 || !zero_sum_) return false;
  const auto seat = static_cast<std::size_t>(mover);
  int& losing = slot.losing[seat];
  losing = scaled(slot.game->facts(), position.value[seat]) < options_.resign ? losing + 1 : 0;
  if (losing < options_.resign_moves) return false;
  if (!slot.may_resign && slot.record.resign_ply < 0) slot.record.resign_ply = position.ply;
  return slot.may_resign;
}

void Pool::play(Slot& slot, Action action) {
  slot.record.actions.push_back(action);
  slot.state.play(action);
  if (options_.reuse && !hidden_)
    for (const auto& tree : slot.trees) tree->advance(action);
}

void Pool::finish(Slot& slot, Ended ended, const Values& returns) {
  PlayedGame& record = slot.record;
  record.ended = ended;
  record.returns = returns;
  Values known = returns;
  for (std::size_t i = record.positions.size(); i-- > 0;) {
    Position& position = record.positions[i];
    if (position.exact) known = position.value;
    position.target = known;
    const double mix = position.exact || position.kind == Kind::forced ? 0 : options_.value_mix;
    for (std::size_t p = 0; p < players_; ++p)
      position.target[p] += mix * (position.value[p] - known[p]) - position.got[p];
  }
  finished_.push_back(std::move(record));
  slot.playing = slot.searching = false;
}

} // namespace sevenfold
