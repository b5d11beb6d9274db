"""Programs on the bus, with the same structure as apps in C++."""

import sys
import threading
import traceback
from typing import Any, Callable

from ._caribou import Parameter, RunningApp, moos_msg, run_app
from .comms import Value

ParameterValue = bool | int | float | str | list[str]


class App:
    """Base class of programs on the bus. Derive from it, override the callbacks you need, and call run().

    An exception in a callback is printed and sets AppErrorFlag in the status; so does returning False.
    All callbacks run on the thread of run(), and the methods must only be called there; other threads
    must use comms().
    """

    def __init__(self, name: str | None = None) -> None:
        self.name = name or type(self).__name__
        self.parameters: dict[str, ParameterValue] = {}  # filled in before on_start_up()
        self._declared: list[Parameter] = []
        self._report: Callable[[], str] | None = None
        self._running: RunningApp | None = None
        self._thread = 0
        self._exit_code = 0

    # Callbacks to override.

    def on_start_up(self) -> Any:
        """Called once, after the parameters have been filled in. An exception ends the program."""

    def on_connect_to_server(self) -> Any:
        """Called after each successful connection; register variables here."""

    def on_new_mail(self, mail: list[moos_msg]) -> Any:
        """Receives the mail that arrived since the last call, sorted by time stamp."""

    def iterate(self) -> Any:
        """Called regularly, as AppTick and IterateMode define."""

    def on_command_message(self, message: moos_msg) -> Any:
        """Called for each message in <APP>_CMD if CatchCommandMessages is set."""

    # Methods to call.

    def declare(self, name: str, default: ParameterValue, doc: str = "", low: float | None = None,
                high: float | None = None) -> None:
        """Declares a parameter; must be called in the constructor. Its default determines its type."""
        self._declared.append(Parameter(name, default, doc, low, high))

    def appcast(self, report: Callable[[], str]) -> None:
        """Makes the app publish reports in APPCAST, on request; must be called in the constructor.
        `report` returns the lines of a report; it is called after iterate."""
        self._report = report

    def run(self, argv: list[str] | None = None) -> int:
        """Reads the command line and the mission file, connects, and runs until quit(), SIGINT or
        SIGTERM. Returns the exit status: 0 on success, 1 on a run-time error, 2 if the command line or
        the mission file is invalid."""
        self._thread = threading.get_ident()
        self._exit_code = 0
        sys.stdout.flush()  # before C++ code prints
        try:
            return run_app(sys.argv if argv is None else argv, self.name, self, self._declared) or self._exit_code
        finally:
            self._running = None

    def quit(self) -> None:
        """Ends the program after pending messages have been sent."""
        self._bus().quit()

    def notify(self, name: str, value: Value, aux_src: str | float = "", time: float = -1) -> bool:
        """Like comms.notify()."""
        if not isinstance(aux_src, str):
            aux_src, time = "", aux_src
        self._bus().notify(name, value, aux_src, time)
        return True

    def notify_binary(self, name: str, binary_data: bytes, time: float = -1) -> bool:
        return self.notify(name, memoryview(binary_data), "", time)

    def register(self, name: str, app_pattern: str | float = 0, interval: float = 0) -> bool:
        """Like comms.register()."""
        if isinstance(app_pattern, str):
            self._bus().register_wildcard(name, app_pattern, interval)
        else:
            self._bus().register_variable(name, interval if app_pattern == 0 else app_pattern)
        return True

    def unregister(self, name: str) -> bool:
        self._bus().unregister_variable(name)
        return True

    # Part of every report. An exception in a callback counts as a run warning.

    def add_config_warning(self, text: str) -> None:
        self._bus().add_config_warning(text)

    def add_run_warning(self, text: str) -> None:
        self._bus().add_run_warning(text)

    def retract_run_warning(self, text: str) -> None:
        self._bus().retract_run_warning(text)

    def add_event(self, text: str) -> None:
        self._bus().add_event(text)

    def time(self) -> float:
        """Returns the present time as values are stamped: UNIX seconds."""
        return self._bus().time()

    def is_connected(self) -> bool:
        return self._running is not None and self._bus().is_connected()

    def get_app_name(self) -> str:
        return self.name

    def get_community_name(self) -> str:
        return self._bus().community()

    # Called by the C++ part.

    def _bus(self) -> RunningApp:
        if self._running is None:
            raise RuntimeError("an app talks to the bus from on_start_up on, and no longer than run()")
        if threading.get_ident() != self._thread:
            raise RuntimeError("an app is used in the thread of run(): take a comms() here")
        return self._running

    def _on_start_up(self, running: RunningApp, values: dict[str, ParameterValue]) -> str | None:
        self._running = running
        self.name = running.name()
        self.parameters = values
        return self._call(self.on_start_up)

    def _on_connect_to_server(self) -> str | None:
        return self._call(self.on_connect_to_server)

    def _on_new_mail(self, mail: list[moos_msg]) -> str | None:
        return self._call(self.on_new_mail, mail)

    def _iterate(self) -> str | None:
        return self._call(self.iterate)

    def _on_command_message(self, message: moos_msg) -> str | None:
        return self._call(self.on_command_message, message)

    def _build_report(self) -> str:
        try:
            return self._report() if self._report else ""
        except Exception as error:
            traceback.print_exc()
            self.add_run_warning(f"the report raised {type(error).__name__}: {error}")
            return ""

    def _call(self, method: Callable[..., Any], *arguments: Any) -> str | None:
        """Returns None, or an error message."""
        name = getattr(method, "__name__", "a call")
        try:
            return f"{name} returned False" if method(*arguments) is False else None
        except SystemExit as wish:
            self._exit_code = wish.code if isinstance(wish.code, int) else int(wish.code is not None)
            self._bus().quit()
            return None
        except BaseException as error:
            traceback.print_exc()
            return f"{name} raised {type(error).__name__}: {error}"
