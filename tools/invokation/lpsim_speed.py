"""LPSim's random decisions per second of processor time, as JSON; run by the Python of its own environment."""

import json
import logging
import time

from lpsim import Deck, Match
from lpsim.agents import RandomAgent

logging.disable(logging.CRITICAL)
SECONDS = 10
CARDS = ["Strategize", "Paimon", "Sweet Madame", "Changing Shifts", "Leave It to Me!", "Liben"] * 5


def deck() -> Deck:
    names = [f"character:{name}" for name in ("Diluc", "Kaeya", "Sucrose")]
    return Deck.from_str("\n".join(["default_version:4.5", *names, *CARDS]) + "\n")


def main() -> None:
    decisions, seed, begun = 0, 0, time.process_time()
    while time.process_time() - begun < SECONDS:
        match = Match()
        match.set_deck([deck(), deck()])
        config = match.config
        config.check_deck_restriction, config.card_number, config.max_same_card_number = False, None, None
        match.start()
        match.step()
        agents = [RandomAgent(player_idx=0, random_seed=seed), RandomAgent(player_idx=1, random_seed=seed + 1)]
        seed += 2
        while not match.is_game_end() and time.process_time() - begun < SECONDS:
            for player, agent in enumerate(agents):
                if match.need_respond(player):
                    match.respond(agent.generate_response(match))
                    match.step()
                    decisions += 1
                    break
    print(json.dumps({"decisions_per_second": decisions / (time.process_time() - begun), "decisions": decisions}))


if __name__ == "__main__":
    main()
