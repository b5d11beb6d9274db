"""A station with one recording of a simulated camera, 20260101-120000-0001-camera; it ends on Ctrl-C."""
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

LIMIT = 15  # seconds


def start(*words):
    return subprocess.Popen(["caribou", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def filmed():
    """Returns whether seconds of images have been recorded."""
    listed = subprocess.run(["caribou", "recordings", "list"], text=True, capture_output=True, check=False,
                            timeout=LIMIT)
    return re.search(r"-camera .* 0:0[2-9] ", listed.stdout)


def film():
    programs = [start("station", "--config", "filming.toml"),
                start("robot", "--config", "examples/robots/explorer.toml")]
    deadline = time.monotonic() + LIMIT
    try:
        while not filmed():
            if time.monotonic() > deadline:
                sys.exit("no image was recorded")
    finally:
        for program in reversed(programs):
            program.send_signal(signal.SIGINT)
            program.wait(LIMIT)


pathlib.Path("filming.toml").write_text('[record]\nfolder = "recordings"\nviews = ["camera"]\n', encoding="utf-8")
film()
for recording in pathlib.Path("recordings").iterdir():
    if recording.stem.endswith("-camera"):
        recording.rename(recording.with_stem("20260101-120000-0001-camera"))
    else:
        recording.unlink()
pathlib.Path("filmed.toml").write_text('[record]\nfolder = "recordings"\nat_start = false\ncamera_days = 3650\n', encoding="utf-8")
os.execvp("caribou", ["caribou", "station", "--config", "filmed.toml"])
