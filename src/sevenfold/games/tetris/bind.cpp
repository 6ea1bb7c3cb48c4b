// The room's own as Python sees it: `_core._tetris`, for positions of tetris and tetris_versus.
#include "bind/bind.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "game/watch.h"
#include "tetris/batch.h"
#include "tetris/beam.h"
#include "tetris/controllers.h"
#include "tetris/counting.h"
#include "tetris/drawing.h"
#include "tetris_versus/rules.h"

namespace sevenfold {

namespace {

using namespace tetris;
using namespace nb::literals;
using tetris_versus::Versus;

struct Seat {
  const tetris::Setup& setup;
  const Side& side;
};

// A player's side; without one, the mover's.
Seat seat_of(const bind::BoundState& s, int player = -1) {
  if (&s.state.table() == &kTable<Tetris>) {
    const auto& game = held<Tetris>(s.state.data());
    return {*game.setup, game.side};
  }
  if (&s.state.table() == &kTable<Versus>) {
    const auto& game = held<Versus>(s.state.data());
    return {*game.setup, game.sides[at(player < 0 ? game.mover : player & 1)]};
  }
  throw std::invalid_argument("this is for positions of tetris and tetris_versus.");
}

std::string letter(int piece) { return piece == kNoPiece ? "" : std::string(1, kLetters[at(piece)]); }

int piece_named(const std::string& name) {
  const auto i = name.size() == 1 ? kLetters.find(name[0]) : std::string_view::npos;
  if (i == std::string_view::npos) throw std::invalid_argument("there is no piece " + name + ".");
  return static_cast<int>(i);
}

// (action, uses hold, piece, orientation, x, y, spin) of every legal action.
using Listed = std::tuple<int, bool, std::string, int, int, int, int>;
std::vector<Listed> placements(const bind::BoundState& s) {
  std::vector<Listed> out;
  if (s.state.to_move() < 0) return out;
  const auto [setup, side] = seat_of(s);
  each_choice(setup, side, [&, &setup = setup](bool hold, const Placement& p) {
    out.emplace_back(encoded(setup, hold, p), hold, letter(p.piece), p.r, p.x, p.y, static_cast<int>(p.spin));
  });
  return out;
}

// The legal action that puts a piece there, in whatever pose fills these cells; a spin of -1 is the best there is;
// kNoAction where there is none. Where both the current and the held piece fit, the current one is meant.
int find(const bind::BoundState& s, const std::string& piece, int r, int x, int y, int spin) {
  if (s.state.to_move() < 0 || r < 0 || r > 3) return kNoAction;
  const auto [setup, side] = seat_of(s);
  const int wanted = piece_named(piece);
  const Canon c = canon(wanted, r);
  int found = kNoAction, best = -1;
  bool held_one = true;
  each_choice(setup, side, [&, &setup = setup](bool hold, const Placement& p) {
    const int kind = static_cast<int>(p.spin);
    if (p.piece != wanted || p.r != c.r || p.x != x + c.x || p.y != y + c.y || (spin >= 0 && kind != spin)) return;
    if (found != kNoAction && (hold > held_one || (hold == held_one && kind <= best))) return;
    found = encoded(setup, hold, p);
    best = kind;
    held_one = hold;
  });
  return found;
}

nb::dict side_of(const bind::BoundState& s, int player) {
  const auto [setup, side] = seat_of(s, player);
  nb::dict out;
  std::vector<int> rows, packets;
  for (int y = 0; y < side.board.height(); ++y) rows.push_back(static_cast<int>(side.board.row(y)));
  for (std::size_t i = 0; i < side.waiting; ++i) packets.push_back(side.packets[i].lines);
  std::string queue;
  for (std::size_t i = 0; i < side.queued; ++i) queue += kLetters[at(side.queue[i])];
  constexpr std::array<const char*, 5> ends{"", "block_out", "lock_out", "top_out", "done"};
  out["rows"] = rows;
  out["queue"] = queue;
  out["hold"] = letter(side.hold);
  out["bag"] = pieces_text(side.bag);
  out["combo"] = static_cast<int>(side.combo);
  out["b2b"] = static_cast<int>(side.b2b);
  out["garbage"] = packets;
  out["due"] = side.due(setup);
  out["dug"] = side.dug;
  out["hole"] = static_cast<int>(side.hole);
  out["attack"] = side.attack;
  out["sent"] = side.sent;
  out["lines"] = side.lines;
  out["pieces"] = side.pieces;
  out["score"] = side.score;
  out["end"] = ends[static_cast<std::size_t>(side.end)];
  out["spawn"] = side.queued > 0 ? side.spawn_row(setup, side.current()) : -1;
  return out;
}

// What an action would do: (lines, spin, attack, sent, b2b after, combo after, perfect).
std::tuple<int, int, int, int, int, int, bool> outcome(const bind::BoundState& s, int action) {
  const auto [setup, side] = seat_of(s);
  const Choice choice = chosen(setup, side, action);
  Side next = side;
  const Placed placed = next.place(setup, choice.hold, choice.placement);
  return {placed.clear.lines,  static_cast<int>(choice.placement.spin),
          placed.attack.lines, placed.sent,
          placed.attack.b2b,   next.combo,
          placed.clear.perfect};
}

Board board_of(const std::vector<int>& rows) {
  Board board;
  if (rows.size() > kRows) throw std::invalid_argument("a board has at most 40 rows.");
  for (std::size_t y = 0; y < rows.size(); ++y) {
    if (rows[y] < 0 || rows[y] >= 0x3ff)
      throw std::invalid_argument("row " + std::to_string(y) + " of the board is not ten cells, one of them empty.");
    board.set_row(static_cast<int>(y), static_cast<unsigned>(rows[y]));
  }
  return board;
}

int system_named(const std::string& name) {
  constexpr std::array<std::string_view, 3> names{"srs", "srs+", "none"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::invalid_argument("kicks are srs, srs+ or none, not " + name + ".");
  return static_cast<int>(found - names.begin());
}

std::uint64_t count(const std::vector<int>& rows, const std::string& queue, const std::string& kicks, bool spins, int x,
                    int y, Watch& watch) {
  const Movement movement{static_cast<System>(system_named(kicks)), {}};
  const Board board = board_of(rows);
  std::vector<std::int8_t> pieces;
  for (const char name : queue) pieces.push_back(static_cast<std::int8_t>(piece_named(std::string(1, name))));
  if (x < 0 || x >= kCols || y < 0 || y >= kRows) throw std::invalid_argument("the spawn is a cell of the board.");
  nb::gil_scoped_release release;
  return count_sequences(board, movement, pieces.data(), static_cast<int>(pieces.size()), spins, x, y, watch);
}

nb::dict picture(const bind::BoundState& s) {
  if (&s.state.table() == &kTable<Versus>)
    return picture_dict<Versus>(
        s, [](const Versus& game) { return std::array{&game.sides[0], &game.sides[1]}; },
        [](const Versus& game) { return int{game.mover}; });
  seat_of(s); // refuses what is no position of ours
  return picture_dict<Tetris>(
      s, [](const Tetris& game) { return std::array{&game.side}; }, [](const Tetris&) { return 0; });
}

const Controller& controller_named(const std::string& name) {
  if (name == "bcts") return kBcts;
  if (name == "dellacherie") return kDellacherie;
  throw std::invalid_argument("there is no controller " + name + ".");
}

int control_state(const bind::BoundState& s, const std::string& name) {
  const auto [setup, side] = seat_of(s);
  Choice choice;
  control(controller_named(name), setup, side, choice);
  return encoded(setup, choice.hold, choice.placement);
}

// For the mover, or another seat as if it were its turn: (actions, their worth, the best of them, positions judged,
// depth, width)
using Searched = std::tuple<std::vector<int>, std::vector<float>, int, std::uint64_t, int, int>;
Searched search(const bind::BoundState& s, const std::vector<float>& weights, int width, int samples, int ahead,
                double seconds, std::uint64_t seed, bool processor, Watch& watch, int player) {
  const auto [setup, side] = seat_of(s, player);
  const Weights w = weights_of(weights);
  const Side root = side;
  BeamResult found;
  {
    nb::gil_scoped_release release;
    found = beam(setup, root, w, {width, samples, ahead, seconds, seed, processor}, watch);
  }
  std::vector<int> actions;
  for (const Choice& c : found.choices) actions.push_back(encoded(setup, c.hold, c.placement));
  const int best = found.best < 0 ? kNoAction : actions[at(found.best)];
  return {actions, found.worth, best, found.nodes, found.depth, found.width};
}

// A game of the beam from empty: (pieces, attack, lines).
std::tuple<int, int, int> play_beam(const bind::BoundState& s, const std::vector<float>& weights, int width,
                                    int samples, int ahead, int pieces, std::uint64_t seed, Watch& watch) {
  if (&s.state.table() != &kTable<Tetris>) throw std::invalid_argument("this is for the game tetris.");
  const tetris::Setup& setup = *held<Tetris>(s.state.data()).setup;
  if (setup.has_garbage()) throw std::invalid_argument("this is for games without garbage.");
  const Weights w = weights_of(weights);
  nb::gil_scoped_release release;
  const Side side = beam_game(setup, w, {.width = width, .samples = samples, .ahead = ahead}, pieces, seed, watch);
  return {side.pieces, side.attack, side.lines};
}

// A view of the engine's memory, which the batch owns: [games, …].
template <class T>
auto view(std::vector<T> Batch::* data, std::vector<std::size_t> (*shape)(const Batch&) = nullptr) {
  return [data, shape](nb::handle self) {
    Batch& b = nb::cast<Batch&>(self);
    std::vector<T>& all = b.*data;
    std::vector<std::size_t> sizes{b.size()};
    if (shape != nullptr)
      for (const std::size_t n : shape(b)) sizes.push_back(n);
    if (all.empty()) sizes.assign(1, 0); // it was not asked for
    return nb::ndarray<nb::numpy, T>(all.data(), sizes.size(), sizes.data(), self);
  };
}

std::vector<std::size_t> planes_shape(const Batch& b) {
  return {at(b.shape.channels), at(b.shape.height), at(b.shape.width)};
}
std::vector<std::size_t> features_shape(const Batch& b) { return {b.features.size() / b.size()}; }
std::vector<std::size_t> mask_shape(const Batch& b) { return {at(b.count_of_actions())}; }

Restart restart_named(const std::string& name) {
  constexpr std::array<std::string_view, 3> names{"same_step", "next_step", "never"};
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::invalid_argument("restart is same_step, next_step or never, not " + name + ".");
  return static_cast<Restart>(found - names.begin());
}

template <class T>
using Given = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void bind_batch(nb::module_& m) {
  nb::class_<Batch>(m, "Batch")
      .def(
          "__init__",
          [](Batch* self, const bind::BoundState& start, const std::vector<std::uint64_t>& seeds, bool observes,
             bool masks, bool strict, const std::string& restart) {
            if (&start.state.table() != &kTable<Tetris>) throw std::invalid_argument("a batch is of the game tetris.");
            if (start.state.to_move() == TERMINAL) throw std::invalid_argument("this game is over already.");
            if (seeds.empty() || seeds.size() > 65536) throw std::invalid_argument("a batch has 1 to 65536 games.");
            new (self) Batch(start.core, held<Tetris>(start.state.data()), seeds,
                             {observes, masks, strict, restart_named(restart)});
          },
          "start"_a, "seeds"_a, "observes"_a = true, "masks"_a = false, "strict"_a = true, "restart"_a = "same_step")
      .def(
          "step",
          [](Batch& self, Given<std::int32_t> actions) {
            if (actions.shape(0) != self.size()) throw std::invalid_argument("give one action for each game.");
            const std::int32_t* chosen = actions.data();
            nb::gil_scoped_release release;
            self.step(chosen);
          },
          "actions"_a)
      .def("reset", nb::overload_cast<>(&Batch::reset))
      .def(
          "reset",
          [](Batch& self, Given<bool> which) {
            if (which.shape(0) != self.size()) throw std::invalid_argument("give one truth for each game.");
            self.reset(which.data());
          },
          "which"_a)
      .def(
          "seed",
          [](Batch& self, std::size_t game, std::uint64_t seed) {
            if (game >= self.size()) throw std::invalid_argument("there is no such game in the batch.");
            self.seed(game, seed);
          },
          "game"_a, "seed"_a)
      .def(
          "random",
          [](Batch& self, nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> out) {
            if (out.shape(0) != self.size()) throw std::invalid_argument("give room for one action of each game.");
            self.random(out.data());
          },
          "out"_a)
      .def(
          "text",
          [](const Batch& self, std::size_t game) {
            if (game >= self.size()) throw std::invalid_argument("there is no such game in the batch.");
            return self.games[game].draw();
          },
          "game"_a)
      .def_prop_ro("planes", view(&Batch::planes, planes_shape))
      .def_prop_ro("features", view(&Batch::features, features_shape))
      .def_prop_ro("last_planes", view(&Batch::last_planes, planes_shape))
      .def_prop_ro("last_features", view(&Batch::last_features, features_shape))
      .def_prop_ro("masks", view(&Batch::masks, mask_shape))
      .def_prop_ro("rewards", view(&Batch::rewards))
      .def_prop_ro("ended", view(&Batch::ended))
      .def_prop_ro("illegal", view(&Batch::illegal))
      .def_prop_ro("lines", view(&Batch::lines))
      .def_prop_ro("attack", view(&Batch::attack))
      .def_prop_ro("offsets",
                   [](nb::handle self) {
                     Batch& b = nb::cast<Batch&>(self);
                     return nb::ndarray<nb::numpy, std::int32_t>(b.offsets.data(), {b.offsets.size()}, self);
                   })
      .def_prop_ro("actions", [](nb::handle self) {
        Batch& b = nb::cast<Batch&>(self);
        return nb::ndarray<nb::numpy, std::int32_t>(b.actions.data(), {b.actions.size()}, self);
      });
}

} // namespace

void bind_tetris(nb::module_& m) {
  m.def("placements", &placements);
  m.def("find", &find, "state"_a, "piece"_a, "orientation"_a, "x"_a, "y"_a, "spin"_a = -1);
  m.def("side", &side_of, "state"_a, "player"_a = -1);
  m.def("outcome", &outcome);
  m.def("count", &count);
  m.def("picture", &picture);
  m.def("control", &control_state);
  m.def("lines_of_a_game", [](const std::string& name, int height, std::uint64_t seed, std::int64_t pieces) {
    nb::gil_scoped_release release;
    return lines_of_a_game(controller_named(name), height, seed, pieces);
  });
  m.def("beam", &search, "state"_a, "weights"_a, "width"_a, "samples"_a, "ahead"_a, "seconds"_a, "seed"_a,
        "processor"_a, "watch"_a, "player"_a = -1);
  m.def("beam_game", &play_beam, "start"_a, "weights"_a, "width"_a, "samples"_a, "ahead"_a, "pieces"_a, "seed"_a,
        "watch"_a);
  m.def("beam_terms", [] { return std::vector<std::string>(kTermNames.begin(), kTermNames.end()); });
  bind_batch(m);
}

} // namespace sevenfold
