"""The client: values arrive, callbacks run, and nothing deadlocks."""

import gc
import queue
import socket
import threading
import time
import weakref

import pytest

import caribou
from conftest import DEADLINE


def test_numbers_texts_and_bytes_arrive_as_what_they_are(connect, mail_of):
    client = connect("kinds")
    heard = mail_of(client, "KIND_*", "*", 0)
    values = (3.25, 7, True, "north", "grün", b"\x00\xff", bytearray(b"ab"), memoryview(b"cd"))
    for number, value in enumerate(values):
        variable = f"KIND_{number}"
        assert client.notify(variable, value)
        message = heard.get(timeout=DEADLINE)
        assert message.key() == message.name() == variable
        assert message.value() == value
        assert message.is_double() == isinstance(value, (int, float))
        assert message.is_string() == isinstance(value, str)
        assert message.is_binary() == isinstance(value, (bytes, bytearray, memoryview))


def test_a_message_tells_who_wrote_it_where_and_when(connect, mail_of, capsys):
    writer, reader = connect("pWriter"), connect("reader")
    heard = mail_of(reader, "DEPTH", 0)
    assert writer.notify("DEPTH", 12.5, "by pressure", 1_700_000_000.5)
    message = heard.get(timeout=DEADLINE)
    assert (message.source(), message.source_aux(), message.time()) == ("pWriter", "by pressure", 1_700_000_000.5)
    assert message.community() == writer.get_community_name() != ""
    assert (message.double(), message.double_aux(), message.string()) == (12.5, -1, "")
    assert message.is_name("DEPTH") and not message.is_name("DEPT")
    message.trace()
    assert "DEPTH = 12.5 from pWriter" in capsys.readouterr().out
    assert "DEPTH = 12.5" in repr(message)


def test_the_third_argument_of_notify_may_be_the_time(connect, mail_of):
    client = connect("stamps")
    heard = mail_of(client, "STAMPED", 0)
    assert client.notify("STAMPED", "x", 17.0)
    assert heard.get(timeout=DEADLINE).time() == 17.0
    before = caribou.time()
    assert client.notify("STAMPED", "x")
    assert before - 1 < heard.get(timeout=DEADLINE).time() < before + DEADLINE


def test_mail_waits_until_it_is_fetched(connect):
    client = connect("waits")
    came = threading.Event()
    client.set_on_mail_callback(came.set)
    assert client.register("MAIL", 0) and client.notify("MAIL", 1)
    assert came.wait(DEADLINE)
    assert client.get_number_of_unread_messages() == 1
    assert [message.double() for message in client.fetch()] == [1]
    assert client.get_number_of_unread_messages() == 0
    assert client.get_number_message_read() > 0 and client.get_number_bytes_sent() > 0


def test_binary_data_survives_byte_for_byte(connect, mail_of):
    client = connect("binary")
    heard = mail_of(client, "BLOB", 0)
    blob = bytes(range(256)) * 1000
    assert client.notify_binary("BLOB", blob)
    message = heard.get(timeout=DEADLINE)
    assert message.binary_data() == blob
    assert message.binary_data_size() == len(blob)


def test_a_text_that_is_not_utf8_survives_the_way_there_and_back(connect, mail_of):
    client = connect("latin")
    heard = mail_of(client, "LATIN", 0)
    text = b"gr\xfcn".decode("utf-8", "surrogateescape")
    assert client.notify("LATIN", text)
    assert heard.get(timeout=DEADLINE).string() == text


def test_a_wildcard_brings_what_matches_name_and_writer(connect, mail_of):
    client, other = connect("wild_writer"), connect("other_writer")
    heard = mail_of(client, "WILD_*", "wild_*", 0)
    assert other.notify("WILD_NO", 1)
    assert mail_of(other, "WILD_NO", 0).get(timeout=DEADLINE).double() == 1  # the broker has received it
    assert client.notify("WILD_1", 1)
    assert heard.get(timeout=DEADLINE).key() == "WILD_1"
    assert client.unregister("WILD_*", "wild_*")
    assert client.notify("WILD_2", 2)
    assert client.register("LAST", 0) and client.notify("LAST", 3)
    assert heard.get(timeout=DEADLINE).key() == "LAST"


def test_on_connect_is_called_also_if_it_is_set_late_and_after_a_second_run(broker):
    connected = queue.Queue()
    client = caribou.comms()
    client.set_on_connect_callback(lambda: connected.put(client.register("X", 0)))
    for _ in range(2):
        assert client.run(broker.host, broker.port, "comes back")
        assert connected.get(timeout=DEADLINE) is True
        assert client.is_registered_for("X") and client.get_registered() == {"X"}
        assert client.close()
        assert not client.is_running() and not client.is_connected()


def test_active_queues_get_their_messages_each_in_a_thread_of_its_own(connect):
    client = caribou.comms()
    heard = queue.Queue()
    for name in ("left", "right"):
        client.add_active_queue(name, lambda message, name=name: heard.put(
            (name, message.double(), threading.current_thread().name)))
    assert client.add_message_route_to_active_queue("left", "L")
    assert client.add_message_route_to_active_queue("right", "R")
    assert not client.add_message_route_to_active_queue("nowhere", "L")
    connect("queues", client)
    for variable in "LR":
        assert client.register(variable, 0)
        assert client.notify(variable, 4)
    got = sorted(heard.get(timeout=DEADLINE) for _ in range(2))
    assert got == [("left", 4, "caribou left"), ("right", 4, "caribou right")]
    assert client.fetch() == []


def test_a_message_may_go_to_two_active_queues_and_back_to_fetch(connect, mail_of):
    client = connect("routes")
    heard = queue.Queue()
    for name in "ab":
        client.add_active_queue(name, lambda message, name=name: heard.put(name))
        assert client.add_message_route_to_active_queue(name, "BOTH")
    mail = mail_of(client, "BOTH", 0)
    assert client.notify("BOTH", 1)
    assert {heard.get(timeout=DEADLINE), heard.get(timeout=DEADLINE)} == {"a", "b"}
    assert client.remove_active_queue("a") and not client.has_active_queue("a")
    assert client.remove_message_route_to_active_queue("b", "BOTH")
    assert client.notify("BOTH", 2)
    assert mail.get(timeout=DEADLINE).double() == 2
    assert heard.empty()


def test_a_callback_may_notify_register_and_close(connect, mail_of):
    client = connect("echo")
    closed = threading.Event()

    def on_mail():
        for message in client.fetch():
            if message.key() == "PING":
                client.register("PONG", 0)
                client.notify("PONG", message.double() + 1)
            elif client.close():
                closed.set()

    client.set_on_mail_callback(on_mail)
    assert client.register("PING", 0)
    assert client.notify("PING", 1)
    assert closed.wait(DEADLINE)


def test_an_exception_in_a_callback_is_printed_and_the_client_lives_on(connect, capsys):
    client = connect("stumbles")
    heard = queue.Queue()

    def on_mail():
        for message in client.fetch():
            heard.put(message.double())
            raise LookupError(f"no chart for {message.double()}")

    client.set_on_mail_callback(on_mail)
    assert client.register("ROCK", 0)
    for number in (1, 2):
        assert client.notify("ROCK", number)
        assert heard.get(timeout=DEADLINE) == number
    client.close()  # waits until the second traceback is written
    said = capsys.readouterr().err
    assert "LookupError: no chart for 1.0" in said and "LookupError: no chart for 2.0" in said
    assert "in on_mail" in said


def test_many_threads_write_at_once_and_nothing_is_lost(connect, mail_of):
    client = connect("crowd")
    heard = mail_of(client, "CROWD_*", "*", 0)
    threads = [threading.Thread(target=lambda t=t: [client.notify(f"CROWD_{t}", i) for i in range(500)])
               for t in range(4)]
    for thread in threads:
        thread.start()
    got = {t: [] for t in range(4)}
    for _ in range(2000):
        message = heard.get(timeout=DEADLINE)
        got[int(message.key()[-1])].append(message.double())
    for thread in threads:
        thread.join()
    assert all(numbers == list(range(500)) for numbers in got.values())


def test_a_client_that_nobody_refers_to_ends_even_if_its_callbacks_do(broker):
    class Watcher(caribou.comms):
        def __init__(self):
            super().__init__()
            self.connected = threading.Event()
            self.set_on_connect_callback(self.on_connect)
            self.add_active_queue("q", self.on_connect)
            self.run(broker.host, broker.port, "forgotten")

        def on_connect(self, message=None):
            self.connected.set()

    watcher = Watcher()
    assert watcher.connected.wait(DEADLINE)
    ended = weakref.ref(watcher)
    del watcher
    deadline = time.monotonic() + DEADLINE
    while ended() and time.monotonic() < deadline:  # the callback may not have returned yet
        gc.collect()
    assert ended() is None
    for thread in threading.enumerate():
        if thread.name == "caribou forgotten":
            thread.join(DEADLINE)
            assert not thread.is_alive()


def test_without_a_run_calls_say_no():
    client = caribou.comms()
    assert client.notify("X", 1) is False
    assert client.register("X", 0) is False
    assert client.unregister("X") is False
    assert client.fetch() == []
    assert client.close() is False
    assert client.wait_until_connected(10) is False
    assert not client.is_running() and client.get_published() == set()


def test_without_a_broker_run_succeeds_and_waiting_says_no():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with caribou.comms() as client:
        assert client.run("127.0.0.1", port, "lonely")
        assert client.wait_until_connected(50) is False
        assert client.register("X", 0) is True


@pytest.mark.parametrize("call, error, words", [
    (lambda c: c.run("localhost", 0, "x"), ValueError, "from 1 to 65535"),
    (lambda c: c.run("localhost", 9000, ""), ValueError, "name"),
    (lambda c: c.run("localhost", "9000", "x"), TypeError, "port"),
    (lambda c: c.notify("X", [1]), TypeError, "a number, a str or bytes, but this is a list"),
    (lambda c: c.notify("X", None), TypeError, "NoneType"),
    (lambda c: c.notify(5, 1), TypeError, "name: str"),
    (lambda c: c.register("X", -1), ValueError, "0 s or more"),
    (lambda c: c.register("X", float("nan")), ValueError, "0 s or more"),
    (lambda c: c.register("X", None), TypeError, "interval"),
    (lambda c: c.set_on_mail_callback(5), TypeError, "a callback is a function, but this is a int"),
])
def test_what_makes_no_sense_raises(call, error, words):
    with pytest.raises(error, match=words):
        call(caribou.comms())


def test_a_second_run_raises_until_the_client_is_closed(connect):
    client = connect("busy")
    with pytest.raises(RuntimeError, match="busy runs already: close"):
        client.run("localhost", 9000, "again")
    with pytest.raises(ValueError, match="a variable needs a name"):
        client.notify("", 1)


def test_time_can_be_warped():
    try:
        assert caribou.set_moos_timewarp(2) and caribou.get_moos_timewarp() == 2
        assert caribou.time() > 1.5 * caribou.time(False)
        assert not caribou.set_moos_timewarp(0)
    finally:
        caribou.set_moos_timewarp(1)
