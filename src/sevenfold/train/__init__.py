"""Training: self-play and learning, in a Run folder that outlives every interruption (docs/learn/alphazero.md).

`config` says what to do, `loop` does it; `actor` plays, `replay` keeps, `learner` learns, `run` is the folder. Only
`learner` needs torch, and only the process that learns loads it.
"""

from sevenfold.train.config import Config, Gate, Learning, Replaying, SelfPlay, preset, preset_names
from sevenfold.train.loop import train
from sevenfold.train.run import Run

__all__ = ["Config", "Gate", "Learning", "Replaying", "Run", "SelfPlay", "preset", "preset_names", "train"]
