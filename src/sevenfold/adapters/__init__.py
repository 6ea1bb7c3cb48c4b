"""Bridges to other packages, each imported only when it is asked for.

openspiel: games of OpenSpiel as games of ours. pettingzoo, gymnasium: our games as environments of theirs.
"""
