"""Negotiated topics in Python, over DDS with the program itself, and over the bus."""

import fcntl
import os
import queue
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from caribou.negotiation import Topics

DEADLINE = 20
SCAN = "sensor_msgs/msg/LaserScan"
TEXT = "std_msgs/msg/String"


@pytest.fixture
def bus(broker):
    """Creates topics on a bus, and closes them at the end of the test."""
    opened = []

    def make(name, **options):
        opened.append(Topics(broker=f"{broker.host}:{broker.port}", name=name, **options))
        return opened[-1]

    yield make
    for topics in opened:
        topics.close()


def publish_until(publisher, name, message, heard):
    """Publishes again and again until a message is heard, and returns it."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        publisher.publish(name, message)
        try:
            return heard.get(timeout=0.05)
        except queue.Empty:
            pass
    raise AssertionError(publisher.report())


def test_a_subscription_gets_the_encoding_that_was_agreed_on(bus):
    publisher = bus("speaker").publisher("/scan")
    publisher.add_supported_type(SCAN, "full", weight=1)
    publisher.add_supported_type(TEXT, "words")
    publisher.start()
    heard = queue.Queue()
    subscription = bus("listener").subscription("/scan")
    subscription.add_supported_callback(SCAN, "full", heard.put, weight=1)
    assert subscription.state == "idle"
    subscription.start()
    message = publish_until(publisher, "full", {"header": {"frame_id": "laser"}, "ranges": [1, 2.5]}, heard)
    assert message["header"]["frame_id"] == "laser"
    assert message["ranges"] == [1, 2.5]
    assert message["intensities"] == []
    assert (subscription.state, subscription.connection) == ("connected", "full")
    assert publisher.type_was_negotiated("full") and not publisher.type_was_negotiated("words")
    assert publisher.publish("words", {"data": "unheard"}) is False
    assert "full" in publisher.report()


def test_weights_decide_and_change(bus):
    publisher = bus("speaker").publisher("/text")
    for name in ("long", "short"):
        publisher.add_supported_type(TEXT, name)
    publisher.start()
    heard = queue.Queue()
    subscription = bus("listener").subscription("/text")
    subscription.add_supported_callback(TEXT, "long", lambda message: heard.put(("long", message)), weight=2)
    subscription.add_supported_callback(TEXT, "short", lambda message: heard.put(("short", message)), weight=1, raw=True)
    subscription.start()
    assert publish_until(publisher, "long", {"data": "ä"}, heard) == ("long", {"data": "ä"})
    subscription.set_weight("short", 3)
    subscription.start()
    name, raw = publish_until(publisher, "short", {"data": "b"}, heard)
    assert (name, raw) == ("short", publisher._topics.encode(TEXT, {"data": "b"}))


def test_an_exception_of_a_callback_is_printed_and_the_next_message_arrives(bus, capfd):
    publisher = bus("speaker").publisher("/text")
    publisher.add_supported_type(TEXT, "plain")
    publisher.start()
    heard = queue.Queue()

    def fail_first(message):
        heard.put(message)
        if heard.qsize() == 1:
            raise KeyError("the first")

    subscription = bus("listener").subscription("/text")
    subscription.add_supported_callback(TEXT, "plain", fail_first)
    subscription.start()
    publish_until(publisher, "plain", {"data": "1"}, heard)
    assert publish_until(publisher, "plain", {"data": "2"}, heard) is not None
    assert "KeyError: 'the first'" in capfd.readouterr().err


def test_mistakes_are_errors_with_the_remedy(bus):
    topics = bus("speaker")
    publisher = topics.publisher("/scan")
    with pytest.raises(ValueError, match="no message `sensor_msgs/msg/LaserScn` is known here; did you mean"):
        publisher.add_supported_type("sensor_msgs/msg/LaserScn", "full")
    with pytest.raises(ValueError, match="there is no encoding `full`; there are none"):
        publisher.publish("full", {})
    publisher.add_supported_type(SCAN, "full")
    with pytest.raises(ValueError, match="full is offered already"):
        publisher.add_supported_type(SCAN, "full")
    for message, error in (
            ({"rangs": []}, "the message: sensor_msgs/msg/LaserScan has no field `rangs`; did you mean `ranges`?"),
            ({"header": {"stamp": {"sec": 1.5}}}, "header.stamp.sec: expected an integer, found 1.5"),
            ({"header": {"stamp": {"sec": 2**31}}}, "header.stamp.sec: expected an integer from -2147483648 to"),
            ({"ranges": [1, "far"]}, r"ranges\[1\]: expected a number, found 'far'"),
            ({"header": 5}, "header: expected a dict"),
            ({"ranges": 5}, "ranges: expected a list, found int"),
    ):
        with pytest.raises((ValueError, TypeError), match=error):
            publisher.publish("full", message)
    with pytest.raises(ValueError):
        topics.decode(SCAN, b"\x00\x01\x00\x00\xff")
    with pytest.raises(TypeError):
        topics.subscription("/scan").add_supported_callback(SCAN, "full", "no function")
    topics.close()
    with pytest.raises(RuntimeError, match="the topics are closed"):
        publisher.start()


def test_all_kinds_of_fields_return_as_they_were(bus, tmp_path):
    folder = tmp_path / "own" / "msg"
    folder.mkdir(parents=True)
    (folder / "Engine.msg").write_text("bool on true\nuint8[] raw\nuint64 big\nint8 small -3\nfloat64[2] pair\n"
                                       "string<=4 name\nstd_msgs/Empty nothing\ngeometry_msgs/Point[] places\n")
    topics = bus("speaker", messages=tmp_path)
    first = topics.decode("own/Engine", topics.encode("own/Engine", {}))
    assert first == {"on": True, "raw": b"", "big": 0, "small": -3, "pair": [0, 0], "name": "", "nothing": {},
                     "places": []}
    full = {"on": False, "raw": b"\x00\xff", "big": 2**64 - 1, "small": -128, "pair": [1.5, -2], "name": "ähm",
            "nothing": {}, "places": [{"x": 1.0, "y": 2.0, "z": 3.0}]}
    assert topics.decode("own/Engine", topics.encode("own/Engine", full)) == full
    with pytest.raises(ValueError, match="name: expected at most 4 bytes, found 5"):
        topics.encode("own/Engine", {"name": "12345"})
    with pytest.raises(ValueError, match="pair: expected 2 elements, found 3"):
        topics.encode("own/Engine", {"pair": [1, 2, 3]})
    (folder / "Broken.msg").write_text("int32 x\nint23 y\n")
    with pytest.raises(ValueError, match=r"Broken.msg:2:1: there is no type `int23`"):
        topics.encode("own/Broken", {})


@pytest.fixture
def domain():
    """A domain of DDS that no other test uses: tests/dds/domain_lease.cpp."""
    for number in range(40, 101):
        with open(Path(tempfile.gettempdir(), f"caribou-dds-domain-{number}"), "a") as lease:
            try:
                fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                continue
            yield number
            return
    raise AssertionError("no domain of DDS is free")


def test_dds_shows_it_to_others(domain):
    with Topics(domain=domain, node="lidar") as topics:
        lidar = topics.publisher("/lidar")
        lidar.add_supported_type(SCAN, "full")
        lidar.start()
        program = os.environ["CARIBOU_PROGRAM"]
        explained = subprocess.run(
            [program, "topics", "explain", "/lidar", "--transport", "dds", "--domain", str(domain), "--search", "2"],
            capture_output=True, text=True, timeout=DEADLINE, check=False)
        assert "- full: weight 0" in explained.stdout, explained
