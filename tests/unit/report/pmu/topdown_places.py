#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: topdown_places.py [-n] SAID

The script of a trace (script_trace.py) whose task "chase" is memory bound, and in which samples fell where symbols_program.c said
that its things are: of misses, 30 at the instruction of hot and 10 at that of cold, and 20 of them at the variable zeroed, 18 at
filled, and 2 without an address; of cycles, 40 in cold, which the finding is not to name. With -n, only 9 of misses.
"""
import argparse
import re

MS, SLOTS = 10**6, 10**6
RETIRING, BAD, FRONT, BACK, MEMORY = 0.15, 0.05, 0.05, 0.75, 0.6
NAMES = ("topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound", "topdown-mem-bound")
USER, ADDRESS = 0x10, 1
MISS, CYCLES = len(NAMES), len(NAMES) + 1
SLICES = 40


def mappings(said):
    for rest in said.get("map", []):
        start, end, offset, path = re.match(r"([0-9a-f]+)-([0-9a-f]+) .... ([0-9a-f]+) \S+ \S+ *(.*)", rest).groups()
        if path.startswith("/") and not path.endswith(".c"):
            yield f"annot|map|100|{start}|{int(end, 16) - int(start, 16):x}|{offset}||0|{path}"


def samples(said, few):
    code = {rest.split()[0]: rest.split()[1] for rest in said["code"]}
    data = {rest.split()[0]: rest.split()[1] for rest in said["data"]}
    for i in range(9 if few else 40):
        at = f"ip={code['hot' if i % 4 else 'cold']}"
        if i % 20 == 0:
            yield f"sample event={MISS} period=1000 has={USER} {at}"
        else:
            yield f"sample event={MISS} period=1000 has={USER | ADDRESS} {at} addr={data['zeroed' if i % 2 else 'filled']}"
        yield f"sample event={CYCLES} period=1000 has={USER} ip={code['cold']}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-n", action="store_true")
    parser.add_argument("said")
    options = parser.parse_args()
    said = {}
    with open(options.said, encoding="utf-8") as file:
        for line in file:
            kind, rest = line.rstrip("\n").split(" ", 1)
            said.setdefault(kind, []).append(rest)
    for i, name in enumerate(NAMES):
        print(f"0 0 0 config text='event={i} name={name} mode=count user=1'")
    print(f"0 0 0 config text='event={MISS} name=l1_cache_miss mode=sample period=1000 user=1 precise=2'")
    print(f"0 0 0 config text='event={CYCLES} name=cycles mode=sample period=1000 user=1 precise=2'")
    print("0 0 0 switch next_pid=100 next_comm=program")
    print("1 0 100 marker buf='annot|session'")
    for at, line in enumerate(mappings(said)):
        print(f"{2 + at} 0 100 marker buf='{line}'")
    print("1000 0 100 begin name=chase tgid=100")
    for at, line in enumerate(samples(said, options.n)):
        print(f"{2000 + at} 0 100 {line}")
    counts = ",".join(str(round(share * SLOTS)) for share in (RETIRING, BAD, FRONT, BACK, MEMORY))
    for at in range(1, SLICES + 1):
        print(f"{at * MS} 0 100 counts counts={counts}")
    print(f"{SLICES * MS} 0 100 end tgid=100")
    # Outside of the task: not its own.
    for at in range(20):
        print(f"{SLICES * MS + 1 + at} 0 100 sample event={MISS} period=1000 has={USER} ip=0x10")
    print(f"{(SLICES + 1) * MS} 0 100 switch prev_state=1")


main()
