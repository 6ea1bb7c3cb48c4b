"""What a server is told when it is started."""

import os
from dataclasses import dataclass, field
from pathlib import Path


def data_folder() -> Path:
    """Where sessions and runs are kept, by the custom of the system."""
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "sevenfold"


@dataclass
class Config:
    """The settings of a server."""

    data: Path = field(default_factory=data_folder)
    """The folder with the sessions."""
    runs: Path | None = None
    """The folder with the training runs; by default `runs` in the other."""
    host: str = "127.0.0.1"
    port: int = 7077
    token: str | None = None
    """Whoever asks must have it; None: nobody asks from elsewhere."""
    workers: int | None = None
    """Processes that think; by default one per core."""
    games: tuple[str, ...] = ()
    """Games to offer beside those of the house."""
    sessions: int = 1000
    sessions_per_minute: int = 300
    messages_per_second: float = 20.0
    """Of one websocket, in the long run; twice as many at once."""
    windows: int = 500
    """Websockets at once."""
    body: int = 1 << 20
    """Bytes of a request."""
    message: int = 1 << 16
    """Bytes of a message of a websocket."""

    @property
    def runs_folder(self) -> Path:
        return self.runs if self.runs is not None else self.data / "runs"
