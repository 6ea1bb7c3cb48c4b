"""What the documents show works: the README's code, the docs' code, the examples, the options tables, the links."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "README.zh-TW.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
ROOM_PAGES = sorted((ROOT / "src" / "sevenfold" / "games").glob("*/page.md"))


def run(*command: str, cwd: Path = ROOT) -> str:
    answer = subprocess.run(
        [sys.executable, *command], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def python_blocks(page: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if python_blocks(page)], ids=lambda page: page.name)
def test_the_python_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    """All blocks of a page are one program; a line whose comment promises a ValueError must raise it."""
    lines = []
    for line in "\n".join(python_blocks(page)).splitlines():
        if "# ValueError" in line:
            lines += ["try:", f"    {line}", "except ValueError:", "    pass", "else:", "    raise AssertionError"]
        else:
            lines.append(line)
    script = tmp_path / "page.py"
    script.write_text("\n".join(lines), encoding="utf-8")
    run(str(script), cwd=tmp_path)


def test_the_readme_example_has_ten_lines_and_prints_a_board() -> None:
    (block,) = python_blocks(ROOT / "README.md")
    assert len([line for line in block.splitlines() if line.strip()]) == 10
    answer = run("-c", block)
    assert "a b c d e f g" in answer
    assert "advice:" in answer


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda path: path.name)
def test_an_example_is_short_and_runs(example: Path) -> None:
    assert len(example.read_text(encoding="utf-8").splitlines()) <= 60
    run(str(example))


def test_the_options_tables_are_what_the_rules_declare() -> None:
    run("docs/options_table.py", "--check")


@pytest.mark.parametrize("page", [*PAGES, *ROOM_PAGES], ids=lambda page: str(page.relative_to(ROOT)))
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    # In C++ that a page shows, [=](const Edge& edge) is no link.
    prose = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)\)", prose):
        assert (page.parent / target).exists(), f"{page.relative_to(ROOT)} links to {target}, which does not exist"


def test_both_readmes_have_the_same_parts() -> None:
    english, chinese = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-TW.md"))
    for pattern in (r"^## ", r"```", r"^\|"):
        assert len(re.findall(pattern, english, re.MULTILINE)) == len(re.findall(pattern, chinese, re.MULTILINE))
