"""Programs of an installed Caribou, in namespaces and a folder of their own."""
import concurrent.futures
import ctypes
import errno
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time


class Failed(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Failed(what)


def wait_for(condition, limit, what):
    """Waits until the condition returns something true, and returns it."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        expect(time.monotonic() < end, f"not within {limit} s: {what}")
        time.sleep(0.05)


def caribou(*words, limit=20, **options):
    return subprocess.run(["caribou", *words], text=True, capture_output=True, timeout=limit, check=False, **options)


def does(*words, **options):
    """Calls the program, expects success, and returns what it prints."""
    done = caribou(*words, **options)
    expect(done.returncode == 0, f"caribou {' '.join(words)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def fails(*words, code=1, **options):
    """Calls the program, expects this exit status, and returns the error that it prints."""
    done = caribou(*words, **options)
    expect(done.returncode == code, f"caribou {' '.join(words)}: {done.returncode}, not {code}\n{done.stdout}{done.stderr}")
    return done.stderr


def robots(limit=8):
    """Returns the robots that the station shows, by name; None without a station."""
    try:
        shown = caribou("robots", "--json", limit=limit)
    except subprocess.TimeoutExpired:
        return None
    return {robot["name"]: robot for robot in json.loads(shown.stdout)} if shown.returncode == 0 else None


def value_of(variable, *words):
    """Returns the value on the bus; None if there is none, or no broker answers."""
    try:
        shown = caribou("scope", "--json", variable, "--wait", "1", *words, limit=6)
    except subprocess.TimeoutExpired:
        return None
    rows = json.loads(shown.stdout) if shown.returncode == 0 else []
    return rows[0]["value"] if rows else None


class Program:
    """A program in the background, with its output in a file."""

    def __init__(self, name, *words, **options):
        self.name, self.words, self.options = name, words, options
        self.process = None
        self.start()

    def start(self):
        with open(f"{self.name}.log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.words, stdout=log, stderr=log, start_new_session=True, **self.options)

    def log(self):
        return pathlib.Path(f"{self.name}.log").read_text(encoding="utf-8")

    def runs(self):
        return self.process.poll() is None

    def signal(self, number):
        """Sends a signal to the program and everything it has started."""
        if self.runs():
            os.killpg(self.process.pid, number)

    def kill(self):
        self.signal(signal.SIGKILL)
        self.process.wait()

    def end(self):
        """Ends it as Ctrl-C does, and returns its exit status."""
        self.signal(signal.SIGINT)
        return self.process.wait(20)

    def prints(self, text, limit=20):
        wait_for(lambda: text in self.log(), limit, f"{self.name} prints `{text}`")


class HangingThread:
    """Suspends one thread of a program, as a debugger or a slow device does; the other threads run on."""
    SEIZE, INTERRUPT, DETACH, WALL = 0x4206, 0x4207, 17, 0x40000000

    def __init__(self, process, name):
        """The name is that of `ps -T`; `signals` is the initial thread."""
        self.process = process
        self.thread = process if name == "signals" else self.find(name)
        self.call(self.SEIZE)
        self.call(self.INTERRUPT)
        os.waitpid(self.thread, self.WALL)
        self.has_ended = False

    def find(self, name):
        for task in pathlib.Path(f"/proc/{self.process}/task").iterdir():
            if (task / "comm").read_text(encoding="utf-8").strip() == name:
                return int(task.name)
        raise Failed(f"there is no thread {name}")

    def call(self, request):
        libc = ctypes.CDLL(None, use_errno=True)
        arguments = [ctypes.c_long(value) for value in (request, self.thread, 0, 0)]
        if libc.ptrace(*arguments) != 0 and (request != self.DETACH or ctypes.get_errno() != errno.ESRCH):
            raise Failed(f"ptrace {request:#x}: {os.strerror(ctypes.get_errno())}")

    def ended(self):
        """Returns whether the thread has ended, and lets the end of its process be seen by its parent."""
        if not self.has_ended and self.thread != self.process:
            self.has_ended = os.waitpid(self.thread, self.WALL | os.WNOHANG)[0] == self.thread
        return self.has_ended

    def go_on(self):
        """Lets it run again, unless it has ended or a fresh image has replaced it."""
        if not self.ended() and pathlib.Path(f"/proc/{self.thread}").exists():
            self.call(self.DETACH)


def run_inside(body, name):
    """Runs `body` in the present folder and namespaces. Returns 0 if it raises nothing."""
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    try:
        body()
    except (Failed, subprocess.TimeoutExpired) as failed:
        print(f"{name}: FAILED: {failed}")
        for log in sorted(pathlib.Path(".").glob("*.log")):
            print(*[f"  {log.stem}: {line}" for line in log.read_text(encoding="utf-8").splitlines()[-8:]], sep="\n")
        return 1
    return 0


def run_all(script, build_tree, names):
    """Installs the build tree, and calls `script --inside NAME` for each name in a namespace of its own, in which all
    processes end with it. Returns the exit status."""
    scratch = pathlib.Path(tempfile.mkdtemp())
    prefix = scratch / "prefix"
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]

    def run_one(name):
        folder = scratch / name
        folder.mkdir()
        packages = next(prefix.glob("lib/python3*/dist-packages"))
        done = subprocess.run(
            ["unshare", *as_root, "--net", "--pid", "--mount-proc", "--fork", "--kill-child", sys.executable, "-B", os.path.abspath(script),
             "--inside", name], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
            env={"PATH": f"{prefix}/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(folder), "LANG": "C.UTF-8",
                 "PYTHONPATH": str(packages), "CARIBOU_SHARE": str(prefix / "share/caribou")})
        return "" if done.returncode == 0 else done.stdout or f"{name}: ended with {done.returncode}"

    try:
        subprocess.run(["cmake", "--install", build_tree, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        print(*names, flush=True)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            failures = [text for text in pool.map(run_one, names) if text]
    finally:
        shutil.rmtree(scratch)
    print(*failures, f"{len(names)} run, {len(failures)} failed", sep="\n")
    return 1 if failures or not names else 0
