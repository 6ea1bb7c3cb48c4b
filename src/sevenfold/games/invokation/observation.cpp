// Each object has a place of its own among the features: on a character, or on a side.
#include "invokation/observation.h"

namespace sevenfold::invokation {

namespace {

struct Places {
  std::array<int, kIds> attached{}, field{}; // -1: nowhere
  int attachable = 0, on_field = 0;
};

Places find_places() {
  Places out;
  out.attached.fill(-1);
  out.field.fill(-1);
  const int talent = out.attachable++;
  for (int id = 1; id < kIds; ++id) {
    const auto i = static_cast<std::size_t>(id);
    const Entry& entry = of(static_cast<Id>(id));
    switch (entry.kind) {
      case Kind::talent: out.attached[i] = talent; break;
      case Kind::weapon:
      case Kind::artifact:
      case Kind::status: out.attached[i] = out.attachable++; break;
      case Kind::food:
        if (entry.usage > 0) out.attached[i] = out.attachable++;
        break;
      case Kind::event:
        if (id == kShatteringIce || id == kFerventFlames) out.attached[i] = out.attachable++;
        else if (entry.usage > 0) out.field[i] = out.on_field++;
        break;
      default: out.field[i] = out.on_field++; break;
    }
  }
  return out;
}

const Places kPlaces = find_places();

} // namespace

void observed(const Position& p, int viewer, Observation& out) {
  int base = 0;
  const auto put = [&](int place, double value) {
    if (place >= 0 && base + place < kFeatures) out.feature(base + place) += static_cast<float>(value);
  };
  for (const int player : {viewer, 1 - viewer}) {
    const Side& s = p.at(player);
    const bool open = player == viewer;
    for (int seat = 0; seat < kTeam; ++seat) {
      const Fighter& one = s.at(seat);
      put(one.who, 1);
      base += kCharacters;
      put(0, one.hp / 10.0);
      put(1, static_cast<double>(one.energy) / p.setup->numbers.energy[one.who]);
      put(2, one.alive);
      put(3, p.shows_active(player, viewer) && seat == s.active);
      int aura = 4;
      for (const int element : {kCryo, kHydro, kPyro, kElectro, kDendro}) put(aura++, one.aura >> element & 1);
      base += 9;
      for (const Thing& thing : one.on) put(kPlaces.attached[thing.id], thing.usage > 0 ? thing.usage / 2.0 : 1);
      base += kAttachable;
    }
    for (const Thing& thing : s.combat) put(kPlaces.field[thing.id], thing.usage / 2.0);
    for (const Thing& thing : s.summons) put(kPlaces.field[thing.id], thing.usage / 2.0);
    for (std::size_t i = 0; i < s.supports; ++i)
      put(kPlaces.field[s.support[i].id], s.support[i].usage > 0 ? s.support[i].usage / 2.0 : 0.5);
    base += kOnField;
    if (open)
      for (std::size_t face = 0; face < kFaces; ++face) put(static_cast<int>(face), s.dice[face] / 4.0);
    const bool aside = p.wait == Wait::reroll && p.mover == player;
    put(kFaces, (s.dice_total() + (aside ? p.rerolled : 0)) / 8.0);
    base += kFaces + 1;
    // The other's cards as one heap, of which nothing but the card that a skill makes is told where its list is
    // unknown.
    const auto unseen = [&](int card) {
      if (open || !p.setup->archetypes || card == kStiletto) put(kCards + card, 0.5);
    };
    for (std::size_t i = 0; i < s.hand_size; ++i) open ? put(s.hand[i], 0.5) : unseen(s.hand[i]);
    for (std::size_t i = 0; i < s.pile_size; ++i) unseen(s.pile[i]);
    if (!open)
      for (std::size_t i = 0; i < s.gone; ++i) unseen(s.gone_cards[i]);
    base += 2 * kCards;
    put(0, s.hand_size / 5.0);
    put(1, s.pile_size / 30.0);
    put(2, s.has(kEnded));
    put(3, s.has(kLostOne));
    base += 4;
  }
  put(0, p.round / 15.0);
  put(1, p.wait != Wait::over && p.turn == viewer);
  put(2, p.first == viewer);
  put(3, p.mover == viewer);
  put(4 + static_cast<int>(p.wait), 1);
}

} // namespace sevenfold::invokation
