"""Files that appear whole or not at all."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

FilePath = str | os.PathLike[str]


@contextlib.contextmanager
def whole_file(path: FilePath) -> Iterator[Path]:
    """A temporary name to write to, in the same folder; the file takes its own name when the block ends well.

    It ends in .tmp, so that what a killed process leaves behind is never mistaken for a file of the kind.
    """
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
    os.close(handle)
    try:
        yield Path(name)
        with open(name, "rb") as file:
            os.fsync(file.fileno())
        os.chmod(name, target.stat().st_mode & 0o777 if target.exists() else 0o644)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
