// Options and decks: reading them, and saying what is wrong with them.
#include "invokation/setup.h"

#include <algorithm>
#include <stdexcept>

#include "core/text.h"

namespace sevenfold::invokation {

namespace {

std::string_view trimmed(std::string_view text) {
  const auto from = text.find_first_not_of(" \t\r\n");
  if (from == std::string_view::npos) return {};
  return text.substr(from, text.find_last_not_of(" \t\r\n") - from + 1);
}

bool same_word(std::string_view a, std::string_view b) { // capitals do not matter
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return (x >= 'A' && x <= 'Z' ? x + 32 : x) == (y >= 'A' && y <= 'Z' ? y + 32 : y);
         });
}

[[noreturn]] void refuse(const std::string& sentence) { throw std::invalid_argument("invokation: " + sentence); }

#define SHARED                                                                                                       \
  "2 The Bestest Travel Companion!; 2 Changing Shifts; 2 Toss-Up; 2 Strategize; 2 Leave It to Me!; 2 Jueyun Guoba; " \
  "2 Sweet Madame; 2 Mondstadt Hash Brown; 2 Vanarana; 2 Paimon; 2 Katheryne; 2 Liben; "
constexpr std::string_view kSamples[] = {
    "Diluc; Kaeya; Sucrose; " SHARED
    "Flowing Flame; Cold-Blooded Strike; Chaotic Entropy; White Iron Greatsword; Traveler's Handy Sword; Magic Guide",
    "Fischl; Collei; Barbara; " SHARED "Stellar Predator; Floral Sidewinder; Glorious Season; 2 Raven Bow; Magic Guide",
    "Xiangling; Xingqiu; Ningguang; " SHARED
    "Crossfire; The Scent Remained; Strategic Reserve; White Tassel; Traveler's Handy Sword; Magic Guide",
    "Noelle; Keqing; Diona; " SHARED
    "I Got Your Back; Thundering Penance; Shaken, Not Purred; White Iron Greatsword; Traveler's Handy Sword; Raven Bow",
};
#undef SHARED

} // namespace

std::string_view sample_deck(char letter) {
  const int i = (letter >= 'a' ? letter - 'a' : letter - 'A');
  return i >= 0 && i < 4 ? kSamples[i] : std::string_view{};
}

int find_character(std::string_view name) {
  for (const Character& one : kCharacterTable)
    if (same_word(one.name, name)) return one.who;
  return -1;
}

int find_card(std::string_view name) {
  for (int card = kFirstCard; card < kCards; ++card)
    if (same_word(of(static_cast<Id>(card)).name, name)) return card;
  return 0;
}

Deck read_deck(std::string_view text, bool strict) {
  if (text = trimmed(text); text.size() == 1 && !sample_deck(text[0]).empty()) text = sample_deck(text[0]);
  Deck deck;
  int team = 0;
  for (std::size_t from = 0; from <= text.size();) {
    const auto end = std::min(text.find(';', from), text.size());
    std::string_view word = trimmed(text.substr(from, end - from));
    from = end + 1;
    if (word.empty()) continue;
    int n = 1;
    if (word[0] >= '0' && word[0] <= '9') {
      n = 0;
      while (!word.empty() && word[0] >= '0' && word[0] <= '9')
        n = std::min(99, n * 10 + word[0] - '0'), word.remove_prefix(1);
      word = trimmed(word);
    }
    if (const int who = find_character(word); who >= 0) {
      if (team == kTeam) refuse("a deck has three characters, and " + quote(word) + " is one too many.");
      deck.team[static_cast<std::size_t>(team++)] = static_cast<std::uint8_t>(who);
    } else if (const int card = find_card(word); card != 0) {
      if (deck.cards.size() + static_cast<std::size_t>(n) > kMostPile)
        refuse("a deck has at most 30 cards, and this one has more.");
      deck.cards.insert(deck.cards.end(), static_cast<std::size_t>(n), static_cast<std::uint8_t>(card));
    } else {
      refuse("there is no character or card " + quote(word) + ".");
    }
  }
  if (team != kTeam) refuse("a deck names three characters, not " + std::to_string(team) + ".");
  if (deck.team[0] == deck.team[1] || deck.team[0] == deck.team[2] || deck.team[1] == deck.team[2])
    refuse("the three characters of a deck are different ones.");
  if (strict)
    if (const std::string fault = deck_fault(deck); !fault.empty()) refuse(fault);
  return deck;
}

std::string deck_fault(const Deck& deck) {
  std::array<int, kCards> count{};
  for (const std::uint8_t card : deck.cards) {
    const Entry& entry = of(static_cast<Id>(card));
    const std::string name(entry.name);
    if (++count[card] > 2) return "a deck has a card at most twice, and this one has more of " + name + ".";
    if (card == kStiletto) return name + " cannot be put into a deck: a skill makes it.";
    int owners = 0, of_element = 0;
    for (const std::uint8_t who : deck.team) {
      owners += of(static_cast<Who>(who)).talent == card;
      of_element += of(static_cast<Who>(who)).element == entry.element;
    }
    if (entry.kind == Kind::talent && owners == 0) return name + " needs its character in the team.";
    if (card >= kWovenIce && card <= kSprawlingGreenery && of_element < 2)
      return name + " needs two characters of its element.";
  }
  if (deck.cards.size() != kMostPile)
    return "a deck has 30 cards, and this one has " + std::to_string(deck.cards.size()) + ".";
  return {};
}

std::string deck_text(const Deck& deck) {
  std::string out;
  for (const std::uint8_t who : deck.team) (out += out.empty() ? "" : "; ") += of(static_cast<Who>(who)).name;
  std::array<int, kCards> count{};
  for (const std::uint8_t card : deck.cards) ++count[card];
  for (std::size_t card = 0; card < kCards; ++card)
    if (count[card] > 0)
      ((out += "; ") += count[card] > 1 ? std::to_string(count[card]) + " " : "") += of(static_cast<Id>(card)).name;
  return out;
}

OptionList Setup::options() {
  return {
      Option::text("deck0", "A",
                   "player 0's deck: the letter of a sample deck (A to D), or its three characters and 30 cards with "
                   "semicolons between them, as in 'Diluc; Kaeya; Sucrose; 2 Strategize; …'"),
      Option::text("deck1", "A", "player 1's deck"),
      Option::integer("rounds", 15, 1, 50, "rounds, after which nobody has won"),
      Option::choice("version", "4.5", {"3.3", "3.8", "4.5"}, "the official version whose numbers and costs count"),
      Option::choice("dice", "roll", {"roll", "omni"}, "omni: every die shows Omni"),
      Option::choice("pay", "auto", {"auto", "choose"},
                     "auto: the dice of least use pay; choose: the player picks each die"),
      Option::choice(
          "lists", "known", {"known", "archetype"},
          "what a player knows of the other's deck: all of its cards, or what decks of its team usually have"),
      Option::choice("disputed", "official", {"official", "lpsim"},
                     "points on which simulators differ: as the official text has them, or as LPSim does"),
  };
}

Setup::Setup(const Options& options)
    : rounds(static_cast<int>(options.integer("rounds"))),
      choose_dice(options.text("pay") == "choose"),
      lpsim(options.text("disputed") == "lpsim"),
      omni(options.text("dice") == "omni"),
      archetypes(options.text("lists") == "archetype"),
      numbers(options.text("version") == "3.3"   ? 33
              : options.text("version") == "3.8" ? 38
                                                 : 45),
      decks{read_deck(options.text("deck0"), true), read_deck(options.text("deck1"), true)} {}

} // namespace sevenfold::invokation
