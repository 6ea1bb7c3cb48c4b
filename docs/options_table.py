"""Writes the options table of every room's page.md from the options that its rules declare.

python docs/options_table.py            rewrite the pages
python docs/options_table.py --check    say which pages are out of date, exit code 1
"""

import re
import sys
from pathlib import Path

import sevenfold as sf
from sevenfold.listing import allowed

ROOMS = Path(__file__).parent.parent / "src" / "sevenfold" / "games"


def table(game: sf.Game) -> str:
    if not game.declared_options:
        return "none"
    lines = ["| option | default | allowed | meaning |", "|---|---|---|---|"]
    lines += [f"| `{o.name}` | `{o.initial}` | {allowed(o)} | {o.help} |" for o in game.declared_options]
    return "\n".join(lines)


def with_table(page: str, game: sf.Game) -> str:
    return re.sub(
        r"(<!-- options -->\n).*?(\n<!-- /options -->)",
        lambda match: match[1] + table(game) + match[2],
        page,
        flags=re.DOTALL,
    )


def main() -> int:
    check_only = "--check" in sys.argv
    stale = []
    for path in sorted(ROOMS.glob("*/page.md")):
        page = path.read_text(encoding="utf-8")
        fresh = with_table(page, sf.game(path.parent.name))
        if fresh == page:
            continue
        stale.append(path)
        print(f"{path.relative_to(ROOMS)}: the options table {'is old' if check_only else 'was rewritten'}.")
        if not check_only:
            path.write_text(fresh, encoding="utf-8")
    return 1 if stale and check_only else 0


if __name__ == "__main__":
    sys.exit(main())
