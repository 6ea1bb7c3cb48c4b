#include "search/pimc.h"

#include <algorithm>

namespace sevenfold {

Pimc::Pimc(const Game& game, const PimcOptions& options) : game_(game), options_(options), rng_(options.seed) {
  if (options.search <= 0) return;
  MctsOptions inner;
  inner.policy = options.policy;
  inner.memory = options.memory;
  inner.seed = options.seed;
  mcts_ = std::make_unique<Mcts>(game, inner);
}

void Pimc::value(State& state, Values& out, Watch& watch) {
  if (mcts_ != nullptr && state.to_move() >= 0) {
    mcts_->reset(state);
    const Limits few{.simulations = static_cast<std::uint64_t>(options_.search)};
    out = mcts_->run(few, watch).values;
    return;
  }
  if (!state.is_over()) {
    if (options_.policy && state.table().rollout != nullptr) state.rollout(rng_);
    else state.play_out(rng_);
  }
  state.returns(out);
}

SearchReport Pimc::run(const State& root, const Limits& limits, Watch& watch) {
  SearchReport out;
  ActionList legal;
  root.legal_actions(legal);
  const auto count = static_cast<std::size_t>(legal.size());
  std::vector<Values> sums(count, Values{});
  std::vector<std::uint64_t> tries(count, 0);
  State world = root, state = root;
  Watch inner; // the outer one counts and stops simulations, not those within a world
  std::size_t at = 0;
  out.seconds = run_within(limits, watch, out.simulations, [&] {
    if (at == 0) { // a new world, for all actions in turn
      world = root;
      world.redeal(root.to_move(), rng_);
    }
    state.step(world, legal[at]);
    Values values{};
    value(state, values, inner);
    for (std::size_t p = 0; p < values.size(); ++p) sums[at][p] += values[p];
    ++tries[at];
    at = (at + 1) % count;
    return true;
  });
  const auto mover = static_cast<std::size_t>(root.to_move());
  const auto mean = [&](std::size_t i, std::size_t p) {
    return tries[i] > 0 ? sums[i][p] / static_cast<double>(tries[i]) : game_.facts().min_return;
  };
  std::size_t best = 0;
  for (std::size_t i = 0; i < count; ++i) {
    out.actions.push_back({.action = legal[i],
                           .visits = tries[i],
                           .value = mean(i, mover),
                           .prior = 1.0 / static_cast<double>(count),
                           .pv = {legal[i]}});
    if (mean(i, mover) > mean(best, mover)) best = i;
  }
  out.actions[best].share = 1;
  out.action = legal[best];
  out.pv = {out.action};
  for (std::size_t p = 0; p < out.values.size(); ++p) out.values[p] = mean(best, p);
  out.nodes = out.simulations;
  out.method = "pimc";
  return out;
}

} // namespace sevenfold
