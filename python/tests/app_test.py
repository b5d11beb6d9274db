"""Apps, each run as a separate process."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

from conftest import DEADLINE


@pytest.fixture
def start(broker, tmp_path):
    """Starts an app of this class with these arguments."""
    started = []

    def make(body, *words):
        script = tmp_path / "app.py"
        script.write_text("import sys, threading, caribou\n" + textwrap.dedent(body) +
                          "\nsys.exit(Probe('pProbe').run())\n")
        there = [f"--moos_host={broker.host}", f"--moos_port={broker.port}"]
        started.append(subprocess.Popen([sys.executable, script, *words, *there], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True))
        return started[-1]

    yield make
    for process in started:
        process.kill()


def outcome(process):
    said, complained = process.communicate(timeout=DEADLINE)
    return process.returncode, said, complained


ECHO = """
class Probe(caribou.App):
    def on_start_up(self):
        print("up", self.name)
    def on_connect_to_server(self):
        self.register("ASKED", 0)
        self.notify("READY", self.get_community_name())
    def on_new_mail(self, mail):
        for message in mail:
            self.notify("ANSWER", message.string() + "!", "aux of " + self.name, 17.0)
    def iterate(self):
        pass
"""


def test_an_app_is_called_hears_and_answers_until_a_signal_ends_it(start, connect, mail_of):
    client = connect("asks")
    heard = mail_of(client, "READY", 0)
    process = start(ECHO, "--moos_iterate_mode=1", "--moos_max_app_tick=0")
    assert heard.get(timeout=DEADLINE).source() == "pProbe"
    assert client.register("ANSWER", 0) and client.notify("ASKED", "there")
    answer = heard.get(timeout=DEADLINE)
    assert (answer.string(), answer.source_aux(), answer.time()) == ("there!", "aux of pProbe", 17.0)
    process.send_signal(signal.SIGINT)
    status, said, complained = outcome(process)
    assert (status, said) == (0, "up pProbe\n")
    assert "Traceback" not in complained


def test_an_app_sends_receives_and_stays_connected_while_a_callback_blocks(start, connect, mail_of, tmp_path):
    client = connect("observer")
    heard = mail_of(client, "*", "*", 0)
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    process = start(f"""
        class Probe(caribou.App):
            def on_connect_to_server(self):
                self.register("COUNT", 0)
            def iterate(self):
                self.notify("BLOCKED", 1)
                open({str(gate)!r}).read()  # until the test opens the other end
            def on_new_mail(self, mail):
                self.notify("SUM", sum(message.double() for message in mail))
                self.quit()
        """)

    def wait_for(name):
        while (message := heard.get(timeout=DEADLINE)).name() != name:
            assert message.string() != "disconnected=pProbe"
        return message.double()

    wait_for("BLOCKED")
    for count in range(1, 11):
        assert client.notify("COUNT", count)
    enough = wait_for("DB_UPTIME") + 6.5  # a broker disconnects clients that are silent for 5 s
    while wait_for("DB_UPTIME") < enough:
        pass
    gate.write_text("")
    assert wait_for("SUM") == 55
    assert outcome(process)[0] == 0


def test_an_exception_is_printed_and_the_app_lives_on(start):
    status, said, complained = outcome(start("""
        class Probe(caribou.App):
            count = 0
            def iterate(self):
                self.count += 1
                if self.count == 3:
                    self.quit()
                raise LookupError(f"lost {self.count} times")
        """, "--moos_app_tick=50"))
    assert status == 0
    assert complained.count("Traceback") == 3
    assert "pProbe: iterate raised LookupError: lost 1 times" in complained


def test_a_failure_at_start_up_ends_the_program(start):
    status, _, complained = outcome(start("""
        class Probe(caribou.App):
            def on_start_up(self):
                return False
        """))
    assert status == 1
    assert "on_start_up returned False" in complained


def test_sys_exit_ends_an_app_with_its_status(start):
    assert outcome(start("""
        class Probe(caribou.App):
            def iterate(self):
                sys.exit(7)
        """))[0] == 7


def test_an_app_is_used_while_it_runs_and_in_its_own_thread(start):
    status, said, _ = outcome(start("""
        class Probe(caribou.App):
            def on_start_up(self):
                thread = threading.Thread(target=self.try_it)
                thread.start()
                thread.join()
                sys.exit(0)
            def try_it(self):
                try:
                    self.notify("X", 1)
                except RuntimeError as error:
                    print(error)
        Probe().try_it()
        """))
    assert status == 0
    assert said == ("an app talks to the bus from on_start_up on, and no longer than run()\n"
                    "an app is used in the thread of run(): take a comms() here\n")


DIVER = """
class Probe(caribou.App):
    def __init__(self, name):
        super().__init__(name)
        self.declare("TargetDepth", 30.0, "Metres to dive to", low=0, high=1000)
        self.declare("Legs", 2, "How often")
        self.declare("Loud", False, "Whether to sing")
        self.declare("Greeting", "ahoy", "What to say")
        self.declare("Waypoint", ["0,0"], "Where to go; may be repeated")
    def on_start_up(self):
        print(self.parameters)
        sys.exit(0)
"""


def test_parameters_come_from_the_mission_file_the_command_line_and_the_defaults(start, tmp_path):
    mission = tmp_path / "dive.moos"
    mission.write_text("ProcessConfig = pProbe\n{\n  TargetDepth = 12\n  Loud = true\n  Waypoint = 1,2\n"
                       "  Waypoint = 3,4\n}\n")
    status, said, complained = outcome(start(DIVER, str(mission), "--Legs=5"))
    assert (status, complained) == (0, "")
    assert said.strip() == str({"TargetDepth": 12.0, "Legs": 5, "Loud": True, "Greeting": "ahoy",
                                "Waypoint": ["1,2", "3,4"]})


def test_a_wrong_mission_file_gets_file_line_and_suggestion(start, tmp_path):
    mission = tmp_path / "dive.moos"
    mission.write_text("ProcessConfig = pProbe\n{\n  TargetDeph = 12\n}\n")
    status, said, complained = outcome(start(DIVER, str(mission)))
    assert (status, said) == (2, "")
    assert "dive.moos:3" in complained and "TargetDepth" in complained


def test_help_and_example_are_those_of_every_app(start):
    assert "--moos_app_tick" in outcome(start(DIVER, "--help"))[1]
    assert "Metres to dive to" in outcome(start(DIVER, "--moos_print_example"))[1]
