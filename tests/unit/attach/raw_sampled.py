#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: raw_sampled.py RAW PROGRAM DONE ONE_OF

Holds the blocks of memory that RAW tells, a plain file in the place of trace_marker_raw, against what PROGRAM has DONE
(heap_sampled.cc). Told are the blocks of 1024 bytes and more; and of the others those that begin in lines of a random sample, of one
line in ONE_OF: each time, with their ends.
"""
import collections
import math
import sys

from raw_places import PLACE, annotations, lines_in

OBJECT = "@object "
ALWAYS_BYTES = 1024
# Of a right program, one in 500 million runs is farther off.
SIGMAS = 6


def told_blocks(path, program, word):
    """(address, bytes, whether it is of the sample), and the addresses of all ends."""
    notes = [note for note in annotations(path) if note.name.startswith("@object")]
    places = {note.name: PLACE.match(note.name[len(OBJECT):]) for note in notes if note.name.startswith(OBJECT)}
    lines = lines_in(program, places.values())
    told_bytes, blocks, ends = {}, [], []
    for note in notes:
        address = note.value & (1 << 64) - 1
        if note.name == "@object_bytes":
            told_bytes[note.tid] = note.value
        elif note.name == "@object_end":
            ends.append(address)
        elif (place := places[note.name]) and int(place[4], 16) in lines and place[1] in ("heap", word):
            blocks.append((address, told_bytes[note.tid], place[1] == word))
    return blocks, ends


def done_blocks(path):
    """(address, bytes), and (address, bytes) of those that end."""
    blocks, ends, live, before_fork = [], [], {}, None
    with open(path, encoding="utf-8") as file:
        for kind, *values in map(str.split, file):
            if kind == "forked":
                before_fork = before_fork or live
                live = dict(before_fork)
                continue
            address, *size = values
            address = int(address, 16)
            if kind == "heap":
                live[address] = int(size[0])
                blocks.append((address, live[address]))
            else:
                ends.append((address, live[address]))
    return blocks, ends


def differences(what, wanted, found):
    wanted, found = collections.Counter(wanted), collections.Counter(found)
    for key in list((wanted - found) + (found - wanted))[:10]:
        print(f"{what} {key}: {wanted[key]} times, {found[key]} told")


def main():
    path, program, done, one_of = sys.argv[1:]
    word = "heap" if one_of == "1" else "heap~" + one_of
    told, told_ends = told_blocks(path, program, word)
    blocks, ends = done_blocks(done)
    sample = {address >> 6 for address, size, of_sample in told if of_sample and size < ALWAYS_BYTES}
    small = {address >> 6 for address, size in blocks if size < ALWAYS_BYTES}
    wanted = [(address, size, size < ALWAYS_BYTES or one_of == "1") for address, size in blocks
              if size >= ALWAYS_BYTES or address >> 6 in sample]
    differences("block", wanted, told)
    wanted_ends = collections.Counter(address for address, size in ends if size >= ALWAYS_BYTES or address >> 6 in sample)
    addresses = {address for address, _ in blocks}
    differences("end", wanted_ends, [address for address in told_ends if address in addresses])
    share = 1 / int(one_of)
    error = SIGMAS * math.sqrt(len(small) * share * (1 - share))
    if len(small) < 100000 or abs(len(sample) - len(small) * share) > error:
        print(f"{len(sample)} lines told of {len(small)}, not {len(small) * share:.0f} +/- {error:.0f}")
    print(f"# {len(sample)} lines told of {len(small)}, {len(told)} blocks of {len(blocks)}", file=sys.stderr)


main()
