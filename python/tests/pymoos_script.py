"""A typical pymoos script; only its import is changed."""

import sys
import threading

import caribou as pymoos


class Ponger(pymoos.comms):
    """Answers every PING with a PONG and a counter."""

    def __init__(self, server, port):
        super(Ponger, self).__init__()
        self.count = 0
        self.set_on_connect_callback(self.__on_connect)
        self.set_on_mail_callback(self.__on_mail)
        self.run(server, port, "ponger")

    def __on_connect(self):
        return self.register("PING", 0)

    def __on_mail(self):
        for msg in self.fetch():
            if msg.key() == "PING" and msg.is_string():
                self.count += 1
                self.notify("PONG", float(self.count), pymoos.time())
        return True


comms = pymoos.comms()
done = threading.Event()


def on_connect():
    return comms.register("PONG", 0) and comms.register("RAW*", "*", 0)


def on_mail():
    for msg in comms.fetch():
        if msg.is_binary():
            print(f"raw {msg.binary_data()}\n", end="")
            done.set()
        else:
            msg.trace()
            comms.notify_binary("RAW_DATA", b"\x01\x02", pymoos.time())
    return True


def on_queue(msg):
    print(f"queue heard {msg.string()} from {msg.source()}")
    return True


def main():
    server, port = sys.argv[1], int(sys.argv[2])
    comms.add_active_queue("the_queue", on_queue)
    comms.add_message_route_to_active_queue("the_queue", "PING")
    comms.set_on_connect_callback(on_connect)
    comms.set_on_mail_callback(on_mail)
    comms.run(server, port, "pinger")
    ponger = Ponger(server, port)
    if not (comms.wait_until_connected(20000) and ponger.wait_until_connected(20000)):
        sys.exit("no broker")
    comms.register("PING", 0)
    comms.notify("PING", "are you there?", -1)
    if not done.wait(20):
        sys.exit("no answer")
    ponger.close(True)
    comms.close(True)


if __name__ == "__main__":
    main()
