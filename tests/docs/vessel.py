"""A client that circles: writes NAV_X, NAV_Y and NAV_HEADING ten times per second, as `vessel`."""
import math
import threading

import caribou

comms = caribou.comms()
comms.run("localhost", 9000, "vessel")
comms.wait_until_connected(10000)
step = 0
while True:
    comms.notify("NAV_X", 100 * math.cos(step / 50))
    comms.notify("NAV_Y", 100 * math.sin(step / 50))
    comms.notify("NAV_HEADING", (step / 50 * 57.3) % 360)
    if step == 20:
        print("under way", flush=True)
    step += 1
    threading.Event().wait(0.1)
