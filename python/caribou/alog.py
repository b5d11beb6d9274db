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
    """A log to iterate over, once; what makes no sense in it is passed over and counted."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._folder = os.path.dirname(os.fspath(path))
        self._reader = AlogReader(_bytes_of(path))

    @property
    def log_start(self) -> float | None:
        """UNIX seconds; known from the first record on, if the log tells."""
        return self._reader.log_start()

    @property
    def passed_over(self) -> int:
        """Lines so far that were neither comments nor values."""
        return self._reader.passed_over()

    def __iter__(self) -> Iterator[AlogRecord]:
        while (fields := self._reader.next()) is not None:
            time, variable, source, aux, value = fields
            if isinstance(value, tuple):
                value = self._value_beside(*value)
            yield AlogRecord(time, variable, source, aux, value)

    def _value_beside(self, name: str, offset: int, size: int, is_binary: bool) -> str | bytes:
        """A log refers to files in its own folder only, whatever path it names."""
        path = os.path.join(self._folder, name.rsplit("/", 1)[-1])
        with open(path, "rb") as file:
            if offset + size > os.fstat(file.fileno()).st_size:
                raise ValueError(f"{path} ends before the value at {offset}")
            file.seek(offset)
            value = file.read(size)
        return value if is_binary else value.decode("utf-8", "surrogateescape")


def read_alog(path: str | os.PathLike[str]) -> AlogLog:
    """The values of a log, in order: `for record in read_alog("run.alog"): …`."""
    return AlogLog(path)


def _bytes_of(path: str | os.PathLike[str]) -> bytes | mmap.mmap:
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:  # which cannot be mapped
            return b""
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
