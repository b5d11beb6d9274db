"""Patrol and wink in JSON, in Python and in C++: each is checked, and runs on a robot.

README: Behaviors with a guaranteed lifecycle
"""
import json
import os
import pathlib
import re
import subprocess

from programs import Failed, Program, does, expect, fails, value_of, wait_for

EXAMPLES = pathlib.Path(os.environ["CARIBOU_SHARE"]) / "../doc/caribou/examples"


def configured(name, number, tree, more=""):
    """Writes the configuration of a simulated robot, and returns its path and the port of its bus."""
    path = pathlib.Path(f"{name}.toml")
    path.write_text(f'name = "{name}"\nDefaultRunMode = 2\nReceivePort = {9700 + number}\n'
                    f'[body]\nkind = "sim"\nseed = 7\n[bus]\nhost = true\ndrive = true\naddress = "127.0.0.1:{9100 + number}"\n'
                    f'[ai]\ntree = "{tree}"\n{more}', encoding="utf-8")
    return str(path), str(9100 + number)


def stack(port):
    return str(value_of("CBOT_STACK", "--port", port) or "")


def patrols_and_winks(program, port):
    wait_for(lambda: "patrol" in stack(port), 30, "it patrols")
    wait_for(lambda: "wink" in stack(port), 120, "it winks")
    expect(program.runs(), "it goes on")


def asks_for(behavior, port):
    """Returns the exit status of the example that requests a behavior over the bus, and what it has printed."""
    done = subprocess.run(["python3", EXAMPLES / "python/follow_behaviors.py", port, behavior], text=True, capture_output=True,
                          timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


def in_json():
    path, port = configured("plain", 1, EXAMPLES / "trees/patrol_and_wink.json", "[link]\nplain = true\n")
    does("robot", "--check-config", "--config", path)
    robot = Program("plain", "caribou", "robot", "--config", path)
    patrols_and_winks(robot, port)
    # What it did, tick by tick, and why it does not rest.
    reach = ("--plain", "--robot", "127.0.0.1:9701")
    does("tree", "record", "run.behavior", *reach)
    expect("robot > work > greet > wink" in does("tree", "replay", "run.behavior"), "the recording has the wink")
    why = does("tree", "explain", "run.behavior", "--behavior", "rest")
    expect("battery < 20" in why, why)

    for behavior, expected, answer in (("nosuch", 1, "BAD_ARGUMENT"), ("patrol", 0, "DONE"), ("patrol", 0, "DONE")):
        status, printed = asks_for(behavior, port)
        expect(status == expected and answer in printed, f"{behavior}: {status}: {printed}")

    # Another tree, of two files, takes its place while it runs; a wrong one does not.
    pathlib.Path("main.json").write_text('{"base": "base", "behaviors": [{"class": "queue", "id": "base", "children": ["nap"]}]}',
                                         encoding="utf-8")
    pathlib.Path("nap.json").write_text('{"behaviors": [{"class": "idle", "id": "nap"}]}', encoding="utf-8")
    expect("no behavior has the id `nap`" in fails("tree", "ask", "reload main.json", *reach), "it is refused")
    expect("wink" in does("tree", "ask", "why", *reach), "the tree before goes on")
    does("tree", "ask", "reload main.json nap.json", *reach)
    wait_for(lambda: stack(port) == "base>nap", 10, "the new tree runs")
    wait_for(lambda: does("tree", "ask", "doing", *reach).strip() == "Nap.", 10, "it states what it does")
    robot.end()


def in_python():
    tests = subprocess.run(["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider", EXAMPLES / "python/patrol_and_wink_test.py"],
                           text=True, capture_output=True, timeout=100, check=False)
    expect(tests.returncode == 0, tests.stdout + tests.stderr)
    program = EXAMPLES / "python/patrol_and_wink.py"
    path, port = configured("python", 2, EXAMPLES / "trees/patrol_in_python.json", f'programs = ["{program}"]\n')
    does("robot", "--check-config", "--config", path)
    does("tree", "check", "--robot", path)
    classes = json.loads(does("tree", "classes", "--json", "--robot", path))
    expect("has_patrolled" in json.dumps(classes["conditions"]), "tools learn the classes of the program")
    robot = Program("python", "caribou", "robot", "--config", path)
    patrols_and_winks(robot, port)

    # The program is frozen: its behavior ends, with the reason, and the robot goes on without it and then with it again.
    frozen = int(subprocess.run(["pgrep", "-f", "patrol_and_wink.py"], text=True, capture_output=True, check=True).stdout.split()[-1])
    wait_for(lambda: "patrol" in stack(port), 60, "it patrols again")
    os.kill(frozen, 19)
    wait_for(lambda: "rest" in stack(port), 10, "it rests, because the program does not answer")
    wait_for(lambda: "does not answer" in robot.log() or "has not answered" in robot.log(), 10, "the log has the reason")
    wait_for(lambda: robot.log().count("works, with 3 classes") == 2, 30, "the program is started again")
    expect(robot.runs(), "the robot goes on")
    robot.end()

    # A mistake in the program is found before it runs.
    pathlib.Path("wrong.py").write_text("import caribou\ncaribou.run_behavoirs()\n", encoding="utf-8")
    path, _ = configured("wrong", 3, EXAMPLES / "trees/patrol_in_python.json", 'programs = ["wrong.py"]\n')
    why = fails("robot", "--check-config", "--config", path)
    expect("run_behavoirs" in why, why)


def builds(*words):
    done = subprocess.run(words, text=True, capture_output=True, timeout=400, check=False)
    if done.returncode != 0:
        raise Failed(f"{' '.join(words)}: {done.returncode}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def in_cpp():
    does("new", "behavior", "patrol")
    prefix = pathlib.Path(os.environ["CARIBOU_SHARE"]).parents[1]
    builds("cmake", "-S", "patrol", "-B", "patrol/build", "-G", "Ninja", "-D", f"CMAKE_PREFIX_PATH={prefix}")
    builds("cmake", "--build", "patrol/build")
    builds("ctest", "--test-dir", "patrol/build", "--output-on-failure", "--no-tests=error")

    # The tutorial takes its place: a patrol, and a wink in C++. It tests itself, also with a low battery.
    tutorial = (EXAMPLES / "t18_own_robot.cpp").read_text(encoding="utf-8")
    pathlib.Path("patrol/main.cpp").write_text(tutorial, encoding="utf-8")
    with open("patrol/CMakeLists.txt", "a", encoding="utf-8") as build:
        build.write("target_link_libraries(patrol PRIVATE caribou::testkit)\n")
    builds("cmake", "--build", "patrol/build", "--target", "patrol")
    tested = subprocess.run(["patrol/build/patrol"], text=True, capture_output=True, timeout=60, check=False)
    expect(tested.returncode == 0 and "the battery is low" in tested.stdout, tested.stdout + tested.stderr)
    tree = re.search(r'tree = R"\((.*?)\)";', tutorial, re.DOTALL)[1]
    pathlib.Path("patrol/tutorial.json").write_text(tree, encoding="utf-8")
    path, port = configured("own", 4, "patrol/tutorial.json")
    fails("robot", "--check-config", "--config", path)
    builds("patrol/build/patrol", "--check-config", "--config", path)
    robot = Program("own", "patrol/build/patrol", "--config", path)
    patrols_and_winks(robot, port)
    robot.end()


def story():
    in_json()
    in_python()
    in_cpp()
