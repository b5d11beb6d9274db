"""Negotiated topics: a publisher and its subscriptions agree on the encodings of their messages.

    with Topics(node="lidar") as topics:
        lidar = topics.publisher("/lidar")
        lidar.add_supported_type("sensor_msgs/msg/LaserScan", "full", weight=1)
        lidar.start()
        lidar.publish("full", {"ranges": [1.5, 2.5]})

Nodes of ROS 2 can take part. docs/negotiation.md describes the choice, docs/python.md these classes.
"""

import atexit
import os
import threading
import traceback
import weakref
from pathlib import Path
from typing import Any, Callable, Sequence

from ._caribou import MessageTypes, TopicPublisher, TopicSubscription
from ._caribou import Topics as _Topics

__all__ = ["Publisher", "Subscription", "Topics"]

Message = dict[str, Any]

# Seconds that the exit of the program waits for a running callback.
_PATIENCE = 1.0


class Topics:
    """The topics of this process, over DDS, or over the bus if `broker` is its address.

    `domain` is that of DDS, by default ROS_DOMAIN_ID, else 0. With `node` the process is a node of ROS 2 of
    that name. DDS is restricted to this machine unless `insecure_lan` is set; `interface` and `peers` are for
    other machines. `messages` are folders with the descriptions of further message types,
    FOLDER/PACKAGE/msg/NAME.msg.

    Thread-safe. Callbacks run one at a time on a thread of this object; their exceptions are printed. Without
    close(), the topics end with the program, or when they are garbage-collected.
    """

    def __init__(self, *, broker: str | None = None, name: str = "python", domain: int | None = None,
                 node: str = "", namespace: str = "/", insecure_lan: bool = False, interface: str = "",
                 peers: Sequence[str] = (), messages: Sequence[str | os.PathLike[str]] = ()) -> None:
        if isinstance(messages, (str, os.PathLike)):
            messages = [messages]
        folders = [Path(folder) for folder in messages]
        self._types = MessageTypes(lambda package, name: _find_file(folders, package, name))
        if broker is not None:
            self._topics = _Topics.bus(broker, name)
        else:
            self._topics = _Topics.dds(-1 if domain is None else domain, node or name, node, namespace, insecure_lan,
                                       interface, list(peers))
        self._subscriptions: "weakref.WeakValueDictionary[int, Subscription]" = weakref.WeakValueDictionary()
        self._thread = threading.Thread(target=_deliver, args=(self._topics, self._subscriptions),
                                        name=f"caribou {name}", daemon=True)
        self._thread.start()
        weakref.finalize(self, self._topics.close).atexit = False
        _all.add(self)

    def __enter__(self) -> "Topics":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """Ends all publishers and subscriptions. No callback runs after this has returned, unless it was called
        from one."""
        self._topics.close()
        if threading.current_thread() is not self._thread:
            self._thread.join()

    def publisher(self, topic: str) -> "Publisher":
        """Returns a new publisher of the base topic, such as `/scan`."""
        return Publisher(self, topic)

    def subscription(self, topic: str) -> "Subscription":
        """Returns a new subscription to the base topic."""
        return Subscription(self, topic)

    def encode(self, type_name: str, message: Message) -> bytes:
        """Returns the bytes of a message, CDR with its header."""
        return self._types.encode(type_name, message)

    def decode(self, type_name: str, message: bytes) -> Message:
        """Returns the fields of a message. Raises ValueError if it is malformed."""
        return self._types.decode(type_name, message)


class Publisher:
    """Offers types, and publishes those that serve all subscriptions. Ends when it is garbage-collected."""

    def __init__(self, topics: Topics, topic: str) -> None:
        self._topics = topics
        self._publisher = TopicPublisher(topics._topics, topic)
        self._types: dict[str, str] = {}

    def add_supported_type(self, type_name: str, name: str, *, weight: float = 0, reliable: bool = True,
                           keep: bool = False, depth: int = 10) -> None:
        """Offers a message type under the name of an encoding. `keep`: late subscribers receive the latest
        `depth` messages."""
        if name in self._types:
            raise ValueError(f"{name} is offered already")
        type_name = self._topics._types.name(type_name)
        self._publisher.add(type_name, name, weight, reliable, keep, depth)
        self._types[name] = type_name

    def remove_supported_type(self, name: str) -> None:
        self._publisher.remove(self._type(name), name)
        del self._types[name]

    def start(self) -> None:
        """Begins to negotiate. Nothing is sent before."""
        self._publisher.start()

    def stop(self) -> None:
        """Stops publishing, and forgets all subscriptions."""
        self._publisher.stop()

    def publish(self, name: str, message: Message | bytes) -> bool:
        """Publishes the fields of a message, or one that is encoded already. Missing fields have their defaults.
        Returns False, and sends nothing, if no subscription needs this encoding."""
        type_name = self._type(name)
        # Encoded also while no subscription needs it, so that a mistake shows at once.
        return self._publisher.publish(type_name, name, self._topics._types.encode(type_name, message))

    def type_was_negotiated(self, name: str) -> bool:
        """Returns whether publish() of that encoding currently sends."""
        return self._publisher.was_negotiated(self._type(name), name)

    def report(self) -> str:
        """Returns offers, demands and the choice with its reasons, for people."""
        return self._publisher.report()

    def _type(self, name: str) -> str:
        return _type_of(self._types, name)


class Subscription:
    """Lists the types that it supports, and receives the one that the publisher chooses. Ends when it is
    garbage-collected."""

    def __init__(self, topics: Topics, topic: str) -> None:
        self._topics = topics
        self._subscription = TopicSubscription(topics._topics, topic)
        self._types: dict[str, str] = {}
        self._callbacks: dict[str, tuple[Callable[[Any], Any], bool]] = {}
        topics._subscriptions[self._subscription.id] = self

    def add_supported_callback(self, type_name: str, name: str, callback: Callable[[Any], Any], *, weight: float = 0,
                               reliable: bool = True, keep: bool = False, depth: int = 10, raw: bool = False) -> None:
        """Supports a message type under the name of an encoding. `callback` takes the fields of each message as a
        dict, or its bytes if `raw` is set. The publisher is informed by the next start()."""
        if name in self._types:
            raise ValueError(f"{name} is supported already")
        if not callable(callback):
            raise TypeError(f"a callback is a function, but this is a {type(callback).__name__}")
        type_name = self._topics._types.name(type_name)
        self._callbacks[name] = (callback, raw)
        try:
            self._subscription.add(type_name, name, weight, reliable, keep, depth)
        except Exception:
            del self._callbacks[name]
            raise
        self._types[name] = type_name

    def remove_supported_callback(self, name: str) -> None:
        self._subscription.remove(self._type(name), name)
        del self._types[name], self._callbacks[name]

    def set_weight(self, name: str, weight: float) -> None:
        """Changes a weight. The publisher is informed by the next start()."""
        self._subscription.set_weight(self._type(name), name, weight)

    def start(self) -> None:
        """Sends the list of types to the publisher; again after each change of it."""
        self._subscription.start()

    @property
    def state(self) -> str:
        """`idle`, `waiting`, `unsatisfied` or `connected`."""
        return self._subscription.state()

    @property
    def connection(self) -> str:
        """The name of the encoding that it receives, or an empty text."""
        return self._subscription.connection()

    def _type(self, name: str) -> str:
        return _type_of(self._types, name)

    def _hear(self, name: str, message: bytes) -> None:
        called = self._callbacks.get(name)
        if called is not None:
            callback, raw = called
            callback(message if raw else self._topics.decode(self._type(name), message))


def _find_file(folders: list[Path], package: str, name: str) -> tuple[str, str] | None:
    for folder in folders:
        path = folder / package / "msg" / f"{name}.msg"
        if path.is_file():
            return str(path), path.read_text(encoding="utf-8")
    return None


def _type_of(types: dict[str, str], name: str) -> str:
    if name not in types:
        raise ValueError(f"there is no encoding `{name}`; there are {', '.join(sorted(types)) or 'none'}")
    return types[name]


def _deliver(topics: _Topics, subscriptions: "weakref.WeakValueDictionary[int, Subscription]") -> None:
    while batch := topics.wait():
        for number, name, message, _ in batch:
            subscription = subscriptions.get(number)
            if subscription is None:
                continue
            try:
                subscription._hear(name, message)
            except BaseException:  # a thread must not end the program, not even by SystemExit
                traceback.print_exc()
            del subscription


_all: "weakref.WeakSet[Topics]" = weakref.WeakSet()


@atexit.register
def _end_all() -> None:
    """Waits until no thread of this module can return from a call after the interpreter's exit."""
    for topics in list(_all):
        topics._topics.close()
        topics._thread.join(_PATIENCE)
