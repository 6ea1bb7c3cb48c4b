"""An engine in twenty lines, for any game: `sevenfold play connect_four --against "exec:python examples/engine.py"`.

It reads requests line by line and answers two of them: the greeting and `go`. docs/reference/protocol.md lists all.
"""

import random
import sys

legal: list[str] = []
for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "sevenfold":
        print("ready first engine", flush=True)
    elif word == "new":  # seed=…: same seed, same game
        random.seed(rest[0])
    elif word == "legal":  # the actions to choose from, as numbers
        legal = rest
    elif word == "go":  # seat=0 seconds=3: think less than that
        print("move", random.choice(legal), flush=True)
    elif word == "quit":
        break
