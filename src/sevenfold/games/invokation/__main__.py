"""Prints what every character, skill, card and status does; `zh-TW` behind it for Chinese."""

import sys

from sevenfold.games.invokation.people import listing

print(listing("zh-TW" in sys.argv))
