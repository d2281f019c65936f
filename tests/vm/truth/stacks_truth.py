#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: stacks_truth.py PROGRAM DIRECTORY NAME...

Holds the stacks in each DIRECTORY/NAME.dat against the chains of calls that PROGRAM
(tests/workloads/callers.c) wrote into NAME.chains. Prints TAP.
"""
import bisect
import collections
import itertools
import re
import subprocess
import sys

from tracetext import Tap

STACK = re.compile(r"annot_stack:\s+id=(\d+) tgid=\d+ kind=user complete=(\d) ips=([\d ]*)$")
SAMPLE = re.compile(r"^\s*(.*)-(\d+)\s+\[\d+\].*annot_sample:.* stack=(\d+) has=(\S*)")

LEAST_SHARE = 0.99
LEAST_STACKS = 1000
# annot learns what a program maps while it already runs: of a busy machine's stacks, the first ones end
# early. They must be right as far as they go, and be marked.
MOST_EARLY_SHARE = 0.1

# From where a thread begins to the function that calls places.
MAIN = ["main", "run"]
THREAD = ["thread", "run"]


class Symbols:
    """The program's own functions."""
    def __init__(self, program):
        text = subprocess.run(["nm", "-S", "--defined-only", program], check=True,
                              capture_output=True, text=True).stdout
        rows = [line.split() for line in text.splitlines()]
        self.rows = sorted((int(row[0], 16), int(row[1], 16), row[3]) for row in rows
                           if len(row) == 4 and row[2] in "tT")
        self.starts = [row[0] for row in self.rows]

    def address(self, name):
        return next(start for start, _, symbol in self.rows if symbol == name)

    def name(self, address):
        at = bisect.bisect_right(self.starts, address) - 1
        if at < 0 or address >= self.rows[at][0] + self.rows[at][1]:
            return None
        return self.rows[at][2].split(".")[0]


class Truth:
    def __init__(self, path, symbols):
        with open(path, encoding="ascii") as file:
            head, *ends = file.read().splitlines()
        _, address, _, depth = head.split()
        self.base = int(address, 16) - symbols.address("main")
        outer = ["outer"] * int(depth)
        # Also what is above the places, in passing.
        tails = [outer + end.split() for end in ends] + [outer[:n] for n in range(len(outer) + 1)]
        self.chains = {tuple(begin + tail) for begin in (MAIN, THREAD) for tail in tails}
        self.chains |= {("main",), ("thread",)}
        self.parts = {chain[at:] for chain in self.chains for at in range(len(chain))}


def read_trace(path):
    """id -> (complete, addresses); and the ids of the program's samples, 0 for those without."""
    stacks, samples = {}, []
    text = subprocess.run(["trace-cmd", "report", path], check=True, capture_output=True,
                          text=True).stdout
    for line in text.splitlines():
        found = STACK.search(line)
        if found:
            stacks[int(found[1])] = (found[2] == "1", [int(word) for word in found[3].split()])
            continue
        found = SAMPLE.match(line)
        if found and found[1].strip() == "callers":
            samples.append(int(found[3]))
    return stacks, samples


def judge(symbols, truth, stacks, samples):
    complaints, wrong = [], collections.Counter()
    def is_in_main(number):
        return any(symbols.name(ip - truth.base) for ip in stacks.get(number, (0, []))[1])

    def chain_of(number):
        # A return address may be that behind the function's last call.
        names = [symbols.name(ip - truth.base - (at > 0))
                 for at, ip in enumerate(stacks[number][1])]
        return tuple(name for name in reversed(names) if name and name != "_start")

    def is_early(number):
        return not stacks[number][0] and chain_of(number) in truth.parts

    # Before main() the dynamic linker works.
    first = next((at for at, number in enumerate(samples) if is_in_main(number)), len(samples))
    samples = samples[first:]
    in_main = [number for number in samples if is_in_main(number)]
    early = len(list(itertools.takewhile(is_early, in_main)))
    if early > MOST_EARLY_SHARE * len(in_main):
        complaints.append(f"the first {early} of {len(in_main)} end early")
    in_main = in_main[early:]
    kinds = collections.Counter()
    for number in in_main:
        complete, ips = stacks[number]
        chain = chain_of(number)
        if complete and chain in truth.chains:
            kinds[" ".join(chain[-2:])] += 1
        else:
            wrong[complete, chain, tuple(hex(ip) for ip in ips[:3] + ips[-2:])] += 1
    untold = sum(1 for number in samples if number and number not in stacks)
    none = sum(1 for number in samples if not number)
    good = sum(kinds.values())
    print(f"# {len(samples)} samples, {none} without a stack, {early} early, {len(in_main)} below main or "
          f"thread, {good} complete and right; {len(stacks)} stacks; {dict(kinds)}")
    if untold:
        complaints.append(f"{untold} samples refer to stacks that the trace does not tell")
    if len(in_main) < LEAST_STACKS:
        complaints.append(f"only {len(in_main)} stacks")
    if len(samples) - none < LEAST_SHARE * len(samples) or good < LEAST_SHARE * len(in_main):
        complaints.append(f"{none} of {len(samples)} have none; {good} of {len(in_main)} are right")
        complaints += [f"{count} times {what}" for what, count in wrong.most_common(8)]
    complaints += [f"no stack ends in {name}" for name in
                   ("in_leaf leaf", "outer in_memcpy", "in_qsort compare", "outer in_qsort",
                    "outer in_malloc", "aligned leaf", "handle leaf") if not kinds[name]]
    return complaints


def main():
    program, directory, *names = sys.argv[1:]
    symbols = Symbols(program)
    tap = Tap()
    for name in names:
        truth = Truth(f"{directory}/{name}.chains", symbols)
        tap.point(f"{name}: stacks are complete and right",
                  judge(symbols, truth, *read_trace(f"{directory}/{name}.dat")))
    sys.exit(tap.failed)


if __name__ == "__main__":
    main()
