"""Plays random games in our engine and in LPSim in lock-step, and compares every position and what may be done in it.

    python tools/invokation/lockstep.py --python LPSIM_ENV/bin/python --games 1000 --seed 1

Dice, piles and who begins are scripted (deal.py), the actions are drawn at random from ours, our engine chooses the
dice that pay. LPSim must then show the same position: HP, energy, auras, dice, hands, piles, attachments, combat
statuses, summons, supports, usages, whose turn; and offer the same actions. A game stops at its first difference, which
is printed with the actions that lead to it; those that explained.json accounts for are counted apart.
--golden FILE writes games without a difference as traces that golden.py replays without LPSim.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

from compare import Flat, differences, explanation, flat, option
from deal import Deal, deal
from other import Other, RefusedError

import sevenfold as sf
from sevenfold.games.invokation.describe import describe

WEIGHTS = {"end": 0.25, "tune": 0.02, "switch": 1.0, "skill": 4.0, "card": 3.0, "reroll_one": 0.3, "redraw": 1.0}
"""How likely a random action is, by kind: enough of everything, and rounds that do not end at once."""


AT_A_ROLL = ("round", ".active", ".hp", ".energy", ".alive", ".aura", ".hand", ".pile")


@dataclass
class Outcome:
    """One game: how far it went and what differed."""

    seed: int
    decisions: int = 0
    rounds: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    problem: str | None = None
    explained: str | None = None
    facts: list[tuple[str, Any, Any]] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    """Known differences in what is offered, which change nothing as long as ours decides."""
    steps: list[dict[str, Any]] = field(default_factory=list)


class Pair:
    """A game in both engines."""

    def __init__(self, game: sf.Game, other: Other, dealt: Deal) -> None:
        self.other, self.dealt = other, dealt
        decks = [(list(one.characters), list(one.cards)) for one in dealt.decks]
        self.state = game.new(decks=decks, piles=[cards for _, cards in decks], dice=dealt.dice, first=dealt.first)
        self.used = 0  # dice of the script
        self.opening_rolls = False  # the players roll for a new round
        self.rolled = 0  # the last round whose dice LPSim knows
        asked = [{"characters": characters, "pile": cards} for characters, cards in decks]
        other.ask(op="new", decks=asked, dice=[[], []], first=dealt.first, rounds=game.options["rounds"])
        self.ours: dict[str, Any] = self.state.to_json()
        self.aside: list[str] = []

    def options(self) -> list[tuple[int, dict[str, Any]]]:
        return [(action, describe(self.state, action, self.ours)) for action in self.state.legal_actions()]

    def play(self, action: int, what: dict[str, Any]) -> None:
        """One decision, in both."""
        player, before = self.state.to_move, self.ours
        self.state.play(action)
        self.ours = self.state.to_json()
        if what["kind"] == "reroll_one":
            self.aside += what["dice"]
            return
        if what["kind"] == "reroll_done":
            what = {"kind": "reroll", "dice": self.aside}
            coming = self.dealt.dice[self.used : self.used + len(self.aside)]
            self.used += len(self.aside)
            self.aside = []
            self.other.ask(op="coming", player=player, dice=coming)
        for seat in (0, 1):
            pile = before["players"][seat]["pile"]
            if self.other.state["players"][seat]["pile"] != pile:
                self.other.ask(op="top", player=seat, cards=pile)
        self.other.ask(op="do", player=player, action=what)
        while self.asks_to_roll(player):  # without dice, or where nothing was put aside, ours does not ask again
            self.other.ask(op="do", player=player, action={"kind": "reroll", "dice": []})
        if self.ours["state"] == "reroll" and self.ours["round"] != self.rolled:
            self.rolled = self.ours["round"]
            self.opening_rolls = True
            self.roll()
        elif self.ours["state"] != "reroll":
            self.opening_rolls = False

    def asks_to_roll(self, player: int) -> bool:
        ours = self.ours["state"] == "reroll" and (self.state.to_move == player or self.ours["round"] != self.rolled)
        return not ours and {"kind": "reroll", "player": player} in [
            {"kind": one["kind"], "player": one["player"]} for one in self.other.legal
        ]

    def roll(self) -> None:
        """A new round: what our players rolled, LPSim's have rolled, too."""
        for seat in (0, 1):
            dice = [face.upper() for face in self.ours["players"][seat]["dice"]]
            self.used += len(dice)
            if dice:
                self.other.ask(op="throw", player=seat, dice=dice)

    def facts(self) -> tuple[Flat, Flat]:
        return flat(self.ours), flat(self.other.state)


def run(pair: Pair, seed: int, rng: random.Random, most: int) -> Outcome:
    out = Outcome(seed)
    cards = {card for deck in pair.dealt.decks for card in deck.cards} | {"Lightning Stiletto"}
    try:
        while pair.state.to_move >= 0 and out.decisions < most:
            options = pair.options()
            action, what = rng.choices(options, [WEIGHTS.get(one["kind"], 1.0) for _, one in options])[0]
            out.decisions += 1
            out.kinds[f"{what['kind']} {what.get('card', what.get('name', ''))}".strip()] += 1
            out.steps.append({"player": pair.state.to_move, **what})
            pair.play(action, what)
            out.rounds = pair.ours["round"]
            found = compared(pair, what)
            if found and all(name.startswith("legal") and explanation([name], what, cards) for name, _, _ in found):
                out.passed.update(explanation([name], what, cards) or "" for name, _, _ in found)
                found = []
            if found:
                out.facts = found
                out.explained = explanation([name for name, _, _ in found], what, cards)
                out.problem = "; ".join(f"{name}: ours {mine}, LPSim {theirs}" for name, mine, theirs in found[:8])
                return out
        if pair.state.to_move == sf.TERMINAL:
            theirs = pair.other.state
            if theirs["phase"] != "ENDED" or pair.ours["winner"] != theirs["winner"]:
                out.problem = f"the end: ours {pair.ours['winner']}, LPSim {theirs['phase']} {theirs['winner']}"
    except RefusedError as refusal:
        out.explained = explanation(["refused"], out.steps[-1] if out.steps else {}, cards)
        out.problem = f"LPSim: {refusal}"
    return out


def compared(pair: Pair, what: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """What differs after an action: facts, and options where both wait for the same player."""
    phase = pair.ours["state"]
    if phase in ("redraw", "opening") or what["kind"] == "reroll_one":
        return []
    ours, theirs = pair.facts()
    if pair.state.to_move == sf.TERMINAL:
        return [one for one in differences(ours, theirs) if one[0].endswith((".hp", ".alive"))]
    if phase == "reroll" and pair.opening_rolls:
        # LPSim ends what lasts for a round when the action phase begins; then everything is compared again.
        ours, theirs = (
            {name: fact for name, fact in one.items() if name.endswith(AT_A_ROLL)} for one in (ours, theirs)
        )
    found = differences(ours, theirs)
    if phase == "choose":  # LPSim has no active character until the new one is chosen
        found = [one for one in found if not (one[0].endswith(".active") and one[2] == -1)]
        # and what a skill leaves behind when it ends (Keqing's infusion) comes after the choice.
        found = [one for one in found if not one[0].endswith("Keqing.attached")]
    asked = pair.other.state["asked"]
    if pair.state.to_move not in asked:
        found.append(("asked", pair.state.to_move, asked))
    if phase in ("act", "choose") and not found:
        mine = sorted({option(one) for _, one in pair.options()})
        other = sorted({option(one) for one in pair.other.legal if one["player"] == pair.state.to_move})
        if mine != other:
            found += [(f"legal: {one}", True, False) for one in mine if one not in other]
            found += [(f"legal: {one}", False, True) for one in other if one not in mine]
    return found


def report(outcomes: list[Outcome], seconds: float) -> dict[str, Any]:
    kinds: Counter[str] = sum((one.kinds for one in outcomes), Counter())
    return {
        "games": len(outcomes),
        "decisions": sum(one.decisions for one in outcomes),
        "different": sum(one.problem is not None and one.explained is None for one in outcomes),
        "explained": dict(Counter(one.explained for one in outcomes if one.explained)),
        "offered otherwise": dict(sum((one.passed for one in outcomes), Counter())),
        "finished": sum(one.problem is None for one in outcomes),
        "seconds": round(seconds, 1),
        "played": dict(sorted(kinds.items())),
    }


def show(out: Outcome, dealt: Deal, steps: int) -> None:
    print(f"\nseed {out.seed}, decision {out.decisions}, round {out.rounds}: {out.problem}")
    for seat, deck in enumerate(dealt.decks):
        print(f"  p{seat}: {', '.join(deck.characters)}")
    for step in out.steps[-steps:]:
        print(f"  {json.dumps(step, ensure_ascii=False)}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", required=True, help="the Python that has LPSim")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=1000, help="decisions of a game")
    parser.add_argument("--wild", action="store_true", help="any card in any deck")
    parser.add_argument("--steps", type=int, default=6, help="actions shown before a difference")
    parser.add_argument("--stop", type=int, default=20, help="differences after which it stops")
    parser.add_argument("--golden", help="a file for traces of games without a difference")
    parser.add_argument("--json", action="store_true", help="only the report, as JSON")
    given = parser.parse_args()
    game = sf.game("invokation", disputed="lpsim")
    other = Other(given.python)
    outcomes: list[Outcome] = []
    begun = time.monotonic()
    try:
        for seed in range(given.seed, given.seed + given.games):
            rng = random.Random(seed)
            dealt = deal(rng, given.wild)
            out = run(Pair(game, other, dealt), seed, rng, given.most)
            outcomes.append(out)
            if out.problem and not out.explained and not given.json:
                show(out, dealt, given.steps)
            if out.problem is None and given.golden:
                with open(given.golden, "a", encoding="utf-8") as file:
                    file.write(json.dumps({"deal": asdict(dealt), "steps": out.steps}, ensure_ascii=False) + "\n")
            if sum(one.problem is not None and one.explained is None for one in outcomes) >= given.stop:
                break
    finally:
        other.close()
    told = report(outcomes, time.monotonic() - begun)
    if given.json:
        print(json.dumps(told, ensure_ascii=False))
    else:
        print("\n" + "\n".join(f"{key}: {value}" for key, value in told.items() if key != "played"))
    return 1 if told["different"] else 0


if __name__ == "__main__":
    sys.exit(main())
