"""A browser with the page of a station, as a process of its own that can be frozen, killed and starved."""
import fcntl
import json
import os
import select
import time

from programs import Program, caribou, expect

ANSWER_LIMIT = 10  # seconds
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Space": 32}  # with their numbers, which the protocol needs
SCRIPT = 'exec chromium --headless=new --no-sandbox --disable-gpu --log-level=3 --remote-debugging-pipe --user-data-dir="$0" 3<&"$1" 4>&"$2"'


class Page(Program):
    """Chromium without a window, controlled through pipes with its DevTools protocol."""

    def __init__(self, name, place):
        self.place = place
        self.pipes = []
        super().__init__(name, "chromium")

    def start(self):
        for pipe in self.pipes:
            os.close(pipe)
        (theirs_in, ours_out), (ours_in, theirs_out) = self.pipe(), self.pipe()
        self.pipes = [ours_in, ours_out]
        self.words = ["bash", "-c", SCRIPT, os.path.abspath(f"{self.name}-profile"), str(theirs_in), str(theirs_out)]
        self.options = {"pass_fds": (theirs_in, theirs_out)}
        super().start()
        os.close(theirs_in)
        os.close(theirs_out)
        self.number, self.received, self.session = 0, b"", {}
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = {"sessionId": self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}
        address = caribou("page").stdout.strip()
        expect(address, "the station states the address of its page")
        self.call("Page.navigate", url=f"{address}#{self.place}")

    @staticmethod
    def pipe():
        """Returns the ends of a pipe, whose numbers are not those that chromium uses."""
        ends = os.pipe()
        high = [fcntl.fcntl(end, fcntl.F_DUPFD, 50) for end in ends]
        for end in ends:
            os.close(end)
        return high

    def call(self, method, **parameters):
        """Calls a method of the browser, and returns its result. Fails if it does not answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters, **self.session}
        os.write(self.pipes[1], json.dumps(message).encode() + b"\0")
        end = time.monotonic() + ANSWER_LIMIT
        while True:
            while b"\0" in self.received:
                line, self.received = self.received.split(b"\0", 1)
                answer = json.loads(line)
                if answer.get("id") == self.number:
                    expect("result" in answer, f"{method}: {answer.get('error')}")
                    return answer["result"]
            expect(select.select([self.pipes[0]], [], [], max(0, end - time.monotonic()))[0], f"the browser does not answer {method}")
            read = os.read(self.pipes[0], 1 << 20)
            expect(read, "the browser has ended")
            self.received += read

    def text(self):
        """Returns the text that the page shows."""
        result = self.call("Runtime.evaluate", expression="document.body?.innerText ?? ''")
        return result["result"].get("value", "")

    def shows(self, *texts):
        """Returns whether the page shows one of the texts."""
        shown = self.text()
        return any(text in shown for text in texts)

    def key(self, kind, key):
        """Sends `keyDown` or `keyUp`."""
        self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=KEYS[key])
