"""The time of the bus: UNIX seconds as a float."""

import sys
import time as _time

_warp = 1.0


def time(apply_timewarping: bool = True) -> float:
    """Returns the present time in UNIX seconds, multiplied by the time warp as in MOOS."""
    return _time.time() * (_warp if apply_timewarping else 1.0)


def local_time(apply_timewarping: bool = True) -> float:
    """Same as time(): clients correct clock skew by themselves when they stamp messages."""
    return time(apply_timewarping)


def set_moos_timewarp(warp: float) -> bool:
    """Sets the time warp for time() and for stamps. Returns False if `warp` is not positive."""
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
    """Returns the time of a value for the client: the given one, or -1 for now."""
    return time() if given < 0 and _warp != 1.0 else given
