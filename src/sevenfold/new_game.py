"""`sevenfold new-game NAME`: a small complete game to start from.

In a source checkout it is a room, `src/sevenfold/games/NAME/`, with rules in C++ or Python, tests, golden playthrough
and page; elsewhere it is one Python file. The files are those of `templates/`, with the game's name put in.
"""

import keyword
import re
import sys
import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from sevenfold.game import game_names
from sevenfold.lang import t

CPP_WORDS = frozenset(
    """alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const consteval
    constexpr constinit continue decltype default delete do double else enum explicit export extern false float for
    friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected
    public register requires return short signed sizeof static struct switch template this throw true try typedef typeid
    typename union unsigned using virtual void volatile wchar_t while xor xor_eq main std""".split()  # noqa: SIM905
)


@dataclass(frozen=True)
class NewGame:
    """What was written."""

    name: str
    folder: Path
    files: list[str]
    next: list[str]
    """The commands to type now."""

    def to_json(self) -> dict[str, Any]:
        """The same for programs."""
        return {"name": self.name, "folder": str(self.folder), "files": self.files, "next": self.next}

    def __str__(self) -> str:
        files, commands = [str(self.folder / file) for file in self.files], self.next
        return "\n  ".join([t("Written:"), *files]) + "\n" + "\n  ".join([t("Next:"), *commands])


def write(name: str, python: bool = False, at: Path = Path()) -> NewGame:
    """Writes a new game's files: into the checkout that `at` lies in, or else, in Python, into `at` itself."""
    if not at.is_dir():
        raise ValueError(t("there is no folder {folder!r}.", folder=str(at)))
    check_name(name)
    checkout = find_checkout(at)
    if checkout is None:
        if not python:
            raise ValueError(
                t("a game in C++ needs a source checkout of sevenfold: go into one, use --at, or add --python.")
            )
        return _write_file(name, at)
    return _write_room(name, python, checkout)


def check_name(name: str) -> None:
    """ValueError, with one sentence, for a name that no new game can have."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > 30:
        raise ValueError(t("a game's name is in snake_case, such as my_game, not {name!r}.", name=name))
    if keyword.iskeyword(name) or name in CPP_WORDS or name in sys.stdlib_module_names or name == "sevenfold":
        raise ValueError(t("{name!r} is a word of Python or C++; take another name.", name=name))
    if name in game_names():
        raise ValueError(t("there already is a game {name!r}; take another name.", name=name))


def find_checkout(start: Path) -> Path | None:
    """The source checkout of sevenfold that a folder lies in."""
    start = start.resolve()
    for folder in (start, *start.parents):
        try:
            data = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if data.get("project", {}).get("name") == "sevenfold":
            return folder
    return None


def _write_room(name: str, python: bool, checkout: Path) -> NewGame:
    room = checkout / "src" / "sevenfold" / "games" / name
    if room.exists():
        raise ValueError(t("there already is a game {name!r}; take another name.", name=name))
    if not python:
        _check_cpp_name(name, checkout)
    files = {
        **(
            {"__init__.py": _filled("rules.py.in", name) + f"\n\nRULES = {_camel(name)}\n"}
            if python
            else {"rules.h": _filled("rules.h.in", name), "__init__.py": _filled("room.py.in", name)}
        ),
        f"test_{name}.py": _filled("test.py.in", name),
        "golden.txt": _filled("golden.txt.in", name),
        "page.md": _filled("page.md.in", name),
    }
    room.mkdir(parents=True)
    for file, text in files.items():
        (room / file).write_text(text, encoding="utf-8")
    return NewGame(name, room, list(files), ["make setup", f"sevenfold play {name}"])


def _write_file(name: str, folder: Path) -> NewGame:
    path = folder / f"{name}.py"
    if path.exists():
        raise ValueError(t("there already is a file {path!r}; take another name.", path=str(path)))
    path.write_text(_filled("rules.py.in", name), encoding="utf-8")
    return NewGame(name, folder, [path.name], [f"sevenfold play {path}", f"sevenfold check {path}"])


def _check_cpp_name(name: str, checkout: Path) -> None:
    """The room's namespace and struct must not hide a name of the core's that the rules use."""
    for header in sorted((checkout / "cpp").rglob("*.h")):
        code = re.sub(r"//.*", "", header.read_text(encoding="utf-8"))
        if re.search(rf"\b({name}|{_camel(name)})\b", code):
            raise ValueError(t("{name!r} is a name of the C++ core; take another.", name=name))


def _filled(template: str, name: str) -> str:
    text = resources.files("sevenfold").joinpath("templates", template).read_text(encoding="utf-8")
    words = name.replace("_", " ")
    for placeholder, value in (("my_game", name), ("MyGame", _camel(name)), ("My game", words[0].upper() + words[1:])):
        text = text.replace(placeholder, value)
    return text


def _camel(name: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in name.split("_"))
