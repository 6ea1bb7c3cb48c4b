// What is good, as far as a look can tell: the terms of an evaluation, their weights, and an order of the actions.
//
// The evaluation is linear in the terms, V = tanh(sum over k of w_k (t_k(me) - t_k(other))): smooth, antisymmetric
// between the players and inside (-1, 1).
#pragma once

#include <string_view>

#include "invokation/position.h"

namespace sevenfold::invokation {

constexpr int kHandicapDice = 2;

constexpr std::array<std::string_view, 26> kTermNames{
    "hp",        "hp_low",  "alive",         "energy",        "charged",        "aura",
    "frozen",    "dice",    "fit_dice",      "hand",          "summon_hits",    "summon_heals",
    "strikes",   "shields", "barriers",      "infusion",      "boosts",         "weapons",
    "artifacts", "talents", "dice_supports", "card_supports", "other_supports", "cheap_switch",
    "moves",     "alone"};

void list_terms(const Position& p, int player, Terms& out);
double judged(const Position& p); // for player 0
void sort_actions(const Position& p, Action previous, ActionList& list);
// A fast action of the round that neither switches, nor draws, nor rolls.
bool stays_put(Action action);

} // namespace sevenfold::invokation
