// What the options of a game describe, made once: the decks, the version's numbers, and which reading of disputed
// cards.
#pragma once

#include <string>
#include <vector>

#include "game/registry.h"
#include "invokation/things.h"

namespace sevenfold::invokation {

struct Deck {
  std::array<std::uint8_t, kTeam> team{};
  std::vector<std::uint8_t> cards;
};

// "Diluc; Kaeya; Sucrose; 2 Strategize; …" (characters first, a number before a card says how many), or the letter of a
// sample deck. Throws std::invalid_argument with one sentence for unknown names; `strict` also for broken deck rules.
Deck read_deck(std::string_view text, bool strict);
std::string deck_text(const Deck& deck);
// What is wrong with a deck, as one sentence; nothing: it may be played.
std::string deck_fault(const Deck& deck);
std::string_view sample_deck(char letter); // A, B, C, D

int find_character(std::string_view name); // -1: unknown
int find_card(std::string_view name);      // 0: unknown

struct Setup {
  int rounds;
  bool choose_dice; // the player picks the dice that pay
  bool lpsim;       // disputed points as LPSim has them, for comparisons
  bool omni;        // all dice are Omni
  bool archetypes;  // the other's deck list is not known
  Numbers numbers;
  std::array<Deck, 2> decks;

  static OptionList options();
  explicit Setup(const Options& options);
};

} // namespace sevenfold::invokation
