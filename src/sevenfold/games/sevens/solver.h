// Sevens with all cards open, solved exactly: a measuring stick, never seen by players.
//
// A suit has two *chains* of six cards, from its seven down to the ace and up to the king. What is left of a deal is,
// per chain, how many of its cards lie (f) and the first of them that is covered (b, 6: none); which sevens lie; and
// the number of turns. Who holds what, which cards are dead, and the penalties follow from the deal: 8 x 3 + 8 x 3 + 4
// + 6 = 58 bits, and equal keys have equal values. All dead cards of a hand are one action. When all sevens lie and
// every chain has f = b, the penalties are known.
//
//   max^n      everybody maximises its own result (Luckhardt and Irani 1986). Where several actions are equally good
//              for the mover the others' results depend on its choice: `average` takes the mean of the different ones,
//              `kind` what is best and `hostile` what is worst for the seat that asks.
//   paranoid   all others minimise the result of the seat that asks; unique, and pessimistic.
//
// For variant=cover with two or four players to the last card; no tunnel, no closed suits, no bonus for a last seven.
#pragma once

#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "sevens/rules.h"

namespace sevenfold::sevens {

class Solver {
 public:
  enum class Mode { maxn, paranoid };
  enum class Equal { average, kind, hostile };
  using Result4 = std::array<double, 4>;

  Solver(const Position& p, Mode mode, Equal equal, std::size_t most)
      : setup_(*p.setup), mode_(mode), equal_(equal), most_(most), n_(p.players()), asks_(p.mover) {
    const bool plain = setup_.variant == Variant::cover && (n_ == 2 || n_ == 4) && setup_.end == End::all_cards &&
                       !setup_.tunnel && !setup_.close_on_end && setup_.last_seven == Bonus::off &&
                       setup_.start != Start::sevens_laid_first;
    if (!plain)
      throw std::invalid_argument("the solver is for covers, two or four players, all cards, and no special rules.");
    if (p.dealing() || p.over || p.opening())
      throw std::invalid_argument("the solver begins after the first card and before the end.");
    for (int card = 0; card < kDeck; ++card)
      for (int seat = 0; seat < n_; ++seat)
        if ((p.origin(seat) & bit(card)) != 0) owner_[static_cast<std::size_t>(card)] = static_cast<std::int8_t>(seat);
    leader_ = p.leader;
    dealer_ = p.dealer;
    Cards covered = 0;
    for (int seat = 0; seat < n_; ++seat) covered |= p.covered[Position::at(seat)];
    root_.turn = p.ply;
    for (int suit = 0; suit < kSuits; ++suit) {
      if ((p.board & bit(kRanks * suit + kSeven)) != 0) root_.sevens |= 1u << suit;
      for (int side = 0; side < 2; ++side) {
        const int chain = 2 * suit + side;
        int played = 0, first = 6;
        for (int i = 5; i >= 0; --i) {
          if ((p.board & bit(card_of(chain, i))) != 0) ++played;
          if ((covered & bit(card_of(chain, i))) != 0) first = i;
        }
        root_.f[static_cast<std::size_t>(chain)] = static_cast<std::int8_t>(played);
        root_.b[static_cast<std::size_t>(chain)] = static_cast<std::int8_t>(first);
      }
    }
  }

  // What each seat gets after each legal action of the position this was made of.
  std::vector<std::pair<int, Result4>> actions(const Position& p) {
    std::vector<std::pair<int, Result4>> out;
    const Cards legal = p.legal();
    const bool plays = (legal & p.frontier) != 0;
    each(legal, [&](int card) { out.emplace_back(card, value(after(root_, card, plays))); });
    return out;
  }
  std::size_t nodes() const { return known_.size(); }

 private:
  struct Node {
    std::array<std::int8_t, 8> f{}, b{};
    unsigned sevens = 0;
    int turn = 0;
    std::uint64_t key() const {
      std::uint64_t out = sevens | static_cast<std::uint64_t>(turn) << 4;
      for (std::size_t i = 0; i < 8; ++i)
        out = out << 6 | static_cast<std::uint64_t>(f[i]) << 3 | static_cast<std::uint64_t>(b[i]);
      return out;
    }
  };

  static int card_of(int chain, int i) { return kRanks * (chain / 2) + kSeven + (chain % 2 == 0 ? -1 - i : 1 + i); }
  int owner(int card) const { return owner_[static_cast<std::size_t>(card)]; }
  int mover(const Node& node) const { return (leader_ + node.turn) % n_; }

  static Node after(Node node, int card, bool played) {
    ++node.turn;
    const int suit = suit_of(card), place = place_of(card) - kSeven;
    if (place == 0) {
      node.sevens |= 1u << suit;
      return node;
    }
    const auto chain = static_cast<std::size_t>(2 * suit + (place > 0));
    const int i = (place > 0 ? place : -place) - 1;
    if (played) ++node.f[chain];
    else if (i < node.b[chain]) node.b[chain] = static_cast<std::int8_t>(i); // else it was dead already
    return node;
  }

  bool settled(const Node& node) const { return node.sevens == 15 && node.f == node.b; }

  Result4 penalties(const Node& node) const {
    Result result;
    result.dealer = dealer_;
    for (int chain = 0; chain < 8; ++chain)
      for (int i = node.b[static_cast<std::size_t>(chain)]; i < 6; ++i) {
        const int card = card_of(chain, i);
        const auto seat = static_cast<std::size_t>(owner(card));
        ++result.cards[seat];
        result.penalty[seat] += setup_.unit_cards ? 1 : rank_of(card);
      }
    for (int seat = 0; seat < n_; ++seat) {
      const auto i = static_cast<std::size_t>(seat);
      result.order[i] = (seat - leader_ + n_) % n_;
      if (result.cards[i] == setup_.size[i]) result.none_played |= 1u << seat;
      if (result.cards[i] == 0) result.finished |= 1u << seat;
    }
    Values values{};
    Settlement(setup_, result).rewards(values);
    return {values[0], values[1], values[2], values[3]};
  }

  template <class F>
  void each_child(const Node& node, F visit) const {
    const int seat = mover(node);
    bool plays = false;
    int live = 0, held = 0;
    for (int suit = 0; suit < kSuits; ++suit)
      if ((node.sevens >> suit & 1) == 0 && owner(kRanks * suit + kSeven) == seat) {
        visit(after(node, kRanks * suit + kSeven, true));
        plays = true;
      }
    for (int chain = 0; chain < 8; ++chain) {
      const auto c = static_cast<std::size_t>(chain);
      if ((node.sevens >> (chain / 2) & 1) == 0 || node.f[c] >= node.b[c]) continue;
      if (const int card = card_of(chain, node.f[c]); owner(card) == seat) {
        visit(after(node, card, true));
        plays = true;
      }
    }
    if (plays) return;
    for (int chain = 0; chain < 8; ++chain) {
      const auto c = static_cast<std::size_t>(chain);
      for (int i = node.f[c]; i < node.b[c]; ++i)
        if (const int card = card_of(chain, i); owner(card) == seat) {
          ++live;
          visit(after(node, card, false));
        }
    }
    const int turns = (node.turn - ((seat - leader_ + n_) % n_) + n_ - 1) / n_; // of this seat so far
    held = setup_.size[static_cast<std::size_t>(seat)] - turns;
    if (held > live) { // a dead card, whichever
      Node dead = node;
      ++dead.turn;
      visit(dead);
    }
  }

  Result4 value(const Node& node) {
    if (settled(node)) return penalties(node);
    const std::uint64_t key = node.key();
    if (const auto found = known_.find(key); found != known_.end()) return found->second;
    if (known_.size() >= most_) throw std::invalid_argument("the solver has reached its limit of positions.");
    const auto seat = static_cast<std::size_t>(mover(node)), asks = static_cast<std::size_t>(asks_);
    std::vector<Result4> best;
    each_child(node, [&](const Node& child) {
      const Result4 one = value(child);
      const double sign = mode_ == Mode::paranoid && seat != asks ? -1 : 1;
      const auto worth = [&](const Result4& r) { return mode_ == Mode::paranoid ? sign * r[asks] : r[seat]; };
      if (best.empty() || worth(one) > worth(best[0])) best.assign(1, one);
      else if (worth(one) == worth(best[0]) && std::find(best.begin(), best.end(), one) == best.end())
        best.push_back(one);
    });
    Result4 out = best[0];
    if (mode_ == Mode::maxn && equal_ == Equal::average) {
      for (std::size_t p = 0; p < 4; ++p) {
        out[p] = 0;
        for (const Result4& one : best) out[p] += one[p] / static_cast<double>(best.size());
      }
    } else if (mode_ == Mode::maxn) {
      for (const Result4& one : best)
        if (equal_ == Equal::kind ? one[asks] > out[asks] : one[asks] < out[asks]) out = one;
    } else {
      out = {};
      out[asks] = best[0][asks];
    }
    known_.emplace(key, out);
    return out;
  }

  const Setup& setup_;
  Mode mode_;
  Equal equal_;
  std::size_t most_;
  int n_, asks_, leader_ = 0, dealer_ = -1;
  std::array<std::int8_t, kDeck> owner_{};
  Node root_;
  std::unordered_map<std::uint64_t, Result4> known_;
};

} // namespace sevenfold::sevens
