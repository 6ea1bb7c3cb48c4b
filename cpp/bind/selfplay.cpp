#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "bind/arrays.h"
#include "bind/bind.h"
#include "selfplay/encode.h"
#include "selfplay/pool.h"

using namespace nb::literals;

namespace sevenfold::bind {

namespace {

// A numpy array that looks into the pool's own memory until the next collect().
template <class T>
nb::object view_of(const T* numbers, std::vector<std::size_t> shape, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T>(numbers, shape.size(), shape.data(), owner));
}

struct BoundPool {
  std::vector<nb::object> python_games; // keep the games alive
  Pool pool;
  OneAtATime turns{};
  bool broken = false; // a game's own code has failed in the middle of a step

  void check_whole() const {
    if (broken) throw std::invalid_argument("these games were stopped by an error; make a new pool.");
  }
  std::size_t collect() {
    check_whole();
    try {
      nb::gil_scoped_release release;
      return pool.collect();
    } catch (...) {
      broken = true;
      throw;
    }
  }
};

// What would make a pool play nonsense, or for ever.
void check(const PoolOptions& options) {
  const auto least = [](const char* name, double value, double low) {
    if (!(value >= low && std::isfinite(value)))
      throw std::invalid_argument(std::string("a pool's ") + name + " must be at least " + (low > 0 ? "1." : "0."));
  };
  const auto share = [](const char* name, double value) {
    if (!(value >= 0 && value <= 1))
      throw std::invalid_argument(std::string("a pool's ") + name + " must be from 0 to 1.");
  };
  least("slots", options.slots, 1);
  least("leaves", options.leaves, 1);
  least("worlds", options.worlds, 1);
  least("simulations", options.simulations, 1);
  least("fast_simulations", options.fast_simulations, 1);
  least("temperature", options.temperature, 0);
  least("final_temperature", options.final_temperature, 0);
  least("temperature_moves", options.temperature_moves, 0);
  least("random_plies", options.random_plies, 0);
  least("resign_moves", options.resign_moves, 1);
  least("move_cap", options.move_cap, 0);
  share("full_share", options.full_share);
  share("noise_share", options.noise_share);
  share("random_share", options.random_share);
  share("quiet", options.quiet);
  share("play_on_share", options.play_on_share);
  share("stop_proven", options.stop_proven);
  share("value_mix", options.value_mix);
  if (!(options.noise_alpha > 0 && std::isfinite(options.noise_alpha)))
    throw std::invalid_argument("a pool's noise_alpha must be above 0.");
  if (!(options.resign >= -1 && options.resign <= 1))
    throw std::invalid_argument("a pool's resign must be from -1 to 1.");
  if (options.slots > 1 << 16 || options.leaves > 1 << 16 || options.worlds > 1 << 16)
    throw std::invalid_argument("a pool has at most 65536 slots, leaves and worlds.");
}

std::vector<std::shared_ptr<const Game>> games_of(const std::vector<BoundState>& states) {
  if (states.empty()) throw std::invalid_argument("self-play needs at least one game.");
  std::vector<std::shared_ptr<const Game>> out;
  for (const BoundState& state : states) out.push_back(state.core);
  return out;
}

using Chunk = nb::typed<nb::dict, nb::str, nb::any>;

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
    const auto inside = [](std::int64_t first, std::int64_t count, std::size_t size) {
      return first >= 0 && count >= 0 && first <= static_cast<std::int64_t>(size) &&
             count <= static_cast<std::int64_t>(size) - first;
    };
    if (!inside(starts.data()[i], plies.data()[i], actions.size()) ||
        !inside(policy_starts.data()[i], policy_sizes.data()[i], policy_actions.size()))
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
      .def_rw("quiet", &Options::quiet)
      .def_rw("resign", &Options::resign)
      .def_rw("resign_moves", &Options::resign_moves)
      .def_rw("play_on_share", &Options::play_on_share)
      .def_rw("stop_proven", &Options::stop_proven)
      .def_rw("move_cap", &Options::move_cap)
      .def_rw("endgame", &Options::endgame)
      .def_rw("belief", &Options::belief)
      .def_rw("hidden", &Options::hidden)
      .def_rw("worlds", &Options::worlds)
      .def_rw("value_mix", &Options::value_mix)
      .def_rw("cache", &Options::cache)
      .def_rw("seed", &Options::seed);
  nb::class_<BoundPool>(m, "Pool", "Many games of self-play side by side.")
      .def(
          "__init__",
          [](BoundPool* self, const std::vector<BoundState>& states, const Options& options) {
            check(options);
            std::vector<nb::object> games;
            for (const BoundState& state : states) games.push_back(state.game);
            new (self) BoundPool{std::move(games), {games_of(states), options}};
          },
          "states"_a, "options"_a, "One initial state for each of its games.")
      .def(
          "add",
          [](BoundPool& self, std::uint64_t id, std::uint16_t game) {
            if (game >= self.python_games.size()) throw std::invalid_argument("the pool has no such game.");
            if (id >> 63 != 0) throw std::invalid_argument("the number of a game must be below 2**63.");
            const OneAtATime::Turn turn = self.turns.take();
            self.pool.add(id, game);
          },
          "id"_a, "game"_a = 0, "One more game to be played.")
      .def_prop_ro("unfinished",
                   [](BoundPool& self) {
                     const OneAtATime::Turn turn = self.turns.take();
                     return self.pool.unfinished();
                   })
      .def(
          "collect",
          [](BoundPool& self) {
            const OneAtATime::Turn turn = self.turns.take();
            return self.collect();
          },
          "Plays until every game waits for the network or is over; how many positions wait.")
      .def(
          "batch",
          [](nb::handle_t<BoundPool> self) -> Arrays {
            auto& bound = nb::cast<BoundPool&>(self);
            const Facts& facts = bound.pool.facts();
            const OneAtATime::Turn turn = bound.turns.take();
            const std::size_t count = bound.collect();
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
            self.check_whole();
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
            try {
              nb::gil_scoped_release release;
              self.pool.resume(values.data(), logits.data());
            } catch (...) {
              self.broken = true;
              throw;
            }
          },
          "values"_a, "logits"_a, "The network's answers.")
      .def(
          "places",
          [](BoundPool& self) {
            const OneAtATime::Turn turn = self.turns.take();
            std::vector<std::pair<int, std::vector<Action>>> out;
            for (Pool::Place& place : self.pool.places()) out.emplace_back(place.game, std::move(place.actions));
            return out;
          },
          "The positions that wait, in the order of the batch: the number of the game, and the actions to each.")
      .def("clear_cache",
           [](BoundPool& self) {
             const OneAtATime::Turn turn = self.turns.take();
             self.pool.clear_cache();
           })
      .def(
          "take_finished",
          [](BoundPool& self) {
            const OneAtATime::Turn turn = self.turns.take();
            return chunk_of(self.pool.take_finished(), static_cast<std::size_t>(self.pool.facts().players));
          },
          "The games finished since the last call, in arrays.")
      .def_prop_ro("counts", [](const BoundPool& self) { // while it plays, too
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
        out["openings_dropped"] = counts.openings_dropped;
        return out;
      });
  m.def("encode", &encode_samples, "state"_a, "actions"_a, "starts"_a, "plies"_a, "symmetries"_a, "policy_actions"_a,
        "policy_shares"_a, "policy_starts"_a, "policy_sizes"_a,
        "Positions of recorded games as a network sees them: planes, features, viewers, legal actions and policies.");
}

} // namespace sevenfold::bind
