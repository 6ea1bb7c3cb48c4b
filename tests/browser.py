"""A real browser at a real server: fixtures for the tests of the page, and what a person does there.

Where chromium, Playwright or the built page are missing, these tests are left out and one line says why.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "src" / "sevenfold" / "server" / "page" / "index.html"
SHOTS = ROOT / "build" / "screenshots"
NOT_RUN = "browser tests did not run"
PATIENCE = int(os.environ.get("SEVENFOLD_PATIENCE", 60)) * 1000
"""Milliseconds: the machine that tests may be busy with other things."""
WIDE, PHONE = {"width": 1280, "height": 860}, {"width": 380, "height": 780}
KUHN = ROOT / "examples" / "kuhn_poker.py"
"""A game without a drawing, written in Python, with hidden cards."""


def missing() -> str | None:
    """Why there can be no browser; None where everything is there."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "Python's package playwright is missing (make setup)"
    if chromium_program() is None:
        return "chromium is missing (apt-get install chromium)"
    if not PAGE.exists():
        return "the page is not built (make web)"
    return None


def chromium_program() -> str | None:
    return os.environ.get("SEVENFOLD_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    for reason in sorted({str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", [])}):
        if NOT_RUN in reason:
            terminalreporter.write_line(reason.removeprefix("Skipped: "))


def process(data: Path, *more: str) -> Any:
    from server_client import Process  # here: who tests something else need not have the server's packages

    return Process(data, str(KUHN), *more)


class Server:
    """`sevenfold serve`, which can be killed and started again at the same address."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.process = process(data)
        self.address = self.process.address

    def kill(self) -> None:
        self.process.popen.kill()
        self.process.popen.wait()

    def start(self) -> None:
        port = self.address.rstrip("/").rpartition(":")[2]
        self.process = process(self.data, "--port", port)

    def end(self) -> None:
        if self.process.popen.poll() is None:
            self.process.end()

    def begin(self, game: str, *players: str | None, **more: Any) -> str:
        """A new session for people (None) and players; its address in the page."""
        seats = [{} if player is None else {"player": player} for player in players]
        from server_client import post

        return f"#/play/{post(self.address, 'api/sessions', {'game': game, 'seats': seats, **more})['id']}"


class Person:
    """Somebody at a page: what they see and do, and what must not happen meanwhile."""

    def __init__(self, context: Any, server: Server) -> None:
        self.server = server
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.abroad: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        self.page.on("request", lambda request: self._leaves(request.url))
        self.page.on("websocket", lambda socket: self._leaves(socket.url))

    def _leaves(self, url: str) -> None:
        inside = (self.server.address, self.server.address.replace("http", "ws"), "data:", "blob:")
        if not url.startswith(inside):
            self.abroad.append(url)

    def open(self, where: str = "") -> "Person":
        self.page.goto(self.server.address + where)
        return self

    def see(self, text: str | re.Pattern[str], patience: int = PATIENCE) -> Any:
        """Waits for a text to be seen."""
        found = self.page.get_by_text(text).filter(visible=True).first
        found.wait_for(timeout=patience)
        return found

    def press(self, name: str | re.Pattern[str], role: str = "button", exact: bool = True) -> None:
        self.page.get_by_role(role, name=name, exact=exact).click()

    def choose(self, label: str, **what: str) -> None:
        self.page.get_by_role("combobox", name=label, exact=True).select_option(**what)

    def until(self, what: str) -> Any:
        """Waits for an expression of JavaScript to become true; its value."""
        return self.page.wait_for_function(what, timeout=PATIENCE).json_value()

    # ---- at a game -------------------------------------------------------------------------------------------------

    @property
    def id(self) -> str:
        return str(self.page.url.rpartition("/")[2])

    @property
    def session(self) -> Any:
        """The game as the server has it."""
        return self.page.request.get(f"{self.server.address}api/sessions/{self.id}").json()

    @property
    def ply(self) -> int:
        """Of the position shown."""
        selected = self.page.locator("[role=treeitem][aria-selected=true]")
        label = selected.get_attribute("aria-label") if selected.count() else "0."
        return int(str(label).partition(".")[0])

    def wait_for_ply(self, ply: int) -> None:
        self.until(
            "() => Number((document.querySelector('[role=treeitem][aria-selected=true]')?.ariaLabel ?? '0.')"
            f".split('.')[0]) === {ply}"
        )

    @property
    def moves(self) -> list[str]:
        """As the list of moves shows them."""
        return [str(text) for text in self.page.locator("[role=treeitem] .text").all_inner_texts()]

    def my_turn(self) -> bool:
        """Waits until the person may move, or the game is over (False)."""
        return bool(self.until(f"() => document.querySelector('{OPEN}') ? 1 : {OVER} ? 2 : 0") == 1)

    def open_choices(self) -> Any:
        return self.page.locator(OPEN)

    def move(self, which: int = 0) -> None:
        """Clicks on something that may be played, and waits until it has been played."""
        before = self.ply
        choices = self.open_choices()
        choices.nth(min(which, choices.count() - 1)).click()
        self.until(
            "() => Number((document.querySelector('[role=treeitem][aria-selected=true]')?.ariaLabel ?? '0.')"
            f".split('.')[0]) > {before} || {OVER}"
        )

    def play_to_the_end(self, which: Callable[[int], int] = lambda number: number * 2) -> int:
        """Moves by clicking until the game is over; how often."""
        number = 0
        while self.my_turn():
            self.move(which(number))
            number += 1
        return number

    def shot(self, name: str) -> None:
        """Kept for people to look at."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=True)


OPEN = ".stage [role=gridcell][data-open], .stage button[data-action]:not(:disabled), .stage .generic li button"
OVER = "document.querySelector('.status.over')"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Module by module: while Playwright runs, nothing else in this process can use asyncio."""
    why = missing()
    if why:
        pytest.skip(f"{NOT_RUN}: {why}.")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("page"))
    yield server
    server.end()


@pytest.fixture
def visit(chromium: Any, server: Server) -> Iterator[Callable[..., Person]]:
    """Lets somebody come with a browser of their own; in the end, none of them may have seen an error."""
    people: list[Person] = []

    def visit(language: str = "en-US", **settings: Any) -> Person:
        settings = {"viewport": WIDE, "reduced_motion": "reduce", "locale": language} | settings
        person = Person(chromium.new_context(**settings), server)
        people.append(person)
        return person

    yield visit
    for person in people:
        person.page.context.close()
    assert [error for person in people for error in person.errors] == []
    assert [url for person in people for url in person.abroad] == []


@pytest.fixture
def person(visit: Callable[..., Person]) -> Person:
    return visit()
