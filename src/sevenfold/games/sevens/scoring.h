// What a deal is worth to each seat: the rules page's scoring, as a function of the result alone.
//
//   seed_pot    loss_i = penalty_i x multipliers; the winners share the sum of the losers' losses
//   pairwise    sum over others of (penalty_j - penalty_i)
//   tw_table    50 - penalty_i, and bonuses for seats that covered nothing, or everything
//   rank_points n-1, n-3, … by the order; equal seats share
//   cards_left  a pot of a chip for each card left and pass_chip for each pass
#pragma once

#include "sevens/position.h"

namespace sevenfold::sevens {

struct Result {
  std::array<int, kSeats> penalty{}; // in points, or in cards
  std::array<int, kSeats> cards{};   // not played
  std::array<int, kSeats> passes{};
  std::array<int, kSeats> order{}; // of leaving the table; who comes first is lower
  unsigned none_played = 0;        // seats that have covered every card
  unsigned last_seven = 0;         // seats whose last card was a played seven, and no card covered
  unsigned finished = 0;           // seats that emptied their hands by playing
  int dealer = -1;
};

inline Result result_of(const Position& p) {
  Result out;
  out.dealer = p.dealer;
  const int players = p.players();
  for (int seat = 0; seat < players; ++seat) {
    const std::size_t i = Position::at(seat);
    const Cards left = p.unplayed(seat);
    out.cards[i] = count(left);
    out.penalty[i] = p.setup->unit_cards ? out.cards[i] : points(left);
    out.passes[i] = p.passes[i];
    const int turn = (seat - p.leader + players) % players;
    out.order[i] = p.finish[i] != kNever ? p.finish[i] : kSeats + turn;
    if (p.played[i] == 0 && p.hand[i] == 0) out.none_played |= 1u << seat; // who still holds a card may yet play it
    if (left == 0) out.finished |= 1u << seat;
  }
  // Who is out by passing comes last, the first of them at the very end. And the last card of each seat.
  int outs = 0;
  std::array<int, kSeats> last{};
  last.fill(-1);
  for (std::size_t i = 0; i < p.logged; ++i) {
    const Event& event = p.log[i];
    if (event.card != kPass) last[event.seat] = event.card;
    else if (p.is_out(event.seat)) out.order[event.seat] = 100 * kSeats - outs++;
  }
  for (int seat = 0; seat < players; ++seat) {
    const int card = last[Position::at(seat)];
    const bool seven = card >= 0 && (bit(card) & kSevens) != 0;
    if (seven && (out.finished >> seat & 1) != 0) out.last_seven |= 1u << seat;
  }
  return out;
}

class Settlement {
 public:
  Settlement(const Setup& setup, const Result& result) : s_(setup), r_(result), n_(setup.players) {
    for (int seat = 0; seat < n_; ++seat) {
      least_ = std::min(least_, r_.penalty[at(seat)]);
      if (r_.penalty[at(seat)] == 0) shutouts_ |= 1u << seat;
    }
  }

  void rewards(Values& out) const {
    switch (s_.scoring) {
      case Scoring::seed_pot: return seed_pot(out);
      case Scoring::pairwise: return pairwise(out);
      case Scoring::tw_table: return tw_table(out);
      case Scoring::penalty_only: return penalty_only(out);
      case Scoring::rank_points: return rank_points(out);
      case Scoring::cards_left: return cards_left(out);
    }
  }

 private:
  static std::size_t at(int seat) { return static_cast<std::size_t>(seat); }
  static bool has(unsigned seats, int seat) { return (seats >> seat & 1) != 0; }
  unsigned lowest_seats() const {
    unsigned out = 0;
    for (int seat = 0; seat < n_; ++seat)
      if (r_.penalty[at(seat)] == least_) out |= 1u << seat;
    return out;
  }

  // Who takes the pot. `paid` is false where nobody pays.
  unsigned winners(bool& paid) const {
    paid = true;
    unsigned found = 0;
    if (s_.reversal && r_.none_played != 0) return untied(r_.none_played, paid);
    switch (s_.winner) {
      case Winner::none: return 0;
      case Winner::min_penalty: found = lowest_seats(); break;
      case Winner::shutout_only:
        found = shutouts_;
        if (found != 0) break;
        if (s_.no_winner == NoWinner::negative_sum) return 0;
        paid = s_.no_winner == NoWinner::min_penalty_takes_pot;
        found = lowest_seats();
        break;
      case Winner::first_out: // where everybody is out by passing, who lasted longest
        found = 1u << first_of((1u << n_) - 1, [&](int seat) { return r_.order[at(seat)]; });
        break;
    }
    return untied(found, paid);
  }
  unsigned untied(unsigned found, bool& paid) const {
    if (std::popcount(found) < 2 || s_.ties == Ties::split) return found;
    if (s_.ties == Ties::no_pot) {
      paid = false;
      return found;
    }
    const bool index = s_.ties == Ties::first_index;
    return 1u << first_of(found,
                          [&](int seat) { return index ? seat : r_.cards[at(seat)] * 1000 + r_.order[at(seat)]; });
  }
  template <class F>
  int first_of(unsigned seats, F key) const {
    int best = -1;
    for (int seat = 0; seat < n_; ++seat)
      if (has(seats, seat) && (best < 0 || key(seat) < key(best))) best = seat;
    return best;
  }

  void seed_pot(Values& out) const {
    bool paid = true;
    const unsigned won = winners(paid);
    if (!paid) return;
    const bool seven = (won & r_.last_seven) != 0;
    double all = shutouts_ != 0 ? s_.mult_shutout : 1;
    if (r_.dealer >= 0 && has(won, r_.dealer)) all *= s_.mult_dealer_wins;
    if (seven && s_.last_seven == Bonus::multiplier) all *= s_.last_seven_value;
    const double extra = seven && s_.last_seven == Bonus::fixed ? s_.last_seven_value : 0;
    double pot = 0;
    for (int seat = 0; seat < n_; ++seat) {
      if (has(won, seat)) continue;
      const int penalty = r_.penalty[at(seat)];
      double loss = penalty * all;
      if (seat == r_.dealer) loss *= s_.mult_dealer_loses;
      if (penalty > s_.threshold) loss *= s_.mult_threshold;
      loss += extra;
      out[at(seat)] = loss == 0 ? 0 : -loss;
      pot += loss;
    }
    share(pot, won, out);
  }
  void share(double pot, unsigned won, Values& out) const {
    for (int seat = 0; seat < n_; ++seat)
      if (has(won, seat)) out[at(seat)] += pot / std::popcount(won);
  }

  void pairwise(Values& out) const {
    const double times = std::popcount(shutouts_) == 1 ? s_.mult_shutout : 1;
    double sum = 0;
    for (int seat = 0; seat < n_; ++seat) sum += r_.penalty[at(seat)] * times;
    for (int seat = 0; seat < n_; ++seat) out[at(seat)] = sum - n_ * r_.penalty[at(seat)] * times;
  }

  void tw_table(Values& out) const {
    static constexpr int kBonus[] = {0, 100, 70, 40, 10}, kOthers[] = {0, -10, -40, -70, 0};
    const int shut = std::popcount(shutouts_);
    const bool seven = shut == 1 && (shutouts_ & r_.last_seven) != 0;
    for (int seat = 0; seat < n_; ++seat) {
      double score = 50 - r_.penalty[at(seat)];
      score += !has(shutouts_, seat) ? kOthers[shut] : seven ? 300 : kBonus[shut];
      for (int other = 0; other < n_; ++other)
        if (has(r_.none_played, other)) score += other == seat ? 1000 : -300;
      out[at(seat)] = score;
    }
  }

  void penalty_only(Values& out) const {
    for (int seat = 0; seat < n_; ++seat) out[at(seat)] = 0.0 - r_.penalty[at(seat)];
  }

  // Covers: the penalties; passes: who leaves first, then the penalties of those who are left, then those who are out.
  void rank_points(Values& out) const {
    const auto key = [&](int seat) {
      if (s_.covers()) return r_.penalty[at(seat)];
      const int order = r_.order[at(seat)];
      return order < kSeats ? order : order < 2 * kSeats ? 1000 + r_.penalty[at(seat)] : 10000 + order;
    };
    for (int seat = 0; seat < n_; ++seat)
      for (int other = 0; other < n_; ++other) {
        if (key(other) > key(seat)) out[at(seat)] += 1;
        if (key(other) < key(seat)) out[at(seat)] -= 1;
      }
  }

  void cards_left(Values& out) const {
    bool paid = true;
    const unsigned won = winners(paid);
    if (!paid) return;
    double pot = 0;
    for (int seat = 0; seat < n_; ++seat) {
      const double loss = r_.cards[at(seat)] + s_.pass_chip * r_.passes[at(seat)];
      out[at(seat)] = loss == 0 ? 0 : -loss;
      pot += loss;
    }
    share(pot, won, out);
  }

  const Setup& s_;
  const Result& r_;
  int n_, least_ = 1 << 20;
  unsigned shutouts_ = 0;
};

inline void settle(const Position& p, Values& out) {
  const Result result = result_of(p);
  Settlement(*p.setup, result).rewards(out);
}

} // namespace sevenfold::sevens
