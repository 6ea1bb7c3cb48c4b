"""Measurements, side by side with peers in the same process on the same core.

    python -m bench                 everything, as a table
    python -m bench playouts --json one of them, for programs
    python -m bench.strength        playing strength, which takes hours and is no part of everything

This machine is noisy, so a figure is a ratio: both sides run in turn, several times, and the median of the
ratios is reported.
"""
