"""A client of the bus."""

import atexit
import os
import threading
import traceback
import weakref
from typing import Any, Callable

from . import clock
from ._caribou import ActiveQueue, Client, NewsQueue, moos_msg

Binary = bytes | bytearray | memoryview
Value = float | str | Binary

# Key of the thread that delivers events of the connection and of mail, besides those of the active queues.
_NEWS = None

# Seconds that the exit of the program, or the deletion of a client, waits for a running callback.
_PATIENCE = 1.0


class comms:
    """A client of the bus. Connects in the background, and again whenever the connection is lost.

    Thread-safe. Callbacks run one at a time on the client's own thread, those of each active queue on
    the queue's thread. Exceptions in callbacks are printed, and the client continues. Without close(), a
    client ends with the program or when it is garbage-collected.
    """

    def __init__(self) -> None:
        self._client = Client()
        self._on_connect: Callable[[], Any] | None = None
        self._on_mail: Callable[[], Any] | None = None
        self._functions: dict[str, Callable[[moos_msg], Any]] = {}
        self._routes: dict[str, list[str]] = {}
        self._deliveries: dict[str | None, _Delivery] = {}  # while running
        self._closing = threading.Lock()
        self._pid = os.getpid()
        _all.add(self)
        weakref.finalize(self, _end, self._pid, self._client, self._closing, self._deliveries).atexit = False

    def __enter__(self) -> "comms":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    # The connection.

    def run(self, server: str, port: int, name: str) -> bool:
        """Starts to connect, and returns at once. Raises ValueError for an invalid name or port."""
        news = self._client.run(server, port, name)
        for queue_name in self._functions:
            self._start_queue(queue_name)
        self._deliveries[_NEWS] = _Delivery(news, weakref.WeakMethod(self._on_news), name)
        return True

    def close(self, nice: bool = True) -> bool:
        """Sends pending messages, for at most a second, and disconnects. No callback runs after this has
        returned, unless it was called from one. Returns False if it was not running."""
        with self._closing:  # a concurrent second call waits for the first
            was_running = self._client.close()
        _end_deliveries(self._deliveries, patience=None)
        return was_running

    def is_running(self) -> bool:
        return self._client.is_running()

    def is_connected(self) -> bool:
        return self._client.is_connected()

    def is_asynchronous(self) -> bool:
        return True

    def wait_until_connected(self, n_ms: float) -> bool:
        """Waits for a connection, up to `n_ms` milliseconds. Returns False if there is none."""
        return self._client.wait_until_connected(n_ms)

    def get_moos_name(self) -> str:
        return self._client.name()

    def get_community_name(self) -> str:
        """Returns the broker's community; empty before the first connection."""
        return self._client.community()

    def get_description(self) -> str:
        state = "connected" if self.is_connected() else "not connected"
        return f"{self.get_moos_name() or 'a client without a name'}, {state}"

    # Writing and reading. These return False if the client is not running or its outbox is full.

    def notify(self, name: str, value: Value, aux_src: str | float = "", time: float = -1) -> bool:
        """Publishes a value: a number, a str or bytes. The third argument may also be the time.
        Without a connection the value is queued until there is one."""
        if not isinstance(aux_src, str):
            aux_src, time = "", aux_src
        return self._client.notify(name, value, aux_src, clock.stamp(time))

    def notify_binary(self, name: str, binary_data: Binary | str, time: float = -1) -> bool:
        if isinstance(binary_data, str):
            binary_data = binary_data.encode("utf-8", "surrogateescape")
        return self.notify(name, memoryview(binary_data), "", time)

    def register(self, name: str, app_pattern: str | float = 0, interval: float = 0) -> bool:
        """register(name, interval): subscribes to a variable, with at most one value per `interval` seconds.
        register(var_pattern, app_pattern, interval): subscribes to all variables whose name and writer match."""
        if isinstance(app_pattern, str):
            return self._client.register_wildcard(name, app_pattern, interval)
        return self._client.register_variable(name, interval if app_pattern == 0 else app_pattern)

    def unregister(self, name: str, app_pattern: str | None = None) -> bool:
        if app_pattern is not None:
            return self._client.unregister_wildcard(name, app_pattern)
        return self._client.unregister_variable(name)

    def fetch(self) -> list[moos_msg]:
        """Returns and removes the mail received, except for mail routed to active queues."""
        return self._client.fetch()

    def is_registered_for(self, name: str) -> bool:
        return name in self._client.registered()

    def get_registered(self) -> set[str]:
        return self._client.registered()

    def get_published(self) -> set[str]:
        return self._client.published()

    # Callbacks. None removes a callback.

    def set_on_connect_callback(self, func: Callable[[], Any] | None) -> bool:
        """Sets a callback for each successful connection; register variables there."""
        self._on_connect = _callable(func)
        return True

    def set_on_mail_callback(self, func: Callable[[], Any] | None) -> bool:
        """Sets a callback for new mail to fetch()."""
        self._on_mail = _callable(func)
        return True

    def add_active_queue(self, queue_name: str, func: Callable[[moos_msg], Any]) -> bool:
        """Adds a queue that calls `func` with each message routed to it, on the queue's own thread."""
        self._functions[queue_name] = _callable(func)
        if self.is_running() and queue_name not in self._deliveries:
            self._start_queue(queue_name)
        return True

    def remove_active_queue(self, queue_name: str) -> bool:
        if self._functions.pop(queue_name, None) is None:
            return False
        for msg_name, queue_names in list(self._routes.items()):
            if queue_name in queue_names:
                self.remove_message_route_to_active_queue(queue_name, msg_name)
        if queue_name in self._deliveries:
            self._deliveries.pop(queue_name).end(patience=None)
        return True

    def has_active_queue(self, queue_name: str) -> bool:
        return queue_name in self._functions

    def add_message_route_to_active_queue(self, queue_name: str, msg_name: str) -> bool:
        """Returns False if there is no such queue."""
        if queue_name not in self._functions:
            return False
        queue_names = self._routes.setdefault(msg_name, [])
        if queue_name not in queue_names:
            queue_names.append(queue_name)
        self._apply_route(msg_name)
        return True

    def remove_message_route_to_active_queue(self, queue_name: str, msg_name: str) -> bool:
        queue_names = self._routes.get(msg_name, [])
        if queue_name not in queue_names:
            return False
        queue_names.remove(queue_name)
        self._apply_route(msg_name)
        return True

    def print_message_to_active_queue_routing(self) -> None:
        for msg_name, queue_names in sorted(self._routes.items()):
            print(f"{msg_name} -> {', '.join(queue_names) or 'fetch()'}")

    # Statistics.

    def get_number_of_unread_messages(self) -> int:
        return self._client.unread()

    def get_number_of_unsent_messages(self) -> int:
        return self._client.unsent()

    def get_number_bytes_sent(self) -> int:
        return self._client.stats().bytes_sent

    def get_number_bytes_read(self) -> int:
        return self._client.stats().bytes_received

    def get_number_messages_sent(self) -> int:
        return self._client.stats().messages_sent

    def get_number_message_read(self) -> int:
        return self._client.stats().messages_received

    # Runs on the delivery threads.

    def _on_news(self, news: str) -> None:
        func = self._on_connect if news == "connected" else self._on_mail
        if func is not None:
            func()

    def _on_active(self, queue_name: str, message: moos_msg) -> None:
        func = self._functions.get(queue_name)
        if func is not None:
            func(message)

    def _start_queue(self, queue_name: str) -> None:
        self._deliveries[queue_name] = _Delivery(
            ActiveQueue(), weakref.WeakMethod(self._on_active), queue_name, queue_name)
        for msg_name, queue_names in self._routes.items():
            if queue_name in queue_names:
                self._apply_route(msg_name)

    def _apply_route(self, msg_name: str) -> None:
        running = [self._deliveries[name].queue for name in self._routes[msg_name] if name in self._deliveries]
        self._client.route(msg_name, running)


class _Delivery(threading.Thread):
    """A thread that passes the items of a queue to a method, until it is stopped. It does not keep
    the method's object alive."""

    def __init__(self, queue: NewsQueue | ActiveQueue, method: "weakref.WeakMethod[Any]", name: str,
                 *arguments: str) -> None:
        super().__init__(name=f"caribou {name}", daemon=True)
        self.queue = queue
        self._method = method
        self._arguments = arguments
        self._ended = False
        self.start()

    def end(self, patience: float | None) -> None:
        self._ended = True
        self.queue.close()
        # Callbacks that wait for each other would deadlock.
        if not isinstance(threading.current_thread(), _Delivery):
            self.join(patience)

    def run(self) -> None:
        while batch := self.queue.wait():
            for item in batch:
                call = self._method()
                if self._ended or call is None:
                    return
                try:
                    call(*self._arguments, item)
                except BaseException:  # a thread must not end the program, not even by SystemExit
                    traceback.print_exc()
                del call


def _end_deliveries(deliveries: dict[str | None, _Delivery], patience: float | None) -> None:
    while deliveries:
        _, delivery = deliveries.popitem()
        delivery.end(patience)


def _end(pid: int, client: Client, closing: threading.Lock, deliveries: dict[str | None, _Delivery]) -> None:
    if os.getpid() != pid:
        client.abandon()  # in a forked child, which has none of its parent's threads
        return
    with closing:
        client.close()
    _end_deliveries(deliveries, _PATIENCE)


_all: "weakref.WeakSet[comms]" = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    """Waits until no thread of this module can return from a call after the interpreter's exit."""
    for each in list(_all):
        _end(each._pid, each._client, each._closing, each._deliveries)
    for thread in threading.enumerate():
        if isinstance(thread, _Delivery):  # stopped by a callback
            thread.join(_PATIENCE)


def _callable(func: Any) -> Any:
    if func is not None and not callable(func):
        raise TypeError(f"a callback is a function, but this is a {type(func).__name__}")
    return func
