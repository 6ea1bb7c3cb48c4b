// The room's own as Python sees it: `_core._tetris_versus`.
#include "bind/bind.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <numeric>

#include "bind/arrays.h"
#include "tetris_versus/foresight.h"
#include "tetris_versus/judge.h"

namespace sevenfold {

namespace {

using namespace tetris;
using namespace nb::literals;
using namespace tetris_versus;

const Versus& game_of(const bind::BoundState& s) {
  if (&s.state.table() != &kTable<Versus>) throw std::invalid_argument("this is for positions of tetris_versus.");
  return held<Versus>(s.state.data());
}

// Both sides, the first player's and the second's: [2, kJudged].
nb::object judge(const bind::BoundState& s, const std::vector<float>& weights) {
  const Versus& game = game_of(s);
  const Weights w = weights_of(weights);
  std::vector<float> seen(2 * kJudged);
  for (const std::size_t i : {0u, 1u}) judged(*game.setup, game.sides[i], w, seen.data() + i * kJudged);
  return bind::array_of(std::move(seen), {2, kJudged});
}

// The beam for the mover, and what a judge sees where the best lines of its best choices lead: (actions, their worth,
// the best of them, positions judged, depth, which choices' lines those are, whether the mover lives there, both sides,
// the mover's first). Every line is seen `draws` times, with other garbage and other pieces; the rows are line by line.
nb::tuple foresee(const bind::BoundState& s, const std::vector<float>& weights, int width, int samples, int ahead,
                  double seconds, std::uint64_t seed, bool processor, int lines, int draws, Watch& watch) {
  const Versus& game = game_of(s);
  const Weights w = weights_of(weights);
  BeamResult found;
  std::vector<std::size_t> order;
  std::vector<float> seen;
  std::vector<bool> lives;
  {
    nb::gil_scoped_release release;
    const BeamLimits limits{width, samples, ahead, seconds, seed, processor, true};
    found = beam(*game.setup, game.sides[at(game.mover)], w, limits, watch);
    order.resize(found.lines.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t i) { return found.lines[i].empty(); });
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return found.worth[a] > found.worth[b]; });
    if (order.size() > at(lines)) order.resize(at(lines));
    seen.resize(order.size() * at(draws) * 2 * kJudged);
    float* row = seen.data();
    for (const std::size_t i : order)
      for (int draw = 0; draw < draws; ++draw, row += 2 * kJudged) {
        const Versus there = after_line(game, found.lines[i], mix(seed, static_cast<std::uint64_t>(draw)));
        lives.push_back(there.sides[at(there.mover)].end == End::none);
        judged(*game.setup, there.sides[at(there.mover)], w, row);
        judged(*game.setup, there.sides[at(1 - there.mover)], w, row + kJudged);
      }
  }
  std::vector<int> actions, which(order.begin(), order.end());
  for (const Choice& c : found.choices) actions.push_back(encoded(*game.setup, c.hold, c.placement));
  const int best = found.best < 0 ? kNoAction : actions[at(found.best)];
  const std::size_t rows = lives.size();
  return nb::make_tuple(actions, found.worth, best, found.nodes, found.depth, which, lives,
                        bind::array_of(std::move(seen), {rows, 2, kJudged}));
}

} // namespace

void bind_tetris_versus(nb::module_& m) {
  m.def("judge", &judge, "state"_a, "weights"_a);
  m.def("judged", [] {
    std::vector<std::string> out(kTermNames.begin(), kTermNames.begin() + kShapes);
    out.insert(out.end(), kJudgedToo.begin(), kJudgedToo.end());
    return out;
  });
  m.def("foresee", &foresee, "state"_a, "weights"_a, "width"_a, "samples"_a, "ahead"_a, "seconds"_a, "seed"_a,
        "processor"_a, "lines"_a, "draws"_a, "watch"_a);
}

} // namespace sevenfold
