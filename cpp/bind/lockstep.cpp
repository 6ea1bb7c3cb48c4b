#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind/arrays.h"
#include "bind/bind.h"
#include "selfplay/lockstep.h"

using namespace nb::literals;

namespace sevenfold::bind {

namespace {

struct BoundLockstep {
  nb::object python_game; // keeps the game alive
  std::unique_ptr<Lockstep> games;
  OneAtATime turns{};
};

std::vector<LockstepGame> games_of(const Column<std::uint64_t>& deals, const Column<std::uint64_t>& dice,
                                   const Rows<std::int64_t>& seats) {
  const std::size_t count = deals.size(), players = seats.shape(1);
  if (dice.size() != count || seats.shape(0) != count)
    throw std::invalid_argument("games in lockstep need as many deals, dice and seatings.");
  std::vector<LockstepGame> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t* row = seats.data() + i * players;
    out[i] = {deals.data()[i], dice.data()[i], std::vector<int>(row, row + players)};
  }
  return out;
}

} // namespace

void bind_lockstep(nb::module_& m) {
  nb::class_<BoundLockstep>(m, "Lockstep", "Many games that wait for decisions together; see cpp/selfplay/lockstep.h.")
      .def(
          "__init__",
          [](BoundLockstep* self, const BoundState& like, const Column<std::uint64_t>& deals,
             const Column<std::uint64_t>& dice, const Rows<std::int64_t>& seats, const std::vector<int>& all_planes,
             const std::vector<int>& all_features, int adviser) {
            auto games = std::make_unique<Lockstep>(like.core, games_of(deals, dice, seats),
                                                    Everything{all_planes, all_features}, adviser);
            new (self) BoundLockstep{like.game, std::move(games)};
          },
          "state"_a, "deals"_a, "dice"_a, "seats"_a, "all_planes"_a, "all_features"_a, "adviser"_a = kRandomSeat,
          "seats [games, players]: a network's number, -1 for random, -2 - n for the habit number n.")
      .def(
          "collect",
          [](BoundLockstep& self) -> Arrays {
            const OneAtATime::Turn turn = self.turns.take();
            const Facts& facts = self.games->facts();
            LockstepBatch found;
            {
              nb::gil_scoped_release release;
              found = self.games->collect();
            }
            const auto side = [](int n) { return static_cast<std::size_t>(n); };
            const std::size_t count = found.size, tall = side(facts.planes.height), wide = side(facts.planes.width);
            const std::size_t cells = std::max<std::size_t>(1, tall * wide), rows = std::max<std::size_t>(1, count);
            const std::size_t all_planes = found.all_planes.size() / cells / rows;
            const std::size_t all_features = found.all_features.size() / rows;
            return nb::make_tuple(array_of(std::move(found.planes), {count, side(facts.planes.channels), tall, wide}),
                                  array_of(std::move(found.features), {count, side(facts.features)}),
                                  array_of(std::move(found.all_planes), {count, all_planes, tall, wide}),
                                  array_of(std::move(found.all_features), {count, all_features}),
                                  array_of(std::move(found.legal), {count, side(facts.actions)}),
                                  array_of(std::move(found.games)), array_of(std::move(found.viewers)),
                                  array_of(std::move(found.networks)), array_of(std::move(found.advice)));
          },
          "The positions that wait: planes, features, what all seats see (planes, features), legal actions, numbers of "
          "the games, viewers, networks, and the adviser's actions.")
      .def(
          "play",
          [](BoundLockstep& self, const Column<std::int32_t>& actions) {
            const OneAtATime::Turn turn = self.turns.take();
            if (actions.size() != self.games->waiting())
              throw std::invalid_argument("play() needs an action for each position that waits.");
            nb::gil_scoped_release release;
            self.games->play(actions.data());
          },
          "actions"_a, "An action for each position that waits.")
      .def(
          "branch",
          [](BoundLockstep& self, const Column<std::int64_t>& rows, int own) {
            const OneAtATime::Turn turn = self.turns.take();
            nb::gil_scoped_release release;
            self.games->branch(rows.data(), rows.size(), own);
          },
          "rows"_a, "own"_a = Lockstep::kSame,
          "Tries every legal action of some positions that wait, each at a table of its own; `own` then has its seat.")
      .def(
          "try_worlds",
          [](BoundLockstep& self, const Column<std::int64_t>& rows, int own, int worlds, int stir, double kinds,
             const RowsNet* net) {
            const OneAtATime::Turn turn = self.turns.take();
            const Table& table = self.games->like().table();
            if (table.stir == nullptr || table.odds == nullptr || table.rewind == nullptr)
              throw std::invalid_argument("worlds to believe in need the abilities stir, odds and rewind.");
            if (worlds < 1 || worlds > 1 << 16 || stir < 1 || stir > 1 << 16 || !(kinds >= 0 && kinds < 1))
              throw std::invalid_argument("worlds and stir are from 1 to 65536, kinds from 0 to below 1.");
            const auto side = [](int n) { return static_cast<std::size_t>(n); };
            std::vector<float> found;
            {
              nb::gil_scoped_release release;
              found = self.games->try_worlds(rows.data(), rows.size(), own, {worlds, stir, kinds}, net);
            }
            const Facts& facts = self.games->facts();
            return array_of(std::move(found), {rows.size(), side(facts.players), side(facts.actions)});
          },
          "rows"_a, "own"_a, "worlds"_a, "stir"_a, "kinds"_a, "net"_a.none(),
          "Tries every legal action of some positions in worlds that the mover believes in: what each player gets on "
          "average [rows, players, actions].")
      .def(
          "take_branches",
          [](BoundLockstep& self) {
            const OneAtATime::Turn turn = self.turns.take();
            return new BoundLockstep{self.python_game, self.games->take_branches()};
          },
          nb::rv_policy::take_ownership, "The tables made by branch(), as games of their own.")
      .def(
          "finish",
          [](BoundLockstep& self, const RowsNet& net) {
            const OneAtATime::Turn turn = self.turns.take();
            nb::gil_scoped_release release;
            return self.games->finish(net);
          },
          "net"_a, "Plays all games to their ends by a native net, by what it likes best; how often it was asked.")
      .def(
          "returns",
          [](BoundLockstep& self) {
            const OneAtATime::Turn turn = self.turns.take();
            return array_of(self.games->returns(),
                            {self.games->size(), static_cast<std::size_t>(self.games->facts().players)});
          },
          "What each player has got [games, players].");
  m.attr("SAME_SEAT") = Lockstep::kSame;
  m.def(
      "habits", [](const BoundState& like) { return like.state.habits(); }, "state"_a,
      "The names of a game's habits, the simple players that it brings along.");
}

} // namespace sevenfold::bind
