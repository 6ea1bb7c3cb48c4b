"""A million random plies of Sevens over all presets and odd tables, and 10^5 deals of the usual one, in a program of
its own with AddressSanitizer and UndefinedBehaviorSanitizer: the invariants of the rules page at every ply, and now and
then worlds, observations, views, texts and symmetries."""

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

// Section 4 of the rules page, at every ply of the cover variant; what is broken, or nullptr.
const char* broken(const Sevens& before, const Sevens& after) {
  const Setup& setup = *after.setup;
  if (!setup.covers() || before.dealing()) return nullptr;
  const std::size_t mover = Sevens::at(before.mover);
  if (count(after.hand[mover]) != count(before.hand[mover]) - 1) return "an action does not take one card";
  Cards covered = 0;
  for (const Cards cards : after.covered) covered |= cards;
  if ((covered & kSevens) != 0) return "a seven is covered";
  if (!setup.close_on_end && (before.frontier & ~after.board & ~after.frontier) != 0) return "a frontier card is gone";
  if (!setup.tunnel && (beyond_any(covered) & (after.board | after.frontier)) != 0) return "a dead card is on its way";
  if (after.over && setup.end == End::all_cards && (after.board & kSevens) != kSevens) return "a seven was not played";
  if (setup.players != 4 || !setup.first_named()) return nullptr;
  if (after.ply < 52 && after.over && setup.end == End::all_cards) return "a deal has fewer than 52 turns";
  if (before.mover != (before.leader + before.ply) % 4) return "the turn does not go round";
  const bool done = after.hand[Sevens::at(after.leader)] == 0;
  return done == (after.ply >= 49) ? nullptr : "the leader is not done first, at ply 49";
}

// The arguments: options as name=value, plies=number among them; "--" ends a table.
int main(int argc, char** argv) {
  long wanted = 0;
  OptionPairs given;
  Rng rng(1);
  long total = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word != "--") {
      const auto at = word.find('=');
      if (word.substr(0, at) == "plies") {
        wanted = std::atol(word.c_str() + at + 1);
        continue;
      }
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
        const Sevens before = state;
        state.play(chance ? random_outcome(state, rng) : state.random_action(rng));
        ++plies;
        if (const char* what = broken(before, state)) return std::puts(what), 1;
        if (rng.below(64) != 0) continue;
        const int viewer = static_cast<int>(rng.below(static_cast<std::uint32_t>(setup.players)));
        Observation seen(facts.planes, planes.data(), features.data());
        state.observe(viewer, seen);
        Sevens world = state;
        world.redeal(viewer, rng);
        for (int i = 0; i < 8; ++i) world.stir(viewer, rng);
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
def test_random_deals_keep_the_invariants_and_memory_clean(tmp_path: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    assert compiler, "a C++ compiler is needed"
    source, program = tmp_path / "plies.cpp", tmp_path / "plies"
    source.write_text(PROGRAM)
    build = [compiler, "-std=c++20", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    build += ["-D_GLIBCXX_ASSERTIONS", f"-I{ROOT / 'cpp'}", f"-I{ROOT / 'src' / 'sevenfold' / 'games'}", str(source)]
    build += [str(ROOT / "cpp" / "game" / f"{name}.cpp") for name in ("options", "registry")]
    subprocess.run([*build, "-o", str(program)], check=True)
    words = []
    for name, options in TABLES.items():
        words += [f"plies={10_400_000 if name == 'tw_seed' else 1_000_000 // len(TABLES)}"]  # 10^5 deals of the usual
        words += [*(f"{name}={str(value).lower()}" for name, value in options.items()), "--"]
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= 11_000_000
