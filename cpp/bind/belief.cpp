#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bind/bind.h"
#include "core/hash.h"
#include "eval/rows_net.h"
#include "search/belief.h"
#include "search/pimc.h"

using namespace nb::literals;

namespace sevenfold::bind {

namespace {

using Opponents = BeliefOptions::Opponents;
using Leaf = BeliefOptions::Leaf;
using Weigh = BeliefOptions::Weigh;
using Rows = nb::ndarray<const float, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;
using Arrays = nb::typed<nb::tuple, nb::any, nb::ellipsis>;

constexpr std::pair<const char*, Opponents> kOpponents[] = {{"policy", Opponents::policy},
                                                            {"evaluator", Opponents::evaluator},
                                                            {"uniform", Opponents::uniform},
                                                            {"puct", Opponents::puct}};
constexpr std::pair<const char*, Leaf> kLeaf[] = {
    {"rollout", Leaf::rollout}, {"evaluator", Leaf::evaluator}, {"follow", Leaf::follow}};
constexpr std::pair<const char*, Weigh> kWeigh[] = {
    {"off", Weigh::off}, {"policy", Weigh::policy}, {"evaluator", Weigh::evaluator}};

template <class T, std::size_t N>
T named(const std::pair<const char*, T> (&names)[N], const std::string& word) {
  for (const auto& [name, value] : names)
    if (word == name) return value;
  throw std::invalid_argument("a belief search has no choice " + word + ".");
}
template <class T, std::size_t N>
const char* name_of(const std::pair<const char*, T> (&names)[N], T value) {
  for (const auto& [name, one] : names)
    if (one == value) return name;
  return "";
}

// A belief search as Python sees it: with the game it belongs to, and the memory of the positions that wait.
struct BoundBelief {
  BoundState like; // keeps the game alive
  BeliefOptions options;
  BeliefSearch search;
  OneAtATime turns{};
  std::vector<float> planes{}, features{}, weights{}, logits{};
  std::vector<std::int64_t> viewers{};
  std::vector<std::uint64_t> keys{};
  std::vector<double> values{};

  BoundBelief(const BoundState& state, const BeliefOptions& given)
      : like(state), options(checked(state, given)), search(*state.core, given) {
    like.history.clear();
    like.start.reset();
    like.replayable = false;
  }

  static const BeliefOptions& checked(const BoundState& s, const BeliefOptions& o) {
    const Table& table = s.state.table();
    const auto need = [&](bool has, const char* what) {
      if (!has)
        throw std::invalid_argument(std::string("belief search needs the ability '") + what + "', which " +
                                    std::string(s.core->facts().name) + " does not offer.");
    };
    need(table.redeal != nullptr, "redeal");
    need(table.known != nullptr || table.view != nullptr || table.observe != nullptr, "view");
    if (o.leaf != Leaf::rollout) need(table.observe != nullptr, "observe");
    else if (o.opponents == Opponents::evaluator || o.weigh == Weigh::evaluator)
      throw std::invalid_argument("opponents or weights by an evaluator need leaf=evaluator or follow.");
    if (o.weigh != Weigh::off) need(table.rewind != nullptr, "rewind");
    if (o.weigh == Weigh::policy) need(table.odds != nullptr, "odds");
    if (o.both && o.leaf != Leaf::follow) throw std::invalid_argument("both goes with leaf=follow.");
    if (o.stir > 0) {
      if (o.weigh != Weigh::policy) throw std::invalid_argument("stir goes with weigh=policy.");
      need(table.stir != nullptr, "stir");
    }
    if (o.kinds > 0) {
      if (o.stir == 0) throw std::invalid_argument("kinds goes with stir.");
      need(table.habit != nullptr, "habit");
    }
    const bool sane = o.kinds >= 0 && o.kinds < 1 && o.worlds >= 1 && o.worlds <= 1 << 16 && o.stir >= 0 &&
                      o.stir <= 1 << 16 && o.expand_at >= 0 && o.race >= 0 && std::isfinite(o.race) &&
                      o.exploration >= 0 && std::isfinite(o.exploration) && std::isfinite(o.fpu) && o.mix >= 0 &&
                      o.mix <= 1 && o.doubt >= 0 && o.doubt <= 1 && o.least_share >= 0 && o.least_share <= 1 &&
                      o.sharp >= 0 && std::isfinite(o.sharp) && o.depth >= 0 && o.even >= 0 && o.even <= 1 &&
                      o.quick >= 1 && o.quick <= 1 << 16 && o.least >= 0 && o.known >= 0 && o.known <= 1 &&
                      o.least <= 1 << 16 && o.trust >= 0 && std::isfinite(o.trust) && o.unit > 0 &&
                      std::isfinite(o.unit);
    if (!sane) throw std::invalid_argument("belief search: an option is out of its range.");
    return o;
  }

  std::size_t collect(std::size_t most) {
    if (options.leaf == Leaf::rollout) throw std::invalid_argument("collect() needs leaf=evaluator or follow.");
    nb::gil_scoped_release release;
    return gather(most, true);
  }

  // Goes on by a native net until the plan is done or the time is over; false where there is nothing left to do.
  bool fly(const RowsNet& net, std::size_t most, double seconds) {
    using Clock = std::chrono::steady_clock;
    if (options.leaf != Leaf::follow) throw std::invalid_argument("a native net goes with leaf=follow.");
    const Facts& facts = like.core->facts();
    const auto actions = static_cast<std::size_t>(facts.actions);
    net.check(facts);
    nb::gil_scoped_release release;
    const auto until = Clock::now() + std::chrono::duration<double>(seconds);
    do {
      const std::uint64_t before = search.report().simulations;
      const std::size_t count = gather(most, false);
      if (count == 0 && search.weighed() && search.report().simulations == before) return false;
      logits.resize(count * actions);
      net.evaluate_roughly(planes.data(), features.data(), count, logits.data());
      values.assign(count * static_cast<std::size_t>(facts.players), 0); // nobody asks for them
      send(logits.data());
    } while (!search.done() && Clock::now() < until);
    return true;
  }

  std::size_t gather(std::size_t most, bool keyed) {
    const std::size_t count = search.collect(most);
    const Facts& facts = like.core->facts();
    const auto wide = static_cast<std::size_t>(facts.planes.size()), more = static_cast<std::size_t>(facts.features);
    planes.assign(count * wide, 0.0f);
    features.assign(count * more, 0.0f);
    viewers.resize(count);
    keys.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      float *row = planes.data() + i * wide, *rest = features.data() + i * more;
      Observation seen(facts.planes, row, rest);
      const State& state = search.waiting(i);
      viewers[i] = state.to_move();
      state.observe(state.to_move(), seen);
      if (!keyed) continue;
      // What the mover sees, so that positions which look alike to it are evaluated once, whatever is hidden.
      std::uint64_t key = static_cast<std::uint64_t>(viewers[i]) + 1;
      for (std::size_t j = 0; j < wide; ++j) key = (key ^ std::bit_cast<std::uint32_t>(row[j])) * 0x9e3779b97f4a7c15u;
      for (std::size_t j = 0; j < more; ++j) key = mix(key, std::bit_cast<std::uint32_t>(rest[j]));
      keys[i] = mix(key);
    }
    return count;
  }

  void resume(const Rows& given, const Rows& said) {
    const Facts& facts = like.core->facts();
    const std::size_t count = search.waiting_count();
    const auto players = static_cast<std::size_t>(facts.players), actions = static_cast<std::size_t>(facts.actions);
    if (given.shape(0) != count || given.shape(1) != players || said.shape(0) != count || said.shape(1) != actions)
      throw std::invalid_argument("resume() needs a row of values and of logits for each position that waits.");
    for (std::size_t i = 0; i < given.size(); ++i)
      if (!std::isfinite(given.data()[i])) throw std::invalid_argument("resume() got a value that is no number.");
    for (std::size_t i = 0; i < said.size(); ++i)
      if (!std::isfinite(said.data()[i])) throw std::invalid_argument("resume() got a logit that is no number.");
    nb::gil_scoped_release release;
    values.assign(given.data(), given.data() + given.size());
    send(said.data());
  }

  // `values`, and the softmax of logits, to the positions that wait.
  void send(const float* said) {
    const std::size_t count = search.waiting_count();
    const auto actions = static_cast<std::size_t>(like.core->facts().actions);
    weights.assign(count * actions, 0.0f);
    ActionList list;
    for (std::size_t i = 0; i < count; ++i) {
      list.clear();
      search.waiting(i).legal_actions(list);
      const float* own = said + i * actions;
      float highest = -3e38f;
      for (const Action action : list) highest = std::max(highest, own[action]);
      for (const Action action : list)
        weights[i * actions + static_cast<std::size_t>(action)] = std::exp(own[action] - highest);
    }
    search.resume(values.data(), weights.data());
  }
};

template <class T>
nb::object view_of(const T* numbers, std::vector<std::size_t> shape, nb::handle owner) {
  return nb::cast(nb::ndarray<nb::numpy, const T>(numbers, shape.size(), shape.data(), owner));
}

} // namespace

void bind_belief(nb::module_& m) {
  using Options = BeliefOptions;
  nb::class_<Options>(m, "BeliefOptions", "How a belief search goes about; see docs/methods/belief.md.")
      .def(nb::init<>())
      .def_prop_rw(
          "opponents", [](const Options& o) { return name_of(kOpponents, o.opponents); },
          [](Options& o, const std::string& word) { o.opponents = named(kOpponents, word); })
      .def_prop_rw(
          "leaf", [](const Options& o) { return name_of(kLeaf, o.leaf); },
          [](Options& o, const std::string& word) { o.leaf = named(kLeaf, word); })
      .def_prop_rw(
          "weigh", [](const Options& o) { return name_of(kWeigh, o.weigh); },
          [](Options& o, const std::string& word) { o.weigh = named(kWeigh, word); })
      .def_rw("exploration", &Options::exploration)
      .def_rw("fpu", &Options::fpu)
      .def_rw("mix", &Options::mix)
      .def_rw("both", &Options::both)
      .def_rw("quick", &Options::quick)
      .def_rw("known", &Options::known)
      .def_rw("least", &Options::least)
      .def_rw("expand_at", &Options::expand_at)
      .def_rw("sharp", &Options::sharp)
      .def_rw("depth", &Options::depth)
      .def_rw("even", &Options::even)
      .def_rw("race", &Options::race)
      .def_rw("trust", &Options::trust)
      .def_rw("unit", &Options::unit)
      .def_rw("worlds", &Options::worlds)
      .def_rw("least_share", &Options::least_share)
      .def_rw("stir", &Options::stir)
      .def_rw("kinds", &Options::kinds)
      .def_rw("doubt", &Options::doubt)
      .def_rw("paired", &Options::paired)
      .def_rw("spread", &Options::spread)
      .def_rw("forced", &Options::forced)
      .def_rw("priors", &Options::priors)
      .def_rw("policy", &Options::policy)
      .def_rw("memory", &Options::memory)
      .def_rw("seed", &Options::seed);
  nb::class_<BoundBelief>(m, "BeliefSearch", "Tree search of one player who does not see everything.")
      .def(nb::init<const BoundState&, const Options&>(), "state"_a, "options"_a)
      .def(
          "reset",
          [](BoundBelief& self, const BoundState& s) {
            if (s.state.to_move() < 0) throw std::invalid_argument("a belief search begins at a player's decision.");
            const OneAtATime::Turn turn = self.turns.take();
            self.search.reset(s.state);
          },
          "state"_a, "Starts anew at a decision.")
      .def(
          "seed",
          [](BoundBelief& self, std::uint64_t seed) {
            const OneAtATime::Turn turn = self.turns.take();
            self.search.seed(seed);
          },
          "seed"_a, "Random numbers from here on.")
      .def(
          "run",
          [](BoundBelief& self, double seconds, std::uint64_t simulations, std::uint64_t nodes, Watch& watch) {
            if (self.options.leaf != Leaf::rollout)
              throw std::invalid_argument("with an evaluator, use collect() and resume().");
            const Limits limits{.seconds = seconds, .simulations = simulations, .nodes = nodes};
            const OneAtATime::Turn turn = self.turns.take();
            nb::gil_scoped_release release;
            return self.search.run(limits, watch);
          },
          "seconds"_a, "simulations"_a, "nodes"_a, "watch"_a)
      .def(
          "plan",
          [](BoundBelief& self, std::uint64_t simulations) {
            const OneAtATime::Turn turn = self.turns.take();
            self.search.plan(simulations);
          },
          "simulations"_a, "Starts a search of so many simulations: collect() ends with it.")
      .def(
          "stir_within",
          [](BoundBelief& self, double seconds) {
            const OneAtATime::Turn turn = self.turns.take();
            self.search.stir_within(seconds);
          },
          "seconds"_a, "Step stir takes no longer than so many seconds.")
      .def_prop_ro("done", [](const BoundBelief& self) { return self.search.done(); })
      .def_prop_ro("weighed", [](const BoundBelief& self) { return self.search.weighed(); })
      .def_prop_ro("has_root", [](const BoundBelief& self) { return self.search.has_root(); })
      .def(
          "collect",
          [](nb::handle_t<BoundBelief> handle, std::size_t most) -> Arrays {
            auto& self = nb::cast<BoundBelief&>(handle);
            const OneAtATime::Turn turn = self.turns.take();
            const std::size_t count = self.collect(std::min<std::size_t>(most, 1 << 16));
            const Facts& facts = self.like.core->facts();
            const auto side = [](int n) { return static_cast<std::size_t>(n); };
            return nb::make_tuple(
                view_of(self.planes.data(),
                        {count, side(facts.planes.channels), side(facts.planes.height), side(facts.planes.width)},
                        handle),
                view_of(self.features.data(), {count, side(facts.features)}, handle),
                view_of(self.viewers.data(), {count}, handle), view_of(self.keys.data(), {count}, handle));
          },
          "most"_a,
          "Planes, features, viewers and keys of at most so many positions that wait for an evaluator; good until the "
          "next call.")
      .def(
          "resume",
          [](BoundBelief& self, const Rows& values, const Rows& logits) {
            const OneAtATime::Turn turn = self.turns.take();
            self.resume(values, logits);
          },
          "values"_a, "logits"_a, "Their values, a column per player, and logits, a column per action.")
      .def(
          "fly",
          [](BoundBelief& self, const RowsNet& net, std::size_t most, double seconds) {
            const OneAtATime::Turn turn = self.turns.take();
            return self.fly(net, std::min<std::size_t>(most, 1 << 16), seconds);
          },
          "net"_a, "most"_a, "seconds"_a,
          "collect() and resume() by a native net, again and again, for so many seconds or until the plan is done; "
          "false "
          "where nothing is left to do.")
      .def(
          "add_noise",
          [](BoundBelief& self, double alpha, double share) {
            if (!(alpha > 0 && std::isfinite(alpha)) || !(share >= 0 && share <= 1))
              throw std::invalid_argument("noise needs an alpha above 0 and a share from 0 to 1.");
            const OneAtATime::Turn turn = self.turns.take();
            self.search.add_noise(alpha, share);
          },
          "alpha"_a, "share"_a, "Mixes Dirichlet noise into the priors of the root.")
      .def(
          "weighed_enough",
          [](BoundBelief& self) {
            const OneAtATime::Turn turn = self.turns.take();
            self.search.weighed_enough();
          },
          "Goes on with the worlds that are weighed so far.")
      .def("report", [](const BoundBelief& self) { return self.search.report(); })
      .def(
          "worlds",
          [](BoundBelief& self) {
            const OneAtATime::Turn turn = self.turns.take();
            if (self.options.weigh == Weigh::off) throw std::invalid_argument("worlds() needs weigh.");
            if (self.options.weigh == Weigh::policy) self.search.weigh_now();
            std::vector<std::pair<BoundState, double>> out;
            const auto& worlds = self.search.worlds();
            const auto& weights = self.search.world_weights();
            for (std::size_t i = 0; i < std::min(worlds.size(), weights.size()); ++i) {
              out.emplace_back(self.like, weights[i]);
              out.back().first.state = worlds[i];
            }
            return out;
          },
          "The worlds that are looked at, and their weights.")
      .def(
          "kind_shares",
          [](BoundBelief& self, int player) {
            const OneAtATime::Turn turn = self.turns.take();
            if (player < 0 || player >= self.like.core->facts().players)
              throw std::invalid_argument("there is no such player.");
            return self.search.kind_shares(player);
          },
          "player"_a, "With kinds, by the worlds: how likely a player is the policy's, each habit, random.")
      .def_prop_ro("effective_worlds", [](const BoundBelief& self) { return self.search.effective_worlds(); })
      .def_prop_ro("flattened", [](const BoundBelief& self) { return self.search.flattened(); });
  nb::class_<PimcOptions>(m, "PimcOptions", "How a Pimc goes about; see cpp/search/pimc.h.")
      .def(nb::init<>())
      .def_rw("search", &PimcOptions::search)
      .def_rw("policy", &PimcOptions::policy)
      .def_rw("memory", &PimcOptions::memory)
      .def_rw("seed", &PimcOptions::seed);
  nb::class_<Pimc>(m, "Pimc", "Perfect-information Monte Carlo; the game must outlive it.")
      .def(
          "__init__",
          [](Pimc* self, const BoundState& s, const PimcOptions& options) {
            if (s.state.table().redeal == nullptr)
              throw std::invalid_argument("pimc needs the ability 'redeal', which " +
                                          std::string(s.core->facts().name) + " does not offer.");
            new (self) Pimc(*s.core, options);
          },
          "state"_a, "options"_a)
      .def("seed", &Pimc::seed, "seed"_a)
      .def(
          "run",
          [](Pimc& self, const BoundState& s, double seconds, std::uint64_t simulations, Watch& watch) {
            if (s.state.to_move() < 0) throw std::invalid_argument("pimc thinks at a player's decision.");
            const Limits limits{.seconds = seconds, .simulations = simulations};
            nb::gil_scoped_release release;
            return self.run(s.state, limits, watch);
          },
          "state"_a, "seconds"_a, "simulations"_a, "watch"_a);
}

} // namespace sevenfold::bind
