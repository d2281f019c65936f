#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: golden.py ANNOT FILE.findings.json...
       golden.py -u ANNOT FILE.findings.json [KEY...]

Holds what `annot report --json FILE.dat` has under the keys of FILE.findings.json against that.
Prints TAP. -u writes the file anew, with the same keys or those that are told, after what is to be
found has changed: see with git diff if it has changed for the better.
"""
import json
import math
import os
import subprocess
import sys

SUFFIX = ".findings.json"


def report(annot, path):
    trace = path.removesuffix(SUFFIX) + ".dat"
    return json.loads(subprocess.run([annot, "report", "--json", trace], check=True,
                                     capture_output=True).stdout)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def differences(want, got, where=""):
    """Figures are the same if they differ by rounding only."""
    if isinstance(want, dict) and isinstance(got, dict):
        for key in want.keys() | got.keys():
            if key not in want or key not in got:
                yield f"{where}.{key}: only {'found' if key in got else 'expected'}"
            else:
                yield from differences(want[key], got[key], f"{where}.{key}")
    elif isinstance(want, list) and isinstance(got, list):
        if len(want) != len(got):
            yield f"{where}: {len(got)} of {len(want)}"
        for i, pair in enumerate(zip(want, got)):
            yield from differences(*pair, f"{where}[{i}]")
    elif isinstance(want, float) and isinstance(got, (int, float)):
        if not math.isclose(want, got, rel_tol=1e-9):
            yield f"{where}: {got}, not {want}"
    elif want != got:
        yield f"{where}: {got}, not {want}"


def compare(annot, path):
    found = report(annot, path)
    complaints = [line for key, want in read(path).items()
                  for line in differences(want, found.get(key), key)]
    for line in complaints[:20]:
        print(f"# {line}")
    print(f"{'not ok' if complaints else 'ok'} - {os.path.basename(path)}")
    return bool(complaints)


def update(annot, path, keys):
    if not keys:
        keys = list(read(path))
    found = report(annot, path)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({key: found[key] for key in keys}, file, indent=1)
        file.write("\n")


def main(arguments):
    if arguments[0] == "-u":
        return update(arguments[1], arguments[2], arguments[3:])
    return any([compare(arguments[0], path) for path in arguments[1:]])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
