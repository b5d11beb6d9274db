"""Whole programs under fault: robot, station, broker and page as separate processes of the installed program.

faults_test.py BUILD_TREE [CASE...] installs the build tree and runs each case in a network namespace of its own. A
case is ACTION-STEP-VICTIM-FAULT, such as `route-pause-station-kill`: after this step of the action the fault affects the
victim, and the person goes on with the action. Meanwhile the operator's picture must be true, on the command line and on
the page. Afterwards everything must work again, and the whole action must succeed; only what a supervisor would do,
starting a program that has ended, is done.

A case STEP-THREAD-hang, such as `stop-latch-hang`, suspends one thread of the robot: then the robot is driven, stopped,
ended or started again. It must do so within its limit, or the answer must be an error.

Without CASE, a part of all cases that depends on CARIBOU_ROTATION; with CARIBOU_FULL, all. Without a browser, the page is
left out.
"""
import contextlib
import itertools
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

from actions import ACTIONS, Person, moves
from browser import Page
from programs import HangingThread, Program, caribou, expect, robots, run_all, run_inside, value_of, wait_for

BROWSER = shutil.which("chromium")
VICTIMS = ["robot", "station", "broker", *(["page"] if BROWSER else [])]
FAULTS = ["freeze", "kill", "starve", "cut"]
STEPS = ["drive", "stop", "end", "restart"]
THREADS = ["signals", "main", "telemetry", "transmission", "receiver", "ai", "bus", "propulsion", "watchdog", "stops", "latch"]
PORTS = {"robot": [9600, 9601], "station": [9600, 9601], "broker": [9000], "page": [9680]}
END_LIMIT = 15  # seconds until a robot with a thread that hangs has ended or started again
PER_RUN = 10  # cases in an ordinary run
FAULT_SECONDS = 4
STALE_AFTER = 1.5 + 0.1  # seconds after which a silent robot is not shown as live, and the period of telemetry
HALT_LIMIT = 1.5  # seconds, with the time that two questions take
PICTURE_LIMIT = 3  # seconds until a change is shown
RECOVERY_LIMIT = 30  # seconds
ROBOT = """
name = "rover"
DefaultRunMode = 3
ReceivePort = 9601
[body]
kind = "sim"
file = "{share}/worlds/room.toml"
[bus]
join = true
"""


def picture():
    return (robots() or {}).get("rover")


def is_live():
    robot = picture()
    return robot and robot["presence"] == "live"


def spin():
    return caribou("send", "rover", "spin_left", "level=1", "ttl=500ms")


class System:
    def __init__(self):
        pathlib.Path("rover.toml").write_text(ROBOT.format(share=os.environ["CARIBOU_SHARE"]), encoding="utf-8")
        self.broker = Program("broker", "caribou", "db", "--data", "values")
        self.station = Program("station", "caribou", "station", "--record", "recordings")
        self.robot = Program("robot", "caribou", "robot", "--config", "rover.toml")
        wait_for(is_live, RECOVERY_LIMIT, "the robot is live")
        self.page = Page("page", "/drive/rover") if BROWSER else None
        self.await_page()

    def await_page(self):
        if self.page:
            wait_for(lambda: self.page.shows("ranges now"), RECOVERY_LIMIT, "the page shows the robot as live")

    def programs(self):
        return [program for program in (self.broker, self.station, self.robot, self.page) if program]


@contextlib.contextmanager
def affected(program, fault):
    """Lets the fault affect the program, for FAULT_SECONDS or as long as the body takes."""
    end = time.monotonic() + FAULT_SECONDS
    over = threading.Event()

    def starve():  # it gets a fifth of the time, in slices of a tenth of a second
        while not over.is_set():
            program.signal(signal.SIGSTOP)
            time.sleep(0.08)
            program.signal(signal.SIGCONT)
            time.sleep(0.02)

    starving = threading.Thread(target=starve)
    if fault == "kill":
        program.kill()
    elif fault == "freeze":
        program.signal(signal.SIGSTOP)
    elif fault == "cut":
        rules = "".join(f"add rule inet cut i {kind} {side} {port} drop\n" for port, kind, side in
                        itertools.product(PORTS[program.name], ("tcp", "udp"), ("dport", "sport")))
        subprocess.run(["nft", "-f", "-"], text=True, check=True, input=(
            "add table inet cut\nadd chain inet cut i { type filter hook input priority 0; }\n" + rules))
    else:
        starving.start()
    try:
        yield
        time.sleep(0 if fault == "kill" else max(0, end - time.monotonic()))
    finally:
        if fault == "freeze":
            program.signal(signal.SIGCONT)
        elif fault == "cut":
            subprocess.run(["nft", "delete", "table", "inet", "cut"], check=True)
        elif fault == "starve":
            over.set()
            starving.join()


def check_picture(system, victim, fault):
    """Expects the picture to show the fault, and the robot to halt if it is driven by what is not there any more."""
    if fault == "starve":
        return
    is_without = victim in ("station", "page") and fault != "cut"  # the person's programs
    if victim in ("robot", "station") and (fault == "cut" or victim == "robot"):
        time.sleep(STALE_AFTER)
        robot = picture()
        expect(robot and robot["presence"] in ("lost", "off", "no_telemetry", "telemetry_only"), f"picture: {robot}")
        if system.page:
            wait_for(lambda: system.page.shows("rover is lost", "rover is off", "What you see is from then"), PICTURE_LIMIT,
                     "the page shows that the robot is lost")
    if victim == "station" and is_without:
        expect(robots() is None, "a station that does not run shows a picture")
    if system.page and (victim == "station" and is_without or victim == "page" and fault == "cut"):
        wait_for(lambda: system.page.shows("The station is silent", "No connection to the station"), PICTURE_LIMIT,
                 "the page shows that it has no station")


def check_recovery(system):
    def recovered():
        for program in system.programs():  # a service manager or, after RM0, a person starts it
            if not program.runs():
                program.start()
        return is_live()
    wait_for(recovered, RECOVERY_LIMIT, "the robot is live again")
    system.await_page()
    wait_for(lambda: caribou("send", "rover", "full_stop").returncode == 0, RECOVERY_LIMIT, "a full stop is done")
    wait_for(lambda: (robot := picture()) and robot["stopped"], PICTURE_LIMIT, "the stop is shown")
    if system.page:
        wait_for(lambda: system.page.shows("Release"), PICTURE_LIMIT, "the page shows the stop")
    # EXPIRED if it may have waited in front of a station that has just been frozen.
    wait_for(lambda: caribou("send", "rover", "release_stop").returncode == 0, RECOVERY_LIMIT, "a release is done")
    caribou("route", "abort", "rover")
    caribou("send", "rover", "take_lease")
    caribou("send", "rover", "set_run_mode", "mode=3")  # in RM2, for docking, it drives itself
    wait_for(lambda: "DONE" in spin().stdout, RECOVERY_LIMIT, "the robot is driven")
    wait_for(lambda: value_of("CBOT_RUN_MODE") is not None, RECOVERY_LIMIT, "the bus has the robot's values")
    recordings = wait_for(lambda: sorted(pathlib.Path("recordings").glob("*.mcap")), RECOVERY_LIMIT, "the station records")
    player = Program("player", "caribou", "station", "--replay", recordings[0], "--web", "127.0.0.1:0")
    player.prints("replays the recording")  # also if its station was killed


def is_stored():
    return "stopped = true" in pathlib.Path(".local/state/caribou/rover.latch").read_text(encoding="utf-8")


def check_hang(step, robot, thread):
    """Takes the step while the thread hangs."""
    hanging = HangingThread(robot.process.pid, thread)

    def has_ended():
        return hanging.ended() or not robot.runs()
    if step == "drive":
        time.sleep(PICTURE_LIMIT)
        shown = caribou("send", "rover", "status")
        expect(shown.returncode != 0 or f"{thread} is silent" in shown.stdout or "missed_deadlines" in shown.stdout,
               f"{thread} hangs, and the robot reports {shown.stdout}")
    elif step == "stop":
        done = caribou("send", "rover", "full_stop")
        expect(done.returncode != 0 or is_stored(), f"a stop that is not stored is {done.stdout}")
        # Without its receiver a robot hears its station by datagrams only, and without keys not at all.
        expect(done.returncode == 0 or thread in ("receiver", "transmission"), f"{done.stdout}{done.stderr}")
    elif step == "end":
        robot.signal(signal.SIGTERM)
        wait_for(has_ended, END_LIMIT, "the robot ends")
    elif caribou("send", "rover", "set_run_mode", "mode=5").returncode == 0:
        wait_for(lambda: has_ended() or robot.log().count("is ready in") > 1, END_LIMIT, "the robot starts again")
    hanging.go_on()


def run_case(name):
    *action, victim, fault = name.split("-")
    system = System()
    if fault == "hang":
        spin()
        check_hang(action[0], system.robot, victim)
        return check_recovery(system)
    steps_of = next(steps for steps in ACTIONS if steps.__name__ == action[0])
    person = Person(system.page)
    steps = steps_of(person)
    while next(steps) != action[1]:
        pass
    with affected(getattr(system, victim), fault):
        person.is_strict = False
        check_picture(system, victim, fault)
        if victim == "page" and fault in ("freeze", "kill") and action[0] == "drive":
            wait_for(lambda: moves() is False, HALT_LIMIT, "the robot halts without the page that drives it")
        for _ in steps:
            pass
    check_recovery(system)
    person.is_strict = True
    for _ in steps_of(person):
        pass


def chosen_cases():
    faults = [f"{action.__name__}-{step}-{victim}-{fault}" for action, steps in ACTIONS.items()
              for step, victim, fault in itertools.product(steps, VICTIMS, FAULTS)]
    every = faults + ["-".join(case) for case in itertools.product(STEPS, THREADS, ["hang"])]
    if "CARIBOU_FULL" in os.environ:
        return every
    return random.Random(int(os.environ.get("CARIBOU_ROTATION", "1"))).sample(every, PER_RUN)


if __name__ == "__main__":
    if sys.argv[1] == "--inside":
        sys.exit(run_inside(lambda: run_case(sys.argv[2]), sys.argv[2]))
    sys.exit(run_all(__file__, sys.argv[1], sys.argv[2:] or chosen_cases()))
