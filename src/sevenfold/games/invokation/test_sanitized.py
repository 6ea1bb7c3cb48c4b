"""Random games of Genius Invokation with any characters and any cards, in a program of its own with AddressSanitizer
and UndefinedBehaviorSanitizer: limits at every step, and now and then worlds, observations, texts, the evaluation."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[4]
ROOM = Path(__file__).parent
PROGRAM = """
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "game/playout.h"
#include "invokation/rules.h"

using namespace sevenfold;
using namespace sevenfold::invokation;

Deck any_deck(Rng& rng) {
  Deck deck;
  for (std::size_t seat = 0; seat < kTeam;) {
    const auto who = static_cast<std::uint8_t>(rng.below(kCharacters));
    bool fresh = true;
    for (std::size_t i = 0; i < seat; ++i) fresh &= deck.team[i] != who;
    if (fresh) deck.team[seat++] = who;
  }
  while (deck.cards.size() < kMostPile)
    if (const auto card = static_cast<std::uint8_t>(kFirstCard + rng.below(kCards - kFirstCard)); card != kStiletto)
      deck.cards.push_back(card);
  return deck;
}

// What no position may have; nullptr where it has none of it.
const char* broken(const Position& p) {
  if (p.tasks > kMostTasks - 4) return "the tasks nearly fill their stack";
  for (const Side& s : p.side) {
    if (s.dice_total() > kMostDice) return "too many dice";
    if (s.summons.count > kMostSummons || s.supports > kMostSupports) return "a zone is too full";
    for (const Fighter& one : s.team) {
      if (one.hp < 0 || one.hp > one.data().hp) return "hit points leave their range";
      if (one.energy > p.setup->numbers.energy[one.who]) return "too much energy";
      if (one.on.count == kMostAttached) return "the attachments fill their row";
      if (one.alive == 0 && (one.hp > 0 || one.aura != 0 || one.on.count > 0)) return "a defeated one has something";
    }
    if (s.combat.count == kMostCombat) return "the statuses fill their row";
  }
  return nullptr;
}

int main(int, char** argv) {
  const long wanted = std::atol(argv[1]);
  Rng rng(1);
  std::vector<float> features(kFeatures);
  long plies = 0;
  while (plies < wanted) {
    OptionPairs given{{"pay", OptionValue(std::string(rng.below(4) == 0 ? "choose" : "auto"))},
                      {"disputed", OptionValue(std::string(rng.below(4) == 0 ? "lpsim" : "official"))},
                      {"version", OptionValue(std::string(rng.below(4) == 0 ? "3.3" : "4.5"))}};
    Setup setup(check_options("invokation", Setup::options(), given));
    setup.decks = {any_deck(rng), any_deck(rng)};
    Invokation state(setup);
    for (; state.to_move() != TERMINAL; ++plies) {
      const bool chance = state.to_move() == CHANCE;
      Action action = chance ? random_outcome(state, rng) : random_legal(state, rng);
      if (action == kEndRound && rng.below(4) != 0) action = random_legal(state, rng); // longer rounds
      state.play(action);
      if (const char* what = broken(state)) return std::puts(what), 1;
      if (rng.below(64) != 0) continue;
      const int viewer = static_cast<int>(rng.below(2));
      Observation seen(Planes{}, nullptr, features.data());
      state.observe(viewer, seen);
      Invokation again(setup);
      again.parse(state.to_text());
      if (again.hash() != state.hash()) return std::puts("a text reads as another position"), 1;
      (void)state.json();
      Values values{};
      state.heuristic(values);
      if (state.to_move() < 0) continue;
      ActionList list;
      state.legal_actions(list);
      state.order(action, list);
      for (const Action one : list) (void)state.action_text(one);
      Invokation world = state;
      world.redeal(viewer, rng);
      if (world.view(viewer) != state.view(viewer)) return std::puts("a world looks different"), 1;
      if (play_out(world, rng) < 0) return std::puts("a world does not end"), 1;
      Invokation weaker = state;
      weaker.handicap();
      if (play_out(weaker, rng) < 0) return std::puts("a weaker position does not end"), 1;
    }
  }
  std::printf("%ld plies\\n", plies);
}
"""


@pytest.mark.slow
def test_random_games_keep_the_limits_and_memory_clean(tmp_path: Path) -> None:
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++")
    assert compiler, "a C++ compiler is needed"
    source, program = tmp_path / "plies.cpp", tmp_path / "plies"
    source.write_text(PROGRAM)
    build = [compiler, "-std=c++20", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    build += ["-D_GLIBCXX_ASSERTIONS", f"-I{ROOT / 'cpp'}", f"-I{ROOM.parent}", str(source)]
    build += [str(ROOT / "cpp" / "game" / f"{name}.cpp") for name in ("options", "registry")]
    build += [str(path) for path in sorted(ROOM.glob("*.cpp")) if path.name != "bind.cpp"]
    subprocess.run([*build, "-o", str(program)], check=True)
    done = subprocess.run([program, "300000"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= 300_000
