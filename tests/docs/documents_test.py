"""Runs the documentation: every command block of README.md and docs/ against the installed program.

documents_test.py BUILD_TREE [DOCUMENT...] installs the build tree to a scratch prefix and runs each document in a
clean folder and a network namespace of its own. How a block is treated depends on its fence:

    ```          commands: lines that begin with `$ `, each followed by the output it claims, or all lines
    ```toml      and json: read by the command that the directive `kind` or `check` names
    ```python    run with the installed package
    ```cpp       compiled with the installed headers, inside a file of tests/docs/cpp/ that gives it its context
    ```text      neither code nor commands

Numbers and the width of columns may differ from the claimed output; a line `…` matches any lines. Programs that do
not exit by themselves are stopped with Ctrl-C at the end of their block. A comment in front of a block,
`<!-- KEY: VALUE; KEY: VALUE -->`, gives it a context:

    no-run        the reason why it cannot be run; the number of these is limited
    long          `yes`: it takes minutes, and is run only if CARIBOU_FULL is set
    kind          what kind of file a block is, see READERS
    read-by       a unit test that reads the block, for files that no command reads
    file          the name under which the block is kept, also for the blocks before it
    arguments     of a Python program
    server        `yes`: a Python program that prints a line and runs until Ctrl-C
    prepare       a command to run before the block
    check         a command to run after it
    with          programs that run in the background, see SERVICES
    alternatives  `yes`: programs are stopped before the next line
"""
import concurrent.futures
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from block_checks import READERS, cpp_faults, hides_commands

TOP = pathlib.Path(__file__).resolve().parents[2]
PYTHON = "/usr/bin/python3 -B"  # the one that the package is built for
NO_RUN_LIMIT = 16  # blocks that need hardware, ROS, root or the Internet
COMMAND_LIMIT = 20  # seconds
LONG_COMMAND_LIMIT = 900  # of a block that takes minutes
LONG_LIMIT = 1  # blocks that take minutes
FULL = "CARIBOU_FULL" in os.environ
FENCE = re.compile(r"^(?:<!-- ([^\n]*?) -->\n)?```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
DIRECTIVE_END = re.compile(r"; (?=[a-z-]+: )")  # a command may contain `; `, too
# Commands that run until they are stopped. The robot, the station, the broker … print a line when they are ready.
SERVERS = re.compile(
    r"caribou (db|station|tunnel|share|ros-bridge|launch|robot(?! map)|demo|process-watch|timer-script|logger|world serve|alog view)\b"
    r"(?!.*--(check-config|print-config|self-test|self-check|check-install|check|commands|config-page|dry-run|help))")
APPS = re.compile(r"caribou (process-watch|timer-script|logger|share [^-]\S*\.moos)\b")
SERVICES = {
    "broker": "caribou db",
    "vessel": f"{sys.executable} {TOP}/tests/docs/vessel.py",
    "watched": "caribou db watched.moos",
    "process-watch": "caribou process-watch watched.moos 2>&1",  # its log
    "harbor": "caribou launch examples/missions/harbor.moos",
    "station": "caribou station",
    "filmed": f"{sys.executable} {TOP}/tests/docs/filmed.py",
    "explorer": "caribou robot --config examples/robots/explorer.toml",
    "saved-map": "until caribou robot map save flat --config examples/robots/explorer.toml; do :; done; exec sleep infinity",
    "rover": "sed 's/explorer/rover/' examples/robots/explorer.toml > rover.toml; exec caribou robot --config rover.toml",
    "served-world": "caribou world serve examples/worlds/flat.toml --socket world.sock",
    "driven": "caribou robot --config examples/robots/driven.toml",
}


class Failed(Exception):
    pass


def normal(line):
    """Returns a line without numbers, times and the width of columns."""
    line = line.replace(os.environ["HOME"], "~")
    line = re.sub(r"\d+([.,:]\d+)*", "0", line)
    line = re.sub(r"[#=-]{2,}", "#", line)
    line = re.sub(r"\b([bdfghklmnprstvwz][aiou]){3}\b", "word", line)  # of a key
    return re.sub(r"\s+", " ", line).strip()


def matches(expected, actual):
    """Returns whether the output is the expected one; a line `…` matches any lines."""
    if not expected:
        return not actual
    if expected[0] == "…":
        return any(matches(expected[1:], actual[skipped:]) for skipped in range(len(actual) + 1))
    return bool(actual) and expected[0] == actual[0] and matches(expected[1:], actual[1:])


def keep(name, text):
    """Writes a block to a file below the folder of the document."""
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


class Server:
    """A program that runs in the background. Ready when it has printed a line."""

    def __init__(self, command, environment):
        self.command = command
        self.log = tempfile.TemporaryFile("w+", encoding="utf-8")
        self.process = subprocess.Popen(["bash", "-c", "exec " + command if "; " not in command else command], env=environment,
                                        stdout=subprocess.PIPE, stderr=self.log, start_new_session=True)
        self.await_line()

    def await_line(self):
        deadline = time.monotonic() + COMMAND_LIMIT
        while select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))[0]:
            read = os.read(self.process.stdout.fileno(), 65536)
            if b"\n" in read:
                return
            if not read:
                raise Failed(f"`{self.command}` ended with {self.process.wait()}:\n{self.errors()}")
        self.process.kill()
        self.process.wait()
        raise Failed(f"`{self.command}` printed nothing in {COMMAND_LIMIT} s:\n{self.errors()}")

    def errors(self):
        self.log.seek(0)
        return self.log.read()

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            code = self.process.wait(COMMAND_LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise Failed(f"`{self.command}` does not end on Ctrl-C:\n{self.errors()}") from None
        if code not in (0, 130, -signal.SIGINT):
            raise Failed(f"`{self.command}` ended with {code}:\n{self.errors()}")


class Document:
    def __init__(self, name):
        self.name = name
        self.environment = dict(os.environ)
        self.servers = []
        self.alternatives = False
        self.limit = COMMAND_LIMIT
        self.counts = {"commands": 0, "loaded": 0, "no-run": 0, "long": 0}
        self.faults = []

    def run(self, text):
        blocks = [(block, dict(part.split(": ", 1) for part in DIRECTIVE_END.split(block[1] or "") if ": " in part))
                  for block in FENCE.finditer(text)]
        for block, directives in blocks:
            if "file" in directives:
                keep(directives["file"], block[3])
        for block, directives in blocks:
            line = text[:block.start(3)].count("\n")
            try:
                self.run_block(block[2], block[3], directives)
            except (Failed, ValueError, OSError, subprocess.SubprocessError) as fault:
                self.faults.append(f"{self.name}:{line}: {fault}")
            try:
                self.stop_servers()
            except Failed as fault:
                self.faults.append(f"{self.name}:{line}: {fault}")

    def run_block(self, kind, body, directives):
        if "no-run" in directives:
            self.counts["no-run"] += 1
            return
        if "long" in directives and not FULL:
            self.counts["long"] += 1
            return
        self.alternatives = "alternatives" in directives
        self.limit = LONG_COMMAND_LIMIT if "long" in directives else COMMAND_LIMIT
        if "prepare" in directives:
            self.run_command(directives["prepare"], None)
        for service in directives.get("with", "").split():
            self.servers.append(Server(SERVICES[service], self.environment))
        if kind in ("toml", "json"):
            self.read_file(kind, body, directives)
        elif kind == "python":
            self.run_python(body, directives)
        elif kind == "":
            self.run_commands(body)
        elif kind == "text" and "check" not in directives and hides_commands(body):
            raise Failed("commands in a text block are not run: leave `text` out, or give the reason with `no-run`")
        elif kind not in ("text", "cpp"):
            raise Failed(f"a fence of an unknown kind, `{kind}`")
        if "check" in directives:
            self.run_command(directives["check"], None)

    def read_file(self, kind, body, directives):
        """Gives the block to the command that reads such files."""
        self.counts["loaded"] += 1
        if "read-by" in directives:
            if self.name not in (TOP / directives["read-by"]).read_text(encoding="utf-8"):
                raise Failed(f"{directives['read-by']} does not read {self.name}")
            return
        if "kind" not in directives:
            if "check" not in directives:
                raise Failed(f"no command reads this block: state its kind, one of {', '.join(READERS)}, or a check")
            return
        file = directives.get("file", f"block.{kind}")
        keep(file, body)
        self.run_command(READERS[directives["kind"]].format(file), None)

    def run_python(self, body, directives):
        self.counts["loaded"] += 1
        file = directives.get("file", "block.py")
        keep(file, body)
        command = f"{PYTHON} -u {file} {directives.get('arguments', '')}"
        if "server" in directives:
            self.servers.append(Server(command, self.environment))
        else:
            self.run_command(command, None)

    def stop_servers(self):
        servers, self.servers = self.servers, []
        faults = []
        for server in reversed(servers):
            try:
                server.stop()
            except Failed as fault:
                faults.append(str(fault))
        if faults:
            raise Failed("\n".join(faults))

    def await_robots(self):
        """Waits until robot and station are connected, as they are when a person types the next command."""
        started = " ".join(server.command for server in self.servers)
        if "caribou station" not in started or "caribou robot" not in started:
            return
        deadline = time.monotonic() + COMMAND_LIMIT
        robots = []
        while not any(one["mode"].startswith("run") and one["age"] is not None and not one["stale"] for one in robots):
            shown = subprocess.run(["caribou", "robots", "--json"], env=self.environment, text=True,
                                   capture_output=True, check=False, timeout=COMMAND_LIMIT)
            robots = json.loads(shown.stdout) if shown.returncode == 0 else []
            if time.monotonic() > deadline:
                raise Failed("the station does not find its robot")

    def run_commands(self, body):
        lines = body.splitlines()
        if not any(line.startswith("$ ") for line in lines):
            for line in lines:
                if line.strip() and not line.startswith("#"):
                    self.run_command(line, None)
            return
        for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
            command, _, claimed = part.partition("\n")
            self.run_command(command, claimed)

    def run_command(self, command, claimed):
        self.counts["commands"] += 1
        command = re.sub(r"\s+#\s.*$", "", command)
        if self.alternatives:
            self.stop_servers()
        if SERVERS.search(command) and claimed is None:
            if APPS.search(command):
                command += " 2>&1"  # apps print nothing but their log
            self.servers.append(Server(command.removesuffix(" &"), self.environment))
            return
        self.await_robots()
        process = subprocess.Popen(["bash", "-c", command], env=self.environment, text=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=self.limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            process.stdout.close()
            raise Failed(f"`{command}` does not end in {self.limit} s") from None
        if claimed is None:
            if process.returncode != 0:
                raise Failed(f"`{command}` ended with {process.returncode}:\n{output}")
            return
        expected = [normal(line) for line in claimed.splitlines() if line.strip()]
        actual = [normal(line) for line in output.splitlines() if line.strip()]
        # Sentences may be wrapped differently.
        if not matches(expected, actual) and " ".join(expected) != " ".join(actual):
            raise Failed(f"`{command}` prints\n{output}and not\n{claimed}")


def run_inside(name):
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    document = Document(name)
    document.run((TOP / name).read_text(encoding="utf-8"))
    print(json.dumps({"counts": document.counts, "faults": document.faults}))


def run_document(name, scratch):
    folder = scratch / name.replace("/", "_")
    folder.mkdir()
    (folder / "examples").symlink_to(scratch / "prefix/share/caribou")
    environment = {
        "PATH": f"{folder}/bin:{scratch}/prefix/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
        "HOME": str(folder), "LANG": "C.UTF-8", **({"CARIBOU_FULL": "1"} if FULL else {}),
        "PYTHONPATH": str(next((scratch / "prefix/lib").glob("python3*/dist-packages")))}
    as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
    done = subprocess.run(["unshare", *as_root, "--net", sys.executable, "-B", __file__, "--inside", name], cwd=folder,
                          env=environment, text=True, capture_output=True, check=False)
    if done.returncode != 0:
        return {"counts": {}, "faults": [f"{name}: {done.stdout}{done.stderr}"]}
    return json.loads(done.stdout)


def broken_links(installed):
    """Relative links of the installed documents that lead nowhere."""
    faults = []
    for page in sorted(installed.rglob("*.md")):
        text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text):
            if not target.startswith("http") and not (page.parent / target).exists():
                faults.append(f"{page.relative_to(installed)}: {target} is not installed")
    return faults


def documents():
    pages = sorted(TOP.glob("docs/*.md")) + sorted(TOP.glob("docs/formats/*.md"))
    return ["README.md"] + [str(page.relative_to(TOP)) for page in pages]


def main():
    if sys.argv[1] == "--inside":
        return run_inside(sys.argv[2])
    sys.argv[1] = os.path.abspath(sys.argv[1])
    scratch = pathlib.Path(tempfile.mkdtemp())
    try:
        subprocess.run(["cmake", "--install", sys.argv[1], "--prefix", scratch / "prefix"], check=True,
                       stdout=subprocess.DEVNULL)
        names = sys.argv[2:] or documents()
        (scratch / "blocks").mkdir()
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            compiled = pool.submit(cpp_faults, names, scratch / "prefix", scratch / "blocks")
            results = list(pool.map(lambda name: run_document(name, scratch), names))
            faults, blocks = compiled.result()
        faults += broken_links(scratch / "prefix/share/doc/caribou")
    finally:
        shutil.rmtree(scratch)
    faults += [fault for result in results for fault in result["faults"]]
    total = {key: sum(result["counts"].get(key, 0) for result in results)
             for key in ("commands", "loaded", "no-run", "long")}
    print("\n\n".join(faults))
    print(f"{total['commands']} commands run, {total['loaded']} blocks loaded, {blocks} compiled, {total['no-run']} not run "
          f"(limit {NO_RUN_LIMIT}), {total['long']} left for ./run test --full, {len(faults)} faults")
    over = total["no-run"] > NO_RUN_LIMIT or total["long"] > LONG_LIMIT
    return 1 if faults or over or total["commands"] == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
