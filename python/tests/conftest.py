"""A broker for the tests: the real program, at a port chosen by the system."""

import os
import queue
import subprocess
from collections import namedtuple

import pytest

import caribou

DEADLINE = 20  # time limit of every wait, in seconds
Broker = namedtuple("Broker", "host port")


@pytest.fixture
def broker():
    program = os.environ["CARIBOU_PROGRAM"]
    with subprocess.Popen([program, "db", "--port", "0", "--quiet"], stdout=subprocess.PIPE, text=True) as process:
        host, port = process.stdout.readline().split()[-1].rsplit(":", 1)
        yield Broker(host, int(port))
        process.terminate()


@pytest.fixture
def connect(broker):
    """Creates connected clients, and closes them at the end of the test."""
    clients = []

    def make(name, client=None):
        clients.append(client or caribou.comms())
        assert clients[-1].run(broker.host, broker.port, name)
        assert clients[-1].wait_until_connected(DEADLINE * 1000)
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def mail_of():
    """Registers a client for a variable, and returns a queue of its mail."""
    def make(client, *registration):
        heard = queue.Queue()

        def on_mail():
            for message in client.fetch():
                heard.put(message)

        client.set_on_mail_callback(on_mail)
        assert client.register(*registration)
        return heard

    return make
