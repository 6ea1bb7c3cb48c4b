"""The source in the documents is the source: blocks that `make docs` fills cannot drift, nor can the run's table."""

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


def tool(path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


pull_source, draw_curve = tool("docs/pull_source.py"), tool("docs/learn/draw_curve.py")
CHAPTER = [ROOT / "docs" / "learn" / name for name in ("alphazero.md", "alphazero.zh-TW.md")]


@pytest.mark.parametrize("page", pull_source.pages(), ids=lambda page: page.name)
def test_the_source_in_a_page_is_the_source(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert pull_source.filled(text) == text, (
        f"{page.name} shows old source: run `make docs`, and read what it says now."
    )


@pytest.mark.parametrize("page", CHAPTER, ids=lambda page: page.name)
def test_the_table_of_the_run_is_its_data(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "<!-- curve -->" in text
    fresh = draw_curve.with_rows(text, draw_curve.lines_of(draw_curve.DATA))
    assert fresh == text, f"{page.name} has an old table: run `make docs`."


def test_the_same_data_make_the_same_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    draw_curve.draw(draw_curve.lines_of(draw_curve.DATA), tmp_path / "first.svg")
    draw_curve.draw(draw_curve.lines_of(draw_curve.DATA), tmp_path / "second.svg")
    assert (tmp_path / "first.svg").read_bytes() == (tmp_path / "second.svg").read_bytes()


def test_the_chapter_says_the_same_in_both_languages() -> None:
    english, chinese = (page.read_text(encoding="utf-8") for page in CHAPTER)
    for pattern in (r"^## ", r"^\|", r"^```math\n.*?```", r"<!-- source .*? -->", r"^- |^\d\. "):
        ours, theirs = (re.findall(pattern, text, re.MULTILINE | re.DOTALL) for text in (english, chinese))
        assert len(ours) == len(theirs), pattern
    for pattern in (r"```math\n.*?```", r"<!-- source .*? -->"):
        assert re.findall(pattern, english, re.DOTALL) == re.findall(pattern, chinese, re.DOTALL)
    code = [
        re.sub(r" *#.*", "", "".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)))
        for text in (english, chinese)
    ]
    assert code[0] == code[1]


def made(tmp_path: Path, source: str) -> None:
    (tmp_path / "one.cpp").write_text(source, encoding="utf-8")


PAGE = 'before\n<!-- source one.cpp "first" .. "last" -->\n<!-- /source -->\nafter\n'


def test_a_block_is_filled_without_its_indentation(tmp_path: Path) -> None:
    made(tmp_path, "void f() {\n  first();\n    inside();\n  last();\n  more();\n}\n")
    page = pull_source.filled(PAGE, tmp_path)
    assert page.startswith(
        'before\n<!-- source one.cpp "first" .. "last" -->\n```cpp\nfirst();\n  inside();\nlast();\n```\n'
    )
    assert page.endswith("<!-- /source -->\nafter\n")
    assert pull_source.filled(page, tmp_path) == page


def test_a_changed_line_shows(tmp_path: Path) -> None:
    made(tmp_path, "first(); last();\n")
    page = pull_source.filled(PAGE, tmp_path)
    made(tmp_path, "first(1); last();\n")
    assert pull_source.filled(page, tmp_path) != page


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("last();\n", "in 0 lines"),
        ("first();\nfirst();\nlast();\n", "in 2 lines"),
        ("last();\nfirst();\n", "does not follow"),
    ],
)
def test_lines_that_are_not_there_are_refused(tmp_path: Path, source: str, said: str) -> None:
    made(tmp_path, source)
    with pytest.raises(ValueError, match=said):
        pull_source.filled(PAGE, tmp_path)


@pytest.mark.parametrize("page", [PAGE.replace("<!-- /source -->", ""), PAGE.replace('"first"', "first")])
def test_a_block_that_is_written_wrongly_is_refused(tmp_path: Path, page: str) -> None:
    made(tmp_path, "first(); last();\n")
    with pytest.raises(ValueError, match=r"pull_source\.py"):
        pull_source.filled(page, tmp_path)


@pytest.mark.parametrize("page", CHAPTER, ids=lambda path: path.name)
def test_each_formula_of_the_chapter_has_its_lines_of_code(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for formula, line in (
        (r"\sqrt{1 + \sum_b N(s,b)}", "reach * edge.prior / (1 + n)"),
        (r"N(s,a)^{1/\tau}", "std::pow(static_cast<double>(one.share / most), 1 / tau)"),
        (r"(z - v)^2", "loss = config.value_weight * value_loss"),
    ):
        assert 0 < text.index(formula) < text.index(line)
