// The perfect connect-four solver: negamax with null windows on bitboards. Exact on every board, as far as it gets.
//
// A score is from the side to move, on Pons' scale: with S stones on a board of N cells, winning with one's next stone
// is worth (N + 1 - S) / 2 and one less for every further stone of one's own; 0 is a draw, a loss is negative.
// A node is one call of `negamax`. docs/methods/perfect.md says what each step is worth.
//
//   L. V. Allis, A Knowledge-Based Approach of Connect-Four (1988): zugzwang, claimeven, baseinverse (step 4)
//   P. Pons, Solving Connect 4 (2015): threat bitboards and the scale; written anew from the idea, not from the code
#pragma once

#include <array>
#include <chrono>

#include "connect_four/analyst.h"
#include "connect_four/memo.h"
#include "connect_four/shape.h"

namespace sevenfold::connect_four {

template <int Words, int Rows = 0, int Connect = 0>
class Solver {
 public:
  using Cells = Bits<Words>;
  using Stones = std::array<Cells, 2>; // of the side to move, of the other

  Solver(const Board<Words>& board, std::size_t bytes, const Steps& steps)
      : shape_(board), board_(shape_.board), steps_(steps), memo_(board.cols * (board.rows + 1), bytes) {}
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void forget() { memo_.clear(); }
  std::uint64_t nodes() const { return nodes_; }
  bool stopped() const { return stopped_; }

  // What follows is under these limits, until the next start.
  void start(const Limits& limits, Watch& watch) {
    nodes_ = 0;
    limits_ = limits;
    watch_ = &watch;
    stopped_ = false;
    began_ = std::chrono::steady_clock::now();
    next_look_ = std::min(kLookEvery, limits.nodes);
  }

  // The score of a position that is not over, or the bounds found before a limit. `known` must be true of it.
  //
  // Step 8. Windows. First whether the score is in the outer half of what is possible, on either side: quick wins have
  // small proofs. Then who wins, then one stone at a time from there: most scores of hard positions are near 0.
  Verdict solve(const Stones& stones, Verdict known = {}) {
    const Node root = node_of(stones);
    const int left = board_.cells - root.stones;
    if ((root.mine & shape_.landing(root.filled)).any()) return {(left + 1) / 2, (left + 1) / 2};
    Verdict out{std::max(known.lower, -(left / 2)), std::min(known.upper, (left - 1) / 2)};
    use_mirror(root);
    const int far = left / 4;
    while (out.lower < out.upper && !stopped_) {
      int alpha = out.lower > 0 ? out.lower : out.upper <= 0 ? out.upper - 1 : out.lower < 0 ? -1 : 0;
      if (out.lower < -far) alpha = -far - 1;
      else if (out.upper > far) alpha = far;
      alpha = std::clamp(alpha, out.lower, out.upper - 1);
      const int score = steps_.windows ? negamax(root, alpha, alpha + 1) : negamax(root, out.lower, out.upper);
      if (stopped_) break;
      if (!steps_.windows) return {score, score};
      (score <= alpha ? out.upper : out.lower) = score;
    }
    return out;
  }

  // Whether the score of a position that is not over is at most this; false where a limit came first.
  bool at_most(const Stones& stones, int score) {
    const Node root = node_of(stones);
    if ((root.mine & shape_.landing(root.filled)).any()) return (board_.cells - root.stones + 1) / 2 <= score;
    use_mirror(root);
    return negamax(root, score, score + 1) <= score && !stopped_;
  }

  // What the table knows of a position that is not over.
  Verdict look_up(const Stones& stones) {
    const Node node = node_of(stones);
    const int left = board_.cells - node.stones;
    if ((node.mine & shape_.landing(node.filled)).any()) return {(left + 1) / 2, (left + 1) / 2};
    use_mirror(node);
    const Cells key = key_of(node.mover, node.filled);
    Bounds found{-(left / 2), (left - 1) / 2};
    (void)memo_.find(key, memo_.place(key), found);
    return {found.lower, found.upper};
  }

  int column_from_centre(int i) const { return shape_.centre_first[static_cast<std::size_t>(i)]; }

 private:
  struct Node {
    Cells mover, other, filled; // filled: the stones of both, and the blocked cell
    Cells mine, theirs;         // the cells that complete a line of the mover, of the other side
    int stones;
  };
  struct Move {
    Cells cell, threats, key;
    std::uint64_t place;
    int merit;
  };
  static constexpr std::uint64_t kLookEvery = 1024;

  Node node_of(const Stones& stones) const {
    const auto& [mover, other] = stones;
    const Cells both = mover | other;
    return {mover, other, both | board_.blocked, shape_.completing(mover), shape_.completing(other), both.count()};
  }
  static Node after(const Node& n, const Cells& cell, const Cells& threats) {
    return {n.other, n.mover | cell, n.filled | cell, n.theirs, threats, n.stones + 1};
  }

  // Images only meet if no cell holds a stone of one side and its mirror image a stone of the other.
  void use_mirror(const Node& root) {
    mirror_ = steps_.mirror && board_.mirrors && !(root.mover & shape_.mirrored(root.other)).any();
  }
  Cells key_of(const Cells& mover, const Cells& filled) const {
    const Cells key = shape_.key(mover, filled);
    if (!mirror_) return key;
    const Cells image = shape_.mirrored(key);
    return image.word < key.word ? image : key;
  }

  // Fail-soft: a result of at most alpha is an upper bound of the score, one of at least beta a lower bound.
  // The side to move cannot win with its next stone (or step 1 is off).
  int negamax(Node n, int alpha, int beta) {
    if (++nodes_ >= next_look_) look_around();
    if (stopped_) return 0;

    int sign = 1;
    bool followed = false;
    Cells moves;
    int left;
    for (;;) {
      // Step 1. Safe moves. Block a threat; do not fill the cell under one; where that leaves nothing, the game is
      // lost.
      const Cells landing = shape_.landing(n.filled);
      left = board_.cells - n.stones;
      if (!steps_.safe) {
        if ((n.mine & landing).any()) return (left + 1) / 2;
        if (left == 0) return 0;
        moves = landing;
        break;
      }
      const Cells danger = n.theirs & landing;
      moves = landing & ~board_.under(n.theirs);
      if (danger.any()) moves = danger.count() > 1 ? Cells{} : moves & danger;
      if (!moves.any()) return sign * -(left / 2);
      if (left <= 2) return 0;

      // Step 2. Forced replies. A single safe move needs no decision, no table and no node of its own.
      if (!steps_.forced || moves.count() > 1) break;
      n = after(n, moves, shape_.completing(n.mover | moves));
      sign = -sign;
      followed = true;
      std::swap(alpha, beta);
      alpha = -alpha, beta = -beta;
    }

    // Nobody wins before their stone after next.
    int lower = steps_.safe ? -((left - 2) / 2) : -(left / 2), upper = (left - 1) / 2;
    if (followed && steps_.claims) upper = std::min(upper, claimed(n, left, alpha));
    if (lower >= beta) return sign * lower;
    if (upper <= alpha) return sign * upper;

    // Step 3. The table. Bounds from an earlier visit, by another order of moves or with another window.
    Cells key;
    std::uint64_t place = 0;
    if (steps_.table) {
      key = key_of(n.mover, n.filled);
      place = memo_.place(key);
      if (Bounds found; memo_.find(key, place, found)) {
        lower = std::max(lower, found.lower);
        upper = std::min(upper, found.upper);
        if (lower >= beta || lower == upper) return sign * lower;
        if (upper <= alpha) return sign * upper;
      }
    }
    alpha = std::max(alpha, lower);
    beta = std::min(beta, upper);
    const std::uint64_t nodes_before = nodes_;
    const auto answer = [&](int from, int to, int score) {
      if (steps_.table) memo_.keep(key, place, {from, to}, nodes_ - nodes_before);
      return sign * score;
    };

    Move list[12];
    int size = ordered(n, moves, left, alpha, beta, list);

    // Step 6. Children. A child that is known well enough cuts at once or need not be searched.
    int best = -Verdict::kFar;
    if (steps_.table && steps_.children) {
      int open = 0;
      for (int i = 0; i < size; ++i) {
        if (Bounds found; memo_.find(list[i].key, list[i].place, found)) {
          if (-found.upper >= beta) return answer(-found.upper, upper, -found.upper);
          if (-found.lower <= alpha) {
            best = std::max(best, -found.lower);
            continue;
          }
        }
        if (open != i) list[open] = list[i];
        ++open;
      }
      size = open;
    }

    // Step 4, of the children: so that a claim that cuts is found before another child is searched.
    if (steps_.claims)
      for (int i = 0; i < size; ++i) {
        const int score = -claimed(after(n, list[i].cell, list[i].threats), left - 1, -beta);
        if (score >= beta) return answer(score, upper, score);
      }

    // Step 7. Search.
    for (int i = 0; i < size; ++i) {
      const int score = -negamax(after(n, list[i].cell, list[i].threats), -beta, -std::max(alpha, best));
      if (stopped_) return 0;
      if (score >= beta) return answer(score, upper, score);
      best = std::max(best, score);
    }
    return answer(best > alpha ? best : lower, best, best);
  }

  // Step 5. Threats. The move that leaves most cells completing a line comes first; when the window asks for a quick
  // win or loss, a threat that must be answered at once breaks ties; then columns from the centre.
  int ordered(const Node& n, const Cells& moves, int left, int alpha, int beta, Move* list) const {
    const bool quick = beta > left / 4 || alpha < -(left / 4);
    int size = 0;
    for (int i = 0; i < board_.cols; ++i) {
      const Cells cell = moves & board_.column[static_cast<std::size_t>(column_from_centre(i))];
      if (!cell.any()) continue;
      Move move;
      move.cell = cell;
      move.threats = shape_.completing(n.mover | cell);
      move.merit = 0;
      move.place = 0;
      const Cells filled = n.filled | cell;
      if (steps_.threats) {
        const Cells threats = move.threats & ~filled;
        move.merit = 2 * threats.count();
        if (quick && (threats & shape_.landing(filled)).any()) ++move.merit;
      }
      if (steps_.table && steps_.children) {
        move.key = key_of(n.other, filled);
        move.place = memo_.place(move.key);
        memo_.prefetch(move.place);
      }
      int at = size++;
      for (; at > 0 && list[at - 1].merit < move.merit; --at) list[at] = list[at - 1];
      list[at] = move;
    }
    return size;
  }

  // Step 4. Claims. What the side to move can get at most if the other side answers every stone by a fixed pairing:
  // the cell above it (claimeven), or, for the lowest free cells of two columns with an odd number of free cells, the
  // other one of the two (baseinverse). Then the mover gets, at most, the lowest free cells and every cell with an even
  // number of cells from there to the top (`first`); if that holds no line, it cannot win.
  //
  // With an even number of free cells every stone has its answer. With a threat of the other side at a cell `trap`,
  // that column ends below the cell under the trap: nobody but the mover, when nothing else is left, must fill that
  // cell, and then the trap is sprung, at the latest when only the cells above it are free. The pairing needs an even
  // number of free cells without those from the cell under the trap upwards.
  int claimed(const Node& n, int left, int alpha) const {
    const bool even = left % 2 == 0;
    const Cells free = board_.all & ~n.filled;
    const Cells landing = shape_.landing(n.filled);
    const Cells reach = n.mover | landing | (free & shape_.first);
    if (alpha >= 0) {
      if (!shape_.has_line(n.mover | free)) return 0; // no line is left at all
      if (even && !shape_.has_line(reach)) return 0;
    }
    if (alpha == -1 && even && !shape_.has_line(reach) && shape_.has_line(n.other | (free & ~shape_.first & ~landing)))
      return -1; // and what the other side gets for certain holds one
    int out = Verdict::kFar;
    const Cells traps = n.theirs & free & ~landing & (even ? ~shape_.first : shape_.first);
    traps.for_each([&](int trap) {
      const auto at = static_cast<std::size_t>(trap);
      const int loss = -((shape_.above[at] + 2) / 2);
      if (loss > alpha || loss >= out) return;
      const Cells& column = board_.column[static_cast<std::size_t>(board_.column_of[at])];
      const Cells& under = shape_.below[at];
      const Cells trapped =
          n.mover | landing | (free & shape_.first & ~column) | (free & under & (even ? shape_.first : ~shape_.first));
      if (!shape_.has_line(trapped)) out = loss;
    });
    return out;
  }

  // Now and then: is it time to stop, and has the table room?
  void look_around() {
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    watch_->done.store(nodes_, std::memory_order_relaxed);
    stopped_ = watch_->stop.load(std::memory_order_relaxed) || seconds >= limits_.seconds || nodes_ >= limits_.nodes;
    next_look_ = std::min(nodes_ + kLookEvery, limits_.nodes);
    // Growing takes a few hundredths of the time that filling took: not when the end is that near.
    if (!stopped_ && memo_.crowded() && limits_.seconds - seconds > 0.1 * seconds) memo_.grow();
  }

  const Shape<Words, Rows, Connect> shape_;
  const Board<Words>& board_;
  const Steps steps_;
  Memo<Words> memo_;
  Limits limits_;
  Watch* watch_ = nullptr;
  std::chrono::steady_clock::time_point began_;
  std::uint64_t nodes_ = 0, next_look_ = 0;
  bool mirror_ = false, stopped_ = false;
};

} // namespace sevenfold::connect_four
