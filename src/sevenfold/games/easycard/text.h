// Texts of an easycard position: for people (draw, view) and for programs (to_text, parse).
//
// A position is "round mover phase/side/side", a side "hp dice energy pet flags hand pile", such as
//   1 0 play/12 6 0 0 - 11211 00000/12 6 0 0 - 11211 00000
// The phase is play, over, or chance and how many things it has yet to decide. Flags are letters (s swift, c cheap,
// f food, a ate, F field, e ended) or "-"; hand and pile count the kinds in the order swift, cheap, snack, field, pet.
#pragma once

#include <charconv>

#include "core/text.h"
#include "easycard/position.h"

namespace sevenfold::easycard {

constexpr std::string_view kFlagLetters = "scfaFe";
constexpr std::string_view kFlagNames[] = {"swift", "cheap", "food", "ate", "field", "ended"};

inline std::string cards_text(const Counts& cards) {
  std::string out;
  for (std::size_t card = 0; card < kCards; ++card) {
    if (cards[card] == 0) continue;
    if (!out.empty()) out += ", ";
    if (cards[card] > 1) out += std::to_string(cards[card]) + ' ';
    out += kCardNames[card];
  }
  return out.empty() ? "none" : out;
}

// The position for people; with a viewer, the other's hand is a number, and its cards are known only with its pile's.
inline std::string drawn(const Position& p, int viewer = -1) {
  const Setup& setup = *p.setup;
  std::string out = "round " + std::to_string(p.round + 1) + " of " + std::to_string(setup.rounds) + ", ";
  if (p.over) out += "the game is over";
  else if (p.open > 0) out += "chance decides, then player " + std::to_string(p.mover) + " begins";
  else out += "player " + std::to_string(p.mover) + " to move";
  for (int player = 0; player < 2; ++player) {
    const Side& s = p.at(player);
    out += "\nplayer " + std::to_string(player) + ": hp " + std::to_string(s.hp) + "/" + std::to_string(setup.hp) +
           "  dice " + std::to_string(s.dice) + "  energy " + std::to_string(s.energy) + "/" +
           std::to_string(kFullEnergy) + "  pet " + std::to_string(s.pet);
    for (std::size_t flag = 0; flag < kFlagLetters.size(); ++flag)
      if (s.has(1 << flag)) (out += "  ") += kFlagNames[flag];
    if (viewer < 0 || viewer == player) {
      out += "\n  hand: " + cards_text(s.hand);
      if (total(s.pile) > 0) out += "; pile: " + cards_text(s.pile);
    } else {
      Counts unseen = s.pile;
      for (std::size_t card = 0; card < kCards; ++card)
        unseen[card] = static_cast<std::uint8_t>(unseen[card] + s.hand[card]);
      out += "\n  hand: " + std::to_string(total(s.hand)) + " closed; not seen yet: " + cards_text(unseen);
    }
  }
  return out;
}

inline std::string written(const Position& p) {
  std::string out = std::to_string(p.round + 1) + ' ' + std::to_string(p.mover) + ' ';
  out += p.over ? "over" : p.open > 0 ? "chance" + std::to_string(p.open) : "play";
  for (const Side& s : p.side) {
    out += '/';
    for (const int number : {s.hp, s.dice, s.energy, s.pet}) out += std::to_string(number) + ' ';
    if (s.flags == 0) out += '-';
    for (std::size_t flag = 0; flag < kFlagLetters.size(); ++flag)
      if (s.has(1 << flag)) out += kFlagLetters[flag];
    for (const Counts& counts : {s.hand, s.pile}) {
      out += ' ';
      for (const int count : counts) out += static_cast<char>('0' + count);
    }
  }
  return out;
}

// Reads what `written` writes, and refuses what no play leads to as far as a look at the numbers can tell.
class Reader {
 public:
  Reader(std::string_view text, const Setup& setup) : rest_(text), out_(setup) {}

  Position read() {
    const Setup& setup = *out_.setup;
    out_.round = static_cast<std::uint8_t>(number(' ', 1, setup.rounds, "the round") - 1);
    out_.mover = static_cast<std::int8_t>(number(' ', 0, 1, "the mover"));
    read_phase(until('/'));
    read_side(out_.side[0], '/');
    read_side(out_.side[1], '\0');
    for (int player = 0; player < 2; ++player) check_cards(player);
    check_phase();
    return out_;
  }

 private:
  static void require(bool fine, const std::string& fault) {
    if (!fine) throw std::invalid_argument("not an easycard position of this game: " + fault + ".");
  }

  std::string_view until(char end) {
    const std::size_t at = end == '\0' ? rest_.size() : rest_.find(end);
    require(at != std::string_view::npos, "it looks like '" + written(Position(*out_.setup)) + "'");
    const std::string_view word = rest_.substr(0, at);
    rest_.remove_prefix(end == '\0' ? at : at + 1);
    return word;
  }
  static int whole(std::string_view word, int low, int high, const std::string& what) {
    int value = -1;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool plain = word.size() == 1 || (!word.empty() && word[0] >= '1'); // one spelling only
    require(plain && read.ec == std::errc() && read.ptr == word.data() + word.size() && value >= low && value <= high,
            what + " must be from " + std::to_string(low) + " to " + std::to_string(high) + ", not " + quote(word));
    return value;
  }
  int number(char end, int low, int high, const std::string& what) { return whole(until(end), low, high, what); }

  void read_phase(std::string_view word) {
    out_.over = word == "over";
    out_.open = 0;
    if (out_.over || word == "play") return;
    constexpr std::string_view kChance = "chance";
    require(word.substr(0, kChance.size()) == kChance,
            "the phase is play, over or chance and a number, not " + quote(word));
    const int most = static_cast<int>(out_.setup->draws[out_.round].size());
    require(most > 0, "chance decides nothing in this round");
    out_.open = static_cast<std::uint8_t>(whole(word.substr(kChance.size()), 1, most, "what chance has to decide"));
  }

  void read_side(Side& s, char end) {
    const Setup& setup = *out_.setup;
    s = {};
    s.hp = static_cast<std::int8_t>(number(' ', 0, setup.hp, "hp"));
    s.dice = static_cast<std::int8_t>(number(' ', 0, setup.most_dice(), "dice"));
    s.energy = static_cast<std::int8_t>(number(' ', 0, kFullEnergy, "energy"));
    s.pet = static_cast<std::int8_t>(number(' ', 0, kPetRounds, "the pet's timer"));
    const std::string_view flags = until(' ');
    std::string again;
    for (std::size_t flag = 0; flag < kFlagLetters.size(); ++flag) {
      if (flags.find(kFlagLetters[flag]) == std::string_view::npos) continue;
      s.set(1 << flag);
      again += kFlagLetters[flag];
    }
    require(flags == (again.empty() ? "-" : again), "flags are letters of 'scfaFe' in this order, or '-'");
    read_counts(s.hand, until(' '));
    read_counts(s.pile, until(end));
  }
  static void read_counts(Counts& counts, std::string_view word) {
    bool fine = word.size() == kCards;
    for (std::size_t card = 0; fine && card < kCards; ++card) {
      fine = word[card] >= '0' && word[card] <= '9';
      counts[card] = static_cast<std::uint8_t>(word[card] - '0');
    }
    require(fine, "cards are five digits such as 11211, not " + quote(word));
  }

  // How many cards a player has been dealt so far.
  int dealt(int player) const {
    const Setup& setup = *out_.setup;
    int out = setup.deal == Deal::fixed ? total(setup.cards) : 0;
    for (int round = 0; round <= out_.round; ++round) {
      const auto& list = setup.draws[static_cast<std::size_t>(round)];
      const std::size_t done = list.size() - (round == out_.round ? out_.open : 0u);
      for (std::size_t i = 0; i < done; ++i) out += list[i].what == Draw::What::card && list[i].player != 1 - player;
    }
    return out;
  }
  void check_cards(int player) const {
    const Setup& setup = *out_.setup;
    const Side& s = out_.at(player);
    for (std::size_t card = 0; card < kCards; ++card)
      require(s.hand[card] + s.pile[card] <= setup.cards[card], "there are not so many cards of a kind");
    const int got = dealt(player);
    require(total(s.hand) <= got, "a hand has more cards than were dealt");
    const bool gone = setup.deal == Deal::same && got == setup.hand; // what is not dealt is out of the game
    require(total(s.pile) == (gone ? 0 : total(setup.cards) - got), "a pile has not as many cards as are left");
    if (out_.round == 0 && out_.open > 0) require(total(s.hand) == got, "a card is missing before the first action");
    if (setup.deal == Deal::same && out_.round == 0 && out_.open > 0)
      require(s.hand == out_.at(0).hand && s.pile == out_.at(0).pile, "both are dealt the same hand");
  }

  void check_phase() const {
    for (const Side& s : out_.side) require(!s.has(kFood) || s.has(kAte), "food needs a snack eaten in this round");
    const Side& mover = out_.at(out_.mover);
    const Side& other = out_.at(1 - out_.mover);
    if (out_.over) {
      const bool last = out_.round + 1 == out_.setup->rounds && mover.has(kEnded) && other.has(kEnded);
      require(mover.hp > 0 || other.hp > 0, "both players cannot have lost");
      return require(last || mover.hp == 0 || other.hp == 0, "the game is not over yet");
    }
    require(mover.hp > 0 && other.hp > 0, "the game is over when a player has no hp");
    require(!mover.has(kEnded), "the mover has ended its round");
    if (out_.open == 0) return;
    for (int player = 0; player < 2; ++player) check_waiting(player);
  }

  // A side while chance decides: nothing of the new round has happened.
  void check_waiting(int player) const {
    const Setup& setup = *out_.setup;
    const Side& s = out_.at(player);
    require(!s.has(kFood | kAte | kEnded), "nobody has acted in this round yet");
    if (out_.round == 0) {
      require(s.flags == 0 && s.energy == 0 && s.pet == 0 && out_.mover == 0, "nobody has acted yet");
      require(s.hp >= setup.start_hp, "a player cannot start with so few hp");
    }
    const auto& list = setup.draws[out_.round];
    bool thrown = true;
    for (std::size_t i = list.size() - out_.open; i < list.size(); ++i) {
      if (list[i].player != player) continue;
      if (list[i].what == Draw::What::dice) thrown = false;
      if (list[i].what == Draw::What::hp) require(s.hp == setup.hp, "hp that chance has not decided yet is the most");
    }
    const int least = setup.dice + s.has(kHasField);
    if (!thrown) require(s.dice == 0, "dice that are not thrown yet are 0");
    else require(s.dice >= least && s.dice <= least + setup.coins, "these dice cannot have been thrown");
  }

  std::string_view rest_;
  Position out_;
};

} // namespace sevenfold::easycard
