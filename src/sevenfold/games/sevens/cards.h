// Cards of Sevens as bits: card c = 13 * suit + rank - 1, suits spades, hearts, diamonds, clubs, ranks A = 1 to K = 13.
// A set of cards is a 64-bit mask; the points of a card are its rank.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/types.h"

namespace sevenfold::sevens {

using Cards = std::uint64_t;

constexpr int kSuits = 4, kRanks = 13, kDeck = kSuits * kRanks;
constexpr Action kPass = kDeck; // in the variants that have it
constexpr int kSeven = 6;       // the place of the 7 in its row

constexpr Cards bit(int card) { return Cards{1} << card; }
constexpr Cards kAll = bit(kDeck) - 1;
constexpr Cards kSuit = bit(kRanks) - 1;
constexpr Cards kSevens = bit(6) | bit(19) | bit(32) | bit(45);
constexpr Cards kEnds = kSevens >> 6 | kSevens << 6; // aces and kings

constexpr int suit_of(int card) { return card / kRanks; }
constexpr int place_of(int card) { return card % kRanks; } // 0 .. 12
constexpr int rank_of(int card) { return place_of(card) + 1; }
constexpr Cards suit_cards(int suit) { return kSuit << (kRanks * suit); }

constexpr int count(Cards cards) { return std::popcount(cards); }
constexpr int lowest(Cards cards) { return std::countr_zero(cards); }

template <class F>
constexpr void each(Cards cards, F f) {
  for (; cards != 0; cards &= cards - 1) f(lowest(cards));
}

namespace detail {
constexpr auto make_slices() {
  std::array<Cards, 4> out{};
  for (int card = 0; card < kDeck; ++card)
    for (std::size_t i = 0; i < 4; ++i)
      if ((rank_of(card) >> i & 1) != 0) out[i] |= bit(card);
  return out;
}
constexpr auto make_opens() {
  std::array<Cards, kDeck> out{};
  for (int card = 0; card < kDeck; ++card) {
    const int place = place_of(card);
    if (place >= kSeven && place < kRanks - 1) out[static_cast<std::size_t>(card)] |= bit(card + 1);
    if (place <= kSeven && place > 0) out[static_cast<std::size_t>(card)] |= bit(card - 1);
  }
  return out;
}
constexpr auto make_beyond() {
  std::array<Cards, kDeck> out{};
  for (int card = 0; card < kDeck; ++card)
    for (int other = 0; other < kDeck; ++other) {
      if (suit_of(other) != suit_of(card)) continue;
      const int here = place_of(card) - kSeven, there = place_of(other) - kSeven;
      if ((here >= 0 && there > here) || (here <= 0 && there < here)) out[static_cast<std::size_t>(card)] |= bit(other);
    }
  return out;
}
inline constexpr auto kSlices = make_slices();
inline constexpr auto kOpens = make_opens();
inline constexpr auto kBeyond = make_beyond();
} // namespace detail

// The sum of the ranks, by the binary digits of the rank.
constexpr int points(Cards cards) {
  return count(cards & detail::kSlices[0]) + 2 * count(cards & detail::kSlices[1]) +
         4 * count(cards & detail::kSlices[2]) + 8 * count(cards & detail::kSlices[3]);
}
// The cards next to a card, away from the 7; both neighbours of a 7.
constexpr Cards opens(int card) { return detail::kOpens[static_cast<std::size_t>(card)]; }
// The cards of its chain that are further away from the 7 than a card.
constexpr Cards beyond(int card) { return detail::kBeyond[static_cast<std::size_t>(card)]; }
// Those beyond any of several cards.
constexpr Cards beyond_any(Cards cards) {
  Cards out = 0;
  each(cards, [&](int card) { out |= beyond(card); });
  return out;
}

constexpr std::string_view kSuitSigns[] = {"♠", "♥", "♦", "♣"};
constexpr std::string_view kSuitLetters = "SHDC", kRankLetters = "A23456789TJQK";

// "♠7", "♥10".
inline std::string card_text(int card) {
  std::string out(kSuitSigns[suit_of(card)]);
  const char rank = kRankLetters[static_cast<std::size_t>(place_of(card))];
  return rank == 'T' ? out + "10" : out + rank;
}

// "♠A 3 10  ♥7": by suit, the sign once.
inline std::string cards_text(Cards cards) {
  std::string out;
  for (int suit = 0; suit < kSuits; ++suit) {
    const Cards row = cards & suit_cards(suit);
    if (row == 0) continue;
    if (!out.empty()) out += "  ";
    out += kSuitSigns[suit];
    bool first = true;
    each(row, [&](int card) {
      if (!first) out += ' ';
      out += card_text(card).substr(kSuitSigns[suit].size());
      first = false;
    });
  }
  return out.empty() ? "-" : out;
}

inline int rank_read(std::string_view text) { // 1 .. 13, or 0
  if (text == "10") return 10;
  if (text.size() != 1) return 0;
  char letter = text[0];
  if (letter >= 'a' && letter <= 'z') letter = static_cast<char>(letter - 'a' + 'A');
  const std::size_t at = kRankLetters.find(letter);
  return at == std::string_view::npos ? 0 : static_cast<int>(at) + 1;
}

// A card as people write it: "S7", "♠7", "h10", "HT"; -1 for anything else.
inline int card_read(std::string_view text) {
  for (int suit = 0; suit < kSuits; ++suit) {
    const std::string_view sign = kSuitSigns[suit];
    std::string_view rank;
    if (text.starts_with(sign)) rank = text.substr(sign.size());
    else if (!text.empty() && (text[0] & ~0x20) == kSuitLetters[static_cast<std::size_t>(suit)]) rank = text.substr(1);
    else continue;
    if (const int read = rank_read(rank); read > 0) return kRanks * suit + read - 1;
  }
  return -1;
}

} // namespace sevenfold::sevens
