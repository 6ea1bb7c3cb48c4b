"""How strong the tree search is: matches that take hours, so they are no part of `python -m bench`.

    python -m bench.strength report              uct against the founding report's player, 1 s a move, Saiblo boards
    python -m bench.strength openspiel           uct against OpenSpiel's C++ MCTSBot, 1 s a move, 7x6
    python -m bench.strength ablation            uct against uct with one step off
    python -m bench.strength pons                how often uct keeps the value of positions of Pons' sets
    python -m bench.strength limits              how far a move oversteps its time while all cores are busy
    python -m bench.strength match A B           any two players

Every finished game is appended to a file in `--out`, named by a hash of the settings. A second run with the same
settings goes on from there, whatever ended the first; `--games` may grow between the two. Times are of the clock on
the wall: two games at once on two cores, and nothing else, is what the figures are for.
"""
