// Positions of Sevens as texts: the table for people, and the deal with the actions so far for programs.
//
//   A5T.7K.23.Q/…/…/… S7 H7 HT     the dealt hands by seat (spades.hearts.diamonds.clubs), then what was played,
//   dealing A.../2.../.../...      covered or passed in turn; or a deal that is not done
#pragma once

#include <stdexcept>
#include <vector>

#include "core/text.h"
#include "sevens/observation.h"
#include "sevens/scoring.h"

namespace sevenfold::sevens {

inline std::string hand_written(Cards cards) {
  std::string out;
  for (int suit = 0; suit < kSuits; ++suit) {
    if (suit > 0) out += '.';
    each(cards & suit_cards(suit), [&](int card) { out += kRankLetters[static_cast<std::size_t>(place_of(card))]; });
  }
  return out;
}

inline std::string written(const Position& p) {
  std::string out = p.dealing() ? "dealing " : "";
  for (int seat = 0; seat < p.players(); ++seat) {
    if (seat > 0) out += '/';
    out += hand_written(p.origin(seat));
  }
  for (std::size_t i = 0; i < p.logged; ++i) {
    const int card = p.log[i].card;
    if (card == kPass) out += " pass";
    else
      out += {' ', kSuitLetters[static_cast<std::size_t>(suit_of(card))],
              kRankLetters[static_cast<std::size_t>(place_of(card))]};
  }
  for (int i = 0; i < p.waits; ++i) out += " pass";
  return out;
}

// Reads what `written` writes; the actions must be legal. Forced passes may be left out before a card.
class Reader {
 public:
  explicit Reader(const Setup& setup) : out_(setup) {}

  Position read(std::string_view text) {
    std::vector<std::string_view> words = split(text, ' ');
    require(!words.empty(), "it is empty");
    const bool partly = words[0] == "dealing";
    if (partly) words.erase(words.begin());
    require(!words.empty(), "the hands are missing");
    const std::array<Cards, kSeats> hands = read_hands(words[0]);
    if (partly) {
      require(words.size() == 1, "nothing can be played before all cards are dealt");
      return read_deal(hands);
    }
    check_sizes(hands);
    deal(hands, kDeck);
    for (std::size_t i = 1; i < words.size(); ++i) read_action(words[i]);
    return out_;
  }

 private:
  static void require(bool fine, const std::string& fault) {
    if (!fine) throw std::invalid_argument("not a sevens position of this game: " + fault + ".");
  }
  static std::vector<std::string_view> split(std::string_view text, char sign) {
    std::vector<std::string_view> out;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(sign), text.size());
      if (end > 0 || sign != ' ') out.push_back(text.substr(0, end));
      if (end == text.size()) return out;
      text.remove_prefix(end + 1);
      if (text.empty() && sign != ' ') out.push_back(text);
    }
    return out;
  }

  std::array<Cards, kSeats> read_hands(std::string_view word) const {
    const auto hands = split(word, '/');
    require(static_cast<int>(hands.size()) == out_.players(),
            "it has " + std::to_string(hands.size()) + " hands for " + std::to_string(out_.players()) + " players");
    std::array<Cards, kSeats> out{};
    Cards seen = 0;
    for (std::size_t seat = 0; seat < hands.size(); ++seat) {
      const auto suits = split(hands[seat], '.');
      require(suits.size() == kSuits, "a hand is four suits such as A5T.7K.23.Q, not " + quote(hands[seat]));
      for (int suit = 0; suit < kSuits; ++suit)
        for (const char& letter : suits[static_cast<std::size_t>(suit)]) {
          const int rank = rank_read(std::string_view(&letter, 1));
          require(rank > 0, quote(std::string_view(&letter, 1)) + " in " + quote(hands[seat]) + " is no rank");
          const int card = kRanks * suit + rank - 1;
          require((seen & bit(card)) == 0, card_text(card) + " is dealt twice");
          seen |= bit(card);
          out[seat] |= bit(card);
        }
    }
    return out;
  }
  void check_sizes(const std::array<Cards, kSeats>& hands) const {
    for (int seat = 0; seat < out_.players(); ++seat) {
      const int got = count(hands[Position::at(seat)]), due = out_.setup->size[Position::at(seat)];
      require(got == due, "player " + std::to_string(seat) + " is dealt " + std::to_string(got) + " cards, not " +
                              std::to_string(due));
    }
  }
  void deal(const std::array<Cards, kSeats>& hands, int cards) {
    for (int card = 0; card < cards; ++card)
      for (int seat = 0; seat < out_.players(); ++seat)
        if ((hands[Position::at(seat)] & bit(card)) != 0) out_.deal(seat);
  }
  Position read_deal(const std::array<Cards, kSeats>& hands) {
    Cards all = 0;
    for (int seat = 0; seat < out_.players(); ++seat) {
      all |= hands[Position::at(seat)];
      require(count(hands[Position::at(seat)]) <= out_.setup->size[Position::at(seat)],
              "player " + std::to_string(seat) + " is dealt too many cards");
    }
    const int cards = count(all);
    require(cards < kDeck, "all cards are dealt");
    require(all == bit(cards) - 1, "the cards are dealt in the order of spades, hearts, diamonds, clubs, from the ace");
    deal(hands, cards);
    return out_;
  }

  void read_action(std::string_view word) {
    const int card = word == "pass" ? kPass : card_read(word);
    require(card >= 0, quote(word) + " is neither a card such as S7 nor pass");
    while (out_.to_move() >= 0 && card != kPass && out_.setup->variant == Variant::pass && out_.legal() == bit(kPass))
      out_.play(kPass);
    require(out_.to_move() >= 0, "the deal is over before " + quote(word));
    require((out_.legal() >> card & 1) != 0,
            "player " + std::to_string(out_.mover) + " cannot play " + quote(word) + " there");
    out_.play(card);
  }

  Position out_;
};

// The table for one pair of eyes; -1 sees everything, and so does everybody when the deal is over.
class Drawing {
 public:
  Drawing(const Position& p, int viewer) : p_(p), viewer_(p.over ? -1 : viewer) {}

  std::string text() const {
    std::string out = head();
    for (int suit = 0; suit < kSuits; ++suit) (out += '\n') += row(suit);
    for (int seat = 0; seat < p_.players(); ++seat) (out += '\n') += line(seat);
    if (p_.logged > 0) (out += "\nlast: ") += last_events();
    if (!p_.dealing() && !p_.over) out += stakes();
    return out;
  }

 private:
  bool sees(int seat) const { return viewer_ < 0 || viewer_ == seat || p_.is_out(seat); }
  static std::string player(int seat) { return "player " + std::to_string(seat); }

  std::string head() const {
    if (p_.dealing()) return "card " + std::to_string(p_.dealt + 1) + " of 52 is dealt";
    if (p_.over) return "the deal is over after " + std::to_string(p_.ply) + " plies";
    std::string out = "ply " + std::to_string(p_.ply + 1) + (p_.setup->covers() ? " of 52, " : ", ");
    out += player(p_.mover) + " to move";
    const bool stuck = (p_.hand[Position::at(p_.mover)] & p_.frontier) == 0;
    if (stuck && sees(p_.mover)) out += p_.setup->covers() ? ", nothing fits: cover a card" : ", nothing fits: pass";
    return out;
  }
  // Growing from the seven: what lies there, and a dot for what does not.
  std::string row(int suit) const {
    std::string out(kSuitSigns[suit]);
    for (int place = 0; place < kRanks; ++place) {
      const int card = kRanks * suit + place;
      std::string cell = (p_.board & bit(card)) == 0 ? "·" : card_text(card).substr(kSuitSigns[suit].size());
      out += (cell == "10" ? " " : "  ") + cell;
    }
    return p_.closed[Position::at(suit)] != kNever ? out + "  closed" : out;
  }
  std::string line(int seat) const {
    const std::size_t i = Position::at(seat);
    std::string out = player(seat);
    if (p_.dealer == seat) out += " (dealer)";
    // The cards are dealt in a fixed order: a count would tell who has got the last one.
    if (p_.dealing() && !sees(seat)) return out + ": is dealt in";
    if (p_.is_out(seat)) return out + ": out, " + cards_text(p_.covered[i]) + " laid open";
    const int held = count(p_.hand[i]);
    out += held == 0 ? ": no cards" : ": " + std::to_string(held) + (held == 1 ? " card" : " cards");
    if (held > 0 && sees(seat)) out += " " + cards_text(p_.hand[i]);
    if (p_.setup->covers()) {
      out += "; covered " + std::to_string(count(p_.covered[i]));
      if (sees(seat) && p_.covered[i] != 0)
        out += ": " + cards_text(p_.covered[i]) + ", " + std::to_string(points(p_.covered[i])) + " points";
    } else {
      out += "; passed " + std::to_string(p_.passes[i]);
    }
    if (p_.over && p_.hand[i] != 0) out += "; left " + std::to_string(points(p_.hand[i])) + " points";
    if (seat == viewer_) {
      if (const Cards dead = dead_cards(p_, seat); dead != 0) out += "; dead " + cards_text(dead);
    } else if (const Cards no = p_.excluded[i] & ~p_.board; no != 0 && held > 0 && !sees(seat)) {
      out += "; has no " + cards_text(no);
    }
    return out;
  }
  std::string last_events() const {
    std::string out;
    const int first = std::max(0, p_.logged - p_.players());
    for (int i = first; i < p_.logged; ++i) {
      const Event& event = p_.log[static_cast<std::size_t>(i)];
      if (i > first) out += ", ";
      out += player(event.seat) + " ";
      if (event.card == kPass) out += "passes";
      else if (event.covered == 0) out += card_text(event.card);
      else out += sees(event.seat) ? "covers " + card_text(event.card) : "covers";
    }
    return out;
  }
  static std::string times(double factor) {
    std::string number = std::to_string(factor);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    return std::string("×").append(number);
  }
  std::string stakes() const {
    const Setup& s = *p_.setup;
    if (s.scoring != Scoring::seed_pot) return "";
    std::string out;
    std::string clean; // who may still play everything
    for (int seat = 0; seat < p_.players(); ++seat)
      if (p_.covered[Position::at(seat)] == 0) clean += (clean.empty() ? "" : " or ") + player(seat);
    const auto add = [&](const std::string& stake) { (out += out.empty() ? "\nat stake: " : ", ") += stake; };
    if (s.mult_shutout != 1 && !clean.empty())
      add(times(s.mult_shutout) + " for all losers if " + clean + " covers nothing");
    if (s.mult_dealer_loses != 1 && p_.dealer >= 0)
      add(times(s.mult_dealer_loses) + " for " + player(p_.dealer) + " as the dealer");
    if (s.mult_threshold != 1) add(times(s.mult_threshold) + " above " + times(s.threshold).substr(2) + " points");
    return out;
  }

  const Position& p_;
  int viewer_;
};

} // namespace sevenfold::sevens
