// What the options of Sevens describe, made once per game: the rules of a table, refused where they make no sense
// together. page.md has them for people.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "game/registry.h"
#include "sevens/cards.h"

namespace sevenfold::sevens {

constexpr int kSeats = 6;      // at most
constexpr int kMostPasses = 5; // of limited_pass

enum class Variant : std::uint8_t { cover, pass, limited_pass };
enum class Start : std::uint8_t { spade7_first, diamond7_first, heart7_first, sevens_laid_first, left_of_dealer_any7 };
enum class End : std::uint8_t { all_cards, first_out, first_shutout };
enum class Winner : std::uint8_t { min_penalty, shutout_only, first_out, none };
enum class Ties : std::uint8_t { split, count_then_order, first_index, no_pot };
enum class Scoring : std::uint8_t { seed_pot, pairwise, tw_table, penalty_only, rank_points, cards_left };
enum class Dealer : std::uint8_t { starter, rotate, previous_loser, fixed, none };
enum class NoWinner : std::uint8_t { min_penalty_takes_pot, negative_sum, none };
enum class Bonus : std::uint8_t { off, multiplier, fixed };

struct Setup {
  int players;
  Variant variant;
  Start start;
  End end;
  Winner winner;
  Ties ties;
  Scoring scoring;
  Dealer dealer;
  NoWinner no_winner;
  Bonus last_seven;
  bool unit_cards, reversal, close_on_end, tunnel, obs11, timed, void_by_suit;
  double mult_shutout, mult_dealer_loses, mult_dealer_wins, mult_threshold, threshold, last_seven_value, pass_chip;
  int dealer_seat, first_seat, max_passes;
  std::array<int, kSeats> size{}; // of the hands

  static OptionList options();
  explicit Setup(const Options& options);

  bool covers() const { return variant == Variant::cover; }
  bool first_named() const { return start <= Start::heart7_first; } // a certain 7 is the first card played
  int first_seven() const {
    return start == Start::spade7_first ? 6 : start == Start::heart7_first ? 19 : 32; // laid: the diamonds' holder
  }
  bool zero_sum() const;
  double largest_penalty() const; // of one seat
  double all_penalties() const;   // of all seats together
  int most_passes() const;        // of all seats together
  void bounds(double& low, double& high) const;

 private:
  void require_sense() const;
};

inline OptionList Setup::options() {
  return {
      Option::integer("num_players", 4, 2, kSeats, "players; 52 cards are dealt, the first seats get one more"),
      Option::choice("variant", "cover", {"cover", "pass", "limited_pass"},
                     "cover: who cannot play lays a card face down; pass: who cannot play passes; limited_pass: "
                     "anybody may pass max_passes times, and who must pass once more is out"),
      Option::choice("start", "spade7_first",
                     {"spade7_first", "diamond7_first", "heart7_first", "sevens_laid_first", "left_of_dealer_any7"},
                     "the first card; or all sevens lie on the table first; or the seat after dealer_seat begins, and "
                     "any seven may be first"),
      Option::integer("first_seat", -1, -1, kSeats - 1,
                      "sevens_laid_first: who begins; -1: who held the seven of diamonds"),
      Option::choice("end", "all_cards", {"all_cards", "first_out", "first_shutout"},
                     "all_cards: no hand has cards; first_out: a hand is empty (not with cover); first_shutout: a "
                     "seat has played all its cards"),
      Option::choice("winner", "min_penalty", {"min_penalty", "shutout_only", "first_out", "none"},
                     "who takes the pot: the lowest penalty; only who has no penalty; the first with an empty hand "
                     "(not with cover); nobody"),
      Option::choice("ties", "split", {"split", "count_then_order", "first_index", "no_pot"},
                     "several winners: they share; the fewest cards, then the earliest last turn; the lowest seat; "
                     "nobody pays anything"),
      Option::choice("scoring", "seed_pot",
                     {"seed_pot", "pairwise", "tw_table", "penalty_only", "rank_points", "cards_left"},
                     "seed_pot: losers pay a pot, with multipliers; pairwise: everybody settles with everybody; "
                     "tw_table: 50 less the penalty, and bonuses; penalty_only; rank_points: the order alone; "
                     "cards_left: a pot of one chip for each card and pass_chip for each pass"),
      Option::choice("penalty_unit", "points", {"points", "cards"}, "what a card that was not played costs"),
      Option::real("mult_shutout", 2, 0, 100, "seed_pot: when somebody has no penalty; pairwise: when exactly one has"),
      Option::real("mult_dealer_loses", 2, 0, 100, "seed_pot: what the dealer pays"),
      Option::real("mult_dealer_wins", 1, 0, 100, "seed_pot: what all pay when the dealer wins"),
      Option::real("mult_threshold", 2, 0, 100, "seed_pot: what a penalty above the threshold pays"),
      Option::real("threshold", 50, 0, 1000, "seed_pot: see mult_threshold"),
      Option::choice("dealer", "starter", {"starter", "rotate", "previous_loser", "fixed", "none"},
                     "starter: who plays first; rotate, previous_loser, fixed: dealer_seat, which differs in what "
                     "next_deal makes of it; none: nobody"),
      Option::integer("dealer_seat", 0, 0, kSeats - 1, "the dealer of this deal, unless it is the starter"),
      Option::choice("no_winner", "min_penalty_takes_pot", {"min_penalty_takes_pot", "negative_sum", "void"},
                     "shutout_only, when nobody has a penalty of 0: the lowest wins; all pay and nobody gets it; "
                     "nobody pays"),
      Option::choice("all_covered", "normal", {"normal", "reversal_wins"},
                     "cover: who has covered every card pays; or wins"),
      Option::choice("last_seven_bonus", "off", {"off", "multiplier", "fixed"},
                     "seed_pot: the winner has played all its cards, the last one a seven: all pay so many times as "
                     "much, or so much more"),
      Option::real("last_seven_value", 2, 0, 1000, "see last_seven_bonus"),
      Option::flag("close_on_end", false, "cover: an ace or a king on the table closes its suit"),
      Option::flag("ak_tunnel", false, "ace and king are neighbours too"),
      Option::integer("jokers", 0, 0, 2, "jokers in the deck; only 0 can be played"),
      Option::integer("max_passes", 3, 0, kMostPasses, "limited_pass: passes of each seat"),
      Option::real("pass_chip", 0, 0, 100, "cards_left: chips into the pot for each pass"),
      Option::choice("observation", "obs24", {"obs24", "obs11", "timed"},
                     "what a network sees; timed: obs24, and when it happened"),
      Option::choice("void_mode", "card", {"card", "suit"},
                     "observation: cards that a seat has shown not to hold; or the whole suit of each"),
  };
}

inline Setup::Setup(const Options& options) {
  const auto read = [&](const char* name) { return static_cast<int>(options.integer(name)); };
  // The place of a choice among its words is its enumerator.
  const auto choice = [&](std::string_view name) {
    for (const Option& option : Setup::options())
      if (option.name == name)
        return std::find(option.choices.begin(), option.choices.end(), options.text(name)) - option.choices.begin();
    return std::ptrdiff_t{0};
  };
  players = read("num_players");
  variant = static_cast<Variant>(choice("variant"));
  start = static_cast<Start>(choice("start"));
  end = static_cast<End>(choice("end"));
  winner = static_cast<Winner>(choice("winner"));
  ties = static_cast<Ties>(choice("ties"));
  scoring = static_cast<Scoring>(choice("scoring"));
  dealer = static_cast<Dealer>(choice("dealer"));
  no_winner = static_cast<NoWinner>(choice("no_winner"));
  last_seven = static_cast<Bonus>(choice("last_seven_bonus"));
  unit_cards = options.text("penalty_unit") == "cards";
  reversal = options.text("all_covered") == "reversal_wins";
  close_on_end = options.flag("close_on_end");
  tunnel = options.flag("ak_tunnel");
  obs11 = options.text("observation") == "obs11";
  timed = options.text("observation") == "timed";
  void_by_suit = options.text("void_mode") == "suit";
  mult_shutout = options.real("mult_shutout");
  mult_dealer_loses = options.real("mult_dealer_loses");
  mult_dealer_wins = options.real("mult_dealer_wins");
  mult_threshold = options.real("mult_threshold");
  threshold = options.real("threshold");
  last_seven_value = options.real("last_seven_value");
  pass_chip = options.real("pass_chip");
  dealer_seat = read("dealer_seat");
  first_seat = read("first_seat");
  max_passes = read("max_passes");
  for (int seat = 0; seat < players; ++seat)
    size[static_cast<std::size_t>(seat)] = kDeck / players + (seat < kDeck % players);
  if (read("jokers") > 0) throw std::invalid_argument("sevens: jokers are not part of this table; leave them at 0.");
  require_sense();
}

inline void Setup::require_sense() const {
  const auto require = [](bool fine, const char* sentence) {
    if (!fine) throw std::invalid_argument(std::string("sevens: ") + sentence);
  };
  require(dealer_seat < players, "dealer_seat must be one of the players, from 0.");
  require(first_seat < players, "first_seat must be one of the players, from 0, or -1.");
  require(first_seat < 0 || start == Start::sevens_laid_first, "first_seat is for start=sevens_laid_first.");
  require(!covers() || end != End::first_out,
          "end=first_out is for the pass variants: with covers a hand empties whatever is played.");
  require(!covers() || winner != Winner::first_out,
          "winner=first_out is for the pass variants: with covers a hand empties whatever is played.");
  require(start != Start::left_of_dealer_any7 || dealer != Dealer::starter,
          "start=left_of_dealer_any7 needs a dealer before the first card, so dealer cannot be starter.");
  require(scoring != Scoring::tw_table || players == 4, "scoring=tw_table is for 4 players.");
  require(scoring != Scoring::tw_table || covers(), "scoring=tw_table is for variant=cover.");
  require(!reversal || covers(), "all_covered=reversal_wins is for variant=cover.");
  require(last_seven == Bonus::off || scoring == Scoring::seed_pot, "last_seven_bonus is for scoring=seed_pot.");
  require(!close_on_end || covers(),
          "close_on_end is for variant=cover: nobody could get rid of a closed suit's cards by passing.");
  require(!close_on_end || !tunnel, "close_on_end and ak_tunnel exclude each other.");
}

inline bool Setup::zero_sum() const {
  switch (scoring) {
    case Scoring::pairwise:
    case Scoring::rank_points: return true;
    case Scoring::tw_table:
    case Scoring::penalty_only: return false;
    default: break;
  }
  return winner != Winner::none && !(winner == Winner::shutout_only && no_winner == NoWinner::negative_sum);
}

// A hand of the dearest cards. With covers and all cards played out, no seven is ever left over.
inline double Setup::largest_penalty() const {
  const bool sevens_too = !(covers() && end == End::all_cards);
  int left = size[0];
  if (unit_cards) return left;
  double sum = 0;
  for (int rank = kRanks; rank > 0 && left > 0; --rank) {
    if (rank == kSeven + 1 && !sevens_too) continue;
    const int taken = std::min(left, kSuits);
    sum += rank * taken;
    left -= taken;
  }
  return sum;
}
inline double Setup::all_penalties() const {
  const bool sevens_too = !(covers() && end == End::all_cards);
  if (unit_cards) return sevens_too ? kDeck : kDeck - kSuits;
  return points(sevens_too ? kAll : kAll & ~kSevens);
}
inline int Setup::most_passes() const {
  if (covers()) return 0;
  return variant == Variant::pass ? kDeck * (players - 1) : players * (max_passes + 1);
}

// Between which returns lie; not always reached.
inline void Setup::bounds(double& low, double& high) const {
  const double one = largest_penalty(), all = std::max(one, all_penalties());
  const double others = players - 1;
  const double shutout = std::max(1.0, mult_shutout);
  switch (scoring) {
    case Scoring::seed_pot: {
      const double seven = last_seven == Bonus::multiplier ? std::max(1.0, last_seven_value) : 1;
      const double extra = last_seven == Bonus::fixed ? last_seven_value : 0;
      const double role = std::max(1.0, mult_dealer_loses);
      const double rest = shutout * std::max(1.0, mult_dealer_wins) * std::max(1.0, mult_threshold) * seven;
      low = -(one * rest * role + extra);
      high = one * rest * role + (all - one) * rest + extra * others;
      return;
    }
    case Scoring::pairwise: low = -others * one * shutout, high = all * shutout; return;
    case Scoring::tw_table: low = 50 - one - 70 - 300 * others, high = 50 + 1000 + 300; return;
    case Scoring::penalty_only: low = -one, high = 0; return;
    case Scoring::rank_points: low = -others, high = others; return;
    case Scoring::cards_left:
      low = -(size[0] + pass_chip * kDeck);
      high = kDeck + pass_chip * most_passes();
      return;
  }
}

} // namespace sevenfold::sevens
