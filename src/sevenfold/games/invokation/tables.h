// What is known about characters, skills, cards and objects, as data: official number, English name, cost, element,
// weapon, usages. The numbers are those of official version 4.5; `Numbers` has them for the version that a game is
// played with, changed by the table of earlier values in tables.cpp.
#pragma once

#include <array>
#include <string_view>

#include "invokation/ids.h"

namespace sevenfold::invokation {

// Dice and energy: so many of one element (or Omni), so many of one common element, so many of any kind.
struct Cost {
  std::uint8_t element = kNoElement, of_element = 0, same = 0, any = 0, energy = 0;
  constexpr int dice() const { return of_element + same + any; }
  friend constexpr bool operator==(const Cost&, const Cost&) = default;
};

constexpr Cost free_of_charge() { return {}; }
constexpr Cost same(int n) { return {.same = static_cast<std::uint8_t>(n)}; }
constexpr Cost any(int n) { return {.any = static_cast<std::uint8_t>(n)}; }
constexpr Cost of(Element element, int n, int energy = 0, int any = 0) {
  return {.element = element,
          .of_element = static_cast<std::uint8_t>(n),
          .any = static_cast<std::uint8_t>(any),
          .energy = static_cast<std::uint8_t>(energy)};
}

struct Character {
  Who who;
  int number;
  std::string_view name;
  Element element;
  Weapon weapon;
  Nation nation;
  int hp, energy;
  int skill_cost, burst_cost; // dice of the element
  std::array<std::string_view, 3> skills;
  Id talent;
};

enum class Kind : std::uint8_t {
  none,
  talent,
  event,
  food,
  location,
  companion,
  weapon,
  artifact,
  combat_status,
  status,
  summon
};
// What a card is played on.
enum class Target : std::uint8_t { none, own_character, own_standby, own_defeated, own_summon, enemy_summon };

struct Entry {
  Id id;
  int number;
  std::string_view name;
  Kind kind;
  Cost cost{};
  Target target = Target::none;
  int usage = 0;                // what it enters the table with
  int most = 0;                 // stacks up to; 0: usage is refreshed to the larger one
  Weapon weapon = Weapon::none; // of a weapon card
  Element element = kOmni;      // of the element's cards: resonance, artifacts
  bool this_round = false;      // gone at the end of the round
  bool rounds = false;          // usage counts rounds
};

extern const std::array<Character, kCharacters> kCharacterTable;
extern const std::array<Entry, kIds> kEntryTable;

inline const Character& of(Who who) { return kCharacterTable[who]; }
inline const Entry& of(Id id) { return kEntryTable[id]; }
inline bool is_support(Kind kind) { return kind == Kind::location || kind == Kind::companion; }
inline bool is_equipment(Kind kind) { return kind == Kind::weapon || kind == Kind::artifact || kind == Kind::talent; }

constexpr std::array<std::string_view, 9> kElementNames{"Cryo", "Hydro",  "Pyro",     "Electro", "Anemo",
                                                        "Geo",  "Dendro", "Physical", "Piercing"};
constexpr std::array<std::string_view, kFaces> kDieNames{"Cryo",  "Hydro", "Pyro",   "Electro",
                                                         "Anemo", "Geo",   "Dendro", "Omni"};

// The numbers that balance changes have touched, for one version.
struct Numbers {
  explicit Numbers(int version = 45); // 10 times the official version

  std::array<Cost, kCards> cost;                // of each card
  std::array<std::uint8_t, kCharacters> energy; // full
  int rainbow_damage = 1, xingqiu_burst = 2, xiangling_burst = 3, dandelion_damage = 1;
  int rain_sword_talent_threshold = 2, catalyzing_field = 2, minty_uses = 3;
  bool refresh_to_larger = true; // re-creating an object never makes it smaller
  bool send_off_destroys = false, one_comeback_a_round = true, earrings_limited = true, lithic_counts_defeated = true;
};

} // namespace sevenfold::invokation
