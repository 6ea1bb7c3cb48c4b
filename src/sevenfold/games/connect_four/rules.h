// Connect-four and its relatives: stones fall down the columns; `connect` in a row, in any direction, wins.
// Any board from 4×4 to 12×12, optionally with one blocked cell (Saiblo's 重力四子棋). Actions are the columns.
//
// Bitboards: column by column, from the bottom up, with one empty bit above each column, so that cell (col, height)
// is bit col * (rows + 1) + height. Adding 1 at the bottom of a column carries through its filled cells into the
// first free one; the blocked cell counts as filled, so that the carry jumps it. The empty bit on top stops the carry
// and keeps lines from running on into the next column.
#pragma once

#include "connect_four/analyst.h"
#include "connect_four/board.h"
#include "connect_four/judgement.h"
#include "connect_four/rollout.h"
#include "connect_four/threats.h"

namespace sevenfold::connect_four {

constexpr char kStone[] = {'x', 'o'};

// Words: 64-bit words per bitboard; one is enough for 7×6, three for 12×12.
template <int Words>
struct ConnectFour {
  using Setup = Board<Words>;
  using Cells = Bits<Words>;

  static constexpr Facts facts{
      .name = "connect_four", .players = 2, .actions = 7, .planes = {3, 6, 7}, .max_plies = 42};
  static Facts facts_for(const Setup& board) {
    Facts out = facts;
    out.actions = board.cols;
    out.planes = {3, board.rows, board.cols};
    out.max_plies = board.cells;
    return out;
  }
  static OptionList options() { return board_options(); }
  static bool fits(const Options& options) {
    return (options.integer("rows") + 1) * options.integer("cols") <= 64 * Words;
  }

  std::array<Cells, 2> stones{};
  const Setup* board;
  std::int16_t ply = 0;
  bool won = false; // by the side that moved last

  explicit ConnectFour(const Setup& setup) : board(&setup) {}

  int to_move() const { return won || ply == board->cells ? TERMINAL : ply & 1; }
  // The cells a stone can fall to, one per column that is not full.
  Cells landing() const {
    const Cells filled = stones[0] | stones[1] | board->blocked;
    return (filled + board->bottoms) & ~filled & board->all;
  }
  void legal_actions(ActionList& out) const {
    landing().for_each([&](int cell) { out.push(board->column_of[static_cast<std::size_t>(cell)]); });
  }
  void play(Action col) {
    const Cells filled = stones[0] | stones[1] | board->blocked;
    const Cells landed = (filled + board->bottom[static_cast<std::size_t>(col)]) & ~filled;
    Cells& mine = stones[static_cast<std::size_t>(ply++ & 1)];
    mine |= landed;
    won = board->has_line(mine);
  }
  void returns(Values& out) const {
    if (!won) return;
    out[static_cast<std::size_t>(ply & 1)] = -1;
    out[static_cast<std::size_t>(~ply & 1)] = 1;
  }
  std::uint64_t hash() const {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < Words; ++i) out = mix(mix(out, stones[0].word[i]), stones[1].word[i]);
    return out;
  }

  // Ability: observe. Plane 0 the viewer's stones, plane 1 the other's, plane 2 the blocked cell; row 0 on top.
  void observe(int viewer, Observation& out) const {
    const Cells planes[] = {stones[static_cast<std::size_t>(viewer)], stones[static_cast<std::size_t>(1 - viewer)],
                            board->blocked};
    for (int channel = 0; channel < 3; ++channel)
      planes[channel].for_each([&](int cell) { out.at(channel, board->row_of(cell), board->col_of(cell)) = 1; });
  }

  // Ability: symmetries. Left and right may be exchanged if that keeps the blocked cell where it is.
  int symmetries() const { return board->mirrors ? 2 : 1; }
  Action symmetric_action(int s, Action col) const { return s == 1 ? board->cols - 1 - col : col; }
  ConnectFour symmetric(int s) const {
    ConnectFour out = *this;
    if (s == 1)
      for (std::size_t side = 0; side < 2; ++side) out.stones[side] = board->mirrored(stones[side]);
    return out;
  }

  // Ability: random_action. Columns are drawn until one is not full: each free one is equally likely, and unlike
  // picking from a list this has no branch that a random number makes unpredictable.
  Action random_action(Rng& rng) const {
    const Cells free = landing();
    for (;;) {
      const auto col = rng.below(static_cast<std::uint32_t>(board->cols));
      if ((free & board->column[col]).any()) return static_cast<Action>(col);
    }
  }

  // Ability: narrow. The winning column alone; else the columns after which the other side cannot win at once.
  bool narrow(ActionList& list) const {
    const Cells free = landing();
    const auto side = static_cast<std::size_t>(ply & 1);
    const Cells winning = board->completing(stones[side]) & free;
    const auto keep = [&](const Cells& cells) {
      list.clear();
      cells.for_each([&](int cell) { list.push(board->column_of[static_cast<std::size_t>(cell)]); });
    };
    if (winning.any()) {
      keep(Cells::bit(winning.select(0)));
      return true;
    }
    const Cells threats = board->completing(stones[1 - side]);
    const Cells safe = safe_of(free, threats);
    if (safe.any()) keep(safe);
    return false;
  }
  // The cells that do not lose at once: a threat must be answered where it is, two cannot be; and a stone must not
  // be put under a cell where the other side wins.
  Cells safe_of(const Cells& free, const Cells& threats) const {
    const Cells now = threats & free;
    const Cells safe = free & ~board->under(threats);
    if (!now.any()) return safe;
    return now.count() > 1 ? Cells{} : now & safe;
  }

  // Ability: prover. The room's solver (analysis.h).
  std::unique_ptr<Prover> prover(std::size_t bytes) const;

  // Ability: forced_win. By threats that leave the other side one reply each.
  Action forced_win() const {
    constexpr int kBudget = 96; // stones tried; a few rollouts' worth of time at most
    const auto side = static_cast<std::size_t>(ply & 1);
    const Cells stone = Threats<Words>(*board, kBudget).winning_stone(stones[side], stones[1 - side]);
    return stone.any() ? board->column_of[static_cast<std::size_t>(stone.select(0))] : kNoAction;
  }

  // Ability: rollout. The stones stay as they are: the end and its winner are all that is asked for.
  int rollout(Rng& rng) {
    const auto side = static_cast<std::size_t>(ply & 1);
    int plies = 0;
    if constexpr (Words == 1) plies = roll_out_words(*board, stones, side, rng);
    else plies = Rollout<Words>(*board, stones, landing()).run(side, rng);
    won = plies > 0;
    ply = static_cast<std::int16_t>(ply + std::abs(plies));
    return std::abs(plies);
  }

  // Abilities: heuristic, terms and order (judgement.h).
  void heuristic(Values& out) const {
    out[0] = judged([](const auto& judgement) { return judgement.value(); });
    out[1] = -out[0];
  }
  static constexpr auto term_names = kTermNames;
  void terms(int player, Terms& out) const {
    judged([&](const auto& judgement) { judgement.terms(static_cast<std::size_t>(player), out); });
  }
  void order(Action, ActionList& list) const {
    judged([&](const auto& judgement) { judgement.sort(list); });
  }

  std::string action_text(Action col) const { return std::string(1, static_cast<char>('a' + col)); }
  // Ability: parse_action. The column's letter, or its number from 1.
  Action parse_action(std::string_view text) const { return read_column(text, board->cols); }

  char stone_at(int row, int col) const {
    const int cell = board->cell(row, col);
    if (stones[0].test(cell)) return kStone[0];
    if (stones[1].test(cell)) return kStone[1];
    return board->blocked.test(cell) ? '#' : '.';
  }
  std::string draw() const {
    std::string out;
    for (int row = 0; row < board->rows; ++row) {
      for (int col = 0; col < board->cols; ++col) out += {stone_at(row, col), ' '};
      out.back() = '\n';
    }
    for (int col = 0; col < board->cols; ++col) out += {static_cast<char>('a' + col), ' '};
    out.pop_back();
    return out;
  }

  // Ability: to_text. Rows from the top, a number for that many empty cells, then who moves: "7/7/7/7/3o3/2xx3 o".
  std::string to_text() const {
    std::string out;
    for (int row = 0; row < board->rows; ++row) {
      if (row > 0) out += '/';
      int gap = 0;
      for (int col = 0; col < board->cols; ++col) {
        const char stone = stone_at(row, col);
        if (stone == '.') {
          ++gap;
          continue;
        }
        if (gap > 0) out += std::to_string(gap);
        gap = 0;
        out += stone;
      }
      if (gap > 0) out += std::to_string(gap);
    }
    return out + ' ' + kStone[ply & 1];
  }
  // Reads to_text's form, and a game as solvers write it: the columns played, from 1 ("4453").
  void parse(std::string_view text) {
    if (text.find('/') == std::string_view::npos) return parse_columns(text);
    ConnectFour out(*board);
    read_rows(text, board->rows, board->cols, [&](int row, int col, char stone) {
      const int cell = board->cell(row, col);
      require((stone == '#') == board->blocked.test(cell), "the blocked cell is not where the options put it");
      if (stone == 'x' || stone == 'o') {
        out.stones[stone == 'o'] |= Cells::bit(cell);
        ++out.ply;
      }
    });
    require(text.back() == kStone[out.ply & 1], "it names the wrong side to move");
    out.check_plausible();
    *this = out;
  }

 private:
  template <class F>
  auto judged(F f) const {
    return with_judgement(*board, stones, ply, f);
  }

  static void require(bool fine, const char* fault) {
    if (!fine) throw std::invalid_argument(std::string("not a connect_four position of this board: ") + fault + ".");
  }

  void parse_columns(std::string_view text) {
    ConnectFour out(*board);
    for (const char c : text) {
      const Action col = read_column(std::string_view(&c, 1), board->cols);
      require(col != kNoAction, "it is neither rows such as '7/7/7/7/3o3/2xx3 o' nor columns such as '4453'");
      require(out.to_move() != TERMINAL, "the game ends before the last column");
      require((out.landing() & board->column[static_cast<std::size_t>(col)]).any(),
              "a stone is put into a full column");
      out.play(col);
    }
    *this = out;
  }

  // What a look at the stones can tell: counts, gravity, and lines that could have been completed by a last stone.
  void check_plausible() {
    const int lead = stones[0].count() - stones[1].count();
    require(lead == 0 || lead == 1, "x must have as many stones as o, or one more");
    for (int col = 0; col < board->cols; ++col) {
      bool air = false; // a stone rests on the bottom, on another stone or on the blocked cell
      for (int row = board->rows - 1; row >= 0; --row) {
        const char stone = stone_at(row, col);
        require(!air || stone == '.' || stone == '#', "a stone hangs in the air");
        air |= stone == '.';
      }
    }
    const std::size_t mover = static_cast<std::size_t>(ply & 1), last = 1 - mover;
    require(!board->has_line(stones[mover]), "the game had ended before the last stone");
    won = board->has_line(stones[last]);
    if (!won) return;
    bool possible = false; // one stone on top of a column must have completed every line at once
    for (int col = 0; col < board->cols; ++col) {
      const Cells top = board->top(stones[0] | stones[1], col);
      if ((top & stones[last]).any()) possible |= !board->has_line(stones[last] & ~top);
    }
    require(possible, "no single last stone completes its lines");
  }
};

inline void enter(Registry& registry) {
  registry.add<ConnectFour<1>, ConnectFour<2>, ConnectFour<3>>();
  Analyst::make = make_analyst;
}

} // namespace sevenfold::connect_four

#include "connect_four/analysis.h" // the room's solver, which needs the struct above
