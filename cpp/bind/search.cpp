#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "bind/bind.h"
#include "search/ismcts.h"
#include "search/mcts.h"
#include "search/prover.h"
#include "search/regret.h"

using namespace nb::literals;

namespace sevenfold::bind {

namespace {

template <class T>
using Rows = nb::ndarray<const T, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

constexpr std::size_t kProverBytes = std::size_t{64} << 20;

// A search as Python sees it: with the game it belongs to.
struct BoundMcts {
  BoundState like; // keeps the game alive, and lends its form to the positions that wait
  bool evaluates;
  Mcts search;
  OneAtATime turns{};
  std::unique_ptr<Settler> settler{}; // made when it is asked for the first time

  BoundMcts(const BoundState& state, const MctsOptions& options)
      : like(state), evaluates(options.leaf == MctsOptions::Leaf::evaluator), search(*state.core, options) {
    like.history.clear();
    like.start.reset();
    like.replayable = false;
    if (options.settle > 0 && options.solver && evaluates && can_prove(*like.core)) search.settle_by(&its_settler());
  }

  Settler& its_settler() {
    if (settler == nullptr) settler = std::make_unique<Settler>(make_prover(*like.core, kProverBytes));
    return *settler;
  }

  std::vector<BoundState> collect(std::size_t most) {
    if (!evaluates) throw std::invalid_argument("collect() needs leaf=evaluator.");
    const OneAtATime::Turn turn = turns.take();
    std::size_t count = 0;
    {
      nb::gil_scoped_release release;
      count = search.collect(most);
    }
    std::vector<BoundState> out(count, like);
    for (std::size_t i = 0; i < count; ++i) out[i].state = search.waiting(i);
    return out;
  }

  // The exact results of the root's actions, as far as they are found.
  void prove(std::uint64_t nodes) {
    if (!can_prove(*like.core) || !search.has_root() || search.done()) return;
    const OneAtATime::Turn turn = turns.take();
    nb::gil_scoped_release release;
    std::vector<Prover::Proof> proofs;
    Watch watch;
    its_settler().prover().prove(search.root(), kNoAction, nodes, watch, proofs);
    for (const auto& [action, values] : proofs) search.know(action, values);
  }

  void resume(const Rows<double>& values, const Rows<float>& weights) {
    const Facts& facts = like.core->facts();
    const std::size_t count = search.waiting_count();
    if (values.shape(0) != count || values.shape(1) != static_cast<std::size_t>(facts.players) ||
        weights.shape(0) != count || weights.shape(1) != static_cast<std::size_t>(facts.actions))
      throw std::invalid_argument("resume() needs values of shape (" + std::to_string(count) + ", " +
                                  std::to_string(facts.players) + ") and weights of shape (" + std::to_string(count) +
                                  ", " + std::to_string(facts.actions) + ").");
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values.data()[i])) throw std::invalid_argument("resume() got a value that is no number.");
    for (std::size_t i = 0; i < weights.size(); ++i)
      if (!(weights.data()[i] >= 0 && std::isfinite(weights.data()[i])))
        throw std::invalid_argument("resume() got a weight that is not 0 or more.");
    const OneAtATime::Turn turn = turns.take();
    nb::gil_scoped_release release;
    search.resume(values.data(), weights.data());
  }
};

} // namespace

void bind_search(nb::module_& m) {
  nb::class_<ActionReport>(m, "ActionReport")
      .def_ro("action", &ActionReport::action)
      .def_ro("visits", &ActionReport::visits)
      .def_ro("value", &ActionReport::value)
      .def_ro("prior", &ActionReport::prior)
      .def_ro("share", &ActionReport::share)
      .def_ro("proven", &ActionReport::proven)
      .def_prop_ro("bound",
                   [](const ActionReport& r) {
                     return r.bound == Bound::exact ? "exact" : r.bound == Bound::lower ? "lower" : "upper";
                   })
      .def_ro("pv", &ActionReport::pv);
  nb::class_<SearchReport>(m, "SearchReport")
      .def_ro("action", &SearchReport::action)
      .def_ro("actions", &SearchReport::actions)
      .def_prop_ro("values",
                   [](const SearchReport& r) { return std::vector<double>(r.values.begin(), r.values.end()); })
      .def_ro("pv", &SearchReport::pv)
      .def_ro("proven", &SearchReport::proven)
      .def_ro("simulations", &SearchReport::simulations)
      .def_ro("nodes", &SearchReport::nodes)
      .def_ro("bytes", &SearchReport::bytes)
      .def_ro("seconds", &SearchReport::seconds)
      .def_ro("depth", &SearchReport::depth)
      .def_ro("method", &SearchReport::method)
      .def_ro("counts", &SearchReport::counts);
  nb::class_<EdgeView>(m, "EdgeView", "One action of a node of a search tree.")
      .def_ro("action", &EdgeView::action)
      .def_ro("visits", &EdgeView::visits)
      .def_ro("q", &EdgeView::q)
      .def_ro("u", &EdgeView::u)
      .def_ro("prior", &EdgeView::prior)
      .def_ro("proven", &EdgeView::proven)
      .def_ro("expanded", &EdgeView::expanded);
  nb::class_<NodeView>(m, "NodeView", "A node of a search tree.")
      .def_ro("mover", &NodeView::mover)
      .def_ro("visits", &NodeView::visits)
      .def_ro("proven", &NodeView::proven)
      .def_ro("edges", &NodeView::edges);
  nb::class_<MctsOptions>(m, "MctsOptions", "How an Mcts searches; see docs/methods/mcts.md.")
      .def(nb::init<>())
      .def_prop_rw(
          "selection",
          [](const MctsOptions& o) { return o.selection == MctsOptions::Selection::ucb1 ? "ucb1" : "puct"; },
          [](MctsOptions& o, const std::string& word) {
            o.selection = word == "ucb1" ? MctsOptions::Selection::ucb1 : MctsOptions::Selection::puct;
          })
      .def_prop_rw(
          "leaf",
          [](const MctsOptions& o) {
            return o.leaf == MctsOptions::Leaf::rollout     ? "rollout"
                   : o.leaf == MctsOptions::Leaf::heuristic ? "heuristic"
                                                            : "evaluator";
          },
          [](MctsOptions& o, const std::string& word) {
            o.leaf = word == "rollout"     ? MctsOptions::Leaf::rollout
                     : word == "heuristic" ? MctsOptions::Leaf::heuristic
                                           : MctsOptions::Leaf::evaluator;
          })
      .def_prop_rw(
          "choice",
          [](const MctsOptions& o) {
            return o.choice == MctsOptions::Choice::visits  ? "visits"
                   : o.choice == MctsOptions::Choice::value ? "value"
                                                            : "lcb";
          },
          [](MctsOptions& o, const std::string& word) {
            o.choice = word == "visits"  ? MctsOptions::Choice::visits
                       : word == "value" ? MctsOptions::Choice::value
                                         : MctsOptions::Choice::lcb;
          })
      .def_rw("exploration", &MctsOptions::exploration)
      .def_rw("growth", &MctsOptions::growth)
      .def_rw("fpu", &MctsOptions::fpu)
      .def_rw("mix", &MctsOptions::mix)
      .def_rw("rollout_count", &MctsOptions::rollout_count)
      .def_prop_rw(
          "root", [](const MctsOptions& o) { return o.root == MctsOptions::Root::gumbel ? "gumbel" : "formula"; },
          [](MctsOptions& o, const std::string& word) {
            o.root = word == "gumbel" ? MctsOptions::Root::gumbel : MctsOptions::Root::formula;
          })
      .def_rw("considered", &MctsOptions::considered)
      .def_rw("gumbel_scale", &MctsOptions::gumbel_scale)
      .def_rw("visit_offset", &MctsOptions::visit_offset)
      .def_rw("value_scale", &MctsOptions::value_scale)
      .def_rw("bias_weight", &MctsOptions::bias_weight)
      .def_rw("policy", &MctsOptions::policy)
      .def_rw("solver", &MctsOptions::solver)
      .def_rw("decisive", &MctsOptions::decisive)
      .def_rw("forced", &MctsOptions::forced)
      .def_rw("forced_win", &MctsOptions::forced_win)
      .def_rw("to_come", &MctsOptions::to_come)
      .def_rw("spread", &MctsOptions::spread)
      .def_rw("put_off", &MctsOptions::put_off)
      .def_rw("expand_at", &MctsOptions::expand_at)
      .def_rw("doubt", &MctsOptions::doubt)
      .def_rw("settle", &MctsOptions::settle)
      .def_rw("bias", &MctsOptions::bias)
      .def_rw("transpositions", &MctsOptions::transpositions)
      .def_rw("memory", &MctsOptions::memory)
      .def_rw("seed", &MctsOptions::seed);
  nb::class_<BoundMcts>(m, "Mcts", "Monte-Carlo tree search.")
      .def(nb::init<const BoundState&, const MctsOptions&>(), "state"_a, "options"_a)
      .def(
          "reset",
          [](BoundMcts& self, const BoundState& s) {
            const OneAtATime::Turn turn = self.turns.take();
            self.search.reset(s.state, s.history.size());
          },
          "state"_a, "Starts a new tree at a position.")
      .def(
          "advance",
          [](BoundMcts& self, Action action) {
            const OneAtATime::Turn turn = self.turns.take();
            self.search.advance(action);
          },
          "action"_a, "Steps to the position after an action, keeping its part of the tree.")
      .def(
          "run",
          [](BoundMcts& self, double seconds, std::uint64_t simulations, std::uint64_t nodes, Watch& watch) {
            if (self.evaluates) throw std::invalid_argument("with leaf=evaluator, use collect() and resume().");
            const Limits limits{.seconds = seconds, .simulations = simulations, .nodes = nodes};
            const OneAtATime::Turn turn = self.turns.take();
            nb::gil_scoped_release release;
            return self.search.run(limits, watch);
          },
          "seconds"_a, "simulations"_a, "nodes"_a, "watch"_a)
      .def(
          "plan",
          [](BoundMcts& self, std::uint64_t simulations) {
            const OneAtATime::Turn turn = self.turns.take();
            self.search.plan(simulations);
          },
          "simulations"_a, "Starts a search of so many simulations: collect() ends with it, Gumbel needs to know it.")
      .def_prop_ro("done", [](const BoundMcts& self) { return self.search.done(); })
      .def("prove", &BoundMcts::prove, "nodes"_a,
           "Lets the game's prover, or alpha-beta, look for exact results of the root's actions.")
      .def("collect", &BoundMcts::collect, "most"_a, "Positions that wait for an evaluator, at most so many.")
      .def("resume", &BoundMcts::resume, "values"_a, "weights"_a,
           "Their values, one row per position and a column per player, and weights, a column per action.")
      .def(
          "add_noise",
          [](BoundMcts& self, double alpha, double share) {
            if (!(alpha > 0 && std::isfinite(alpha)) || !(share >= 0 && share <= 1))
              throw std::invalid_argument("noise needs an alpha above 0 and a share from 0 to 1.");
            const OneAtATime::Turn turn = self.turns.take();
            self.search.add_noise(alpha, share);
          },
          "alpha"_a, "share"_a, "Mixes Dirichlet noise into the priors of the root.")
      .def(
          "view", [](const BoundMcts& self, const std::vector<Action>& path) { return self.search.view(path); },
          "path"_a, "The node to which these actions lead from the root.")
      .def("report", [](const BoundMcts& self) { return self.search.report(); });
  nb::class_<IsmctsOptions>(m, "IsmctsOptions", "How an Ismcts searches; see docs/methods/mcts.md.")
      .def(nb::init<>())
      .def_prop_rw(
          "worlds",
          [](const IsmctsOptions& o) { return o.worlds == IsmctsOptions::Worlds::redeal ? "redeal" : "start"; },
          [](IsmctsOptions& o, const std::string& word) {
            o.worlds = word == "redeal" ? IsmctsOptions::Worlds::redeal : IsmctsOptions::Worlds::start;
          })
      .def_rw("exploration", &IsmctsOptions::exploration)
      .def_rw("smooth", &IsmctsOptions::smooth)
      .def_rw("policy", &IsmctsOptions::policy)
      .def_rw("memory", &IsmctsOptions::memory)
      .def_rw("seed", &IsmctsOptions::seed);
  nb::class_<Ismcts>(m, "Ismcts", "Information-set Monte-Carlo tree search; the game must outlive it.")
      .def(
          "__init__",
          [](Ismcts* self, const BoundState& s, const IsmctsOptions& options) { new (self) Ismcts(*s.core, options); },
          "state"_a, "options"_a)
      .def(
          "look_at", [](Ismcts& self, const BoundState& s) { self.look_at(s.state); }, "state"_a,
          "Turns to a position; what has been learnt is kept.")
      .def("forget", &Ismcts::forget)
      .def(
          "run",
          [](Ismcts& self, double seconds, std::uint64_t simulations, std::uint64_t nodes, Watch& watch) {
            const Limits limits{.seconds = seconds, .simulations = simulations, .nodes = nodes};
            nb::gil_scoped_release release;
            return self.run(limits, watch);
          },
          "seconds"_a, "simulations"_a, "nodes"_a, "watch"_a);
  nb::class_<RegretOptions>(m, "RegretOptions", "How a Regret searches; see docs/methods/mcts.md.")
      .def(nb::init<>())
      .def_rw("policy", &RegretOptions::policy)
      .def_rw("memory", &RegretOptions::memory)
      .def_rw("seed", &RegretOptions::seed);
  nb::class_<Regret>(m, "Regret", "Regret minimisation from the first deal on; the game must outlive it.")
      .def(
          "__init__",
          [](Regret* self, const BoundState& s, const RegretOptions& options) { new (self) Regret(*s.core, options); },
          "state"_a, "options"_a)
      .def(
          "look_at", [](Regret& self, const BoundState& s) { self.look_at(s.state); }, "state"_a,
          "Turns to a position; what has been learnt is kept.")
      .def("forget", &Regret::forget)
      .def(
          "run",
          [](Regret& self, double seconds, std::uint64_t simulations, std::uint64_t nodes, Watch& watch) {
            const Limits limits{.seconds = seconds, .simulations = simulations, .nodes = nodes};
            nb::gil_scoped_release release;
            return self.run(limits, watch);
          },
          "seconds"_a, "simulations"_a, "nodes"_a, "watch"_a);
}

} // namespace sevenfold::bind
