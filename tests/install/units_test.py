"""Starts robot and station exactly as their systemd units would, and expects them to connect to each other.

Called with the build tree. Installs it as the package does (prefix /usr, the postinst script) into
namespaces of its own, so that every path is the real one and nothing outside changes. systemd itself
is not started: user, groups, environment, limits, folders and commands are read from the unit files.
Without root the namespaces have only one user, which then replaces the services' user.
"""
import grp
import json
import os
import pathlib
import pwd
import re
import resource
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

TOP = pathlib.Path(__file__).resolve().parents[2]
UNITS = pathlib.Path("/usr/lib/systemd/system")
LIMIT = 60  # seconds, for every single wait
HAS_USERS = int(pathlib.Path("/proc/self/uid_map").read_text(encoding="ascii").split()[2]) > 1
CAPABILITIES = int(re.search(r"CapEff:\s*(\w+)", pathlib.Path("/proc/self/status").read_text())[1], 16)
MAY_RAISE_LIMITS = HAS_USERS and CAPABILITIES >> 24 & 1  # CAP_SYS_RESOURCE, which containers lack


def expect(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def run(*command, **options):
    done = subprocess.run([str(word) for word in command], text=True, capture_output=True, **options)
    expect(done.returncode == 0, f"{shlex.join(map(str, command))}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Unit:
    """Returns the settings of a unit file; a repeated setting has several values."""

    def __init__(self, name):
        self.name = name
        self.settings = {}
        for line in (UNITS / name).read_text(encoding="utf-8").splitlines():
            if "=" in line and not line.startswith("#"):
                key, value = line.split("=", 1)
                self.settings.setdefault(key, []).append(value)

    def one(self, key):
        expect(len(self.settings.get(key, [])) == 1, f"{self.name} has no single {key}=")
        return self.settings[key][0]

    def environment(self):
        # The environment that systemd gives to every service, and that of this one.
        values = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin", "LANG": "C.UTF-8"}
        for line in self.settings["Environment"]:
            values.update(word.split("=", 1) for word in shlex.split(line))
        return values

    def make_folders(self):
        folder = pathlib.Path("/var/lib") / self.one("StateDirectory")
        folder.mkdir(exist_ok=True)
        folder.chmod(int(self.one("StateDirectoryMode"), 8))
        if HAS_USERS:
            shutil.chown(folder, self.one("User"), self.one("Group"))

    def become(self):
        """Runs in the child, between fork and exec."""
        groups = [grp.getgrnam(name).gr_gid for name in self.settings.get("SupplementaryGroups", [])]
        for key, limit in (("LimitRTPRIO", resource.RLIMIT_RTPRIO), ("LimitNOFILE", resource.RLIMIT_NOFILE)):
            if key in self.settings and MAY_RAISE_LIMITS:
                resource.setrlimit(limit, (int(self.one(key)), int(self.one(key))))
        os.chdir(self.one("WorkingDirectory"))
        os.umask(int(self.one("UMask"), 8))
        if HAS_USERS:
            os.setgroups(groups)
            os.setresgid(*[grp.getgrnam(self.one("Group")).gr_gid] * 3)
            os.setresuid(*[pwd.getpwnam(self.one("User")).pw_uid] * 3)

    def start(self, key, errors, **more):
        return subprocess.Popen(shlex.split(self.one(key)), env=self.environment() | more, text=True,
                                preexec_fn=self.become, stdout=subprocess.PIPE, stderr=errors)


def check_units(units):
    """The units are valid, disabled, and as exposed as docs/service.md documents."""
    run("systemd-analyze", "verify", "--man=no", *[UNITS / unit.name for unit in units])
    page = (TOP / "docs/service.md").read_text(encoding="utf-8")
    for unit in units:
        report = run("systemd-analyze", "security", "--offline=yes", "--no-pager", UNITS / unit.name)
        score = re.search(r"Overall exposure level for \S+: ([0-9.]+)", report)[1]
        expect(f"| `{unit.name}` | {score} |" in page, f"docs/service.md does not list {score} for {unit.name}")
    expect(units[0].one("RestartPreventExitStatus") == "10", "a robot in RM0 would be started again")
    expect(not list(pathlib.Path("/etc/systemd").rglob("*.wants/caribou*")), "a unit is enabled")


def fake_systemctl():
    """A fake systemctl that records its arguments, on a machine that appears to run systemd."""
    run("mount", "-t", "tmpfs", "tmpfs", "/run")
    pathlib.Path("/run/systemd/system").mkdir(parents=True)
    tools = pathlib.Path("/run/bin")
    tools.mkdir()
    for name in ["systemctl", "deb-systemd-invoke"] + ([] if HAS_USERS else ["adduser", "chown"]):
        (tools / name).write_text('#!/bin/sh\necho "$@" >>/run/systemctl.calls\n')
        (tools / name).chmod(0o755)
    return dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}")


def systemctl_calls():
    calls = pathlib.Path("/run/systemctl.calls")
    return calls.read_text().splitlines() if calls.exists() else []


def find_each_other(robot, station, scripts, environment):
    notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notices.bind("/run/notify")
    os.chmod("/run/notify", 0o777)
    notices.settimeout(LIMIT)
    errors = {unit: open(f"/run/{unit.name}.log", "w+", encoding="utf-8") for unit in (robot, station)}
    processes = []
    try:
        for unit in (station, robot):
            unit.make_folders()
            check = unit.start("ExecStartPre", subprocess.STDOUT)
            output, _ = check.communicate(timeout=LIMIT)
            expect(check.returncode == 0, f"ExecStartPre of {unit.name}: {output}")
            processes.append(unit.start("ExecStart", errors[unit], NOTIFY_SOCKET="/run/notify"))
        while b"READY=1" not in notices.recv(4096):
            pass
        deadline = time.monotonic() + LIMIT
        robots = []
        while not any(one["run_mode"] == "RM3" and one["mode"].startswith("run") for one in robots):
            logs = "".join(pathlib.Path(file.name).read_text(encoding="utf-8") for file in errors.values())
            expect(time.monotonic() < deadline, f"the station does not drive the robot: {robots}\n{logs}")
            shown = subprocess.run(["/usr/bin/caribou", "robots", "--json"], text=True, capture_output=True)
            robots = json.loads(shown.stdout) if shown.returncode == 0 else []

        # An upgrade does not affect running services.
        before = [process.poll() for process in processes]
        pathlib.Path("/etc/caribou/station.toml").open("a", encoding="utf-8").write("# edited\n")
        run("sh", scripts / "prerm", "upgrade", "0.2.0", env=environment)
        run("sh", scripts / "postinst", "configure", "0.1.0", env=environment)
        expect(before == [None, None] == [process.poll() for process in processes], "an upgrade ended a service")
        expect(set(systemctl_calls()) <= {"daemon-reload"}, f"an upgrade calls systemctl: {systemctl_calls()}")
        expect("# edited" in pathlib.Path("/etc/caribou/station.toml").read_text(), "an upgrade replaced a file")

        for process in reversed(processes):
            process.send_signal(signal.SIGTERM)
            expect(process.wait(LIMIT) == 0, "a service does not end in good order")
        log = pathlib.Path(errors[robot].name).read_text(encoding="utf-8")
        missing = [int(priority) for priority in re.findall(r"without real-time priority (\d+)", log)]
        expect(not missing or not MAY_RAISE_LIMITS, f"LimitRTPRIO has no effect:\n{log}")
        expect(max(missing, default=0) <= int(robot.one("LimitRTPRIO")), f"LimitRTPRIO is too low:\n{log}")
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()


MOOS_NAMES = ("MOOSDB", "pLogger", "pShare", "uProcessWatch", "uTimerScript")


def check_moosdb(scripts, environment):
    """The package provides the names of MOOS's programs, and does not replace an original one."""
    for name in MOOS_NAMES:
        expect(os.path.realpath(f"/usr/bin/{name}") == "/usr/bin/caribou", f"{name} is not the program")
    moosdb = pathlib.Path("/usr/bin/MOOSDB")
    expect(os.path.realpath(moosdb) == "/usr/bin/caribou", "MOOSDB is not the program")
    expect("caribou" in run(moosdb, "--moos_print_version"), "MOOSDB is not the broker")
    moosdb.unlink()
    moosdb.write_text("the original")
    run("sh", scripts / "postinst", "configure", "", env=environment)
    expect(moosdb.read_text() == "the original", "the package replaces an original MOOSDB")
    moosdb.unlink()
    run("sh", scripts / "postinst", "configure", "", env=environment)
    expect(os.path.realpath(moosdb) == "/usr/bin/caribou", "MOOSDB is not restored")


def inside(scratch):
    """Runs the test as root of new namespaces."""
    run("ip", "link", "set", "lo", "up")
    for top, lower in ("/usr", f"{scratch}/root/usr:/usr"), ("/etc", "/etc"):
        work = scratch / top[1:]
        work.mkdir()
        run("mount", "-t", "tmpfs", "tmpfs", work)
        (work / "upper").mkdir()
        (work / "work").mkdir()
        run("mount", "-t", "overlay", "overlay", "-o",
            f"lowerdir={lower},upperdir={work}/upper,workdir={work}/work", top)
    for folder in "/var/lib", "/var/log":
        run("mount", "-t", "tmpfs", "tmpfs", folder)
    os.makedirs("/var/lib/dpkg/alternatives")
    environment = fake_systemctl()
    scripts = TOP / "packaging/debian"
    old_key = pathlib.Path("/etc/caribou/keys/old.key")
    old_key.parent.mkdir(parents=True)
    old_key.write_text("the key file of version 0.1.0")
    run("sh", scripts / "postinst", "configure", "0.1.0", env=environment)
    expect(pathlib.Path("/var/lib/caribou/keys/old.key").exists(), "keys of version 0.1.0 are not kept")
    expect(not HAS_USERS or pathlib.Path("/var/lib/caribou/keys/old.key").owner() == "caribou", "a key is still root's")
    shutil.rmtree("/var/lib/caribou/keys")
    check_moosdb(scripts, environment)
    units = robot, station = Unit("caribou-robot.service"), Unit("caribou-station.service")
    check_units(units)
    find_each_other(robot, station, scripts, environment)
    run("sh", scripts / "prerm", "remove", env=environment)
    expect(any(call.startswith("stop ") for call in systemctl_calls()), "removal does not stop the services")
    for name in MOOS_NAMES:
        expect(not os.path.lexists(f"/usr/bin/{name}"), f"removal leaves {name}")
    run("sh", scripts / "postrm", "purge", env=environment)
    for folder in ("/etc/caribou", "/var/lib/caribou"):
        expect(not os.path.exists(folder), f"purge leaves {folder}")
    print("robot and station find each other")


def main():
    if sys.argv[1] == "--inside":
        return inside(pathlib.Path(sys.argv[2]))
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # the services' user reads the program from here
        run("cmake", "--install", sys.argv[1], "--prefix", "/usr", "--component", "runtime",
            env=dict(os.environ, DESTDIR=folder + "/root"))
        as_root = [] if os.geteuid() == 0 else ["--map-root-user"]
        return subprocess.run(["unshare", *as_root, "--mount", "--net", "--ipc", sys.executable, "-B", __file__,
                               "--inside", folder], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
