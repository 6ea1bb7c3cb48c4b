// What a network sees: the viewer's side, then the other's without what is hidden, then the round.
#pragma once

#include "game/observation.h"
#include "invokation/position.h"

namespace sevenfold::invokation {

constexpr int kAttachable = 45, kOnField = 42; // kinds of objects on a character, and elsewhere on a side
constexpr int kFighterFeatures = kCharacters + 9 + kAttachable;
constexpr int kSideFeatures = kTeam * kFighterFeatures + kOnField + kFaces + 1 + 2 * kCards + 4;
constexpr int kFeatures = 2 * kSideFeatures + 14;

void observed(const Position& p, int viewer, Observation& out);

} // namespace sevenfold::invokation
