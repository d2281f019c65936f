#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: symbols_trace.py [-c] [-b PATH=BUILD-ID] [-p PATH=PATH] SAID
#
# The script of a trace (see script_trace.py) in which samples fell where symbols_program.c said
# that its things are: three on each instruction of hot, two of cold, one of the library, and one on
# each of its data. Mappings come with the build-ids of their files; -b tells another one, or none;
# -p another path. With -c only mappings of code are told, as perf does.
import argparse
import re
import subprocess

WEIGHTS = {"hot": 3, "cold": 2, "in_library": 1}
PERIOD = 1000
USER, HAS_ADDR = 0x10, 0x01


def build_id(path):
    if not path.startswith("/"):
        return ""
    notes = subprocess.run(["readelf", "-n", path], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                           text=True, check=False).stdout
    found = re.search(r"Build ID: ([0-9a-f]+)", notes)
    return found.group(1) if found else ""


def is_code(path, permissions):
    """Or belongs to a file that has code."""
    return "x" in permissions or (path.startswith("/") and not path.endswith(".c"))


def pairs(options):
    return dict(option.split("=", 1) for option in options)


def mappings(lines, options):
    ids, paths = pairs(options.b), pairs(options.p)
    for line in lines:
        match = re.match(r"([0-9a-f]+)-([0-9a-f]+) (....) ([0-9a-f]+) \S+ \S+ *(.*)", line)
        start, end, permissions, offset, path = match.groups()
        if not path or (options.c and "x" not in permissions):
            continue
        wanted = ids.get(path, build_id(path))
        kind = "map" if is_code(path, permissions) else "data"
        yield (f"annot|{kind}|100|{start}|{int(end, 16) - int(start, 16):x}|{offset}|{wanted}|0|"
               f"{paths.get(path, path)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("-b", action="append", default=[])
    parser.add_argument("-p", action="append", default=[])
    parser.add_argument("-c", action="store_true")
    parser.add_argument("said")
    options = parser.parse_args()
    with open(options.said, encoding="utf-8") as file:
        said = [line.rstrip("\n").split(" ", 1) for line in file]
    print("1000 0 0 config text='event=0 name=miss mode=sample period=1000 user=1 kernel=1'")
    print("1000 0 0 switch next_pid=100 next_comm=prog")
    print("1000 0 100 marker buf='annot|session'")
    time = 1001
    for line in mappings([rest for kind, rest in said if kind == "map"], options):
        print(f"{time} 0 100 marker buf='{line}'")
        time += 1
    for kind, rest in said:
        if kind == "code":
            name, address, _ = rest.split()
            for _ in range(WEIGHTS[name]):
                print(f"{time} 0 100 sample period={PERIOD} has={USER} ip={address}")
                time += 1
        elif kind == "data":
            name, address = rest.split()
            print(f"{time} 0 100 sample period={PERIOD} has={USER | HAS_ADDR} addr={address}")
            time += 1
    print(f"{time} 0 100 switch prev_state=1")


if __name__ == "__main__":
    main()
