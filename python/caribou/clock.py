"""Time as the bus counts it: UNIX seconds, in a float."""

import sys
import time as _time

_warp = 1.0


def time(apply_timewarping: bool = True) -> float:
    """UNIX seconds now; under a time warp the whole of it is multiplied, as MOOS does."""
    return _time.time() * (_warp if apply_timewarping else 1.0)


def local_time(apply_timewarping: bool = True) -> float:
    """The same as time(): clients correct the skew of clocks by themselves, where they stamp."""
    return time(apply_timewarping)


def set_moos_timewarp(warp: float) -> bool:
    """Lets time run `warp` times as fast for time() and for stamps. False: it must be above 0."""
    global _warp
    if not warp > 0:
        return False
    _warp = float(warp)
    return True


def get_moos_timewarp() -> float:
    return _warp


def is_little_end_in() -> bool:
    return sys.byteorder == "little"


def stamp(given: float) -> float:
    """What a client is told as the time of a value: what was given; else -1, which is now."""
    return time() if given < 0 and _warp != 1.0 else given
