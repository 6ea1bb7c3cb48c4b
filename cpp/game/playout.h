// Plays a position to its end at random: every legal action equally likely, chance by its probabilities.
// A template over the rules, so that the compiler sees through every call; the erased State calls the
// instantiation through one function pointer per playout instead of three per ply.
#pragma once

#include "core/rng.h"
#include "core/types.h"
#include "game/rules.h"

namespace sevenfold {

inline Action sample(const OutcomeList& outcomes, Rng& rng) {
  double left = rng.uniform();
  for (const auto& [action, probability] : outcomes)
    if ((left -= probability) < 0) return action;
  return outcomes[static_cast<std::size_t>(outcomes.size() - 1)].action; // rounding left a crumb
}

template <class R>
Action random_outcome(const R& rules, Rng& rng) {
  OutcomeList outcomes;
  rules.chance(outcomes);
  return sample(outcomes, rng);
}

template <class R>
Action random_legal(const R& rules, Rng& rng) {
  if constexpr (HasRandomAction<R>) {
    return rules.random_action(rng);
  } else {
    ActionList actions;
    rules.legal_actions(actions);
    if (actions.empty()) return kNoAction;
    return actions[rng.below(static_cast<std::uint32_t>(actions.size()))];
  }
}

// Plays `rules` to the end in place and returns the number of plies, or -1 if the game did not end.
template <class R>
int play_out(R& rules, Rng& rng) {
  for (int plies = 0; plies < kMaxPlies; ++plies) {
    const int mover = rules.to_move();
    if (mover == TERMINAL) return plies;
    Action action;
    if constexpr (HasChance<R>) action = mover == CHANCE ? random_outcome(rules, rng) : random_legal(rules, rng);
    else action = random_legal(rules, rng);
    if (action == kNoAction) return -1; // nothing is legal, yet the game is not over: the rules are wrong
    rules.play(action);
  }
  return -1;
}

} // namespace sevenfold
