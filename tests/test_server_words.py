"""What the server says when it refuses something has its Chinese on the page (web/src/refusals.ts)."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
SOURCES = [*sorted((ROOT / "src/sevenfold/server").glob("*.py")), ROOT / "src/sevenfold/formats.py"]
AT_THE_START = "name another folder by --data"
"""Ends a sentence that the terminal tells, before there is a page."""


def text_of(node: ast.AST) -> str | None:
    """A text of the source, with {} for what is filled in."""
    if isinstance(node, ast.JoinedStr):
        return "".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def sentences(source: str) -> set[str]:
    """Texts that read like a refusal: words in lower case that end with a full stop, and are no docstring."""
    tree = ast.parse(source)
    left_out = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    left_out |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    found = {text for node in ast.walk(tree) if id(node) not in left_out and (text := text_of(node)) is not None}
    return {text for text in found if re.fullmatch(r"[a-z{][^\n]* [^\n]*\.", text) and AT_THE_START not in text}


def test_every_sentence_of_the_server_is_there_in_chinese() -> None:
    page = (ROOT / "web/src/refusals.ts").read_text(encoding="utf-8")
    known = {re.sub(r"\{\w+\}", "{}", one) for one in re.findall(r'^  "((?:[^"\\]|\\.)*)":', page, re.M)}
    said = set().union(*(sentences(path.read_text(encoding="utf-8")) for path in SOURCES))
    assert len(said) > 50
    missing = {one for one in said if one.replace("{}{}", "{}") not in known}
    assert not missing, "\n".join(sorted(missing))
