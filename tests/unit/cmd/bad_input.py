#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: bad_input.py [FLIPS]
#
# Whatever a file holds, annot ends by itself, soon, without much memory, and with status 0 or 1. If
# it is 1, stderr is one line that names the file, and stdout is empty; if it is 0, stderr has
# nothing but warnings. TAP.
import os
import random
import resource
import subprocess
import sys
import tempfile

SECONDS = 20
MEMORY_BYTES = int(os.environ.get("ANNOT_TEST_MEMORY", 1 << 30))    # 0: for sanitizers
FLIPS = int(sys.argv[1]) if len(sys.argv) > 1 else 200
DATA = "tests/data"
MADE_EVERY = 4      # a page and the like are made of what was read: fewer files tell as much
OUTPUT = tempfile.NamedTemporaryFile()
EVENTS = "events"   # it prints what comes before the damage
ANNOT = os.environ.get("ANNOT", "build/annot")


def limit_memory():
    if MEMORY_BYTES:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def commands(path):
    yield "report", [ANNOT, "report", path]
    yield "html", [ANNOT, "html", "-o", OUTPUT.name, path]
    yield "a part", [ANNOT, "html", "--from", "+1us", "--to", "+1s", "--cpu", "0", "-o", OUTPUT.name, path]
    yield "convert", [ANNOT, "convert", "--perfetto", "-o", OUTPUT.name, path]
    yield EVENTS, [ANNOT, "events", path]


def why_wrong(command, path, want_failure):
    try:
        run = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False,
                             stdin=subprocess.DEVNULL, preexec_fn=limit_memory)
    except subprocess.TimeoutExpired:
        return f"has not ended after {SECONDS} s"
    lines = run.stderr.decode(errors="replace").splitlines()
    if run.returncode not in (0, 1):
        return f"exit status {run.returncode}"
    if want_failure and run.returncode != 1:
        return "exit status 0 for what cannot be read"
    if run.returncode == 0:
        told = "annot: warning: ", f"annot: {path}: left out: "
        wrong = [line for line in lines if not line.startswith(told)]
        return f"status 0, but: {wrong[0]}" if wrong else None
    if len(lines) != 1 or not lines[0].startswith("annot: ") or path not in lines[0]:
        return f"not one line that names the file: {lines[:3]}"
    if run.stdout and command[1] != EVENTS:
        return "something on stdout"
    return None


class Checks:
    def __init__(self, directory):
        self.path = os.path.join(directory, "bad.dat")

    def run(self, name, path=None, want_failure=True, without=None):
        for tool, command in commands(path or self.path):
            if tool == without:
                continue
            why = why_wrong(command, path or self.path, want_failure)
            if why:
                print(f"# {why}")
            print(f"{'not ok' if why else 'ok'} - {tool}: {name}")

    def run_all(self, name, variants):
        """One test point for many files: variants yields (what, bytes)."""
        wrong = {tool: [] for tool, _ in commands("")}
        tried = dict.fromkeys(wrong, 0)
        for number, (what, content) in enumerate(variants):
            self.write(content)
            for tool, command in commands(self.path):
                if tool != "report" and number % MADE_EVERY:
                    continue
                tried[tool] += 1
                why = why_wrong(command, self.path, False)
                if why:
                    wrong[tool].append(f"{what}: {why}")
        for tool, found in wrong.items():
            for line in found[:10]:
                print(f"# {line}")
            good = tried[tool] and not found
            print(f"{'ok' if good else 'not ok'} - {tool}: {name} ({tried[tool]} files)")

    def write(self, content):
        with open(self.path, "wb") as file:
            file.write(content)


def cut(content, places):
    for place in places:
        yield f"cut at {place}", content[:place]


def flipped(content, seed, number):
    rng = random.Random(seed)
    for _ in range(number):
        place, bit = rng.randrange(len(content)), rng.randrange(8)
        damaged = bytearray(content)
        damaged[place] ^= 1 << bit
        yield f"bit {bit} of byte {place}", bytes(damaged)


def scribbled(content, seed, number):
    """A run of bytes as they come, which also makes lengths huge or negative."""
    rng = random.Random(seed)
    for _ in range(number):
        place, length = rng.randrange(len(content)), rng.randrange(1, 64)
        noise = rng.choice((bytes(length), b"\xff" * length, rng.randbytes(length)))
        yield f"{length} bytes at {place}", content[:place] + noise + content[place + length:]


def without_switches(content):
    """The event has another name: then nobody knows of switches."""
    return content.replace(b"name: sched_switch\n", b"name: sched_swatch\n")


def check_no_traces(checks, directory):
    checks.run("a missing file", os.path.join(directory, "missing.dat"))
    checks.run("a directory", directory)
    checks.run("a device", "/dev/null")
    for name, content in (("an empty file", b""), ("one byte", b"\x17"),
                          ("a text file", b"This is not a trace.\n" * 100),
                          ("the magic number alone", b"\x17\x08\x44tracing"),
                          ("an unknown version", b"\x17\x08\x44tracing9\0" + bytes(100)),
                          ("a version without end", b"\x17\x08\x44tracing" + b"7" * 100)):
        checks.write(content)
        checks.run(name)
    fifo = os.path.join(directory, "fifo")
    os.mkfifo(fifo)
    checks.run("a FIFO", fifo)


def check_damaged(checks, name, flips):
    with open(f"{DATA}/{name}.dat", "rb") as file:
        content = file.read()
    size = len(content)
    checks.run_all(f"{name}: cut short",
                   cut(content, [*range(0, 64, 4), *range(64, size, size // 40)]))
    checks.run_all(f"{name}: a flipped bit", flipped(content, 20260801, flips))
    checks.run_all(f"{name}: scribbled over", scribbled(content, 4711, flips // 4))


def main():
    with tempfile.TemporaryDirectory() as directory:
        checks = Checks(directory)
        check_no_traces(checks, directory)
        with open(f"{DATA}/v6-6.1.dat", "rb") as file:
            checks.write(without_switches(file.read()))
        checks.run("no sched_switch events", without=EVENTS)
        check_damaged(checks, "v6-6.1", FLIPS)
        check_damaged(checks, "zstd-6.12", FLIPS)
        check_damaged(checks, "plain-6.12", FLIPS // 2)
        check_damaged(checks, "lost-6.1", FLIPS // 2)


main()
