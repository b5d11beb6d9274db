"""Reads variables from the bus: subscribe.py [HOST [PORT]]. Ends when it has heard a greeting."""

import sys
import threading

import caribou

host, port = (sys.argv[1:] + ["localhost", "9000"][len(sys.argv) - 1:])[:2]
greeted = threading.Event()
comms = caribou.comms()


def on_connect():
    comms.register("SPEED", 0)  # every change
    comms.register("GREET*", "*", 0)  # of all names like this, whoever writes them


def on_mail():
    for message in comms.fetch():
        print(f"{message.source()} says {message.name()} is {message.value()!r}")
        if message.is_name("GREETING"):
            greeted.set()


comms.set_on_connect_callback(on_connect)
comms.set_on_mail_callback(on_mail)
comms.run(host, int(port), "subscribe.py")
greeted.wait()
comms.close()
