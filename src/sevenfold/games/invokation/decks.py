"""Decks: three characters and thirty cards, as text files, as codes and as the four samples in `decks/`.

    # A line with a # is a comment.
    characters: Diluc, Kaeya, Sucrose
    2 Changing Shifts
    2 交給我吧！
    Strategize

On one line, as an option of the game takes it, semicolons stand between the names: "Diluc; Kaeya; Sucrose;
2 Changing Shifts; …". `python -m sevenfold.games.invokation.decks FILE …` checks files and prints their lines.
"""

import re
import sys
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sevenfold.games.invokation.catalogue import card, catalogue, character

CARDS = 30
COPIES = 2
CHARACTERS = 3
RESONANCE = 2
"""Characters of one element that its resonance cards need."""
SAMPLES = ("A", "B", "C", "D")
FOLDER = Path(__file__).with_name("decks")


@dataclass(frozen=True)
class Deck:
    """Official English names: three characters in their seats, and the cards."""

    characters: tuple[str, ...]
    cards: tuple[str, ...]

    def line(self) -> str:
        """The deck on one line, for the options deck0 and deck1; copies are together, in the order of first mention."""
        counts = Counter(self.cards).items()
        return "; ".join([*self.characters, *(f"{n} {name}" if n > 1 else name for name, n in counts)])

    def text(self) -> str:
        """The deck as a file."""
        lines = [f"characters: {', '.join(self.characters)}"]
        lines += [f"{copies} {name}" for name, copies in Counter(self.cards).items()]
        return "\n".join(lines) + "\n"

    def faults(self) -> list[str]:
        """What is wrong with it, one sentence each; a legal deck has none."""
        return [*self._team_faults(), *self._count_faults(), *self._card_faults()]

    def checked(self) -> "Deck":
        """Itself; a ValueError with the first fault where it is illegal."""
        for sentence in self.faults():
            raise ValueError(sentence)
        return self

    def _team_faults(self) -> list[str]:
        out = []
        if len(self.characters) != CHARACTERS:
            out.append(f"a deck has {CHARACTERS} characters, not {len(self.characters)}.")
        twice = [name for name, count in Counter(self.characters).items() if count > 1]
        out += [f"{name} is in the team more than once." for name in twice]
        return out

    def _count_faults(self) -> list[str]:
        out = []
        if len(self.cards) != CARDS:
            out.append(f"a deck has {CARDS} cards, not {len(self.cards)}.")
        many = [(name, count) for name, count in Counter(self.cards).items() if count > COPIES]
        return out + [f"{name} is in the deck {count} times; {COPIES} are allowed." for name, count in many]

    def _card_faults(self) -> list[str]:
        team = [found for name in self.characters if (found := character(name))]
        elements = Counter(one["element"] for one in team)
        out = []
        for name in dict.fromkeys(self.cards):
            one = card(name) or {}
            if one.get("kind") == "generated":
                out.append(f"{name} is made by a skill and cannot be in a deck.")
            elif one.get("kind") == "talent" and one["character"] not in self.characters:
                out.append(f"{name} is the talent of {one['character']}, who is not in the team.")
            elif one.get("kind") == "resonance" and elements[one["element"]] < RESONANCE:
                out.append(f"{name} needs {RESONANCE} {one['element']} characters in the team.")
        return out


def parse(text: str) -> Deck:
    """A deck from the text of a file, from one line or from a sample's letter; unchecked but for names.

    Raises ValueError where a line names nothing that exists.
    """
    if text.strip().upper() in SAMPLES:
        return sample(text.strip())
    characters: list[str] = []
    cards: list[str] = []
    for number, line in enumerate(re.split("[\n;]", text), 1):
        line = line.partition("#")[0].strip()
        head, colon, rest = line.replace("：", ":").partition(":")
        if colon and head.strip().casefold() in ("characters", "角色"):
            characters += [_named(character(name), "character", name, number) for name in re.split("[,、，]", rest)]
        elif line and (found := character(line)):
            characters.append(found["name"])
        elif line:
            copies, name = _counted(line)
            cards += [_named(card(name), "card", name, number)] * copies
    return Deck(tuple(characters), tuple(cards))


def _counted(line: str) -> tuple[int, str]:
    """ "2 Strategize", "2x Strategize" and "Strategize" as copies and name."""
    found = re.fullmatch(r"(\d{1,2})\s*[x×]?\s+(.+)", line)
    return (int(found[1]), found[2]) if found else (1, line)


def _named(item: Any, kind: str, name: str, line: int) -> str:
    if item is None:
        raise ValueError(f"part {line}: there is no {kind} {name.strip()[:60]!r}.")
    return str(item["name"])


@cache
def sample(letter: str) -> Deck:
    """One of the four sample decks, "A" to "D"."""
    if letter.upper() not in SAMPLES:
        raise ValueError(f"there is no sample deck {letter[:20]!r}; there are {', '.join(SAMPLES)}.")
    return parse((FOLDER / f"{letter.lower()}.txt").read_text("utf-8")).checked()


def load(path: str | Path) -> Deck:
    """The checked deck of a file; ValueError in one sentence where it has a fault or cannot be read."""
    try:
        return parse(Path(path).read_text("utf-8-sig")).checked()
    except (OSError, UnicodeDecodeError):
        raise ValueError(f"the deck {str(path)!r} cannot be read as a text file.") from None
    except ValueError as error:
        raise ValueError(f"the deck {str(path)!r} is not legal: {error}") from None


def legal_cards(characters: tuple[str, ...]) -> list[str]:
    """The cards that a deck of this team may hold, in the order of the catalogue."""
    return [one["name"] for one in catalogue()["cards"] if not Deck(characters, (one["name"],))._card_faults()]


def main() -> int:
    status = 0
    for path in sys.argv[1:]:
        try:
            print(f"{path}: {load(path).line()}")
        except ValueError as error:
            print(error, file=sys.stderr)
            status = 2
    return status


if __name__ == "__main__":
    sys.exit(main())
