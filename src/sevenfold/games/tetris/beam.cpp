#include "tetris/beam.h"

#include <chrono>
#include <ctime>
#include <unordered_map>

#include "core/rng.h"

namespace sevenfold::tetris {

namespace {

class Beam {
 public:
  Beam(const Setup& s, const Side& side, const Weights& weights, const BeamLimits& limits, Watch& watch)
      : s_(s), root_(side), w_(weights), limits_(limits), watch_(watch), rng_(limits.seed) {}

  BeamResult run() {
    start_ = now();
    if (limits_.seconds <= 0) {
      pass(limits_.width);
      return result_;
    }
    for (int width = std::min(32, limits_.width);;) {
      const double before = spent();
      if (!pass(width) || width >= limits_.width) break;
      // The next pass as wide as the time left allows, at most eight times as wide.
      const double left = limits_.seconds - spent();
      const double times = std::min(8.0, 0.85 * left / std::max(spent() - before, 1e-6));
      if (times < 1.3) break;
      width = std::min(limits_.width, static_cast<int>(width * times));
    }
    return result_;
  }

 private:
  struct Node {
    Board board;
    float sent = 0, worth = 0; // on the way; in all
    std::int16_t b2b = -1, combo = 0, incoming = 0;
    std::int8_t hold = kNoPiece;
    std::uint8_t next = 0; // the current piece in the sequence
    std::uint16_t root = 0;
  };
  struct Child {
    float worth, sent;
    std::uint32_t parent;
    std::uint16_t root;
    bool hold;
    Placement placement;
    std::uint64_t key;
  };

  // How a node of a level came from one of the level before.
  struct Step {
    std::uint32_t parent;
    Choice choice;
  };

  // Whether it was completed in time.
  bool pass(int width) {
    std::vector<std::int8_t> sequence(root_.queue.begin(), root_.queue.begin() + root_.queued);
    BeamResult out;
    const int left = s_.pieces - root_.pieces;
    std::vector<Node> level(1);
    level[0] = {root_.board, 0, 0, root_.b2b, root_.combo, static_cast<std::int16_t>(root_.incoming()),
                root_.hold,  0, 0};
    // 1. and 2. The known pieces.
    trail_.clear();
    trails_ = limits_.lines;
    for (int depth = 0;; ++depth) {
      std::vector<Node> next;
      if (depth >= left || !expand(level, sequence, width, depth == 0, depth + 1 == left, out, next)) break;
      level = std::move(next);
      ++out.depth;
      if (late()) return cut(out, width);
    }
    trails_ = false;
    if (out.choices.empty()) return true;
    if (limits_.lines) tell_lines(level, out);
    // 3. Futures.
    if (limits_.samples > 0 && limits_.ahead > 0 && out.depth < left && !futures(level, sequence, width, left, out))
      return cut(out, width);
    if (late()) return cut(out, width);
    finish(out, width);
    return true;
  }

  // The best node of the last level for each choice of the root, and the way to it.
  void tell_lines(const std::vector<Node>& level, BeamResult& out) const {
    out.lines.assign(out.choices.size(), {});
    for (std::size_t i = 0; i < level.size(); ++i) { // best first
      std::vector<Choice>& line = out.lines[level[i].root];
      if (!line.empty()) continue;
      std::size_t at_node = i;
      for (std::size_t depth = trail_.size(); depth-- > 0; at_node = trail_[depth][at_node].parent)
        line.push_back(trail_[depth][at_node].choice);
      std::reverse(line.begin(), line.end());
    }
  }

  // A pass that time has cut off counts only where there is no other: it knows its last complete level.
  bool cut(BeamResult& out, int width) {
    if (result_.best < 0 && !out.choices.empty()) finish(out, width);
    return false;
  }
  void finish(BeamResult& out, int width) {
    out.width = width;
    for (std::size_t i = 0; i < out.worth.size(); ++i)
      if (out.best < 0 || out.worth[i] > out.worth[at(out.best)]) out.best = static_cast<int>(i);
    out.nodes += result_.nodes;
    result_ = std::move(out);
  }

  double now() const {
    if (limits_.processor) {
      timespec t{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
      return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  double spent() const { return now() - start_; }
  bool late() const {
    if (watch_.stop.load(std::memory_order_relaxed)) return true;
    return limits_.seconds > 0 && spent() > limits_.seconds;
  }

  bool futures(const std::vector<Node>& level, const std::vector<std::int8_t>& sequence, int width, int left,
               BeamResult& out) {
    std::vector<double> sums(out.choices.size());
    std::vector<int> seen(out.choices.size());
    const int narrow = std::max(16, width / 4);
    for (int sample = 0; sample < limits_.samples; ++sample) {
      Side bag = root_;
      std::vector<std::int8_t> longer = sequence;
      for (int i = 0; i < limits_.ahead + 1; ++i) {
        int skip =
            static_cast<int>(rng_.below(static_cast<std::uint32_t>(s_.uniform ? kPieces : std::popcount(bag.bag))));
        int piece = 0;
        for (;; ++piece)
          if ((s_.uniform || (bag.bag >> piece & 1) != 0) && skip-- == 0) break;
        longer.push_back(static_cast<std::int8_t>(piece));
        bag.queued = 0;
        bag.draw(s_, piece);
      }
      BeamResult one;
      one.worth.assign(out.choices.size(), kLost);
      std::vector<Node> now = level;
      for (int i = 0; i < limits_.ahead && out.depth + i < left; ++i) {
        std::vector<Node> next;
        if (!expand(now, longer, narrow, false, out.depth + i + 1 == left, one, next)) break;
        now = std::move(next);
        if (late()) return false;
      }
      out.nodes += one.nodes;
      for (std::size_t i = 0; i < sums.size(); ++i)
        if (one.worth[i] > kLost) {
          sums[i] += one.worth[i];
          ++seen[i];
        }
    }
    // A move that no future keeps is behind those that some keep, by what it lacked when it fell out.
    float least = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (seen[i] == 0) continue;
      out.worth[i] = static_cast<float>(sums[i] / seen[i]) - static_cast<float>(limits_.samples - seen[i]);
      least = std::min(least, out.worth[i]);
    }
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (seen[i] == 0 && out.worth[i] > kLost) out.worth[i] = std::min(out.worth[i], least) - 1;
    return true;
  }

  // The next level, best first and not wider than `width`; false where the sequence has ended or nothing lives.
  bool expand(const std::vector<Node>& level, const std::vector<std::int8_t>& sequence, int width, bool first,
              bool last, BeamResult& out, std::vector<Node>& next) {
    children_.clear();
    sequence_ = &sequence;
    if (first) {
      out.choices.clear();
      out.worth.clear();
    }
    for (std::size_t i = 0; i < level.size(); ++i) {
      const Node& node = level[i];
      if (node.next >= sequence.size()) continue;
      const int current = sequence[node.next];
      place_all(node, i, false, current, first, last, out);
      if (!s_.hold) continue;
      int other = node.hold;
      if (other == kNoPiece)
        other = node.next + 1u < sequence.size() ? sequence[node.next + 1u] : std::int8_t{kNoPiece};
      else if (other == current) continue;
      if (other != kNoPiece) place_all(node, i, true, other, first, last, out);
      if ((i & 31) == 31 && late()) return false;
    }
    if (children_.empty()) return false;
    if (!first) {
      std::vector<float> best(out.worth.size(), kLost);
      for (const Child& c : children_) best[c.root] = std::max(best[c.root], c.worth);
      for (std::size_t i = 0; i < best.size(); ++i)
        if (best[i] > kLost) out.worth[i] = best[i];
    }
    keep(level, sequence, width, next);
    return true;
  }

  void place_all(const Node& node, std::size_t index, bool hold, int piece, bool first, bool last, BeamResult& out) {
    PlacementList list;
    Side side; // only what spawning looks at
    side.board = node.board;
    side.combo = node.combo;
    side.placements(s_, piece, list);
    const int rows = s_.document ? kDocumentRows : s_.rows;
    for (int i = 0; i < list.size(); ++i) {
      const Placement& p = list[at(i)];
      if (p.y >= rows) continue;
      if (s_.document && i + 1 < list.size() && list[at(i + 1)].r == p.r && list[at(i + 1)].x == p.x &&
          list[at(i + 1)].y == p.y)
        continue;
      ++out.nodes;
      Board board = node.board;
      board.put(piece, p.r, p.x, p.y);
      const Column full = board.clear();
      std::uint16_t root = node.root;
      if (first) {
        root = static_cast<std::uint16_t>(out.choices.size());
        out.choices.push_back({hold, p});
        out.worth.push_back(kLost);
      }
      if (lost(p, board)) continue;
      const Clear clear{std::popcount(full), p.spin, node.b2b, node.combo, full != 0 && board.empty(), false};
      const Attack attack = attack_of(s_.table, clear);
      float sent = node.sent + gain(clear, attack, piece);
      const int incoming = std::max(0, node.incoming - attack.lines);
      const std::int8_t held = hold ? current_of(node) : node.hold;
      float worth = sent;
      if (!last) {
        worth += stack_worth(w_, board, incoming);
        worth += (attack.b2b >= 0 ? w_[kChain] : 0) + (held == kT ? w_[kHeldT] : held == kI ? w_[kHeldI] : 0);
        if (clear.lines > 0) worth += w_[kCombo] * static_cast<float>(std::min(8, node.combo + 1));
      }
      if (first) out.worth.back() = worth;
      std::uint64_t key = mix(static_cast<std::uint64_t>(held + 1) | static_cast<std::uint64_t>(attack.b2b >= 0) << 8 |
                              static_cast<std::uint64_t>(clear.lines > 0 ? node.combo + 1 : 0) << 16 |
                              static_cast<std::uint64_t>(node.next + (hold && node.hold == kNoPiece)) << 40);
      for (const Column c : board.col) key = (key ^ c) * 0x9e3779b97f4a7c15u + (key >> 29);
      children_.push_back({worth, sent, static_cast<std::uint32_t>(index), root, hold, p, key});
    }
  }

  std::int8_t current_of(const Node& node) const { return (*sequence_)[node.next]; }

  bool lost(const Placement& p, const Board& board) const {
    if ((board.any() >> kRows) != 0) return true;
    if (s_.lock_out == LockOut::any) return (board.any() >> s_.height) != 0;
    if (s_.lock_out == LockOut::none) return false;
    return std::all_of(shape(p.piece, p.r).begin(), shape(p.piece, p.r).end(),
                       [&](Cell c) { return p.y + c.y >= s_.height; });
  }

  float gain(const Clear& clear, const Attack& attack, int piece) const {
    float out = objective(clear, attack);
    if (piece == kT && (clear.spin == Spin::none || clear.lines == 0)) out += w_[kWastedT];
    if (clear.lines > 0 && !clear.difficult() && !clear.perfect) {
      out += w_[kPlain] * static_cast<float>(clear.lines);
      if (clear.b2b >= 0) out += w_[kBroken];
    }
    return out;
  }
  // The beam plays for attack; where lines or score count, they are worth a little more than nothing too.
  float objective(const Clear& clear, const Attack& attack) const {
    float out = w_[kAttack] * static_cast<float>(attack.lines);
    if (!s_.versus && s_.objective == Objective::lines) out += 0.8f * static_cast<float>(clear.lines);
    if (!s_.versus && s_.objective == Objective::score) out += static_cast<float>(score_of(clear)) / 250.0f;
    return out;
  }

  // Of equal children the best; of all the best `width`.
  void keep(const std::vector<Node>& level, const std::vector<std::int8_t>& sequence, int width,
            std::vector<Node>& next) {
    const auto better = [](const Child& a, const Child& b) {
      return a.worth != b.worth ? a.worth > b.worth : a.key < b.key;
    };
    const auto most = std::min(children_.size(), at(2 * width));
    std::nth_element(children_.begin(), children_.begin() + static_cast<std::ptrdiff_t>(most - 1), children_.end(),
                     better);
    std::sort(children_.begin(), children_.begin() + static_cast<std::ptrdiff_t>(most), better);
    std::unordered_map<std::uint64_t, bool> seen;
    seen.reserve(most);
    if (trails_) trail_.emplace_back();
    for (std::size_t i = 0; i < most && next.size() < at(width); ++i) {
      const Child& c = children_[i];
      if (!seen.emplace(c.key, true).second) continue;
      const Node& parent = level[c.parent];
      Node node = parent;
      node.board.put(c.placement.piece, c.placement.r, c.placement.x, c.placement.y);
      const Column full = node.board.clear();
      const Clear clear{
          std::popcount(full), c.placement.spin, parent.b2b, parent.combo, full != 0 && node.board.empty(), false};
      const Attack attack = attack_of(s_.table, clear);
      node.sent = c.sent;
      node.worth = c.worth;
      node.b2b = static_cast<std::int16_t>(attack.b2b);
      node.combo = full != 0 ? static_cast<std::int16_t>(parent.combo + 1) : std::int16_t{0};
      node.incoming = static_cast<std::int16_t>(std::max(0, parent.incoming - attack.lines));
      node.root = c.root;
      node.next = static_cast<std::uint8_t>(parent.next + 1 + (c.hold && parent.hold == kNoPiece));
      if (c.hold) node.hold = sequence[parent.next];
      next.push_back(node);
      if (trails_) trail_.back().push_back({c.parent, {c.hold, c.placement}});
    }
  }

  static constexpr float kLost = -1e6f;

  const Setup& s_;
  const Side& root_;
  const Weights& w_;
  BeamLimits limits_;
  Watch& watch_;
  Rng rng_;
  double start_ = 0;
  std::vector<Child> children_;
  std::vector<std::vector<Step>> trail_; // of the known pieces' levels, while they are searched
  bool trails_ = false;
  const std::vector<std::int8_t>* sequence_ = nullptr;
  BeamResult result_;
};

} // namespace

BeamResult beam(const Setup& setup, const Side& side, const Weights& weights, const BeamLimits& limits, Watch& watch) {
  return Beam(setup, side, weights, limits, watch).run();
}

Side beam_game(const Setup& setup, const Weights& weights, const BeamLimits& limits, int pieces, std::uint64_t seed,
               Watch& watch) {
  Rng rng(seed);
  Side side;
  while (side.end == End::none && side.pieces < pieces) {
    if (side.needs_chance(setup)) {
      List<Outcome, kOutcomes> outcomes; // of the bag, which are alike
      side.chance(setup, outcomes);
      side.resolve(setup, outcomes[rng.below(static_cast<std::uint32_t>(outcomes.size()))].action);
      continue;
    }
    const BeamResult found = beam(setup, side, weights, limits, watch);
    if (found.best < 0) break;
    const Choice& best = found.choices[at(found.best)];
    side.place(setup, best.hold, best.placement);
    if (!side.needs_chance(setup)) side.arrive(setup);
  }
  return side;
}

} // namespace sevenfold::tetris
