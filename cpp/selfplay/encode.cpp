#include "selfplay/encode.h"

#include <algorithm>
#include <stdexcept>

namespace sevenfold {

int encode(const Game& game, const Sample& sample, float* planes, float* features, std::uint8_t* legal, float* policy) {
  const Facts& facts = game.facts();
  State state = game.initial();
  ActionList list;
  for (std::int32_t i = 0; i < sample.ply; ++i) {
    // The records are the user's files: an illegal action in one must not reach the rules.
    list.clear();
    state.choices(list);
    if (std::find(list.begin(), list.end(), sample.actions[i]) == list.end())
      throw std::invalid_argument("a recorded game has an illegal action.");
    state.play(sample.actions[i]);
  }
  const int viewer = state.to_move();
  if (viewer < 0) throw std::invalid_argument("a recorded position has no player to move.");
  const bool looks = state.table().looks != nullptr; // more than symmetries, where a game offers them
  const int images = looks ? state.looks() : state.symmetries();
  const int image = static_cast<int>(sample.symmetry % static_cast<std::uint32_t>(std::max(1, images)));
  const auto turned = [&](Action action) {
    const Action seen = image == 0 ? action
                        : looks    ? state.look_action(image, action)
                                   : state.symmetric_action(image, action);
    return static_cast<std::size_t>(seen);
  };
  std::fill(planes, planes + facts.planes.size(), 0.0f);
  std::fill(features, features + facts.features, 0.0f);
  std::fill(legal, legal + facts.actions, std::uint8_t{0});
  std::fill(policy, policy + facts.actions, 0.0f);
  list.clear();
  state.legal_actions(list);
  for (const Action action : list) legal[turned(action)] = 1;
  for (std::size_t i = 0; i < sample.policy_size; ++i) {
    if (sample.policy_actions[i] >= facts.actions)
      throw std::invalid_argument("a recorded policy has an action that the game does not.");
    const std::size_t place = turned(sample.policy_actions[i]);
    if (legal[place] == 0) throw std::invalid_argument("a recorded policy has an illegal action.");
    policy[place] = sample.policy_shares[i];
  }
  if (image > 0 && looks) state.look(image);
  else if (image > 0) state.make_symmetric(image);
  Observation seen(facts.planes, planes, features);
  state.observe(viewer, seen);
  return viewer;
}

} // namespace sevenfold
