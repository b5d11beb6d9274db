#!/usr/bin/env python3
"""Follows the behaviors of a robot over the bus, and requests one: follow_behaviors.py [PORT [BEHAVIOR]]

The robot needs `bus.host` or `bus.join`, and `bus.drive` for the request. Ends when the behavior is active, or with
exit status 1 if the request was refused.
"""

import queue
import sys

import caribou

port = int(sys.argv[1]) if len(sys.argv) > 1 else 9100
wanted = sys.argv[2] if len(sys.argv) > 2 else None

mail = queue.Queue()
comms = caribou.comms()


def on_connect():
    return comms.register("CBOT_STACK", 0) and comms.register("CBOT_ANSWER", 0)


def on_mail():
    for message in comms.fetch():
        mail.put(message)
    return True


comms.set_on_connect_callback(on_connect)
comms.set_on_mail_callback(on_mail)
comms.run("localhost", port, "follow_behaviors")

stack = ""
is_requested = False
requested = 0.0
is_done = False
status = 0
while True:
    message = mail.get(timeout=30)
    if message.is_name("CBOT_ANSWER"):
        # A robot that has joined its bus within the last second takes no command: it is sent again with the next stack.
        if not is_requested or message.time() < requested:
            continue  # an answer from before, which the broker has kept
        # The number of the request and the kind of the answer, as `2 DONE: stroll is active`.
        kind = message.string().split()[1].rstrip(":")
        is_requested = kind != "EXPIRED"
        if is_requested:
            print("answer:", message.string())
            is_done = kind == "DONE"
            status = 0 if is_done else 1
    elif message.string() != stack:
        stack = message.string()
        print("active:", stack.replace(">", " > ") or "nothing")
    if wanted is None:
        continue
    if status != 0 or (is_done and wanted in stack.split(">")):
        break
    if not is_requested and stack:
        # The second `line` is what `caribou tree ask` sends: start, set FACT=VALUE, why, show …
        requested = caribou.time()
        comms.notify("CBOT_CMD", f'behaviors line="start {wanted}"')
        is_requested = True
comms.close()
sys.exit(status)
