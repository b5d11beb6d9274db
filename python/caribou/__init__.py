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
from .behaviors import Behavior, Failed, action, condition, fact, no, parameter, run_behaviors
from .clock import get_moos_timewarp, is_little_end_in, local_time, set_moos_timewarp, time
from .comms import comms

__all__ = [
    "AlogLog",
    "AlogRecord",
    "App",
    "Behavior",
    "Failed",
    "action",
    "comms",
    "condition",
    "fact",
    "get_moos_timewarp",
    "is_little_end_in",
    "local_time",
    "moos_msg",
    "no",
    "parameter",
    "read_alog",
    "run_behaviors",
    "set_moos_timewarp",
    "time",
]
