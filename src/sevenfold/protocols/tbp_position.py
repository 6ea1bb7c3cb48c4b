"""A Tetris position as the bot protocol tells it, followed from message to message.

It knows no more of the rules than the protocol implies: where a piece may lie, which piece hold gives, which rows go,
what back-to-back and the combo become. What can be reached, and by which spin, is the engine's (tbp_table.py).
"""

from dataclasses import replace

from sevenfold.games.tetris.shapes import WIDTH, cells, fits, locked
from sevenfold.protocols.tbp import HEIGHT, PIECES, Move, Start, bag_fits

SPARE = 4
"""Rows above the board, in which a piece may lie for a moment."""


def places_of(move: Move) -> list[tuple[int, int]]:
    """The cells of a move."""
    return cells(move.kind, move.orientation, move.x, move.y)


def same_place(one: Move, other: Move) -> bool:
    """Whether two moves put the same piece on the same cells, however its orientation is called."""
    return one.kind == other.kind and set(places_of(one)) == set(places_of(other))


def usable(position: Start) -> tuple[str, ...]:
    """The pieces that can be placed now: the current one, and the one that hold gives."""
    if not position.queue:
        return ()
    other = position.hold or position.queue[1:2]
    return (position.queue[0], *([other] if other and other != position.queue[0] else []))


def played(position: Start, move: Move) -> Start:
    """The position after a move. ValueError where it cannot have been made."""
    queue, hold = position.queue, position.hold
    if not queue:
        raise ValueError(f"{move} cannot be played: the queue is empty.")
    if move.kind == queue[0]:
        queue = queue[1:]
    elif move.kind == hold:
        queue, hold = queue[1:], queue[0]
    elif hold is None and move.kind == queue[1:2]:
        queue, hold = queue[2:], queue[0]
    else:
        raise ValueError(f"{move} cannot be played: the pieces at hand are {' and '.join(usable(position))}.")
    places, rows = places_of(move), [*position.board]
    if not fits(rows, places) or any(y >= HEIGHT for _, y in places):
        raise ValueError(f"{move} cannot be played: its cells are not free.")
    if fits(rows, [(x, y - 1) for x, y in places]):
        raise ValueError(f"{move} cannot be played: it would hang in the air.")
    rows, gone = locked(rows, places, move.kind)
    difficult = gone == 4 or (gone > 0 and move.spin != "none")
    return replace(
        position,
        board=tuple(rows),
        queue=queue,
        hold=hold,
        combo=position.combo + 1 if gone else 0,
        back_to_back=difficult if gone else position.back_to_back,
    )


def with_piece(position: Start, piece: str) -> tuple[Start, str | None]:
    """The position with one more piece in its queue, and a sentence where the bag did not hold that piece."""
    bag, sentence = position.bag, None
    if position.randomizer == "seven_bag" and bag is not None:
        if piece not in bag:
            sentence = f"a {piece} came out of a bag that holds {bag}; the bag is guessed from the queue."
            bag = guessed_bag(position.queue + piece)
        else:
            bag = bag.replace(piece, "", 1) or PIECES
    return replace(position, queue=position.queue + piece, bag=bag), sentence


def guessed_bag(queue: str) -> str:
    """What may be left of a bag of seven after a queue of which nothing else is known: as long as no piece of it came
    twice, a bag goes back."""
    for used in range(min(len(PIECES), len(queue)), 0, -1):
        tail = queue[-used:]
        if len(set(tail)) == used:
            bag = "".join(piece for piece in PIECES if piece not in tail) or PIECES
            if bag_fits(queue, bag) or used == 1:
                return bag
    return PIECES


def bag_of(position: Start) -> tuple[str, str | None]:
    """What is left in the bag, told or guessed, and a sentence where what was told cannot be."""
    if position.randomizer == "seven_bag" and position.bag is not None:
        if bag_fits(position.queue, position.bag):
            return position.bag, None
        guess = guessed_bag(position.queue)
        return guess, f"the bag {position.bag} contradicts the queue {position.queue}; it is guessed to be {guess}."
    return guessed_bag(position.queue), None


def drawn(position: Start) -> str:
    """The board as a picture, the top row first."""
    rows = [*position.board]
    while rows and not rows[-1].strip("."):
        rows.pop()
    return "\n".join([*reversed(rows)] or ["." * WIDTH])
