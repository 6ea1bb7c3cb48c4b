// The rule-based players of Sevens. They go by what the mover may know: its own cards, and what lies or happened in the
// open. With a choice of one they play it; they never pass by choice.
//
//   greedy    plays its highest card, covers its lowest
//   keeper    a gate-keeper: first what opens nothing to others, then what opens the most of its own; covers where it
//             loses the least of its own
//   blocker   weighs its own cards behind a card against what others are expected to hold there; the weights are
//             tuned by playing duplicate deals of tw_seed against itself and the others
//
// A card is *live* if no covered card lies between it and the table; of the unseen cards a share is covered already:
// covered slots / all hidden slots, which is exact for cards that never lay open to be played.
#pragma once

#include <cmath>

#include "sevens/observation.h"

namespace sevenfold::sevens {

enum class Policy : std::uint8_t { random, greedy, keeper, blocker };

// The weights of blocker's terms.
struct Taste {
  std::array<double, 16> play;
  std::array<double, 12> cover;
};

// What the mover knows, and what it makes of each card.
class Judge {
 public:
  explicit Judge(const Position& p)
      : p_(p), me_(p.mover), mine_(p.hand[Position::at(me_)]), sunk_(p.covered[Position::at(me_)]) {
    unseen_ = kAll & ~p.board & ~mine_ & ~sunk_;
    dead_ = dead_cards(p, me_);
    int covered = 0, held = 0;
    Cards gone = p.frontier & unseen_;
    for (int seat = 0; seat < p.players(); ++seat) {
      if (seat == me_ || p.is_out(seat)) continue;
      covered += p.setup->covers() ? count(p.covered[Position::at(seat)]) : 0;
      held += count(p.hand[Position::at(seat)]);
      if (p.hand[Position::at(seat)] != 0) gone &= p.excluded[Position::at(seat)];
    }
    held_ = held > 0 ? static_cast<double>(held) / (held + covered) : 0;
    phase_ = static_cast<double>(p.ply) / kDeck;
    // A frontier card that nobody can hold any more is covered: its chain ends there.
    unreachable_ = beyond_any(gone | sunk_);
  }

  int highest() const {
    return by([](int card) { return rank_of(card); });
  }
  int lowest_card() const {
    return by([](int card) { return -rank_of(card); });
  }

  // keeper
  int gate_kept() const {
    return by([&](int card) {
      const Chains c = behind(card);
      return (c.opened > 0 ? 0.0 : 1000.0) + points(c.own) - c.freed * 0.01 + rank_of(card) * 0.1;
    });
  }
  int least_lost() const {
    return by([&](int card) {
      return (dead_ & bit(card)) != 0 ? rank_of(card) * 0.01 : -rank_of(card) - points(beyond(card) & mine_ & ~dead_);
    });
  }

  // What `blocker` goes by, card by card in their order.
  template <class F>
  void worths(const Taste& taste, F take) const {
    const Cards legal = p_.legal() & kAll;
    const bool plays = (legal & p_.frontier) != 0;
    each(legal, [&](int card) { take(plays ? play_worth(taste, card) : cover_worth(taste, card)); });
  }

  // blocker
  int best_play(const Taste& taste) const {
    return by([&](int card) { return play_worth(taste, card); });
  }
  int best_cover(const Taste& taste) const {
    return by([&](int card) { return cover_worth(taste, card); });
  }

 private:
  struct Chains {
    Cards own = 0;     // live cards of the mover's behind a card
    double freed = 0;  // points that others are expected to hold before the mover's next card
    double later = 0;  // and behind that
    double opened = 0; // cards that others may play next
    int next_mine = 0; // cards next to it that are the mover's
    int run = 0;       // of the mover's, one after the other from the card on
    int gap = 0;       // cards of others before the mover's furthest one
  };

  template <class F>
  int by(F worth) const {
    int best = -1;
    double most = 0;
    each(p_.legal() & kAll, [&](int card) {
      const double here = worth(card);
      if (best < 0 || here > most) best = card, most = here;
    });
    return best;
  }

  Chains behind(int card) const {
    Chains out;
    each(opens(card) & ~p_.board, [&](int first) { walk(first, first > card ? 1 : -1, out); });
    return out;
  }
  void walk(int card, int step, Chains& out) const {
    bool guarded = false, running = true;
    int others = 0;
    if ((mine_ & bit(card)) != 0) ++out.next_mine;
    else if ((unseen_ & bit(card)) != 0) out.opened += held_;
    for (;; card += step) {
      if ((sunk_ & bit(card)) != 0) return;
      if ((mine_ & bit(card)) != 0) {
        out.own |= bit(card);
        out.run += running;
        out.gap = std::max(out.gap, others);
        guarded = true;
      } else if ((p_.board & bit(card)) == 0) {
        (guarded ? out.later : out.freed) += held_ * rank_of(card);
        running = false;
        ++others;
      }
      if ((bit(card) & kEnds) != 0) return;
    }
  }

  double play_worth(const Taste& taste, int card) const {
    const Chains c = behind(card);
    const double own = points(c.own) / 13.0, freed = c.freed / 13, later = c.later / 13;
    const double rank = rank_of(card) / 13.0;
    const bool seven = (bit(card) & kSevens) != 0;
    const double terms[] = {rank,
                            own,
                            static_cast<double>(count(c.own)),
                            freed,
                            later,
                            c.opened,
                            static_cast<double>(c.next_mine),
                            c.opened == 0 && c.later == 0 ? 1.0 : 0.0,
                            static_cast<double>(c.gap),
                            freed * silence(),
                            freed * phase_,
                            own * phase_,
                            rank * phase_,
                            static_cast<double>(c.run),
                            seven ? 1.0 : 0.0,
                            c.opened * phase_};
    return dot(taste.play, terms);
  }

  double cover_worth(const Taste& taste, int card) const {
    const bool dead = ((dead_ | unreachable_) & bit(card)) != 0;
    const double rank = rank_of(card) / 13.0, live = dead ? 0 : 1;
    const Cards behind_it = beyond(card) & ~unreachable_ & ~p_.board;
    const double own = live * points(behind_it & mine_ & ~dead_) / 13.0;
    const double others = live * held_ * points(behind_it & unseen_) / 13.0;
    // Between the table and the card: cards of others, which may never come, and the mover's own, which it controls.
    Cards between = 0;
    each(p_.frontier & ~bit(card), [&](int gate) {
      if ((beyond(gate) & bit(card)) != 0) between |= (beyond(gate) & ~beyond(card) & ~bit(card)) | bit(gate);
    });
    between &= ~p_.board;
    const double far = count(between & unseen_), mine = count(between & mine_);
    const double after = points(sunk_ | dead_ | bit(card) | (beyond(card) & mine_));
    const double terms[] = {rank * live,
                            own,
                            others,
                            dead ? 1.0 : 0.0,
                            live * far,
                            rank * live * far,
                            others * phase_,
                            rank * live * phase_,
                            live * (after > p_.setup->threshold ? 1.0 : 0.0),
                            live * mine,
                            dead ? rank : 0.0,
                            own * far};
    return dot(taste.cover, terms);
  }

  // The share of the others' turns that they could not play.
  double silence() const {
    int silent = 0;
    for (int seat = 0; seat < p_.players(); ++seat)
      if (seat != me_)
        silent += p_.setup->covers() ? count(p_.covered[Position::at(seat)]) : p_.passes[Position::at(seat)];
    return silent / (1.0 + p_.ply);
  }

  template <std::size_t N>
  static double dot(const std::array<double, N>& weights, const double (&terms)[N]) {
    double out = 0;
    for (std::size_t i = 0; i < N; ++i) out += weights[i] * terms[i];
    return out;
  }

  const Position& p_;
  int me_;
  Cards mine_, sunk_, unseen_ = 0, dead_ = 0, unreachable_ = 0;
  double held_ = 1, phase_ = 0;
};

// In the order of the terms of play_worth and cover_worth. Found by hill climbing over duplicate deals of tw_seed: one
// with changed weights among three with the old ones, the other way round, and one among three greedy.
constexpr Taste kBlocker{
    {0.03, 1.06, 1.14, -1.04, -0.32, -0.63, -0.79, 0.33, 0.47, -0.93, -0.09, 0.68, 1.13, -0.48, 0.58, 0.85},
    {-1.24, -0.85, 0.51, -0.32, 1.02, -0.74, -0.65, -0.25, -1.39, 0.26, -0.42, -0.08}};

inline Action choose(const Position& p, Policy policy, Rng& rng, const Taste& taste = kBlocker) {
  Cards legal = p.legal();
  if (policy == Policy::random) {
    for (auto skip = rng.below(static_cast<std::uint32_t>(count(legal))); skip > 0; --skip) legal &= legal - 1;
    return lowest(legal);
  }
  if ((legal & kAll) == 0) return kPass;
  if (count(legal & kAll) == 1) return lowest(legal);
  const bool plays = (legal & p.frontier) != 0;
  const Judge judge(p);
  switch (policy) {
    case Policy::greedy: return plays ? judge.highest() : judge.lowest_card();
    case Policy::keeper: return plays ? judge.gate_kept() : judge.least_lost();
    default: return plays ? judge.best_play(taste) : judge.best_cover(taste);
  }
}

// `blocker` as a policy that may err: exp(worth / kErring), and now and then a pass where there is a choice.
constexpr double kErring = 0.35, kPasses = 0.05;

inline void blocker_odds(const Position& p, Odds& out) {
  const Cards legal = p.legal();
  if (count(legal) == 1) return out.push(1);
  const Judge judge(p);
  double most = -1e300;
  judge.worths(kBlocker, [&](double worth) {
    most = std::max(most, worth);
    out.push(worth);
  });
  double total = 0;
  for (double& worth : out) total += worth = std::exp((worth - most) / kErring);
  if ((legal & bit(kPass)) != 0) out.push(total > 0 ? total * kPasses : 1);
}

} // namespace sevenfold::sevens
