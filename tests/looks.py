"""A screen looked at from all sides: wide and on a phone, light and dark, in both languages.

Each look is kept as a picture in build/screenshots for people; here, that nothing leaves the screen sideways, that
axe-core finds nothing serious, and that nothing is left in English.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from browser import NOT_RUN, PHONE, ROOT, WIDE, Person

AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
TEXTS = (Path(__file__).parent / "texts.js").read_text()
NAMES = re.compile(
    r"Sevenfold|English|AlphaZero|OpenSpiel|MCTS|UCT|PUCT|Elo|[Gg]umbel|Kuhn poker|kuhn_poker"
    r"|(uct|alphazero|alphabeta|montecarlo|random|policy|greedy)(:[\w=.,]+)?|jsonl|Home|End|Esc"
    r"|quick|laptop|overnight|tutorial|saiblo|docs/\S+|fixed|same|piles|none"
)
"""What has no other name in Chinese: programs, methods, players and options as they are typed, keys."""


def look_at(person: Person, name: str) -> list[str]:
    """All looks of the screen that is shown; what is wrong with them. The person's own is given back."""
    page = person.page
    wrong: list[str] = []
    for size, viewport in {"wide": WIDE, "phone": PHONE}.items():
        page.set_viewport_size(viewport)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for language in ("zh-TW", "en"):
                speak(person, language)
                person.shot(f"{name}-{size}-{scheme}-{language}")
                if language == "zh-TW" and (size, scheme) == ("wide", "light"):
                    wrong += english(person)
            if size == "wide" or scheme == "light":
                wrong += [f"{size}, {scheme}: {one}" for one in violations(person)]
        wrong += [f"{size}: {one}" for one in too_wide(person)]
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    return wrong


def speak(person: Person, language: str) -> None:
    """Chooses a language as people do, or where a dialog is in the way, as the page does when another window has."""
    person.page.locator("header select").first.evaluate(
        "(one, language) => { one.value = language; one.dispatchEvent(new Event('change', {bubbles: true})); }",
        language,
    )
    person.until(f"() => document.documentElement.lang.startsWith('{language[:2]}')")


def english(person: Person) -> list[str]:
    """Texts with English words in them, as seen or as read aloud."""
    found = [NAMES.sub("", text) for text in person.page.evaluate(TEXTS)]
    return sorted({f"in English: {text}" for text in found if re.search("[A-Za-z]{3,}", text)})


def too_wide(person: Person) -> list[str]:
    """What makes people scroll sideways."""
    return list(
        person.page.evaluate(
            """() => document.documentElement.scrollWidth <= innerWidth ? []
            : [...document.querySelectorAll('body *')]
                .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
                .map((one) => one.outerHTML.slice(0, 120)).slice(0, 5)"""
        )
    )


def violations(person: Person) -> list[str]:
    """What axe-core calls serious or critical, contrast included."""
    if not AXE.exists():
        pytest.skip(f"{NOT_RUN}: axe-core is missing (make web).")
    person.page.evaluate(AXE.read_text())
    found: Any = person.page.evaluate("() => axe.run({resultTypes: ['violations']})")
    return [
        f"{one['id']}: {node['html'][:160]} {json.dumps([check['message'] for check in node['any'][:1]])[:240]}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
