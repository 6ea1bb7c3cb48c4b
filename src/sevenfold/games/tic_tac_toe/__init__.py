"""Tic-tac-toe: three in a row on a 3×3 board."""

TITLE = "Tic-tac-toe"
TITLE_ZH = "井字棋"
