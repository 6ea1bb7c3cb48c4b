// 18 plans: hidden information, and a player who acts several times in a row.
//
// A world that is searched alone lets its player choose each next action as if the world were known. Here the actions
// that the player at the root takes in a row are chosen once for all worlds. A plan is such a row; by itself it is
// worth the mean over the worlds of what the horizon says after it (17 quiet, with the others' replies), and once it
// has been continued by every action, as much as the best of these. The plan that looks best is continued first.
// Deepening is by worlds and plans: each depth has twice as many of both, and plans of as many actions. Every plan sees
// the same worlds: luck hits all alike.
//
// It does not look for the others' best replies, and it prunes nothing: the steps 2 to 14 have no say.
#include <algorithm>

#include "search/alphabeta.h"

namespace sevenfold {

namespace {

constexpr int kFirstPlans = 2; // doubled with each depth
constexpr int kMostPlans = 1 << 20;

// What hidden things do may end the row earlier in one world than in another.
State after(State state, const std::vector<Action>& line) {
  const int mover = state.to_move();
  for (const Action action : line) {
    if (state.to_move() != mover) break;
    state.play(action);
  }
  return state;
}

} // namespace

// The mean over the worlds for the player at the root; false if the search must stop.
bool AlphaBeta::value_plan(const std::vector<Action>& line, double& value) {
  double sum = 0;
  const int side = side_of(root_mover_);
  for (const Root& root : roots_) {
    if (++nodes_ >= next_look_ && look()) return false;
    const State state = after(root.state, line);
    sum += state.is_over() ? ended(state, side) : at_horizon(state, side);
  }
  value = sum / static_cast<double>(roots_.size());
  return true;
}

// Makes a plan; `place` is where it is, or where the same actions in another order are.
bool AlphaBeta::look_at(const std::vector<Action>& line, std::size_t& place) {
  const State state = after(roots_[0].state, line);
  const bool goes_on = state.to_move() == root_mover_;
  place = plans_made_.size();
  if (goes_on) {
    const auto [known, made] = plan_at_.try_emplace(state.canonical(), place);
    if (!made && plans_made_[known->second].line.size() == line.size()) { // a shorter one may lead round in a circle
      place = known->second;
      return true;
    }
  }
  plans_made_.push_back({.line = line, .value = 0});
  Plan& made = plans_made_.back();
  made.open = goes_on;
  return value_plan(line, made.value);
}

// What a plan is worth, and how it goes on.
double AlphaBeta::best_of(std::size_t place, std::vector<Action>& line) const {
  const Plan& plan = plans_made_[place];
  if (plan.on.empty()) return plan.value;
  double most = -std::numeric_limits<double>::infinity();
  std::vector<Action> rest;
  for (const auto& [action, next] : plan.on) {
    std::vector<Action> further{action};
    const double value = best_of(next, further);
    if (value <= most) continue;
    most = value;
    rest = std::move(further);
  }
  line.insert(line.end(), rest.begin(), rest.end());
  return most;
}

// One iteration: so many plans of at most `depth` actions are continued. False if it was cut short; then it counts if
// it has continued as many as the one before.
bool AlphaBeta::iterate_plans(int depth, int count) {
  plans_made_.clear();
  plan_at_.clear();
  std::vector<std::size_t> places(found_.size());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    const std::uint64_t before = nodes_;
    if (!look_at({found_[i].action}, places[i])) return false;
    found_[i].nodes += nodes_ - before;
  }
  must_answer_ = false;
  bool whole = true;
  int done = 0;
  for (; whole && done < count; done += whole) {
    const auto open = [&](const Plan& one) { return one.open && static_cast<int>(one.line.size()) < depth; };
    const auto worse = [&](const Plan& a, const Plan& b) { return open(a) != open(b) ? open(b) : a.value < b.value; };
    const auto best = std::max_element(plans_made_.begin(), plans_made_.end(), worse);
    if (!open(*best)) break;
    whole = continue_plan(static_cast<std::size_t>(best - plans_made_.begin()));
  }
  if (!whole && 2 * done < count) return false;
  for (std::size_t i = 0; i < found_.size(); ++i) {
    found_[i].line.assign(1, found_[i].action);
    found_[i].value = best_of(places[i], found_[i].line);
  }
  std::stable_sort(found_.begin(), found_.end(), [](auto& a, auto& b) { return a.value > b.value; });
  depth_ = depth;
  return whole;
}

bool AlphaBeta::continue_plan(std::size_t place) {
  std::vector<Action> line = plans_made_[place].line;
  std::vector<std::pair<Action, std::size_t>> on;
  ActionList actions;
  after(roots_[0].state, line).legal_actions(actions);
  line.push_back(kNoAction);
  for (const Action action : actions) {
    line.back() = action;
    on.emplace_back(action, 0);
    if (!look_at(line, on.back().second)) return false;
  }
  ++counts_[kPlans];
  plans_made_[place].open = false;
  plans_made_[place].on = std::move(on);
  return true;
}

// 1 deepening, by the number of worlds and plans, and by how long these are.
void AlphaBeta::deepen_plans() {
  const int deepest = std::min(limits_.depth, kMaxDepth);
  int count = kFirstPlans;
  for (int depth = 1; depth <= deepest; ++depth) {
    if (depth > 1) count = std::min(2 * count, kMostPlans);
    const int worlds = static_cast<int>(roots_.size());
    const bool more = depth > 1 && 2 * worlds <= options_.most_worlds;
    if (more) deal(State(roots_[0].state), worlds);
    if (!iterate_plans(depth, count)) return;
    ++counts_[kDeepening];
    const bool all = std::none_of(plans_made_.begin(), plans_made_.end(), [](const Plan& one) { return one.open; });
    if (found_.size() == 1 || nodes_ >= limits_.nodes || (all && 4 * worlds > options_.most_worlds)) return;
  }
}

} // namespace sevenfold
