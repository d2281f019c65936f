#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: callers_truth.py [--frame-pointers] RECORDED PROGRAM PROCESSES CHAINS

Holds the stack of each sleep of PROGRAM, in RECORDED.dat, against the callers that it says it had then, in
RECORDED.said; 0 is any. There must be that many processes, and different chains of callers in them. TAP.

Of a machine where a call leaves the return address in a register, frame pointers show all callers but perhaps that
of who sleeps: no stack may claim to be complete.
"""
import collections
import os
import re
import subprocess
import sys

from tracetext import Tap

STACK = re.compile(r"annot_stack:\s+id=(\d+) tgid=(\d+) kind=user complete=(\d) ips=([\d ]*)$")
BLOCKED = r"%s-(\d+)\s.*annot_blocked:.* stack=(\d+)"


def read_said(path):
    """process -> the callers of each of its sleeps, in order"""
    said = collections.defaultdict(list)
    with open(path, encoding="ascii") as file:
        for line in file:
            process, *callers = line.split()
            said[int(process)].append([int(word, 16) for word in callers])
    return said


def read_trace(path, program):
    """id -> (process, complete, addresses), and process -> the stacks of its sleeps, in order"""
    stacks, sleeps = {}, collections.defaultdict(list)
    blocked = re.compile(BLOCKED % re.escape(program))
    text = subprocess.run(["trace-cmd", "report", path], check=True, capture_output=True, text=True).stdout
    for line in text.splitlines():
        found = STACK.search(line)
        if found:
            stacks[int(found[1])] = int(found[2]), found[3] == "1", [int(word) for word in found[4].split()]
            continue
        found = blocked.search(line)
        if found:
            sleeps[int(found[1])].append(int(found[2]))
    return stacks, sleeps


def are_callers(addresses, callers):
    return len(addresses) == len(callers) and all(caller in (0, address)
                                                  for caller, address in zip(callers, addresses))


def has_callers(stack, callers):
    """Whether a stack has the callers, one after the other, and all."""
    _, complete, addresses = stack
    return complete and any(are_callers(addresses[at:at + len(callers)], callers) for at in range(len(addresses)))


def has_all_but_first(stack, callers):
    _, complete, addresses = stack
    return not complete and any(are_callers(addresses[at:at + len(callers) - 1], callers[1:])
                                for at in range(len(addresses)))


def main():
    by_frame_pointers = sys.argv[1] == "--frame-pointers"
    recorded, program, processes, chains = sys.argv[1 + by_frame_pointers:]
    tap = Tap()
    said = read_said(recorded + ".said")
    stacks, sleeps = read_trace(recorded + ".dat", program)
    # It also waits for its children, and to write.
    rests = {caller for process in said for callers in said[process] for caller in callers[:2]}
    complaints, kinds = [], set()
    for process, expected in said.items():
        own = [stacks.get(number, (0, False, [])) for number in sleeps[process]]
        own = [stack for stack in own if rests & set(stack[2])]
        if len(own) != len(expected):
            complaints.append(f"{process}: {len(own)} sleeps, not {len(expected)}")
        for at, (callers, stack) in enumerate(zip(expected, own)):
            kinds.add(tuple(callers))
            if stack[0] != process or not (has_all_but_first if by_frame_pointers else has_callers)(stack, callers):
                complaints.append(f"{process}, sleep {at}: {stack}, not {callers}")
    print(f"# {sum(map(len, said.values()))} sleeps of {len(said)} processes, {len(kinds)} chains of callers")
    tap.point("each sleep has the callers that it had" + ", but for the innermost" * by_frame_pointers, complaints[:10])
    tap.point("there are as many of each as should be",
              [] if (len(said), len(kinds)) == (int(processes), int(chains)) else [f"{len(said)} and {len(kinds)}"])
    return tap.failed


if __name__ == "__main__":
    sys.exit(main())
