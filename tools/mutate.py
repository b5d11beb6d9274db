#!/usr/bin/python3
"""Mutation testing: changes one operator, constant, condition or statement at a time and reports the changes that no
test notices. All sampled mutations are compiled into one test build and selected by number at run time.

Called by ./run mutate. Exits with 1 if a module misses its share.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

from mutation import sites as finder

TOP = pathlib.Path(__file__).resolve().parent.parent
BUILD = TOP / "build/mutate"
MUTANTS = TOP / "build/mutants"
EQUIVALENT = TOP / "tools/mutation/equivalent.txt"

# Sources of each module, the tests that have to notice, and the share (percent) that they have to notice.
MODULES = {
    "motion": (["motion/*"], ["motion_test", "robot_test"], 95),
    "link": (["link/*"], ["link_test", "robot_test", "station_test"], 95),
    "station": (["station/*"], ["station_test"], 0),
    "bus": (["bus/exchange", "bus/broker", "bus/connection", "bus/outbox", "bus/subscription*", "bus/variable*"],
            ["bus_test"], 0),
}
# Takes the place of TLS in simulations, and is tested there.
LEFT_OUT = ["src/link/keyed_network.cpp"]
MAX_EQUIVALENT = 3  # percent of the sample


def main():
    arguments = read_arguments()
    failed = False
    for module in [arguments.module] if arguments.module else MODULES:
        failed |= not run_module(module, arguments)
    sys.exit(1 if failed else 0)


def read_arguments():
    parser = argparse.ArgumentParser(prog="./run mutate", description=__doc__.split("\n\n")[0])
    parser.add_argument("module", nargs="?", choices=MODULES, help="only this module")
    parser.add_argument("--count", type=int, default=300, help="mutations per module (default 300)")
    parser.add_argument("--seed", type=int, default=int(time.time()) % 100000, help="seed of the sample")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="test programs that run at once")
    return parser.parse_args()


def run_module(module, arguments):
    patterns, programs, share = MODULES[module]
    say(f"mutate {module}: seed {arguments.seed}")
    sample = choose(patterns, arguments)
    build(programs)
    tests = [test for program in programs for test in tests_of(program)]
    reached = reach(tests, arguments.jobs)
    survivors = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        noticed = pool.map(lambda site: is_noticed(site, reached), sample)
        for done, (site, seen) in enumerate(zip(sample, noticed), 1):
            if not seen:
                survivors.append(site)
                say(describe(site, reached))
            progress(f"{done} of {len(sample)}, {len(survivors)} not noticed")
    return report(module, sample, survivors, reached, share, arguments)


def choose(patterns, arguments):
    """Finds all sites of the module, drops what does not compile, samples, and writes the mutated sources."""
    commands = {}
    for entry in json.loads((TOP / "build/lint/compile_commands.json").read_text()):
        commands[entry["file"]] = entry
    files = sorted({file for pattern in patterns for file in (TOP / "src").glob(pattern + ".cpp")
                    if not re.search(r"_(test|fuzz)\.cpp$", file.name) and name_of(file) not in LEFT_OUT})
    shutil.rmtree(MUTANTS, ignore_errors=True)
    everything = []
    for file in files:
        progress(f"reading {file.relative_to(TOP)}")
        everything += compilable(file, compiler_arguments(commands[str(file)]))
    sample = random.Random(arguments.seed).sample(everything, min(arguments.count, len(everything)))
    sample.sort(key=lambda site: (site.file, site.number))
    for number, site in enumerate(sample, 1):
        site.number = number
    for file in files:
        write(file, [site for site in sample if site.file == name_of(file)])
    say(f"{len(everything)} possible mutations in {len(files)} files, {len(sample)} sampled")
    return sample


def name_of(file):
    return str(file.relative_to(TOP))


def compiler_arguments(entry):
    words = entry.get("arguments") or entry["command"].split()
    words = words[next(i for i, word in enumerate(words) if "clang++" in word) + 1:]
    skip = {"-c", entry["file"], "-Werror"}
    out = words.index("-o") if "-o" in words else len(words)
    return [word for i, word in enumerate(words) if word not in skip and i not in (out, out + 1)] + ["-w"]


def compilable(file, arguments):
    """Returns the sites of `file`, without those on lines that do not compile when mutated."""
    found = finder.Finder(str(file), name_of(file), arguments).find()
    target = MUTANTS / file.relative_to(TOP / "src")
    while found:
        for number, site in enumerate(found, 1):
            site.number = number
        write(file, found)
        done = subprocess.run(["clang++-19", *arguments, "-include", TOP / "tools/mutation/mutation.hpp", "-fsyntax-only",
                               "-ferror-limit=0", target], capture_output=True, text=True, cwd=BUILD.parent)
        if done.returncode == 0:
            return found
        bad = {int(line) for line in re.findall(re.escape(str(target)) + r":(\d+):", done.stderr)}
        kept = [site for site in found if site.line not in bad]
        if len(kept) == len(found):
            sys.exit(f"mutate: error: {name_of(file)} does not compile when mutated:\n{done.stderr[:2000]}")
        found = kept
    return found


def write(file, sites):
    target = MUTANTS / file.relative_to(TOP / "src")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(finder.mutated(file.read_bytes(), sites))


def build(programs):
    progress("building")
    log = TOP / "build/log/mutate.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with open(log, "w") as out:
        for command in (["cmake", "--preset", "mutate"],
                        ["cmake", "--build", BUILD, "--parallel", os.environ.get("JOBS", str(os.cpu_count())),
                         "--target", *programs]):
            if subprocess.run(command, stdout=out, stderr=out, cwd=TOP).returncode != 0:
                sys.exit(f"mutate: error: the build failed; see {log}")


def tests_of(program):
    listed = subprocess.run([BUILD / program, "--gtest_list_tests"], capture_output=True, text=True, check=True)
    suite = ""
    for line in listed.stdout.splitlines():
        word = line.split("#")[0].strip()
        if line.startswith(" "):
            yield program, suite + word
        elif word.endswith("."):
            suite = word


def run_test(program, names, limit, **environment):
    """Returns whether the tests pass within `limit` seconds."""
    try:
        return subprocess.run(
            [BUILD / program, "--gtest_filter=" + ":".join(names), "--gtest_fail_fast", "--gtest_brief=1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit,
            env=os.environ | environment).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def reach(tests, jobs):
    """Runs every test once and returns, per mutation, the tests that evaluate it with the seconds they take."""
    reached = {}

    def one(test):
        with tempfile.NamedTemporaryFile("r") as file:
            start = time.monotonic()
            if not run_test(test[0], [test[1]], 600, CARIBOU_MUTANTS_REACHED=file.name):
                sys.exit(f"mutate: error: {test[1]} fails without any mutation")
            return test, time.monotonic() - start, [int(line) for line in file]

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for done, (test, seconds, numbers) in enumerate(pool.map(one, tests), 1):
            progress(f"test {done} of {len(tests)}")
            for number in numbers:
                reached.setdefault(number, []).append((seconds, test))
    return reached


def is_noticed(site, reached):
    """Runs the tests that reach the mutation, the quick ones first, until one fails."""
    tests = sorted(reached.get(site.number, []))
    for size in (1, 10, len(tests)):
        batch, tests = tests[:size], tests[size:]
        for program in sorted({test[0] for _, test in batch}):
            mine = [(seconds, test[1]) for seconds, test in batch if test[0] == program]
            limit = 10 + 10 * sum(seconds for seconds, _ in mine)
            if not run_test(program, [name for _, name in mine], limit, CARIBOU_MUTANT=str(site.number)):
                return True
    return False


def report(module, sample, survivors, reached, share, arguments):
    reasons = {}
    for line in EQUIVALENT.read_text().splitlines():
        if line and not line.startswith("#"):
            key, _, reason = line.rpartition(" | ")
            reasons[key] = reason
    equivalent = [site for site in survivors if site.key() in reasons]
    survivors = [site for site in survivors if site.key() not in reasons]
    clear_progress()
    for site in survivors:
        print(describe(site, reached))
    total = len(sample) - len(equivalent)
    noticed = total - len(survivors)
    percent = 100 * noticed / max(total, 1)
    print(json.dumps({"mutate": module, "seed": arguments.seed, "sampled": len(sample), "noticed": noticed,
                      "not_noticed": len(survivors), "equivalent": len(equivalent), "percent": round(percent, 1)}))
    if len(equivalent) > len(sample) * MAX_EQUIVALENT / 100:
        say(f"{module}: {len(equivalent)} mutations are called equivalent; at most {MAX_EQUIVALENT} % may be")
        return False
    if percent < share:
        say(f"{module}: {percent:.1f} % noticed; at least {share} % are needed")
        return False
    return True


def describe(site, reached):
    why = "" if site.number in reached else " (no test evaluates it)"
    return f"{site.file}:{site.line}: {site.change}{why}: {site.text}"


def say(text):
    clear_progress()
    print(text, file=sys.stderr)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def clear_progress():
    progress("")


if __name__ == "__main__":
    main()
