"""What the steps of alpha-beta are worth, on easycard and connect_four.

  python -m bench.alphabeta steps        nodes and time to the same depth, for each step alone and all together
  python -m bench.alphabeta easycard     the founding document's experiment: plain, razor, self_loss, hybrid and full
                                         against each other, at 20 ms and at 20 000 nodes per move, and at 20 000
                                         nodes with a poor evaluation

Games are kept as they end (--out): a run that was stopped goes on with the same command.
"""
