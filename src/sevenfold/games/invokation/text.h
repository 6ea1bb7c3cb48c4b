// A position and its actions as text: for people, for programs (JSON), and to be read again.
#pragma once

#include <string>

#include "invokation/position.h"

namespace sevenfold::invokation {

std::string drawn(const Position& p, int viewer); // viewer -1 sees everything
std::string action_words(const Position& p, Action action);
std::string json_of(const Position& p);

// "new|…" is a start with given decks, "at|…" any position.
std::string written(const Position& p);
void read(Position& p, std::string_view text);

} // namespace sevenfold::invokation
