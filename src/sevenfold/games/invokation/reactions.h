// Elements meeting: which reaction an element makes with an aura, and what stays of the aura.
//
// Only Cryo, Hydro, Pyro, Electro and Dendro stick. One aura at a time, but Cryo and Dendro share a character; then
// Cryo reacts first and Dendro stays.
#pragma once

#include "invokation/ids.h"

namespace sevenfold::invokation {

enum class Reaction : std::uint8_t {
  none,
  melt,
  vaporize,
  overloaded,
  superconduct,
  electro_charged,
  frozen,
  swirl,
  crystallize,
  burning,
  bloom,
  quicken
};

constexpr int bonus_of(Reaction reaction) {
  switch (reaction) {
    case Reaction::none:
    case Reaction::swirl: return 0;
    case Reaction::melt:
    case Reaction::vaporize:
    case Reaction::overloaded: return 2;
    default: return 1;
  }
}

struct Met {
  Reaction reaction = Reaction::none;
  std::uint8_t with = kNoElement; // the aura that was used up
  std::uint8_t aura = 0;          // what the character carries then
};

constexpr std::uint8_t bit_of(int element) { return static_cast<std::uint8_t>(1 << element); }
constexpr std::uint8_t kSticks = bit_of(kCryo) | bit_of(kHydro) | bit_of(kPyro) | bit_of(kElectro) | bit_of(kDendro);

constexpr Reaction reaction_of(int a, int b) { // two different elements, in any order
  const auto are = [&](int x, int y) { return (a == x && b == y) || (a == y && b == x); };
  if (a == kAnemo || b == kAnemo) return a == kDendro || b == kDendro ? Reaction::none : Reaction::swirl;
  if (a == kGeo || b == kGeo) return a == kDendro || b == kDendro ? Reaction::none : Reaction::crystallize;
  if (are(kPyro, kCryo)) return Reaction::melt;
  if (are(kPyro, kHydro)) return Reaction::vaporize;
  if (are(kPyro, kElectro)) return Reaction::overloaded;
  if (are(kCryo, kElectro)) return Reaction::superconduct;
  if (are(kHydro, kElectro)) return Reaction::electro_charged;
  if (are(kCryo, kHydro)) return Reaction::frozen;
  if (are(kPyro, kDendro)) return Reaction::burning;
  if (are(kHydro, kDendro)) return Reaction::bloom;
  if (are(kElectro, kDendro)) return Reaction::quicken;
  return Reaction::none; // Cryo and Dendro
}

constexpr Met meet_slowly(int aura, int element) {
  for (const int old : {kCryo, kHydro, kPyro, kElectro, kDendro}) { // Cryo before Dendro
    if ((aura & bit_of(old)) == 0 || old == element) continue;
    if (const Reaction reaction = reaction_of(old, element); reaction != Reaction::none)
      return {reaction, static_cast<std::uint8_t>(old), static_cast<std::uint8_t>(aura & ~bit_of(old))};
  }
  return {Reaction::none, kNoElement, static_cast<std::uint8_t>(aura | (bit_of(element) & kSticks))};
}

// All auras fit seven bits.
inline constexpr auto kMeetings = [] {
  struct Table {
    Met met[128][kElements];
  } out{};
  for (int aura = 0; aura < 128; ++aura)
    for (int element = 0; element < kElements; ++element) out.met[aura][element] = meet_slowly(aura, element);
  return out;
}();

inline Met meet(int aura, int element) { return kMeetings.met[aura & 127][element]; }

} // namespace sevenfold::invokation
