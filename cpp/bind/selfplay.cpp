#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "bind/bind.h"
#include "selfplay/encode.h"
#include "selfplay/pool.h"

using namespace nb::literals;

namespace sevenfold::bind {

namespace {

template <class T>
using Column = nb::ndarray<const T, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Rows = nb::ndarray<const T, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

// A numpy array that owns its numbers.
template <class T>
nb::object array_of(std::vector<T>&& numbers, std::vector<std::size_t> shape) {
  auto* kept = new std::vector<T>(std::move(numbers));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, T>(kept->data(), shape.size(), shape.data(), owner));
}

template <class T>
nb::object array_of(std::vector<T>&& numbers) {
  const std::size_t size = numbers.size();
  return array_of(std::move(numbers), {size});
}

// A numpy array that looks into the pool's own memory until the next collect().
template <class T>
nb::object view_of(const T* numbers, std::vector<std::size_t> shape, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T>(numbers, shape.size(), shape.data(), owner));
}

struct BoundPool {
  std::vector<nb::object> python_games; // keep the games alive
  Pool pool;
  OneAtATime turns{};
};

std::vector<std::shared_ptr<const Game>> games_of(const std::vector<BoundState>& states) {
  if (states.empty()) throw std::invalid_argument("self-play needs at least one game.");
  std::vector<std::shared_ptr<const Game>> out;
  for (const BoundState& state : states) out.push_back(state.core);
  return out;
}

using Chunk = nb::typed<nb::dict, nb::str, nb::any>;
using Arrays = nb::typed<nb::tuple, nb::any, nb::ellipsis>;

// Finished games in arrays: what a file of self-play games holds.
Chunk chunk_of(std::vector<PlayedGame>&& games, std::size_t players) {
  std::vector<std::int64_t> id, action_start{0}, position_start{0}, policy_start{0};
  std::vector<std::uint16_t> game, policy_action;
  std::vector<std::uint8_t> ended, kind, exact;
  std::vector<std::int32_t> resign_ply, actions, ply;
  std::vector<float> returns, surprise, value, target, policy_share;
  const auto add = [&](std::vector<float>& to, const Values& values) {
    for (std::size_t p = 0; p < players; ++p) to.push_back(static_cast<float>(values[p]));
  };
  for (const PlayedGame& one : games) {
    id.push_back(static_cast<std::int64_t>(one.id));
    game.push_back(one.game);
    ended.push_back(static_cast<std::uint8_t>(one.ended));
    resign_ply.push_back(one.resign_ply);
    add(returns, one.returns);
    actions.insert(actions.end(), one.actions.begin(), one.actions.end());
    action_start.push_back(static_cast<std::int64_t>(actions.size()));
    for (const Position& position : one.positions) {
      ply.push_back(position.ply);
      kind.push_back(static_cast<std::uint8_t>(position.kind));
      exact.push_back(position.exact ? 1 : 0);
      surprise.push_back(position.surprise);
      add(value, position.value);
      add(target, position.target);
      for (std::uint32_t i = 0; i < position.policy_size; ++i) {
        policy_action.push_back(one.policy[position.policy + i].action);
        policy_share.push_back(one.policy[position.policy + i].share);
      }
      policy_start.push_back(static_cast<std::int64_t>(policy_action.size()));
    }
    position_start.push_back(static_cast<std::int64_t>(ply.size()));
  }
  const std::size_t count = games.size(), positions = ply.size();
  Chunk out;
  out["id"] = array_of(std::move(id));
  out["game"] = array_of(std::move(game));
  out["ended"] = array_of(std::move(ended));
  out["resign_ply"] = array_of(std::move(resign_ply));
  out["returns"] = array_of(std::move(returns), {count, players});
  out["action_start"] = array_of(std::move(action_start));
  out["actions"] = array_of(std::move(actions));
  out["position_start"] = array_of(std::move(position_start));
  out["ply"] = array_of(std::move(ply));
  out["kind"] = array_of(std::move(kind));
  out["exact"] = array_of(std::move(exact));
  out["surprise"] = array_of(std::move(surprise));
  out["value"] = array_of(std::move(value), {positions, players});
  out["target"] = array_of(std::move(target), {positions, players});
  out["policy_start"] = array_of(std::move(policy_start));
  out["policy_action"] = array_of(std::move(policy_action));
  out["policy_share"] = array_of(std::move(policy_share));
  return out;
}

// Positions of recorded games, as a network sees them: planes, features, viewers, legal actions, policies.
Arrays encode_samples(const BoundState& like, const Column<std::int32_t>& actions, const Column<std::int64_t>& starts,
                      const Column<std::int32_t>& plies, const Column<std::uint32_t>& symmetries,
                      const Column<std::uint16_t>& policy_actions, const Column<float>& policy_shares,
                      const Column<std::int64_t>& policy_starts, const Column<std::int32_t>& policy_sizes) {
  const Game& game = *like.core;
  const Facts& facts = game.facts();
  if (game.initial().table().observe == nullptr)
    throw std::invalid_argument("a net needs the ability 'observe', which " + std::string(facts.name) +
                                " does not offer.");
  const std::size_t count = starts.size();
  if (plies.size() != count || symmetries.size() != count || policy_starts.size() != count ||
      policy_sizes.size() != count || policy_actions.size() != policy_shares.size())
    throw std::invalid_argument("encode() needs as many starts, plies, symmetries and policies.");
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t first = starts.data()[i], last = first + plies.data()[i];
    const std::int64_t share = policy_starts.data()[i], end = share + policy_sizes.data()[i];
    if (first < 0 || last < first || last > static_cast<std::int64_t>(actions.size()) || share < 0 || end < share ||
        end > static_cast<std::int64_t>(policy_actions.size()))
      throw std::invalid_argument("encode() was asked for a position outside the recorded games.");
  }
  const auto size = static_cast<std::size_t>(facts.planes.size()), wide = static_cast<std::size_t>(facts.features),
             many = static_cast<std::size_t>(facts.actions);
  std::vector<float> planes(count * size), features(count * wide), policy(count * many);
  std::vector<std::int64_t> viewers(count);
  std::vector<std::uint8_t> legal(count * many);
  {
    nb::gil_scoped_release release;
    for (std::size_t i = 0; i < count; ++i) {
      const auto share = static_cast<std::size_t>(policy_starts.data()[i]);
      const Sample sample{.actions = actions.data() + starts.data()[i],
                          .ply = plies.data()[i],
                          .symmetry = symmetries.data()[i],
                          .policy_actions = policy_actions.data() + share,
                          .policy_shares = policy_shares.data() + share,
                          .policy_size = static_cast<std::size_t>(policy_sizes.data()[i])};
      viewers[i] = encode(game, sample, planes.data() + i * size, features.data() + i * wide, legal.data() + i * many,
                          policy.data() + i * many);
    }
  }
  const auto side = [](int n) { return static_cast<std::size_t>(n); };
  return nb::make_tuple(array_of(std::move(planes), {count, side(facts.planes.channels), side(facts.planes.height),
                                                     side(facts.planes.width)}),
                        array_of(std::move(features), {count, wide}), array_of(std::move(viewers)),
                        array_of(std::move(legal), {count, many}), array_of(std::move(policy), {count, many}));
}

} // namespace

void bind_selfplay(nb::module_& m) {
  using Options = PoolOptions;
  nb::class_<Options>(m, "PoolOptions", "How games of self-play are played; see cpp/selfplay/pool.h.")
      .def(nb::init<>())
      .def_rw("search", &Options::search)
      .def_rw("slots", &Options::slots)
      .def_rw("leaves", &Options::leaves)
      .def_rw("simulations", &Options::simulations)
      .def_rw("full_share", &Options::full_share)
      .def_rw("fast_simulations", &Options::fast_simulations)
      .def_rw("noise_alpha", &Options::noise_alpha)
      .def_rw("noise_share", &Options::noise_share)
      .def_rw("temperature", &Options::temperature)
      .def_rw("temperature_moves", &Options::temperature_moves)
      .def_rw("final_temperature", &Options::final_temperature)
      .def_rw("reuse", &Options::reuse)
      .def_rw("random_plies", &Options::random_plies)
      .def_rw("random_share", &Options::random_share)
      .def_rw("resign", &Options::resign)
      .def_rw("resign_moves", &Options::resign_moves)
      .def_rw("play_on_share", &Options::play_on_share)
      .def_rw("stop_proven", &Options::stop_proven)
      .def_rw("move_cap", &Options::move_cap)
      .def_rw("endgame", &Options::endgame)
      .def_rw("worlds", &Options::worlds)
      .def_rw("value_mix", &Options::value_mix)
      .def_rw("cache", &Options::cache)
      .def_rw("seed", &Options::seed);
  nb::class_<BoundPool>(m, "Pool", "Many games of self-play side by side.")
      .def(
          "__init__",
          [](BoundPool* self, const std::vector<BoundState>& states, const Options& options) {
            if (options.slots < 1 || options.leaves < 1 || options.worlds < 1)
              throw std::invalid_argument("a pool needs at least 1 slot, 1 leaf and 1 world.");
            std::vector<nb::object> games;
            for (const BoundState& state : states) games.push_back(state.game);
            new (self) BoundPool{std::move(games), {games_of(states), options}};
          },
          "states"_a, "options"_a, "One initial state for each of its games.")
      .def(
          "add",
          [](BoundPool& self, std::uint64_t id, std::uint16_t game) {
            if (game >= self.python_games.size()) throw std::invalid_argument("the pool has no such game.");
            self.pool.add(id, game);
          },
          "id"_a, "game"_a = 0, "One more game to be played.")
      .def_prop_ro("unfinished", [](const BoundPool& self) { return self.pool.unfinished(); })
      .def(
          "collect",
          [](BoundPool& self) {
            const OneAtATime::Turn turn = self.turns.take();
            nb::gil_scoped_release release;
            return self.pool.collect();
          },
          "Plays until every game waits for the network or is over; how many positions wait.")
      .def(
          "batch",
          [](nb::handle_t<BoundPool> self) -> Arrays {
            auto& bound = nb::cast<BoundPool&>(self);
            const Facts& facts = bound.pool.facts();
            const std::size_t count = bound.pool.collect();
            const auto side = [](int n) { return static_cast<std::size_t>(n); };
            return nb::make_tuple(
                view_of(bound.pool.planes(),
                        {count, side(facts.planes.channels), side(facts.planes.height), side(facts.planes.width)},
                        self),
                view_of(bound.pool.features(), {count, side(facts.features)}, self),
                view_of(bound.pool.viewers(), {count}, self), view_of(bound.pool.keys(), {count}, self));
          },
          "The planes, features, viewers and keys of the positions that wait; good until resume().")
      .def(
          "resume",
          [](BoundPool& self, const Rows<float>& values, const Rows<float>& logits) {
            const OneAtATime::Turn turn = self.turns.take();
            const Facts& facts = self.pool.facts();
            const std::size_t count = self.pool.waiting();
            if (values.shape(0) != count || logits.shape(0) != count ||
                values.shape(1) != static_cast<std::size_t>(facts.players) ||
                logits.shape(1) != static_cast<std::size_t>(facts.actions))
              throw std::invalid_argument("resume() needs a row of values and of logits for each position that waits.");
            for (std::size_t i = 0; i < values.size(); ++i)
              if (!std::isfinite(values.data()[i]))
                throw std::invalid_argument("resume() got a value that is no number.");
            for (std::size_t i = 0; i < logits.size(); ++i)
              if (!std::isfinite(logits.data()[i]))
                throw std::invalid_argument("resume() got a logit that is no number.");
            nb::gil_scoped_release release;
            self.pool.resume(values.data(), logits.data());
          },
          "values"_a, "logits"_a, "The network's answers.")
      .def("clear_cache", [](BoundPool& self) { self.pool.clear_cache(); })
      .def(
          "take_finished",
          [](BoundPool& self) {
            const OneAtATime::Turn turn = self.turns.take();
            return chunk_of(self.pool.take_finished(), static_cast<std::size_t>(self.pool.facts().players));
          },
          "The games finished since the last call, in arrays.")
      .def_prop_ro("counts", [](const BoundPool& self) {
        const Pool::Counts& counts = self.pool.counts();
        nb::typed<nb::dict, nb::str, int> out;
        out["evaluations"] = counts.evaluations;
        out["cached"] = counts.cached;
        out["simulations"] = counts.simulations;
        out["searches"] = counts.searches;
        out["proven"] = counts.proven;
        out["endgames"] = counts.endgames;
        out["endgames_proven"] = counts.endgames_proven;
        out["endgame_nodes"] = counts.endgame_nodes;
        return out;
      });
  m.def("encode", &encode_samples, "state"_a, "actions"_a, "starts"_a, "plies"_a, "symmetries"_a, "policy_actions"_a,
        "policy_shares"_a, "policy_starts"_a, "policy_sizes"_a,
        "Positions of recorded games as a network sees them: planes, features, viewers, legal actions and policies.");
}

} // namespace sevenfold::bind
