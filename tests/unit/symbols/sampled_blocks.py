#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: sampled_blocks.py story
       sampled_blocks.py judge REPORT.json ROWS.json

Prints the script of a trace (script_trace.py) in which 200 calls allocate small blocks, two in a line, of which one line in 8 is told;
and what annot tells of all blocks of each call against what is so.
"""
import collections
import json
import math
import random
import sys

NR_CALLS = 200
LINES = 160 # of each call
ONE_OF = 8
BLOCK_BYTES = 32
LEAST_UNITS = 5
Z = 1.959964
HEAP = 0x10000000
HEAP_BYTES = 0x1000000
# Of 200 intervals that each cover the truth in 95 of 100 cases, fewer do in one of 500,000.
LEAST_COVERED = 172


def name_of(call):
    return f"heap~{ONE_OF} make_{call} list.c:{call}"


def calls():
    """Of each call: whether its line is told, and the samples in each of its two blocks, by line."""
    numbers = random.Random(1)
    for call in range(NR_CALLS):
        usual = numbers.choice((1, 2, 4))
        yield call, [(numbers.randrange(ONE_OF) == 0, [int(numbers.expovariate(1 / usual)) for _ in range(2)])
                     for _ in range(LINES)]


def story():
    print("0 0 0 config text='event=0 name=miss mode=sample period=100 user=1'")
    print("0 0 0 switch next_pid=100 next_comm=prog")
    print("5 0 9 marker buf='annot|cpu|0|0|0|0|'")
    print(f"6 0 9 marker buf='annot|data|100|{HEAP:x}|{HEAP_BYTES:x}|0||0|[heap]'")
    print("10 0 100 marker buf='annot|session'")
    time, address = 1000, HEAP
    for call, lines in calls():
        for told, blocks in lines:
            for samples in blocks:
                if told:
                    print(f"{time} 0 100 marker buf='I|100|@object_bytes|{BLOCK_BYTES}'")
                    print(f"{time + 1} 0 100 marker buf='I|100|@object {name_of(call)}|{address}'")
                for _ in range(samples):
                    time += 2
                    print(f"{time} 0 100 sample period=100 has=0x11 addr={address + 8}")
                time += 2
                address += BLOCK_BYTES
    print(f"{time + 10} 0 100 switch prev_state=1")


def estimate(lines):
    """Samples of all lines, and the interval, from those of the lines that are told; no interval: None."""
    told = [sum(blocks) for is_told, blocks in lines if is_told]
    value, squares = ONE_OF * sum(told), sum(number ** 2 for number in told)
    if not squares or sum(told) ** 2 / squares < LEAST_UNITS - 1e-9:
        return value, None, None
    variance = ONE_OF * ((ONE_OF - 1) * squares + sum(told))
    middle = Z * Z * variance / value / 2
    half = math.sqrt(Z * Z * variance + middle ** 2)
    return value, value + middle - half, value + middle + half


def close(number, wanted):
    return (number is None) == (wanted is None) and (number is None or abs(number - wanted) < 1e-4 * max(abs(wanted), 1e-3))


def judge(report, rows):
    with open(report, encoding="utf-8") as file:
        objects = {row["object"]: row for row in json.load(file)["data_objects"]["objects"]}
    with open(rows, encoding="utf-8") as file:
        ranked = {row["object"]: row for row in json.load(file)["events"][0]["rows"]}
    truths = {call: lines for call, lines in calls()}
    all_samples = sum(sum(map(sum, (blocks for _, blocks in lines))) for lines in truths.values())
    seen = collections.Counter()
    for call, lines in truths.items():
        row, own = objects.get(name_of(call)), ranked.get(name_of(call))
        truth = sum(sum(blocks) for _, blocks in lines)
        value, low, high = estimate(lines)
        if not value:
            seen["without a sample"] += 1
            continue
        wanted = [None, None, None] if low is None else [value / all_samples, low / all_samples, high / all_samples]
        for key, number in zip(("all_pct", "all_low_pct", "all_high_pct"), wanted):
            if not close(row[key], number and 100 * number):
                print(f"{name_of(call)}: {key} is {row[key]}, not {number}")
        for key, number in zip(("all_share", "all_low", "all_high"), wanted):
            if not close(own[key], number):
                print(f"{name_of(call)}: {key} is {own[key]}, not {number}")
        lines_told = sum(told and sum(blocks) > 0 for told, blocks in lines)
        for found in (row, own):
            if (found["one_of"], found["sampled_lines"]) != (ONE_OF, lines_told):
                print(f"{name_of(call)}: {found['one_of']}, {found['sampled_lines']} lines; not {ONE_OF}, {lines_told}")
        seen["known"] += low is not None
        seen["covered"] += low is not None and row["all_low_pct"] <= 100 * truth / all_samples <= row["all_high_pct"]
    if seen["known"] < NR_CALLS - 10 or not LEAST_COVERED <= seen["covered"] <= seen["known"]:
        print(f"{seen}")
    heap = objects["[heap]"]
    if heap["one_of"] is not None or heap["all_pct"] is not None:
        print(f"the heap: {heap}")
    if sum(row["samples"] for row in objects.values()) != all_samples:
        print("a sample is of two rows, or none")
    print(f"# {dict(seen)}", file=sys.stderr)


if sys.argv[1] == "story":
    story()
else:
    judge(*sys.argv[2:])
