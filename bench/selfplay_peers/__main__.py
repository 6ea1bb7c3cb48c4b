"""Measures the peers named on the command line (all by default) and prints a line of JSON for each."""

import json
import sys

from bench.selfplay_peers import PEERS, measure

for name in sys.argv[1:] or PEERS:
    print(json.dumps(measure(name)), flush=True)
