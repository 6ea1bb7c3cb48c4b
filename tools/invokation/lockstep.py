"""Plays random games in our engine and in LPSim in lock-step, and compares every position and what may be done in it.

    python tools/invokation/lockstep.py --python LPSIM_ENV/bin/python --games 1000 --log games.jsonl
    python tools/invokation/lockstep.py --report games.jsonl

Dice, piles and who begins are scripted (deal.py), the actions are drawn at random from ours, our engine chooses the
dice that pay. LPSim must then show the same position: HP, energy, auras, dice, hands, piles, attachments, combat
statuses, summons, supports, usages, whose turn; and offer the same actions. A game stops at its first difference, which
is printed with the actions that lead to it. explained.json has the cards that LPSim offers where ours does not, which
changes nothing as long as ours decides, and positions in which LPSim itself fails: they are counted apart.
--log FILE gets a line for each game; seeds that are in it already are not played again, so that a run may be stopped
and several may share the seeds (--seed, --games). --report FILE ... adds logs up: games, decisions, differences, how
often each card was played, each skill used and each object seen.
--golden FILE writes games without a difference, from which traces.py makes what the tests replay without LPSim.
"""

import argparse
import json
import random
import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from compare import EXPLAINED, ZONES, Flat, differences, explanation, flat, option
from deal import Deal, deal
from other import Other, RefusedError

import sevenfold as sf
from sevenfold._core import _invokation as core
from sevenfold.games.invokation.catalogue import catalogue
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
    facts: list[tuple[str, Any, Any]] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    """Known differences in what is offered, which change nothing as long as ours decides."""
    failed: str | None = None
    """A known failure of LPSim that has ended the comparison."""
    steps: list[dict[str, Any]] = field(default_factory=list)
    seen: Counter[str] = field(default_factory=Counter)
    """Objects on the table, counted once for each position they lie in."""


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
    try:
        while pair.state.to_move >= 0 and out.decisions < most:
            options = pair.options()
            action, what = rng.choices(options, [WEIGHTS.get(one["kind"], 1.0) for _, one in options])[0]
            out.decisions += 1
            out.kinds[f"{what['kind']} {what.get('card', what.get('name', ''))}".strip()] += 1
            out.steps.append({"player": pair.state.to_move, **what})
            pair.play(action, what)
            out.rounds = pair.ours["round"]
            out.seen.update(objects(pair.ours))
            found = compared(pair, what)
            known = [explanation(*one) for one in found]
            if found and all(known):
                out.passed.update(id_ for id_ in known if id_)
                found = []
            if found:
                out.facts = found
                out.problem = "; ".join(f"{name}: ours {mine}, LPSim {theirs}" for name, mine, theirs in found[:8])
                return out
        if pair.state.to_move == sf.TERMINAL:
            theirs = pair.other.state
            if theirs["phase"] != "ENDED" or pair.ours["winner"] != theirs["winner"]:
                out.problem = f"the end: ours {pair.ours['winner']}, LPSim {theirs['phase']} {theirs['winner']}"
    except RefusedError as refusal:
        out.problem = f"LPSim: {refusal}"
        out.failed = EXPLAINED["failures"].get(str(refusal))
        if out.failed:
            out.problem = None
    return out


def objects(table: dict[str, Any]) -> set[str]:
    """The names of everything that lies on the table."""
    rows = [one["attached"] for side in table["players"] for one in side["chars"]]
    rows += [side[zone] for side in table["players"] for zone in ZONES]
    return {thing["name"] for row in rows for thing in row}


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
        # and what is done at the end of a skill comes after the choice.
        found = [one for one in found if not later(*one)]
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


def later(name: str, mine: Any, theirs: Any) -> bool:
    """Whether two lists differ only by what LPSim does at the end of a skill, which is after the choice: Keqing's
    infusion and her card come, and Minty Meat Rolls that are used up go."""
    if name.endswith(("Keqing.attached", ".hand")):
        mine, theirs = (
            [one for one in some if one != "Lightning Stiletto" and one[0] != "Electro Infusion"]
            for some in (mine, theirs)
        )
    if name.endswith(".attached"):
        theirs = [one for one in theirs if one[0] != "Minty Meat Rolls" or one in mine]
    return bool(mine == theirs)


def logged(paths: list[str]) -> dict[int, dict[str, Any]]:
    """The games of logs by their seeds."""
    lines = [line for path in paths if Path(path).exists() for line in Path(path).read_text("utf-8").splitlines()]
    return {game["seed"]: game for game in map(json.loads, lines)}


def report(games: list[dict[str, Any]]) -> dict[str, Any]:
    """Games of a log added up."""

    def total(key: str) -> dict[str, int]:
        return dict(sorted(sum((Counter(one[key]) for one in games), Counter[str]()).items(), key=lambda pair: pair[1]))

    played = total("kinds")
    everything = catalogue()
    cards = {one["name"]: played.get(f"card {one['name']}", 0) for one in everything["cards"]}
    skills = {one: played.get(f"skill {one}", 0) for who in everything["characters"] for one in names_of_skills(who)}
    seen = total("seen")
    return {
        "games": len(games),
        "decisions": sum(one["decisions"] for one in games),
        "different": sum(one["problem"] is not None for one in games),
        "offered otherwise": total("passed"),
        "failures of LPSim": dict(Counter(one["failed"] for one in games if one["failed"])),
        "finished": sum(one["problem"] is None and one["failed"] is None for one in games),
        "cards": dict(sorted(cards.items(), key=lambda pair: pair[1])),
        "skills": dict(sorted(skills.items(), key=lambda pair: pair[1])),
        "objects": {one["name"]: seen.get(one["name"], 0) for one in core.objects()},
        "problems": {one["seed"]: one["problem"] for one in games if one["problem"]},
    }


def names_of_skills(who: dict[str, Any]) -> list[str]:
    return next([skill["name"] for skill in one["skills"]] for one in core.characters() if one["name"] == who["name"])


def tell(games: list[dict[str, Any]], as_json: bool) -> int:
    told = report(games)
    if as_json:
        print(json.dumps(told, ensure_ascii=False))
    else:
        for key, value in told.items():
            if isinstance(value, dict) and key in ("cards", "skills", "objects"):
                rare = ", ".join(f"{name} {count}" for name, count in list(value.items())[:6])
                print(f"{key}: {len(value)}, never {sum(n == 0 for n in value.values())}; rarest: {rare}")
            else:
                print(f"{key}: {value}")
    return 1 if told["different"] else 0


def show(out: Outcome, dealt: Deal, steps: int) -> None:
    print(f"\nseed {out.seed}, decision {out.decisions}, round {out.rounds}: {out.problem}")
    for seat, deck in enumerate(dealt.decks):
        print(f"  p{seat}: {', '.join(deck.characters)}")
    for step in out.steps[-steps:]:
        print(f"  {json.dumps(step, ensure_ascii=False)}", flush=True)


def kept(out: Outcome) -> dict[str, Any]:
    """A game as a line of the log: the actions only where something differs."""
    line = asdict(out) | {key: dict(getattr(out, key)) for key in ("kinds", "passed", "seen")}
    if out.problem is None:
        line.pop("steps")
    return line


def append(path: str, line: dict[str, Any]) -> None:
    with open(path, "a", encoding="utf-8") as file:
        file.write(json.dumps(line, ensure_ascii=False) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--python", help="the Python that has LPSim")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=1000, help="decisions of a game")
    parser.add_argument("--wild", type=int, default=4, help="every so manieth game has any card in any deck; 0: none")
    parser.add_argument("--steps", type=int, default=6, help="actions shown before a difference")
    parser.add_argument("--stop", type=int, default=20, help="differences after which it stops")
    parser.add_argument("--log", help="a file that gets a line for each game; what is in it is not played again")
    parser.add_argument("--report", nargs="+", help="logs to add up, without playing")
    parser.add_argument("--golden", help="a file for games without a difference, for traces.py")
    parser.add_argument("--json", action="store_true", help="only the report, as JSON")
    given = parser.parse_args()
    if given.report:
        return tell(list(logged(given.report).values()), given.json)
    if not given.python:
        parser.error("--python says where LPSim is installed; --report needs none.")
    game = sf.game("invokation", disputed="lpsim")
    done = logged([given.log]) if given.log else {}
    games: list[dict[str, Any]] = []
    other = Other(given.python)
    try:
        for seed in range(given.seed, given.seed + given.games):
            if seed in done:
                games.append(done[seed])
                continue
            rng = random.Random(seed)
            dealt = deal(rng, given.wild > 0 and seed % given.wild == 0)
            out = run(Pair(game, other, dealt), seed, rng, given.most)
            games.append(kept(out))
            if given.log:
                append(given.log, games[-1])
            if out.problem and not given.json:
                show(out, dealt, given.steps)
            if out.problem is None and out.failed is None and given.golden:
                append(given.golden, {"seed": seed, "deal": asdict(dealt), "steps": out.steps})
            if sum(one["problem"] is not None for one in games) >= given.stop:
                break
    finally:
        other.close()
    return tell(games, given.json)


if __name__ == "__main__":
    sys.exit(main())
