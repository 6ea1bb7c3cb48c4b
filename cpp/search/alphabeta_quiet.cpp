// 17 quiet: what a position is worth at the horizon, where something may be half done.
//
// In the middle of a round one side has spent its dice and the other has not, one has had its say and the other has
// not: two such positions cannot be compared by a sum of terms, and a search that does it puts off what is bad for it
// behind its horizon by actions that keep the turn. So both sides go on by the evaluation alone, each taking the action
// that is best right after it, until the game calls the position quiet, and that is valued. On the way chance is one
// outcome, drawn by the position: the same whenever the search comes back.
//
// It does not look for a better way on, so that it is no search; and it is no bound on the value.
#include "core/rng.h"
#include "game/playout.h"
#include "search/alphabeta.h"

namespace sevenfold {

double AlphaBeta::at_horizon(const State& state, int side) {
  if (state.quiet()) return evaluated(state, side);
  ++counts_[kQuiet];
  State& here = quiet_[0];
  here = state;
  for (int ply = 0; ply < options_.quiet_plies && !here.is_over() && !here.quiet(); ++ply) {
    if (here.to_move() != CHANCE) {
      go_on(here);
      continue;
    }
    Rng rng(coin(here.canonical(), kQuiet));
    OutcomeList outcomes;
    here.chance(outcomes);
    here.play(sample(outcomes, rng));
    ++nodes_;
  }
  return here.is_over() ? ended(here, side) : evaluated(here, side);
}

// The mover's action that is best right after it.
void AlphaBeta::go_on(State& here) {
  State &after = quiet_[1], &best = quiet_[2];
  const int side = side_of(here.to_move());
  ActionList actions;
  here.legal_actions(actions);
  double most = -std::numeric_limits<double>::infinity();
  for (const Action action : actions) {
    const bool over = after.step(here, action) == TERMINAL;
    ++nodes_;
    const double value = actions.size() == 1 ? 0 : over ? ended(after, side) : evaluated(after, side);
    if (value <= most) continue;
    most = value;
    best = after;
  }
  here = best;
}

} // namespace sevenfold
