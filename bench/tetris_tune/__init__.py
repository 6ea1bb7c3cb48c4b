"""Tunes the weights of `beam` by CMA-ES (Hansen and Ostermeier 2001; the library `cma`) over games of its own.

    python -m bench.tetris_tune --out runs/tetris-weights --minutes 25
    python -m bench.tetris_tune --out runs/tetris-weights --test      the best so far against weights.json, fresh seeds

A generation is a dozen sets of weights; each plays the same games, and is worth its attack per piece, a lost game
counting as if nothing more came. Weights are tuned as factors of those in weights.json, so that large and small ones
take steps that suit them; the weight of attack stays 1, for only their proportions matter. After every generation all
is on disk: started again, it goes on where it was, and Ctrl-C or kill loses at most one generation.

The means of a noisy search drift, so the answer is the mean of the search, not its luckiest candidate; and weights are
only worth keeping when --test finds them better on seeds that no generation has seen.
"""
