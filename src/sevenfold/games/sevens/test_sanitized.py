"""A million random plies of Sevens over all presets and odd tables, in a program of its own with AddressSanitizer and
UndefinedBehaviorSanitizer: plays, worlds, observations, views, texts and symmetries."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sevenfold.games.sevens.test_reference import TABLES

ROOT = Path(__file__).parents[4]
PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "game/playout.h"
#include "sevens/duplicate.h"

using namespace sevenfold;
using namespace sevenfold::sevens;

// The arguments: plies, then options as name=value; "--" ends a table.
int main(int argc, char** argv) {
  const long wanted = std::atol(argv[1]);
  OptionPairs given;
  Rng rng(1);
  long total = 0;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word != "--") {
      const auto at = word.find('=');
      given.emplace_back(word.substr(0, at), OptionValue(word.substr(at + 1)));
      continue;
    }
    const Setup setup(check_options("sevens", Setup::options(), given));
    given.clear();
    const Facts facts = Sevens::facts_for(setup);
    std::vector<float> planes(static_cast<std::size_t>(facts.planes.size()));
    std::vector<float> features(static_cast<std::size_t>(facts.features));
    for (long plies = 0; plies < wanted;) {
      Sevens state(setup);
      while (state.to_move() != TERMINAL) {
        const bool chance = state.to_move() == CHANCE;
        state.play(chance ? random_outcome(state, rng) : state.random_action(rng));
        ++plies;
        if (rng.below(16) != 0) continue;
        const int viewer = static_cast<int>(rng.below(static_cast<std::uint32_t>(setup.players)));
        Observation seen(facts.planes, planes.data(), features.data());
        state.observe(viewer, seen);
        Sevens world = state;
        world.redeal(viewer, rng);
        if (world.view(viewer) != state.view(viewer)) return std::puts("a world looks different"), 1;
        Sevens again(setup);
        again.parse(world.to_text());
        if (again.hash() != world.hash()) return std::puts("a text reads as another position"), 1;
        const int s = static_cast<int>(rng.below(static_cast<std::uint32_t>(state.symmetries())));
        (void)state.symmetric(s).draw();
        if (state.to_move() >= 0) (void)choose(state, Policy::blocker, rng);
      }
      Values values{};
      state.returns(values);
      if (state.ply + kDeck > facts.max_plies) return std::puts("a deal is longer than its facts say"), 1;
      for (int seat = 0; seat < setup.players; ++seat)
        if (values[static_cast<std::size_t>(seat)] < facts.min_return ||
            values[static_cast<std::size_t>(seat)] > facts.max_return)
          return std::puts("returns leave their range"), 1;
    }
    total += wanted;
  }
  std::printf("%ld plies\\n", total);
}
"""


@pytest.mark.slow
def test_a_million_plies_are_clean(tmp_path: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    assert compiler, "a C++ compiler is needed"
    source, program = tmp_path / "plies.cpp", tmp_path / "plies"
    source.write_text(PROGRAM)
    build = [compiler, "-std=c++20", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    build += ["-D_GLIBCXX_ASSERTIONS", f"-I{ROOT / 'cpp'}", f"-I{ROOT / 'src' / 'sevenfold' / 'games'}", str(source)]
    build += [str(ROOT / "cpp" / "game" / f"{name}.cpp") for name in ("options", "registry")]
    subprocess.run([*build, "-o", str(program)], check=True)
    words = [str(1_000_000 // len(TABLES) + 1)]
    for options in TABLES.values():
        words += [*(f"{name}={str(value).lower()}" for name, value in options.items()), "--"]
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= 1_000_000
