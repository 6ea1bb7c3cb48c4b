"""AlphaGo, AlphaGo Zero and AlphaZero as options of one training, on connect-four, with the same processor time each.

    python -m bench.alphago --minutes 10 --out FOLDER

alphago       separate nets, rollouts for half of a position's value, a start from game records, a gate
alphagozero   one net with two heads, no rollouts, nothing but its own games, a gate
alphazero     the same without the gate

Then everybody plays everybody, and uct, with random openings. Processor time is that of the learner, of its actors and
of the gate's matches together, so that a busy machine makes a run longer and not worse. The records that alphago starts
from are given, as AlphaGo's were; what they cost is said. A second call with the same folder goes on where the first
one ended.
"""
