"""A script for pymoos runs after changing one line, and its values survive the broker's sudden end.

README: A robust broker; Apps in ten lines
"""
import pathlib
import sys

from programs import Program, does, expect, value_of, wait_for

SCRIPT = """
import threading
import caribou as pymoos

comms = pymoos.comms()
comms.set_on_connect_callback(lambda: comms.register('HEADING', 0))
comms.run('localhost', 9000, 'pHelm')
comms.wait_until_connected(10000)
while True:
    for message in comms.fetch():
        comms.notify('RUDDER', message.double() / 10)
    threading.Event().wait(0.02)
"""


def story():
    pathlib.Path("helm.py").write_text(SCRIPT, encoding="utf-8")
    broker = Program("broker", "caribou", "db", "--data", "values", "--durability", "always")
    broker.prints("127.0.0.1:9000")
    Program("helm", sys.executable, "helm.py")
    wait_for(lambda: "pHelm" in does("clients"), 20, "the script has joined")

    does("poke", "HEADING=90")
    wait_for(lambda: value_of("RUDDER") == 9, 10, "the script answers")

    broker.kill()
    broker.start()
    wait_for(lambda: value_of("RUDDER") == 9, 10, "the value has survived")
    wait_for(lambda: "pHelm" in does("clients"), 20, "the script has come back by itself")
    does("poke", "HEADING=180")
    wait_for(lambda: value_of("RUDDER") == 18, 10, "the script answers again")

    # What happened can be recorded, and looked at.
    does("record", "--seconds", "2", "--out", "voyage")
    expect("HEADING" in does("alog", "info", "voyage.alog"), "the recording has the variable")
