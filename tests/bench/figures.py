# SPDX-License-Identifier: GPL-2.0
"""The file build/bench.json, which each benchmark adds its figures to.

It is one object; a key belongs to the benchmark that writes it, and what stands below the key is
that benchmark's own. Keys of others are kept as they are.
"""
import json
import os
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RESULT = os.path.join(TOP, "build", "bench.json")


def load():
    """All figures that were kept; {} before the first."""
    try:
        with open(RESULT, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}
    except ValueError as error:
        sys.exit(f"{RESULT}: {error}: remove it, and its figures are measured anew")


def write(kept):
    """Replaces the file; it is always whole."""
    unfinished = f"{RESULT}.{os.getpid()}"
    os.makedirs(os.path.dirname(RESULT), exist_ok=True)
    with open(unfinished, "w", encoding="utf-8") as file:
        json.dump(kept, file, indent=1)
        file.write("\n")
    os.replace(unfinished, RESULT)


def merge(own, measured):
    """Adds what was measured. Of the keys in own, those not measured this time are dropped."""
    kept = {name: figure for name, figure in load().items() if name not in own}
    write({**kept, **measured})
