// What the options of Tetris describe, made once per game; page.md has them for people.
#pragma once

#include <stdexcept>
#include <string>

#include "game/registry.h"
#include "tetris/attack.h"

namespace sevenfold::tetris {

constexpr int kMostPreviews = 18;
constexpr int kMostPieces = 20000;

enum class Objective : std::uint8_t { attack, lines, pieces, score };
enum class Spawn : std::uint8_t { tbp, guideline, tetrio };
enum class LockOut : std::uint8_t { all, any, none };

struct Setup {
  bool versus;
  int pieces;
  Objective objective = Objective::attack;
  AttackTable table;
  Movement movement;
  bool drops, uniform, hold;
  int previews, height;
  Spawn spawn;
  LockOut lock_out;
  int garbage_every = 0, garbage_rows = 0; // solo: a packet of so many rows after every so many pieces
  int cap, delay, opener;
  bool blocking, hole_repeats;
  double hole_change, hole_mess;
  bool document;
  int rows; // of planes and of action ids: 24 where no cell can be higher, else 40

  static OptionList options(bool versus);
  Setup(const Options& options, bool versus);

  bool has_garbage() const { return versus || garbage_every > 0; }
  // The highest attack of one placement.
  double most_attack() const {
    if (table == AttackTable::ppt || table == AttackTable::jstris) return 18;
    return (16 + 5) * (1 + 0.25 * pieces) + pieces + 11;
  }
  double most_return() const {
    switch (objective) {
      case Objective::attack: return most_attack() * pieces;
      case Objective::lines: return 4.0 * pieces;
      case Objective::pieces: return pieces;
      case Objective::score: break;
    }
    return (6000.0 + 50 * pieces) * pieces;
  }
  // What a good placement is worth more than a fair one, about.
  double gain() const {
    switch (objective) {
      case Objective::attack: return 4;
      case Objective::lines: return 2;
      case Objective::pieces: return 10;
      case Objective::score: break;
    }
    return 800;
  }
  int max_plies() const {
    const int sides = versus ? 2 : 1;
    const int per_piece = 3 + (has_garbage() ? cap : 0);
    return std::min(kMaxPlies, sides * (pieces * per_piece + previews + 2));
  }
};

inline OptionList Setup::options(bool versus) {
  OptionList out{
      Option::integer(
          "pieces", versus ? 1000 : 100, 1, kMostPieces,
          versus ? "placements of each player; then the game is a draw" : "placements until the game is over"),
      Option::choice("attack", "ppt", {"ppt", "jstris", "tetrio", "tetrio_chaining"},
                     "what clears send: Puyo Puyo Tetris; Jstris; TETR.IO's league with surge; TETR.IO's first season"),
      Option::choice("kicks", "srs", {"srs", "srs+", "none"},
                     "srs: the guideline's rotation system; srs+: TETR.IO's, with half turns; none: turns in place"),
      Option::choice("moves", "all", {"all", "drop"}, "all: every reachable placement; drop: straight drops only"),
      Option::choice("spins", "t", {"none", "t", "t+", "all_mini", "all_mini+", "all", "all+"},
                     "what counts as a spin: t by three corners; all: also other pieces that cannot move; +: also an "
                     "immobile t, as a mini"),
      Option::choice("fifth_kick", "full", {"full", "from_flat", "mini"},
                     "a mini t-spin by the fifth kick: is full; is full out of a flat orientation (TETR.IO); is mini"),
      Option::choice("randomizer", "bag", {"bag", "uniform"}, "bag: each seven pieces hold one of each; uniform: any"),
      Option::flag("hold", true, "a piece may be held for later"),
      Option::integer("previews", 5, 0, kMostPreviews, "pieces seen after the current one"),
      Option::integer("height", 20, 4, 20, "visible rows; forty exist"),
      Option::choice("spawn", "tbp", {"tbp", "guideline", "tetrio"},
                     "tbp: in the top visible row, else one higher; guideline: one higher; tetrio: two higher, and as "
                     "high as needed after a clear"),
      Option::choice("lock_out", "all", {"all", "any", "none"},
                     "the game is lost when all cells of a piece lock above the visible rows; when any cell is there "
                     "after the clear; never"),
  };
  if (!versus) {
    out.insert(out.begin() + 1,
               Option::choice("objective", "attack", {"attack", "lines", "pieces", "score"}, "what the returns count"));
    out.push_back(Option::integer("garbage_every", 0, 0, 1000, "garbage comes after every so many pieces; 0: never"));
    out.push_back(Option::integer("garbage_rows", 1, 1, 20, "how many rows of it"));
  }
  const OptionList more{
      Option::integer("garbage_cap", 10, 1, 20, "rows of garbage that rise after one placement, at most"),
      Option::integer("garbage_delay", 1, 0, 20, "placements that garbage waits before it rises"),
      Option::flag("garbage_blocking", false, "a placement that clears keeps garbage from rising"),
      Option::real("hole_change", 1, 0, 1, "how likely the hole moves with each attack"),
      Option::real("hole_mess", 0.3, 0, 1, "how likely it moves with each row of an attack"),
      Option::flag("hole_repeats", false, "a hole that moves may stay in its column"),
      Option::integer("opener", 0, 0, 100, "in so many first pieces, attacks cancel twice (TETR.IO: 14)"),
      Option::choice("encoding", "default", {"default", "document"},
                     "what nets see, and action ids; document: as the founding document has them"),
  };
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

inline Setup::Setup(const Options& o, bool is_versus) : versus(is_versus) {
  const auto index = [](const std::string& word, std::initializer_list<std::string_view> words) {
    return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
  };
  const auto number = [&](std::string_view name) { return static_cast<int>(o.integer(name)); };
  pieces = number("pieces");
  table = static_cast<AttackTable>(index(o.text("attack"), {"ppt", "jstris", "tetrio", "tetrio_chaining"}));
  movement.system = static_cast<System>(index(o.text("kicks"), {"srs", "srs+", "none"}));
  const auto kind = index(o.text("spins"), {"none", "t", "t+", "all_mini", "all_mini+", "all", "all+"});
  movement.spins.corners = kind > 0;
  movement.spins.immobile_t = kind > 0 && kind % 2 == 0;
  movement.spins.immobile = kind >= 5 ? Spin::full : kind >= 3 ? Spin::mini : Spin::none;
  movement.spins.fifth = static_cast<SpinRules::Fifth>(index(o.text("fifth_kick"), {"full", "from_flat", "mini"}));
  drops = o.text("moves") == "drop";
  uniform = o.text("randomizer") == "uniform";
  hold = o.flag("hold");
  previews = number("previews");
  height = number("height");
  spawn = static_cast<Spawn>(index(o.text("spawn"), {"tbp", "guideline", "tetrio"}));
  lock_out = static_cast<LockOut>(index(o.text("lock_out"), {"all", "any", "none"}));
  if (!versus) {
    objective = static_cast<Objective>(index(o.text("objective"), {"attack", "lines", "pieces", "score"}));
    garbage_every = number("garbage_every");
    garbage_rows = number("garbage_rows");
  }
  cap = number("garbage_cap");
  delay = number("garbage_delay");
  blocking = o.flag("garbage_blocking");
  hole_change = o.real("hole_change");
  hole_mess = o.real("hole_mess");
  hole_repeats = o.flag("hole_repeats");
  opener = number("opener");
  document = o.text("encoding") == "document";
  if (document && previews < 5)
    throw std::invalid_argument("the encoding document shows five previews: give previews=5 or more.");
  rows = has_garbage() || lock_out == LockOut::none ? kRows : 24;
}

} // namespace sevenfold::tetris
