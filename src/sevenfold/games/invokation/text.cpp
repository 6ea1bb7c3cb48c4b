// Drawing, JSON and words. The JSON has the keys of a common dump of simulators: round, turn, players with active,
// ended, dice, hand, pile, chars, combat_status, summons, supports.
#include "invokation/text.h"

#include "invokation/dice.h"

namespace sevenfold::invokation {

namespace {

std::string name_of(int id) { return std::string(of(static_cast<Id>(id)).name); }
std::string name_of(const Fighter& one) { return std::string(one.data().name); }
std::string number(int n) { return std::to_string(n); }

std::string dice_words(const std::array<std::uint8_t, kFaces>& dice) {
  std::string out;
  for (std::size_t face = 0; face < kFaces; ++face) {
    if (dice[face] == 0) continue;
    if (!out.empty()) out += ' ';
    out.append(number(dice[face])).append(1, ' ').append(kDieNames[face]);
  }
  return out.empty() ? "none" : out;
}

std::string auras(const Fighter& one) {
  std::string out;
  for (std::size_t e = 0; e < kElements; ++e)
    if ((one.aura >> e & 1) != 0) out += (out.empty() ? " {" : "+") + std::string(kElementNames[e]);
  return out.empty() ? out : out + "}";
}

std::string thing_words(const Thing& thing) {
  std::string out = name_of(thing.id);
  if (thing.usage > 0) out += " " + number(thing.usage);
  if (thing.id == kWindSpirit && (thing.extra & 15) > 0)
    out += " (" + std::string(kElementNames[static_cast<std::size_t>((thing.extra & 15) - 1)]) + ")";
  return out;
}

template <class Things>
std::string row_words(const Things& row) {
  std::string out;
  for (const Thing& thing : row) out += (out.empty() ? "" : ", ") + thing_words(thing);
  return out;
}

std::string phase_words(const Position& p) {
  const std::string who = "player " + number(p.mover);
  switch (p.wait) {
    case Wait::coin: return "who begins is drawn";
    case Wait::draw: return who + " draws a card";
    case Wait::roll: return who + " rolls dice";
    case Wait::redraw: return who + " may redraw";
    case Wait::opening: return who + " chooses an active character";
    case Wait::reroll: return who + " may reroll";
    case Wait::choose: return who + " chooses the next active character";
    case Wait::act: return who + " to move";
    case Wait::pay: return who + " pays";
    default: return p.winner < 0 ? "over: nobody has won" : "over: player " + number(p.winner) + " has won";
  }
}

std::string quoted(std::string_view text) { // names have neither quotes nor backslashes
  std::string out(1, '"');
  return out.append(text).append(1, '"');
}

class List {
 public:
  void add(const std::string& item) { text_ += (text_.empty() ? "" : ", ") + item; }
  std::string text() const { return "[" + text_ + "]"; }

 private:
  std::string text_;
};

std::string upper(std::string_view name) {
  std::string out(name);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  return out;
}

std::string thing_json(int id, int usage, int used, const std::string& more = "") {
  return "{\"name\": " + quoted(name_of(id)) + ", \"usage\": " + number(usage) + ", \"used\": " + number(used) + more +
         "}";
}

template <class Things>
std::string row_json(const Things& row) {
  List out;
  for (const Thing& thing : row) {
    std::string more;
    if (thing.id == kWindSpirit)
      more = ", \"element\": " + quoted(upper(kElementNames[static_cast<std::size_t>(
                                     (thing.extra & 15) > 0 ? (thing.extra & 15) - 1 : static_cast<int>(kAnemo))]));
    if (thing.extra != 0) more += ", \"extra\": " + number(thing.extra);
    out.add(thing_json(thing.id, thing.usage, thing.used, more));
  }
  return out.text();
}

std::string side_json(const Side& s) {
  List dice, hand, pile, chars, supports;
  for (std::size_t face = 0; face < kFaces; ++face)
    for (int i = 0; i < s.dice[face]; ++i) dice.add(quoted(upper(kDieNames[face])));
  for (std::size_t i = 0; i < s.hand_size; ++i) hand.add(quoted(name_of(s.hand[i])));
  for (std::size_t i = 0; i < s.pile_size; ++i) pile.add(quoted(name_of(s.pile[i])));
  for (const Fighter& one : s.team) {
    List aura;
    for (std::size_t e = 0; e < kElements; ++e)
      if ((one.aura >> e & 1) != 0) aura.add(quoted(upper(kElementNames[e])));
    chars.add("{\"name\": " + quoted(name_of(one)) + ", \"hp\": " + number(one.hp) +
              ", \"max_hp\": " + number(one.data().hp) + ", \"energy\": " + number(one.energy) +
              ", \"max_energy\": " + number(one.data().energy) + ", \"alive\": " + (one.alive ? "true" : "false") +
              ", \"aura\": " + aura.text() + ", \"attached\": " + row_json(one.on) + "}");
  }
  for (std::size_t i = 0; i < s.supports; ++i) {
    const Support& one = s.support[i];
    List stored;
    for (std::size_t k = 0; k < one.stores; ++k) stored.add(quoted(upper(kDieNames[one.stored[k]])));
    supports.add(thing_json(one.id, one.usage, one.used, ", \"collected\": " + stored.text()));
  }
  return "{\"active\": " + number(s.active) + ", \"ended\": " + (s.has(kEnded) ? "true" : "false") +
         ", \"dice\": " + dice.text() + ", \"hand\": " + hand.text() + ", \"pile\": " + pile.text() +
         ", \"chars\": " + chars.text() + ", \"combat_status\": " + row_json(s.combat) +
         ", \"summons\": " + row_json(s.summons) + ", \"supports\": " + supports.text() + "}";
}

constexpr std::array<std::string_view, 10> kWaitNames{"coin",   "draw",   "roll", "redraw", "opening",
                                                      "reroll", "choose", "act",  "pay",    "over"};

} // namespace

std::string drawn(const Position& p, int viewer) {
  std::string out = "round " + number(p.round) + ", " + phase_words(p) + "\n";
  for (int player = 0; player < 2; ++player) {
    const Side& s = p.at(player);
    const bool open = viewer < 0 || viewer == player;
    const bool chosen = p.shows_active(player, viewer);
    out += "player " + number(player) + (s.has(kEnded) ? " (ended the round)" : "") + "\n";
    for (int seat = 0; seat < kTeam; ++seat) {
      const Fighter& one = s.at(seat);
      out += chosen && seat == s.active ? " * " : "   ";
      out += name_of(one);
      if (!one.alive) {
        out += " defeated\n";
        continue;
      }
      out += " " + number(one.hp) + "/" + number(one.data().hp) + " hp, energy " + number(one.energy) + "/" +
             number(p.setup->numbers.energy[one.who]) + auras(one);
      if (one.on.count > 0) out += " [" + row_words(one.on) + "]";
      out += "\n";
    }
    if (s.combat.count > 0) out += "   statuses: " + row_words(s.combat) + "\n";
    if (s.summons.count > 0) out += "   summons: " + row_words(s.summons) + "\n";
    if (s.supports > 0) {
      out += "   supports: ";
      for (std::size_t i = 0; i < s.supports; ++i) {
        const Support& one = s.support[i];
        out += (i > 0 ? ", " : "") + name_of(one.id) + (one.usage > 0 ? " " + number(one.usage) : "");
      }
      out += "\n";
    }
    const bool putting = p.wait == Wait::reroll && p.mover == player;
    out += "   dice: " + (open ? dice_words(s.dice) : number(s.dice_total() + (putting ? p.rerolled : 0)));
    if (open && putting && p.rerolled > 0) out += ", put aside " + number(p.rerolled);
    out += "\n   hand: ";
    if (open) {
      for (std::size_t i = 0; i < s.hand_size; ++i) out += (i > 0 ? ", " : "") + name_of(s.hand[i]);
      if (s.hand_size == 0) out += "empty";
    } else {
      out += number(s.hand_size);
    }
    out += "; pile: " + number(s.pile_size) + "\n";
  }
  return out;
}

std::string action_words(const Position& p, Action action) {
  if (p.wait == Wait::coin) return "first" + number(action - kCoin);
  if (p.wait == Wait::draw) return "draw " + name_of(action - kDrawn);
  if (p.wait == Wait::roll) return "roll " + dice_words(kThrowTable[static_cast<std::size_t>(action - kRolled)].faces);
  const Side& me = p.at(p.mover);
  if (action < kSwitchTo) return std::string(me.front().data().skills[static_cast<std::size_t>(action)]);
  if (action < kEndRound) return "switch to " + name_of(me.at(action - kSwitchTo));
  if (action == kEndRound) return "end";
  if (action < kRedraw) return "choose " + name_of(me.at(action - kChoose));
  if (action < kPay) {
    std::string out;
    for (std::size_t i = 0; i < me.hand_size; ++i)
      if (((action - kRedraw) >> i & 1) != 0) out += (out.empty() ? "redraw " : " + ") + name_of(me.hand[i]);
    return out.empty() ? "keep" : out;
  }
  if (action < kRollNow) return "pay " + std::string(kDieNames[static_cast<std::size_t>(action - kPay)]);
  if (action == kRollNow) return p.rerolled > 0 ? "roll" : "keep";
  if (action < kPlayCard) {
    const int face = (action - kReroll) / 16, n = (action - kReroll) % 16 + 1;
    return "reroll " + number(n) + " " + std::string(kDieNames[static_cast<std::size_t>(face)]);
  }
  if (action < kTune) {
    const int card = (action - kPlayCard) / 5, target = (action - kPlayCard) % 5 - 1;
    const Entry& entry = of(static_cast<Id>(card));
    std::string out = "play " + name_of(card);
    if (target < 0) return out;
    if (is_support(entry.kind))
      return out + " for support " + number(target + 1) + " (" +
             name_of(me.support[static_cast<std::size_t>(target)].id) + ")";
    if (entry.target == Target::own_summon)
      return out + " on " + name_of(me.summons.item[static_cast<std::size_t>(target)].id);
    if (entry.target == Target::enemy_summon)
      return out + " on " + name_of(p.at(1 - p.mover).summons.item[static_cast<std::size_t>(target)].id);
    return out + " on " + name_of(me.at(target));
  }
  const int card = (action - kTune) / 8, face = (action - kTune) % 8;
  return "tune " + std::string(kDieNames[static_cast<std::size_t>(face)]) + " with " + name_of(card);
}

std::string json_of(const Position& p) {
  return "{\"round\": " + number(p.round) + ", \"turn\": " + number(p.turn) +
         ", \"state\": " + quoted(kWaitNames[static_cast<std::size_t>(p.wait)]) + ", \"winner\": " + number(p.winner) +
         ", \"first\": " + number(p.first) + ", \"players\": [" + side_json(p.side[0]) + ", " + side_json(p.side[1]) +
         "]}";
}

} // namespace sevenfold::invokation
