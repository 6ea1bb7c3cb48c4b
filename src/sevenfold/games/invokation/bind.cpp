// The tables of cards and characters for Python, so that nobody writes them twice.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/bind.h"
#include "invokation/rules.h"

namespace sevenfold {

namespace {

using namespace invokation;

std::string cost_text(const Cost& cost) { // as in "3Pyro+2En"
  std::string out;
  const auto add = [&](int n, std::string_view what) {
    if (n <= 0) return;
    if (!out.empty()) out += '+';
    out += std::to_string(n);
    out += what;
  };
  add(cost.of_element, cost.of_element > 0 ? kElementNames[cost.element] : "");
  add(cost.same, "Same");
  add(cost.any, "Any");
  add(cost.energy, "En");
  return out.empty() ? "0" : out;
}

std::string_view kind_word(Kind kind) {
  constexpr std::string_view kWords[] = {"",       "talent",   "event",         "food",   "location", "companion",
                                         "weapon", "artifact", "combat_status", "status", "summon"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string_view weapon_word(Weapon weapon) {
  constexpr std::string_view kWords[] = {"", "catalyst", "bow", "claymore", "polearm", "sword"};
  return kWords[static_cast<std::size_t>(weapon)];
}

nb::dict entry_dict(const Entry& entry) {
  nb::dict out;
  out["id"] = static_cast<int>(entry.id);
  out["number"] = entry.number;
  out["name"] = std::string(entry.name);
  out["kind"] = std::string(kind_word(entry.kind));
  out["usage"] = entry.usage;
  if (entry.element != kOmni) out["element"] = std::string(kElementNames[entry.element]);
  if (entry.weapon != Weapon::none) out["weapon"] = std::string(weapon_word(entry.weapon));
  return out;
}

nb::list characters() {
  constexpr std::string_view kNations[] = {"Mondstadt", "Liyue", "Sumeru"};
  const Numbers numbers;
  nb::list out;
  for (const Character& one : kCharacterTable) {
    nb::dict row;
    row["id"] = static_cast<int>(one.who);
    row["number"] = one.number;
    row["name"] = std::string(one.name);
    row["element"] = std::string(kElementNames[one.element]);
    row["weapon"] = std::string(weapon_word(one.weapon));
    row["nation"] = std::string(kNations[static_cast<std::size_t>(one.nation)]);
    row["hp"] = one.hp;
    row["energy"] = static_cast<int>(numbers.energy[one.who]);
    nb::list skills;
    const Cost costs[] = {of(one.element, 1, 0, 2), of(one.element, one.skill_cost),
                          of(one.element, one.burst_cost, numbers.energy[one.who])};
    for (std::size_t i = 0; i < 3; ++i) {
      nb::dict skill;
      skill["name"] = std::string(one.skills[i]);
      skill["cost"] = cost_text(costs[i]);
      skills.append(skill);
    }
    row["skills"] = skills;
    row["talent"] = std::string(of(one.talent).name);
    out.append(row);
  }
  return out;
}

nb::list cards() {
  const Numbers numbers;
  nb::list out;
  for (int card = kFirstCard; card < kCards; ++card) {
    nb::dict row = entry_dict(of(static_cast<Id>(card)));
    row["cost"] = cost_text(numbers.cost[static_cast<std::size_t>(card)]);
    row["generated"] = card == kStiletto;
    out.append(row);
  }
  return out;
}

nb::list objects() { // statuses and summons that are no cards
  nb::list out;
  for (int id = kCards; id < kIds; ++id) out.append(entry_dict(of(static_cast<Id>(id))));
  return out;
}

const Invokation& position_of(const bind::BoundState& s) {
  if (&s.state.table() != &kTable<Invokation>) throw std::invalid_argument("this is for positions of invokation.");
  return held<Invokation>(s.state.data());
}

// The dice that an action takes, by face.
std::vector<int> payment_of(const Position& p, Action action) {
  const bool paid = p.wait == Wait::act && action < kTune && action != kEndRound;
  if (!paid) return std::vector<int>(kFaces, 0);
  const auto dice = p.payment(p.at(p.turn), p.cost_of(action));
  return {dice.begin(), dice.end()};
}

// Whether the turn stays where it is.
bool is_fast(const Position& p, Action action) {
  if (p.wait != Wait::act || action == kEndRound || action < kSwitchTo) return false;
  if (action < kEndRound) {
    Position looked = p;
    bool fast = false;
    looked.switch_cost(false, fast);
    return fast;
  }
  if (action >= kTune) return true;
  const int card = (action - kPlayCard) / 5;
  return of(static_cast<Id>(card)).kind != Kind::talent && card != kStiletto;
}

// Random games: how many decisions of players they had, and how many steps in all.
std::pair<std::int64_t, std::int64_t> random_games(const Invokation& start, std::int64_t games, std::uint64_t seed) {
  Rng rng(seed);
  std::int64_t decisions = 0, plies = 0;
  for (std::int64_t i = 0; i < games; ++i) {
    Invokation state = start;
    for (int mover = state.to_move(); mover != TERMINAL; mover = state.to_move(), ++plies) {
      decisions += mover != CHANCE;
      state.play(mover == CHANCE ? random_outcome(state, rng) : random_legal(state, rng));
    }
  }
  return {decisions, plies};
}

} // namespace

void bind_invokation(nb::module_& m) {
  m.def("characters", &characters,
        "Every character: number, name, element, weapon, nation, hp, energy, skills, talent.");
  m.def("cards", &cards, "Every card: id, official number, name, kind, cost.");
  m.def("objects", &objects, "Every status and summon that is no card.");
  m.def("sample_deck",
        [](const std::string& letter) { return std::string(sample_deck(letter.size() == 1 ? letter[0] : '?')); });
  m.def(
      "deck_fault",
      [](const std::string& text) {
        try {
          return deck_fault(read_deck(text, false));
        } catch (const std::invalid_argument& error) {
          return std::string(error.what());
        }
      },
      "What is wrong with a deck, as one sentence; empty: nothing.");
  m.def(
      "payment", [](const bind::BoundState& s, Action action) { return payment_of(position_of(s), action); },
      "How many dice of each face the engine pays for an action.");
  m.def(
      "is_fast", [](const bind::BoundState& s, Action action) { return is_fast(position_of(s), action); },
      "Whether an action is a fast one: the turn stays.");
  m.def(
      "random_games",
      [](const bind::BoundState& s, std::int64_t games, std::uint64_t seed) {
        const Invokation start = position_of(s);
        nb::gil_scoped_release release;
        return random_games(start, games, seed);
      },
      "Plays random games from here; how many decisions of players they had, and how many steps in all.");
  nb::dict ids;
  ids["skill"] = kUseSkill;
  ids["switch"] = kSwitchTo;
  ids["end"] = kEndRound;
  ids["choose"] = kChoose;
  ids["redraw"] = kRedraw;
  ids["pay"] = kPay;
  ids["roll"] = kRollNow;
  ids["reroll"] = kReroll;
  ids["card"] = kPlayCard;
  ids["tune"] = kTune;
  m.attr("ACTIONS") = ids; // where each kind of action begins; position.h says how they go on
}

} // namespace sevenfold
