"""Caribou for Python: a client of the bus, apps, and log files.

The names are those of pymoos: `import caribou as pymoos`. docs/python.md is the guide.
"""

import sys as _sys

try:
    from ._caribou import moos_msg
except ModuleNotFoundError as _missing:
    raise ImportError(
        f"caribou is not built for this Python, {_sys.executable}: start the script with /usr/bin/python3"
    ) from _missing

from .alog import AlogLog, AlogRecord, read_alog
from .app import App
from .clock import get_moos_timewarp, is_little_end_in, local_time, set_moos_timewarp, time
from .comms import comms

__all__ = [
    "AlogLog",
    "AlogRecord",
    "App",
    "comms",
    "get_moos_timewarp",
    "is_little_end_in",
    "local_time",
    "moos_msg",
    "read_alog",
    "set_moos_timewarp",
    "time",
]
