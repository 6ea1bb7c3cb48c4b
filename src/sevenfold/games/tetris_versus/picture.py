"""What the page draws of Tetris for two: the same picture with two sides (games/tetris/picture.py)."""

from sevenfold.games.tetris.picture import picture

__all__ = ["MINIATURE", "picture"]

MINIATURE: list[int] = [
    1,
    7,
    1212,
    4803,
    20,
    4801,
    4805,
    1220,
    2417,
    4813,
    27,
    4816,
    1224,
    3619,
    3633,
    4806,
    6035,
    6024,
    6039,
    1215,
    1236,
    1217,
    1220,
    1212,
    6014,
    3611,
    1212,
    33,
    8,
    2457,
    14,
    1250,
    1210,
    1262,
    1216,
    67,
    4808,
    3655,
    3,
    1249,
]
"""Placements that fill the lobby's picture."""
