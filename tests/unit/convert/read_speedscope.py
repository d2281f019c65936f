#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: read_speedscope.py SCHEMA FILE

Holds a file of speedscope against its JSON Schema, and prints it: of each profile "NAME: END UNIT", then a line "WEIGHT
FRAME;FRAME@FILE:LINE;..." for each sample. Says what else is wrong.
"""
import json
import os
import sys

from jsonschema import Draft7Validator


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def text_of(frame):
    place = f"@{os.path.basename(frame['file'])}:{frame['line']}" if "file" in frame else ""
    return frame["name"] + place


def main():
    schema, told = map(read, sys.argv[1:])
    for error in Draft7Validator(schema).iter_errors(told):
        print(f"{error.json_path}: {error.message}")
    frames = [text_of(frame) for frame in told["shared"]["frames"]]
    for profile in told["profiles"]:
        print(f"{profile['name']}: {profile['endValue']} {profile['unit']}".encode("ascii", "backslashreplace").decode())
        if profile["endValue"] != sum(profile["weights"]) or len(profile["samples"]) != len(profile["weights"]):
            print("weights do not add up")
        for sample, weight in zip(profile["samples"], profile["weights"]):
            print(weight, ";".join(frames[number] for number in sample))
    if {number for profile in told["profiles"] for sample in profile["samples"] for number in sample} != set(range(len(frames))):
        print("frames that no sample has")
    if told["$schema"] != "https://www.speedscope.app/file-format-schema.json":
        print("speedscope does not know it")


main()
