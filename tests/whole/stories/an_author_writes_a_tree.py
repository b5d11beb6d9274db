"""A tree is checked before it runs, tried without a robot, explained, and accepted by a robot.

README: Behaviors with a guaranteed lifecycle
"""
import os
import pathlib

from programs import does, expect, fails

TREE = """
// Looks around, and spins when the battery is nearly full.
{
  "base": "mine",
  "behaviors": [
    {"class": "strict_priority", "id": "mine", "children": [
      {"class": "act", "id": "celebrate", "wants": {"fact": "battery", ">": 95}, "action": {"wait": "1s"}},
      {"class": "act", "id": "look", "action": {"wait": "400ms"}}]}
  ]
}
"""


def story():
    pathlib.Path("mine.json").write_text(TREE, encoding="utf-8")
    does("tree", "check", "mine.json")

    # A mistake is found before it runs, with its place and what was meant.
    pathlib.Path("wrong.json").write_text(TREE.replace("strict_priority", "strict_prioritty"), encoding="utf-8")
    wrong = fails("tree", "check", "wrong.json")
    expect("wrong.json:6:" in wrong and "did you mean `strict_priority`" in wrong, wrong)

    # It runs without a robot, and the reason why a behavior does not run is explained.
    does("tree", "run", "mine.json", "--ticks", "20", "--set", "battery=50", "--record", "mine.recording")
    why = does("tree", "explain", "mine.recording", "mine.json", "--behavior", "celebrate")
    expect("battery" in why, why)

    # A robot accepts exactly what the check accepts.
    config = pathlib.Path(os.environ["CARIBOU_SHARE"], "robots/explorer.toml").read_text(encoding="utf-8")
    for file, call in (("mine.json", does), ("wrong.json", fails)):
        pathlib.Path("robot.toml").write_text(f'{config}\n[ai]\ntree = ["{file}"]\n', encoding="utf-8")
        call("robot", "--config", "robot.toml", "--check-config")
