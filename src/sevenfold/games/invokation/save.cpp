// Positions as one line of text. A start with given decks:
//
//   new|first=0|deck0=Diluc; Kaeya; Sucrose; …|deck1=…|listed=1|dice=CHPEAGDO…
//
// listed: the cards are drawn in the order of the list, instead of by chance; first: who begins (left out: by chance);
// dice: the faces that come, one letter each, * for Omni for ever. Any other position is its memory in hexadecimal
// digits with a sum to notice slips: at|…|dice=…
#include <algorithm>
#include <mutex>
#include <set>
#include <stdexcept>

#include "core/hash.h"
#include "core/text.h"
#include "invokation/text.h"

namespace sevenfold::invokation {

namespace {

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument("invokation: " + sentence); }

// Scripts of dice live as long as the program, each once, so that a position can point to one and stay plain memory.
const std::string* kept(std::string_view faces) {
  static std::mutex lock;
  static std::set<std::string, std::less<>> all;
  const std::scoped_lock guard(lock);
  const auto found = all.find(faces);
  return &(found != all.end() ? *found : *all.emplace(faces).first);
}

const std::string* script_of(std::string_view faces) {
  if (faces.find_first_not_of("CHPEAGDO") != std::string_view::npos)
    refuse("dice are written as the letters C H P E A G D O, not " + quote(faces) + ".");
  if (faces.size() > 60000) refuse("a script has at most 60000 dice.");
  return faces.empty() ? nullptr : kept(faces);
}

std::string_view cut(std::string_view& text, char at) {
  const auto end = text.find(at);
  const std::string_view out = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return out;
}

// What is saved of a position: everything but the pointers.
template <class P, class Visit>
void parts(P& p, Visit visit) {
  visit(&p.side, sizeof p.side);
  visit(&p.task, sizeof p.task);
  visit(&p.scripted, sizeof p.scripted);
  visit(&p.wait, sizeof p.wait);
  for (auto* one : {&p.tasks, &p.mover, &p.turn, &p.first, &p.round, &p.remaining, &p.rerolled, &p.lowest, &p.serial,
                    &p.marks, &p.opened})
    visit(one, 1);
  visit(&p.returned, sizeof p.returned);
  visit(&p.paid, sizeof p.paid);
  visit(&p.pending, sizeof p.pending);
  visit(&p.winner, sizeof p.winner);
}

template <int Most>
bool sane(const Row<Most>& row) {
  if (row.count > Most) return false;
  for (const Thing& thing : row)
    if (thing.id == kNothing || thing.id >= kIds) return false;
  return true;
}

bool sane(const Side& s) {
  if (s.active >= kTeam || s.supports > kMostSupports || s.hand_size > kMostHand || s.pile_size > kMostPile ||
      s.gone > kMostPile)
    return false;
  if (!sane(s.combat) || !sane(s.summons) || s.dice_total() > kMostDice + 8) return false;
  for (const Fighter& one : s.team)
    if (one.who >= kCharacters || !sane(one.on) || one.aura > 127) return false;
  for (const Support& one : s.support) {
    if (one.id >= kCards || one.stores > 3) return false;
    for (const int face : one.stored)
      if (face >= kFaces) return false;
  }
  for (const int card : s.hand)
    if (card >= kCards) return false;
  for (const int card : s.pile)
    if (card >= kCards) return false;
  for (const int card : s.gone_cards)
    if (card >= kCards) return false;
  return true;
}

bool sane(const Position& p) {
  if (!sane(p.side[0]) || !sane(p.side[1]) || p.tasks > kMostTasks || p.wait > Wait::over) return false;
  if (p.mover > 1 || p.turn > 1 || p.first > 1 || p.winner < -1 || p.winner > 1 || p.lowest > kFaces) return false;
  if (p.wait == Wait::pay && (p.pending < 0 || p.pending >= kTune)) return false;
  for (std::size_t i = 0; i < p.tasks; ++i) {
    const Task& task = p.task[i];
    if (task.type >= Task::trigger + static_cast<int>(Event::count) || task.who > 15) return false;
    if (task.type < Task::trigger && task.who > 1) return false;
    if (task.type >= Task::trigger && task.who % 8 > kAmongSupports) return false;
    if (task.type == Task::skill && (task.a >= kTeam || task.b > kBurst)) return false;
    if (task.type == Task::event && task.key >= static_cast<int>(Event::count)) return false;
    if ((task.type == Task::event || task.type >= Task::trigger) && (task.a > 7 || task.a % 4 == 3 || task.b > 2))
      return false;
  }
  return true;
}

void begin(Position& p, std::string_view text) {
  Position fresh = p;
  fresh.side = {};
  fresh.task = {};
  bool listed = false;
  int first = -1;
  std::array<std::string_view, 2> decks;
  while (!text.empty()) {
    std::string_view value = cut(text, '|');
    const std::string_view key = cut(value, '=');
    if (key == "deck0") decks[0] = value;
    else if (key == "deck1") decks[1] = value;
    else if (key == "listed") listed = value == "1";
    else if (key == "dice") fresh.script = script_of(value);
    else if (key == "first" && (value == "0" || value == "1")) first = value == "1";
    else refuse("a start is written as new|first=0|deck0=…|deck1=…|listed=1|dice=…, not with " + quote(key) + ".");
  }
  for (int player = 0; player < 2; ++player) {
    Side& s = fresh.at(player);
    const std::string_view given = decks[static_cast<std::size_t>(player)];
    const Deck deck = given.empty() ? p.setup->decks[static_cast<std::size_t>(player)] : read_deck(given, !listed);
    for (int seat = 0; seat < kTeam; ++seat) s.at(seat).who = deck.team[static_cast<std::size_t>(seat)];
    for (const std::uint8_t card : deck.cards) s.pile[s.pile_size++] = card;
    if (listed) s.set(kStacked);
    else std::sort(s.pile.begin(), s.pile.begin() + s.pile_size);
  }
  fresh.wait = Wait::coin;
  fresh.start();
  if (first >= 0) fresh.play(kCoin + first);
  p = fresh;
}

} // namespace

std::string written(const Position& p) {
  std::string out = "at|";
  std::uint64_t sum = 0;
  constexpr std::string_view kDigits = "0123456789abcdef";
  parts(p, [&](const void* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      const unsigned char one = static_cast<const unsigned char*>(from)[i];
      sum = mix(sum, one);
      out += kDigits[one >> 4];
      out += kDigits[one & 15];
    }
  });
  for (int i = 0; i < 4; ++i) out += kDigits[sum >> (4 * i) & 15];
  if (p.script != nullptr) out += "|dice=" + *p.script;
  return out;
}

void read(Position& p, std::string_view text) {
  const std::string_view kind = cut(text, '|');
  if (kind == "new") return begin(p, text);
  if (kind != "at") refuse("a position begins with new| or at|, not with " + quote(kind) + ".");
  const std::string_view digits = cut(text, '|');
  Position fresh = p;
  fresh.script = nullptr;
  if (!text.empty()) {
    std::string_view value = cut(text, '|');
    if (cut(value, '=') != "dice" || !text.empty()) refuse("after the digits of a position only dice=… may follow.");
    fresh.script = script_of(value);
  }
  std::size_t at = 0;
  std::uint64_t sum = 0;
  bool fine = true;
  const auto digit = [&] {
    const char c = at < digits.size() ? digits[at] : 'x';
    ++at;
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    fine = false;
    return 0;
  };
  parts(fresh, [&](void* to, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes && fine; ++i) {
      const int high = digit();
      const auto one = static_cast<unsigned char>(high * 16 + digit());
      sum = mix(sum, one);
      static_cast<unsigned char*>(to)[i] = one;
    }
  });
  for (int i = 0; i < 4 && fine; ++i) fine = digit() == static_cast<int>(sum >> (4 * i) & 15);
  if (!fine || at != digits.size() || !sane(fresh)) refuse("this is not the text of a position, or it was damaged.");
  p = fresh;
}

} // namespace sevenfold::invokation
