"""Caribou for Python: a client of the bus, apps, and log files.

The names are those of pymoos: `import caribou as pymoos`. docs/python.md is the guide.
"""

from ._caribou import moos_msg
from .alog import AlogRecord, AlogLog, read_alog
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
