"""Log files of MOOS. docs/formats/alog.md describes them."""

import mmap
import os
from typing import Iterator, NamedTuple

from ._caribou import AlogReader


class AlogRecord(NamedTuple):
    """One value in a log."""

    time: float  # seconds since the log's start
    variable: str
    source: str
    source_aux: str
    value: float | str | bytes


class AlogLog:
    """A log to iterate over once. Malformed lines are skipped and counted."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._folder = os.path.dirname(os.fspath(path))
        self._reader = AlogReader(_bytes_of(path))

    @property
    def log_start(self) -> float | None:
        """Start of the log in UNIX seconds, or None if the log does not contain it. Set after the first record."""
        return self._reader.log_start()

    @property
    def passed_over(self) -> int:
        """Number of malformed lines so far."""
        return self._reader.passed_over()

    def __iter__(self) -> Iterator[AlogRecord]:
        while (fields := self._reader.next()) is not None:
            time, variable, source, aux, value = fields
            if isinstance(value, tuple):
                value = self._value_beside(*value)
            yield AlogRecord(time, variable, source, aux, value)

    def _value_beside(self, name: str, offset: int, size: int, is_binary: bool) -> str | bytes:
        """Returns a value from another file, which is always searched in the log's own folder."""
        path = os.path.join(self._folder, name.rsplit("/", 1)[-1])
        with open(path, "rb") as file:
            if offset + size > os.fstat(file.fileno()).st_size:
                raise ValueError(f"{path} ends before the value at {offset}")
            file.seek(offset)
            value = file.read(size)
        return value if is_binary else value.decode("utf-8", "surrogateescape")


def read_alog(path: str | os.PathLike[str]) -> AlogLog:
    """Returns the values of a log in order: `for record in read_alog("run.alog"): …`."""
    return AlogLog(path)


def _bytes_of(path: str | os.PathLike[str]) -> bytes | mmap.mmap:
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:  # an empty file cannot be mapped
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
