"""A mission is started with one command and recorded. It ends without leaving a process, and its values can be replayed.

README: Command-line tools
"""
import pathlib
import subprocess

from programs import Program, does, expect, fails, value_of, wait_for

MISSION = """
[[program]]
name = "MOOSDB"
command = ["caribou", "db"]

[[program]]
name = "tides"
command = ["sh", "-c", "sleep 4321 & caribou poke --wait 20 TIDE=1.5 >tides.log; wait"]
restart = "never"
"""


def story():
    pathlib.Path("mission.toml").write_text(MISSION, encoding="utf-8")
    does("mission", "check", "mission.toml")
    mission = Program("mission", "caribou", "launch", "mission.toml")
    recorder = Program("recorder", "caribou", "record", "--wait", "20", "--out", "dive")
    recorder.prints("recording to dive.alog")
    wait_for(lambda: value_of("TIDE") == 1.5, 20, "the programs of the mission run")
    expect("TIDE" in fails("poke", "TIDE=high"), "a value of a wrong type is refused, with the reason")
    wait_for(lambda: "TIDE" in pathlib.Path("dive.alog").read_text(encoding="utf-8"), 10, "it is recorded")
    expect(recorder.end() == 0, "the recorder ends")
    expect(mission.end() in (0, 1), "Ctrl-C ends the mission")
    left = subprocess.run(["pgrep", "-f", "sleep 4321|caribou db"], text=True, capture_output=True, check=False).stdout
    expect(not left, f"a process is left: {left}")

    Program("later", "caribou", "db").prints("caribou db")
    expect(value_of("TIDE") is None, "the broker is a new one")
    does("replay", "dive.alog", "--speed", "20")
    expect(value_of("TIDE") == 1.5, "the recorded value is published again")
