"""Our players at other people's tables: each module speaks one protocol on a pair of byte streams.

What cannot be read ends in a ValueError of one sentence; the end of the input between two turns is the end of the game.
"""
