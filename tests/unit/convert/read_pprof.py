#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: read_pprof.py FILE
#
# Prints a profile in the format of pprof, read by the fields' numbers in profile.proto: the types of values, then a
# line for each sample: "VALUE... {LABEL=...} FUNCTION@FILE:LINE in MAPPING < CALLER ...".
import gzip
import sys


def varint(data, at):
    value = shift = 0
    while True:
        value |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return value, at


def fields(data):
    """Of each field its number, and a number or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            assert key & 7 == 2, f"wire type {key & 7}"
            size, at = varint(data, at)
            assert at + size <= len(data), "a field is longer than its message"
            value, at = data[at:at + size], at + size
        yield key >> 3, value


def message(data):
    found = {}
    for number, value in fields(data):
        found.setdefault(number, []).append(value)
    return found


def numbers(data):
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        yield value


def one(found, number):
    return found.get(number, [0])[0]


def main():
    with gzip.open(sys.argv[1]) as file:
        profile = message(file.read())
    strings = [text.decode() for text in profile[6]]
    assert strings[0] == ""
    by_id = {number: {one(found, 1): found for found in map(message, profile.get(number, []))} for number in (3, 4, 5)}
    assert 0 not in by_id[3] | by_id[4] | by_id[5], "an id is 0"
    for kind in map(message, profile[1]):
        print("type", strings[one(kind, 1)], strings[one(kind, 2)])
    for kind in map(message, profile.get(11, [])):
        print("period", profile[12][0], strings[one(kind, 1)])
    print("duration", profile[10][0])

    def place(location):
        line = message(one(by_id[4][location], 4))
        function = by_id[5][one(line, 1)]
        mapping = strings[one(by_id[3][one(by_id[4][location], 2)], 5)] or "no file"
        return f"{strings[one(function, 2)]}@{strings[one(function, 4)]}:{one(line, 2)} in {mapping}"

    for sample in map(message, profile[2]):
        labels = [(strings[one(label, 1)], strings[one(label, 2)] or str(one(label, 3)))
                  for label in map(message, sample[3])]
        print(*numbers(one(sample, 2)), "{" + ",".join(f"{key}={value}" for key, value in labels) + "}",
              " < ".join(place(location) for location in numbers(one(sample, 1))))


main()
