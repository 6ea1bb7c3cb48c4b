"""The page in a real browser: what the first load weighs, when it can be used, and how late an answer comes.

Chromium without a window, and a server of its own. `interactive` is when the lobby shows its games and can be clicked,
from the browser's own clock; an answer's delay is what a browser waits from the click on a move to the drawn answer,
less what the player thought.
"""

import json
import os
import shutil
import statistics
import sys
from typing import Any

from bench.serve import PLAYER, server, share
from bench.side_by_side import Row

LOADS = 7
MOVES = 40
WATCH = """() => {
  window.answers = [];
  let began = 0;
  const clicked = (event) => { if (event.target.closest("[role=gridcell]")) began = performance.now(); };
  addEventListener("click", clicked, true);
  const turn = () => document.querySelector(".stage [role=gridcell][data-open]") !== null;
  let mine = turn();
  new MutationObserver(() => {
    if (turn() && !mine && began) answers.push(performance.now() - began);
    mine = turn();
  }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-open"] });
}"""
"""Writes down, in the page, how long it takes from a click to the next turn."""
INTERACTIVE = """() => new Promise((found) => {
  const done = () => setTimeout(() => found(performance.now()));
  const look = () => (document.querySelector("a.game") ? done() : requestAnimationFrame(look));
  look();
})"""


def first_load(browser: Any, address: str) -> tuple[int, float]:
    """Bytes over the line, compressed as the server sends them, and milliseconds until the games can be clicked."""
    page = browser.new_page()
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    weights: list[float] = []
    network.on("Network.loadingFinished", lambda event: weights.append(event["encodedDataLength"]))
    page.goto(address, wait_until="commit")
    ready = page.evaluate(INTERACTIVE)
    page.wait_for_load_state("networkidle")
    page.close()
    return int(sum(weights)), float(ready)


def answers(browser: Any, address: str) -> list[float]:
    """Milliseconds beyond the thinking time in which answers to clicks are drawn."""
    page = browser.new_page(reduced_motion="reduce")
    thought: list[float] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: thought.extend(seconds(frame))))
    late: list[float] = []
    while len(late) < MOVES:
        asked = {"game": "connect_four", "seats": [{}, {"player": PLAYER}]}
        id = page.request.post(f"{address}api/sessions", data=asked).json()["id"]
        page.goto("about:blank")
        page.goto(f"{address}#/play/{id}")
        page.locator(".stage [role=gridcell][data-open]").first.wait_for()
        page.evaluate(WATCH)
        thought.clear()
        number = 0
        while (
            page.wait_for_function(
                f"() => answers.length >= {number} && document.querySelector('.stage [role=gridcell][data-open]') ? 1"
                " : document.querySelector('.status.over') ? 2 : 0"
            ).json_value()
            == 1
            and len(late) + number <= MOVES
        ):
            page.locator(".stage [role=gridcell][data-open]").nth(number % 7).click()
            number += 1
        taken = page.evaluate("() => answers")
        late += [one - 1000 * own for one, own in list(zip(taken, thought, strict=False))[1:]]  # the first warms up
        page.request.delete(f"{address}api/sessions/{id}")
    page.close()
    return late


def seconds(frame: str | bytes) -> list[float]:
    """How long a player has thought about its move, where a message tells that."""
    message = json.loads(frame)
    mine = message["type"] == "thought" and message["of"] == "move" and message["thought"]["final"]
    return [message["thought"]["seconds"]] if mine else []


def run() -> list[Row]:
    """The figures of issue "the page" that need a browser."""
    program = os.environ.get("SEVENFOLD_CHROMIUM") or shutil.which("chromium")
    if program is None:
        print("page is not measured: chromium is missing (apt-get install chromium).", file=sys.stderr)
        return []
    from playwright.sync_api import sync_playwright

    if hasattr(os, "sched_setaffinity"):  # browser and server may use every core, whatever the other measurements do
        os.sched_setaffinity(0, set(range(os.cpu_count() or 1)))
    with server() as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        first_load(browser, address)  # the server makes its list of games once
        loads = [first_load(browser, address) for _ in range(LOADS)]
        late = answers(browser, address)
        browser.close()
    weight, ready = max(bytes for bytes, _ in loads) / 1000, statistics.median(ms for _, ms in loads)
    middle, slow = statistics.median(late), share(late, 0.95)
    return [
        Row("page: first load, compressed", "KB", weight, None, None, "< 300 KB", weight < 300),
        Row("page: interactive after, median", "ms", ready, None, None, "< 1000 ms", ready < 1000),
        Row("page: an answer drawn beyond the thinking time, median", "ms", middle, None, None, "< 50 ms", middle < 50),
        Row("page: an answer drawn beyond the thinking time, p95", "ms", slow),
    ]
