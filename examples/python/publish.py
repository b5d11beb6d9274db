"""Writes variables onto the bus: publish.py [HOST [PORT]]"""

import sys

import caribou

host, port = (sys.argv[1:] + ["localhost", "9000"][len(sys.argv) - 1:])[:2]

with caribou.comms() as comms:
    comms.run(host, int(port), "publish.py")
    if not comms.wait_until_connected(5000):
        sys.exit(f"no broker at {host}:{port}: start one with `caribou db`")
    comms.notify("SPEED", 1.5)
    comms.notify("GREETING", "hello, bus")
    comms.notify("PICTURE", b"\x89PNG")
print("published SPEED, GREETING and PICTURE")
