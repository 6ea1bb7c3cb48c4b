"""Seeds of their own for every game and purpose, from one seed; the same in every process and version of Python."""

import hashlib


def seed_of(seed: int, number: int, purpose: str) -> int:
    """A seed below 2**62."""
    digest = hashlib.blake2b(f"{seed} {number} {purpose}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") >> 2
