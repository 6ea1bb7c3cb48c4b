#include "search/belief.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

namespace sevenfold {
namespace {

constexpr std::size_t kDeepest = 4096;    // a longer walk is valued where it stands
constexpr std::uint64_t kFewResults = 8;  // before so many, priors alone decide
constexpr std::uint64_t kForced = 0x5f0c; // marks an observation at which there was no choice

constexpr double kForWorlds = 0.5; // the share of a time limit that step stir may take

constexpr double kGolden = 0.6180339887498949; // multiples of it are spread evenly over [0, 1)

} // namespace

BeliefSearch::BeliefSearch(const Game& game, const BeliefOptions& options)
    : game_(game),
      options_(options),
      knowledge_(game),
      rng_(options.seed),
      tree_(options.memory, true),
      root_state_(game.initial()),
      proposed_{root_state_},
      replayed_(root_state_) {
  const Facts& facts = game.facts();
  half_range_ = std::max((facts.max_return - facts.min_return) / 2, 1e-12);
  const Table& table = root_state_.table();
  evaluates_ = options.leaf != BeliefOptions::Leaf::rollout;
  odds_ = table.odds != nullptr;
  suggests_ = table.suggest != nullptr;
  stirs_ = table.stir != nullptr && odds_ && table.rewind != nullptr;
  rollout_ = options.policy && table.rollout != nullptr;
  if (options.kinds > 0 && table.habit_count > 0 && stirs()) {
    kinds_ = std::min(kMostKinds, static_cast<std::size_t>(table.habit_count) + 2);
    kind_priors_.fill(std::log(options.kinds / static_cast<double>(kinds_ - 1)));
    kind_priors_[0] = std::log(std::max(1 - options.kinds, 1e-9));
  }
  flights_.push_back({root_state_});
  flights_[0].path.reserve(kDeepest);
}

void BeliefSearch::reset(const State& root) {
  tree_.clear();
  root_state_ = root;
  me_ = root.to_move();
  root_ = kNoNode;
  root_key_ = knowledge_(root, me_);
  for (Flight& flight : flights_) flight.stage = Stage::idle;
  waiting_.clear();
  searched_ = started_ = simulations_ = 0;
  spread_ = {};
  root_totals_.clear();
  weighed_ = options_.weigh == BeliefOptions::Weigh::off;
  worlds_left_ = 0;
  raced_ = false;
  trust_ = options_.trust;
  world_seed_ = rng_.next();
}

SearchReport BeliefSearch::run(const Limits& limits, Watch& watch) {
  using Clock = std::chrono::steady_clock;
  const auto since = [start = Clock::now()] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  if (root_ == kNoNode) root_ = expand(me_, root_key_, root_state_, nullptr);
  stir_within(limits.seconds * kForWorlds);
  if (!weighed_) weigh_now();
  root_totals_.clear();
  Limits left = limits;
  const double before = since();
  left.seconds -= before;
  const double seconds = run_within(left, watch, simulations_, [&] {
    take_off(flights_[0]);
    walk(flights_[0]);
    return true;
  });
  SearchReport out = report();
  out.seconds = before + seconds;
  return out;
}

// Step 1. A world: one that the searcher cannot tell from the real one. The action of the root does not depend on it.
void BeliefSearch::take_off(Flight& flight) {
  const Node& root = tree_.node(root_);
  const std::uint32_t owed = options_.least > 0 ? neglected(root) : root.size;
  flight.first = owed < root.size ? owed : options_.even > 0 ? least_tried(root) : select(root);
  if (raced_) planned_ = started_ + 1; // the race is over: what is under way lands, and nothing more is needed
  std::uint64_t number = options_.paired ? tree_.edges(root)[flight.first].visits : started_;
  if (options_.both) { // each of the two policies meets the worlds from the first one on
    const auto quick = static_cast<std::uint64_t>(options_.quick), round = number / (quick + 1),
               place = number % (quick + 1);
    flight.quick = place > 0;
    number = flight.quick ? round * quick + place - 1 : round;
  }
  flight.rng = Rng(mix(world_seed_, number));
  if (options_.weigh == BeliefOptions::Weigh::off) {
    flight.state = root_state_;
    flight.state.redeal(me_, flight.rng);
  } else {
    const double turn = kGolden * static_cast<double>(number);
    const std::size_t world = world_at(turn - std::floor(turn));
    flight.state = worlds_[world];
    flight.kinds = world < world_kinds_.size() ? world_kinds_[world] : KindOf{};
  }
  flight.path.clear();
  flight.follows = false;
  flight.stage = Stage::walking;
  for (std::size_t p = 0; p < flight.keys.size(); ++p) flight.keys[p] = p + 1;
  flight.keys[static_cast<std::size_t>(me_)] = 0; // the root itself is found without a key
  ++started_;
}

bool BeliefSearch::walk(Flight& flight) {
  State& state = flight.state;
  for (int mover = state.to_move(); flight.path.size() < kDeepest; mover = state.to_move()) {
    if (mover == TERMINAL) {
      Values values{};
      state.returns(values);
      land(flight, values);
      return false;
    }
    if (mover == CHANCE) {
      outcomes_.clear();
      state.chance(outcomes_);
      state.play(sample(outcomes_, flight.rng));
      continue;
    }
    list_.clear();
    state.legal_actions(list_);
    const bool goes_on = searches(mover) ? own(flight, mover) : other(flight);
    if (!goes_on) return flight.stage != Stage::idle;
  }
  Values values{};
  play_on(state, flight.rng, values);
  land(flight, values);
  return false;
}

// Step 2. Another player's action, from the policy on its own observation in this world.
bool BeliefSearch::other(Flight& flight) {
  State& state = flight.state;
  const auto count = static_cast<std::uint32_t>(list_.size());
  if (count == 1) {
    state.play(list_[0]);
    return true;
  }
  if (const std::uint8_t kind = flight.kinds[static_cast<std::size_t>(state.to_move())]; kind > 0) {
    state.play(by_kind(state, kind, flight.rng));
    return true;
  }
  switch (options_.opponents) {
    case BeliefOptions::Opponents::evaluator: flight.stage = Stage::opponent; return false;
    case BeliefOptions::Opponents::policy: state.play(by_policy(state, flight.rng)); return true;
    default: state.play(list_[flight.rng.below(count)]); return true;
  }
}

// An action by the game's own quick policy, among list_; any of them where it has none.
Action BeliefSearch::by_policy(const State& state, Rng& rng) {
  if (suggests_) return state.suggest(rng);
  const auto count = static_cast<std::size_t>(list_.size());
  if (!odds_) return list_[rng.below(static_cast<std::uint32_t>(count))];
  weights_here_.clear();
  state.odds(weights_here_);
  double total = 0;
  for (const double weight : weights_here_) total += weight;
  double left = rng.uniform() * total;
  std::size_t i = 0;
  while (i + 1 < count && (left -= weights_here_[i]) >= 0) ++i;
  return list_[i];
}

// An action of another kind of player, among list_: a habit's, or after the last of those a random one.
Action BeliefSearch::by_kind(const State& state, std::uint8_t kind, Rng& rng) {
  if (kind + 1u < kinds_) return state.habit(kind - 1, rng);
  return list_[rng.below(static_cast<std::uint32_t>(list_.size()))];
}

// Step 3. A decision of the searcher (or, with opponents = puct, of anybody): the node of what it has seen.
bool BeliefSearch::own(Flight& flight, int mover) {
  State& state = flight.state;
  std::uint64_t& key = flight.keys[static_cast<std::size_t>(mover)];
  const bool at_root = key == 0 && mover == me_;
  key = at_root ? root_key_ : mix(key, knowledge_(state, mover)) | 1;
  if (options_.forced && list_.size() == 1 && !at_root) {
    key = mix(key, kForced);
    state.play(list_[0]);
    return true;
  }
  if (flight.quick && !at_root) {
    Values values{};
    play_on(flight, values);
    land(flight, values);
    return false;
  }
  const bool deep = options_.depth > 0 && flight.path.size() >= static_cast<std::size_t>(options_.depth);
  if (flight.follows || (deep && options_.leaf == BeliefOptions::Leaf::follow)) {
    flight.stage = Stage::opponent;
    return false;
  }
  NodeId id = at_root ? root_ : tree_.find(key);
  const bool late = options_.expand_at > 0;
  if (id == kNoNode && evaluates_ && !late) {
    flight.stage = Stage::leaf;
    return false;
  }
  // Step 4. A decision met for the first time gets its priors, and is valued.
  if (id == kNoNode || !fits(tree_.node(id))) {
    if (id == kNoNode) expand(mover, key, state, nullptr);
    Values values{};
    play_on(flight, values);
    land(flight, values);
    return false;
  }
  Node& node = tree_.node(id);
  // Step 4b. The evaluator is asked about a decision that is met often.
  if (late && evaluates_ && !at_root && node.visits == static_cast<std::uint32_t>(options_.expand_at)) {
    ++node.visits; // it is asked once
    flight.stage = Stage::leaf;
    return false;
  }
  const std::uint32_t chosen = at_root ? flight.first : select(node);
  Edge& edge = tree_.edges(node)[chosen];
  ++node.visits;
  ++edge.visits;
  ++edge.child; // under way
  flight.path.push_back({id, chosen});
  key = mix(key, edge.action);
  state.play(edge.action);
  return true;
}

// Whether the node's actions are those legal here: they are, where the game's view tells all that the mover knows.
bool BeliefSearch::fits(const Node& node) const {
  if (node.size != list_.size()) return false;
  const Edge* edges = tree_.edges(node);
  for (std::uint32_t i = 0; i < node.size; ++i)
    if (edges[i].action != list_[i]) return false;
  return true;
}

NodeId BeliefSearch::expand(int mover, std::uint64_t key, const State& state, const float* weights) {
  list_.clear();
  state.legal_actions(list_);
  const NodeId id = tree_.add_node(mover, list_.size(), key);
  if (id == kNoNode) return kNoNode;
  Node& node = tree_.node(id);
  const auto count = static_cast<std::size_t>(list_.size());
  weights_here_.clear();
  if (options_.priors && weights != nullptr)
    for (const Action action : list_) weights_here_.push(static_cast<double>(weights[action]));
  else if (options_.priors && odds_) state.odds(weights_here_);
  double total = 0;
  for (const double weight : weights_here_) total += weight;
  const bool known = total > 0 && static_cast<std::size_t>(weights_here_.size()) == count;
  bool room = tree_.reserve(node, list_.size());
  for (std::size_t i = 0; i < count && room; ++i) {
    const double prior = known ? weights_here_[i] / total : 1.0 / static_cast<double>(count);
    room = tree_.add_edge(node, list_[i], static_cast<float>(prior)) != nullptr;
  }
  if (room) return id;
  tree_.remove(id);
  return kNoNode;
}

// Priors by an evaluator, for a decision that was met before it was asked.
void BeliefSearch::steer(Node& node, const float* weights) {
  Edge* edges = tree_.edges(node);
  double total = 0;
  for (std::uint32_t i = 0; i < node.size; ++i) total += static_cast<double>(weights[edges[i].action]);
  if (!options_.priors || !(total > 0)) return;
  for (std::uint32_t i = 0; i < node.size; ++i)
    edges[i].prior = static_cast<float>(static_cast<double>(weights[edges[i].action]) / total);
}

// What a prior says of an action's return, but for what is common to all actions.
double BeliefSearch::promise(const Edge& edge) const {
  return options_.unit * std::log(std::max(static_cast<double>(edge.prior), 1e-12));
}

// Step 5. The action by the formula; with `trust`, Q counts the prior as so many results. Simulations under way count
// as visits, not as results.
std::uint32_t BeliefSearch::select(const Node& node) const {
  const Edge* edges = tree_.edges(node);
  const Spread& spread = spread_[static_cast<std::size_t>(node.mover)];
  double total = 0, landed = 0, promised = 0;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    total += edges[i].total;
    landed += edges[i].visits - edges[i].child;
    if (options_.trust > 0) promised += static_cast<double>(edges[i].prior) * promise(edges[i]);
  }
  const double mean = landed > 0 ? total / landed : 0;
  double unit = half_range_;
  if (options_.spread)
    unit = spread.count >= kFewResults ? std::max(spread.widest, 1e-9 * half_range_)
                                       : std::numeric_limits<double>::infinity();
  const double reach = options_.exploration * std::sqrt(node.visits + 1.0);
  std::uint32_t best = 0;
  double best_score = -std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < node.size; ++i) {
    const Edge& edge = edges[i];
    const double results = edge.visits - edge.child;
    double value = results > 0 ? (edge.total / results - mean) / unit : -options_.fpu;
    if (options_.trust > 0)
      value = (edge.total - results * mean + trust_ * (promise(edge) - promised)) / (results + trust_) / unit;
    if (const double score = value + reach * edge.prior / (1.0 + edge.visits); score > best_score) {
      best_score = score;
      best = i;
    }
  }
  return best;
}

// The mean of an action of the root; with `both`, by the better of the two policies. Where the evaluator's has fewer
// results, those that it lacks are taken to be like the other's: of two means the noisier is the larger one by luck.
double BeliefSearch::root_value(std::uint32_t i) const {
  const Edge& edge = tree_.edges(tree_.node(root_))[i];
  if (options_.both && i < root_totals_.size()) {
    const RootTotal& total = root_totals_[i];
    if (total.tries[0] > 0 && total.tries[1] > 0) {
      const double slow = static_cast<double>(total.tries[0]), quick = static_cast<double>(total.tries[1]);
      const double by_quick = total.own[1] / quick, lacking = std::max(0.0, quick - slow);
      return std::max((total.own[0] + lacking * by_quick) / (slow + lacking), by_quick);
    }
  }
  const std::uint64_t results = edge.visits - edge.child;
  return results > 0 ? edge.total / static_cast<double>(results) : 0;
}

// An action of the root that has been tried less than `least` times, the one tried least; the node's size: there is
// none.
std::uint32_t BeliefSearch::neglected(const Node& node) const {
  const Edge* edges = tree_.edges(node);
  std::uint32_t found = node.size;
  for (std::uint32_t i = 0; i < node.size; ++i)
    if (edges[i].visits < static_cast<std::uint32_t>(options_.least) &&
        (found == node.size || edges[i].visits < edges[found].visits))
      found = i;
  return found;
}

// Step 5b, at the root. In turn, those that the priors do not rule out, and that are not clearly worse than the best.
std::uint32_t BeliefSearch::least_tried(const Node& node) {
  const Edge* edges = tree_.edges(node);
  float most = 0;
  for (std::uint32_t i = 0; i < node.size; ++i) most = std::max(most, edges[i].prior);
  const auto runs = [&](const Edge& edge) {
    return static_cast<double>(edge.prior) >= options_.even * static_cast<double>(most);
  };
  const double share = options_.both ? options_.quick / (1.0 + options_.quick) : 1; // of the results that a mean is of
  const auto results = [&](const Edge& edge) { return share * static_cast<double>(edge.visits - edge.child); };
  const double deviation = spread_[static_cast<std::size_t>(node.mover)].widest;
  double leads = -std::numeric_limits<double>::infinity(), led = 1; // the best mean, and of how many results
  if (options_.race > 0)
    for (std::uint32_t i = 0; i < node.size; ++i)
      if (results(edges[i]) >= kFewResults && runs(edges[i]) && root_value(i) > leads)
        leads = root_value(i), led = results(edges[i]);
  const auto falls_out = [&](std::uint32_t i) {
    const double n = results(edges[i]);
    return n >= kFewResults && root_value(i) + options_.race * deviation * std::sqrt(1 / n + 1 / led) < leads;
  };
  std::uint32_t best = 0, left = 0;
  for (std::uint32_t i = 0; i < node.size; ++i) {
    if (!runs(edges[i]) || (options_.race > 0 && falls_out(i))) continue;
    if (left == 0 || edges[i].visits < edges[best].visits) best = i;
    ++left;
  }
  raced_ = options_.race > 0 && left == 1;
  return best;
}

// By the policy, and players of other kinds as they do.
void BeliefSearch::play_on(Flight& flight, Values& out) {
  State& state = flight.state;
  if (flight.kinds == KindOf{}) return play_on(state, flight.rng, out);
  for (int plies = 0; plies < kMaxPlies && !state.is_over(); ++plies) {
    list_.clear();
    state.choices(list_);
    const int mover = state.to_move();
    if (mover == CHANCE) {
      outcomes_.clear();
      state.chance(outcomes_);
      state.play(sample(outcomes_, flight.rng));
      continue;
    }
    const std::uint8_t kind = flight.kinds[static_cast<std::size_t>(mover)];
    if (list_.size() == 1) state.play(list_[0]);
    else state.play(kind > 0 ? by_kind(state, kind, flight.rng) : by_policy(state, flight.rng));
  }
  state.returns(out);
}

void BeliefSearch::play_on(State& state, Rng& rng, Values& out) {
  if (rollout_) {
    state.rollout(rng);
  } else if (options_.policy && (suggests_ || odds_)) {
    for (int plies = 0; plies < kMaxPlies && !state.is_over(); ++plies) {
      list_.clear();
      state.choices(list_);
      if (state.to_move() == CHANCE) {
        outcomes_.clear();
        state.chance(outcomes_);
        state.play(sample(outcomes_, rng));
      } else {
        state.play(by_policy(state, rng));
      }
    }
  } else {
    state.play_out(rng);
  }
  state.returns(out);
}

// Step 6. What the simulation brought goes to the actions it took.
void BeliefSearch::land(Flight& flight, const Values& values) {
  const auto players = static_cast<std::size_t>(game_.facts().players);
  for (std::size_t p = 0; p < players; ++p) spread_[p].add(values[p]);
  if (!flight.path.empty()) {
    const std::size_t first = flight.path[0].edge;
    if (root_totals_.size() <= first) root_totals_.resize(first + 1);
    ++root_totals_[first].visits;
    ++root_totals_[first].tries[flight.quick ? 1 : 0];
    root_totals_[first].own[flight.quick ? 1 : 0] += values[static_cast<std::size_t>(me_)];
    for (std::size_t p = 0; p < players; ++p) root_totals_[first].sum[p] += values[p];
  }
  for (const Step& step : flight.path) {
    const Node& node = tree_.node(step.node);
    Edge& edge = tree_.edges(node)[step.edge];
    edge.total += values[static_cast<std::size_t>(node.mover)];
    --edge.child;
  }
  flight.stage = Stage::idle;
  ++searched_;
}

void BeliefSearch::Spread::add(double value) {
  ++count;
  const double before = value - mean;
  mean += before / static_cast<double>(count);
  squares += before * (value - mean);
  if (count >= kFewResults) widest = std::max(widest, std::sqrt(squares / static_cast<double>(count - 1)));
}

// Step 7. The choice: the most visited action.
SearchReport BeliefSearch::report() const {
  SearchReport out;
  if (root_ == kNoNode) return out;
  const Node& root = tree_.node(root_);
  const Edge* edges = tree_.edges(root);
  std::uint64_t all = 0;
  std::size_t best = 0;
  for (std::uint32_t i = 0; i < root.size; ++i) {
    const std::uint64_t results = edges[i].visits - edges[i].child;
    out.actions.push_back({.action = edges[i].action,
                           .visits = results,
                           .value = root_value(i),
                           .prior = static_cast<double>(edges[i].prior),
                           .pv = {edges[i].action}});
    all += results;
    const ActionReport &one = out.actions[i], &top = out.actions[best];
    if (one.visits > top.visits || (one.visits == top.visits && one.prior > top.prior)) best = i;
  }
  for (ActionReport& one : out.actions)
    one.share = all > 0 ? static_cast<double>(one.visits) / static_cast<double>(all) : one.prior;
  out.action = edges[best].action;
  if ((options_.trust > 0 || options_.even > 0) && all > 0) {
    judge(out);
    for (std::size_t i = 0; i < out.actions.size(); ++i)
      if (out.actions[i].action == out.action) best = i;
  }
  out.pv = {out.action};
  if (best < root_totals_.size() && root_totals_[best].visits > 0)
    for (std::size_t p = 0; p < out.values.size(); ++p)
      out.values[p] = root_totals_[best].sum[p] / static_cast<double>(root_totals_[best].visits);
  out.simulations = std::max(simulations_, searched_);
  out.nodes = tree_.node_count();
  out.bytes = tree_.bytes_used();
  out.method = "belief";
  if (options_.weigh != BeliefOptions::Weigh::off) out.counts = {{"worlds", static_cast<std::uint64_t>(effective_)}};
  return out;
}

// Step 7b. The choice by results and priors: what the priors promise is shifted so that the tried actions are worth as
// much by them as by their results. Shares are those of a policy with this unit.
void BeliefSearch::judge(SearchReport& out) const {
  double value = 0, promised = 0, weight = 0;
  for (const ActionReport& one : out.actions) {
    if (one.visits == 0) continue;
    value += one.prior * one.value;
    promised += one.prior * std::log(std::max(one.prior, 1e-12));
    weight += one.prior;
  }
  if (!(weight > 0)) return;
  const double shift = (value / weight) - options_.unit * promised / weight;
  const double most = options_.weigh == BeliefOptions::Weigh::off ? 1e18 : std::max(effective_, 1.0);
  double best = -std::numeric_limits<double>::infinity();
  std::vector<double> worth;
  for (const ActionReport& one : out.actions) {
    const double n = std::min(static_cast<double>(one.visits), most);
    const double prior = shift + options_.unit * std::log(std::max(one.prior, 1e-12));
    const double weighs = n + trust_;
    worth.push_back(weighs > 0 ? (n * one.value + trust_ * prior) / weighs : -1e300);
    if (worth.back() > best) best = worth.back(), out.action = one.action;
  }
  double total = 0;
  for (double& one : worth) total += one = std::exp((one - best) / options_.unit);
  for (std::size_t i = 0; i < worth.size(); ++i) out.actions[i].share = worth[i] / total;
}

} // namespace sevenfold
