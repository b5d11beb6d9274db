"""A program always exits: with its client running, in a callback, by Ctrl-C, in a child."""

import signal
import subprocess
import sys

import pytest

from conftest import DEADLINE

START = """
import os, sys, threading, time
import caribou
client = caribou.comms()
heard = threading.Event()
{setup}
client.run("{host}", {port}, "{name}")
assert client.wait_until_connected(20000)
{rest}
print("end of script", flush=True)
"""


@pytest.fixture
def script(broker):
    started = []

    def start(name, rest="", setup=""):
        text = START.format(host=broker.host, port=broker.port, name=name, setup=setup, rest=rest)
        started.append(subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()


def test_a_script_ends_though_its_client_runs(script):
    process = script("runs on")
    assert process.communicate(timeout=DEADLINE) == ("end of script\n", "")
    assert process.returncode == 0


def test_what_was_written_last_is_sent_before_the_end(script, connect, mail_of):
    reader = connect("reads the end")
    heard = mail_of(reader, "FAREWELL", 0)
    process = script("says farewell", 'client.notify("FAREWELL", "adieu")')
    assert process.wait(DEADLINE) == 0
    assert heard.get(timeout=DEADLINE).string() == "adieu"


def test_a_script_ends_while_a_callback_is_busy_or_asleep(script):
    setup = """
def busy():
    heard.set()
    while True:
        client.fetch()
        client.notify("BUSY", 1)
def asleep(message):
    time.sleep(1000)
client.set_on_connect_callback(busy)
client.add_active_queue("q", asleep)
client.add_message_route_to_active_queue("q", "NAP")
"""
    process = script("busy", 'client.register("NAP", 0); client.notify("NAP", 1); heard.wait()', setup)
    said, complained = process.communicate(timeout=DEADLINE)  # may report unsent messages
    assert (process.returncode, said) == (0, "end of script\n"), complained


def test_a_script_ends_while_a_thread_of_its_own_waits_for_room(script):
    process = script("stuck", """
client.close()
client.run("127.0.0.1", 1, "stuck")
def write():
    while client.notify("X", 1) or client.is_running():
        pass
threading.Thread(target=write, daemon=True).start()
while client.get_number_of_unsent_messages() < 65536:
    time.sleep(0.01)  # without it, both threads wait for the interpreter lock most of the time
""")
    said, complained = process.communicate(timeout=DEADLINE)
    assert (process.returncode, said) == (0, "end of script\n"), complained
    assert "could not be sent" in complained


def test_two_callbacks_may_close_their_client_at_once(script):
    process = script("closes twice", """
both = threading.Barrier(2)
closed = threading.Semaphore(0)
def close(message):
    both.wait()
    client.close()
    closed.release()
for name in "AB":
    client.add_active_queue(name, close)
    client.add_message_route_to_active_queue(name, name)
    client.register(name, 0)
    client.notify(name, 1)
closed.acquire()
closed.acquire()
""")
    assert process.communicate(timeout=DEADLINE) == ("end of script\n", "")


def test_sys_exit_and_an_exception_keep_their_status(script):
    assert script("exits", "sys.exit(7)").wait(DEADLINE) == 7
    assert script("raises", "raise ValueError('aground')").wait(DEADLINE) == 1


def test_ctrl_c_ends_a_wait_for_a_connection(script):
    process = script("waits", """
client.close()
client.run("127.0.0.1", 1, "waits")
print("waiting", flush=True)
client.wait_until_connected(1e9)
""")
    assert process.stdout.readline() == "waiting\n"
    process.send_signal(signal.SIGINT)
    assert process.wait(DEADLINE) == -signal.SIGINT
    assert "KeyboardInterrupt" in process.stderr.read()


def test_a_forked_child_ends_and_leaves_its_parents_client_alone(script):
    process = script("parent", """
if os.fork() == 0:
    sys.exit(0)
os.wait()
assert client.is_connected() and client.notify("STILL", "here")
""")
    assert process.communicate(timeout=DEADLINE) == ("end of script\n", "")
