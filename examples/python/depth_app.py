"""An app with parameters, which dives to a depth: depth_app.py [MISSION] [--moos_host=… --moos_port=…]

`depth_app.py --help` lists the options of every app, `--moos_print_example` its own parameters.
"""

import sys

import caribou


class Diver(caribou.App):
    def __init__(self):
        super().__init__("depth_app")
        self.declare("TargetDepth", 2.0, "Metres to dive to", low=0, high=1000)
        self.declare("DiveRate", 0.5, "Metres an iterate", low=0.1, high=50)
        self.depth = 0.0

    def on_start_up(self):
        print(f"down we go, to {self.parameters['TargetDepth']:g} m")

    def on_connect_to_server(self):
        self.register("ABORT", 0)

    def on_new_mail(self, mail):
        self.quit()  # it can be nothing but ABORT

    def iterate(self):
        self.depth += self.parameters["DiveRate"]
        self.notify("DEPTH", self.depth)
        if self.depth >= self.parameters["TargetDepth"]:
            print(f"arrived at {self.depth:g} m")
            self.quit()


if __name__ == "__main__":
    sys.exit(Diver().run())
