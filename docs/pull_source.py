"""Fills the blocks of source in the pages with what the source says, so that a page cannot drift from it.

A block names its file and two pieces of text, the first of which occurs once in the file:

    <!-- source cpp/search/mcts.cpp "const auto base" .. "});" -->
    <!-- /source -->

Between the comments come the lines from the one with the first text to the next one with the second, which may be the
same line, without their common indentation.

python docs/pull_source.py            rewrite the pages
python docs/pull_source.py --check    say which pages are out of date, exit code 1
"""

import re
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).parent.parent
BLOCK = re.compile(r'(<!-- source (\S+) "(.+?)" \.\. "(.+?)" -->\n)(.*?)(<!-- /source -->)', re.DOTALL)
LANGUAGES = {".h": "cpp", ".cpp": "cpp", ".toml": "toml"}
# Not "python": the Python of a page is run by tests/test_docs.py, and a piece of a function cannot be.
LANGUAGES[".py"] = "py"


def excerpt(source: str, first: str, last: str) -> str:
    """The lines from the only one with `first` to the next one with `last`; ValueError where there are none."""
    lines = source.splitlines()
    starts = [number for number, line in enumerate(lines) if first in line]
    if len(starts) != 1:
        raise ValueError(f"{first!r} is in {len(starts)} lines, not in one")
    for end in range(starts[0], len(lines)):
        if last in lines[end]:
            return textwrap.dedent("\n".join(lines[starts[0] : end + 1]))
    raise ValueError(f"{last!r} does not follow {first!r}")


def filled(page: str, root: Path = ROOT) -> str:
    """A page with its blocks as the source has them now; ValueError names the block that cannot be found."""

    def block(match: re.Match[str]) -> str:
        opening, path, first, last, _, closing = match.groups()
        file = root / path
        try:
            text = excerpt(file.read_text(encoding="utf-8"), first, last)
        except (OSError, ValueError) as error:
            raise ValueError(f"{path}: {error}. The page must name other lines of it.") from None
        return f"{opening}```{LANGUAGES.get(file.suffix, '')}\n{text}\n```\n{closing}"

    if page.count("<!-- source ") != len(BLOCK.findall(page)):
        raise ValueError("a block of source is not written as docs/pull_source.py says, or has no end.")
    return BLOCK.sub(block, page)


def pages(root: Path = ROOT) -> list[Path]:
    """The pages that have blocks."""
    found = sorted((root / "docs").rglob("*.md"))
    return [page for page in found if "<!-- source " in page.read_text(encoding="utf-8")]


def main() -> int:
    check_only = "--check" in sys.argv
    stale = 0
    for path in pages():
        page = path.read_text(encoding="utf-8")
        try:
            fresh = filled(page)
        except ValueError as error:
            print(f"{path.relative_to(ROOT)}: {error}", file=sys.stderr)
            return 1
        if fresh == page:
            continue
        stale += 1
        print(f"{path.relative_to(ROOT)}: its source {'has changed; run `make docs`' if check_only else 'was pulled'}.")
        if not check_only:
            path.write_text(fresh, encoding="utf-8")
    return 1 if stale and check_only else 0


if __name__ == "__main__":
    sys.exit(main())
