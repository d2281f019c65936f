#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: huge_pages_truth.py DIRECTORY

Holds what annot report tells of the pages in which data lies against what the program
(tests/vm/guest/misses/huge_pages.c) says of it. Prints TAP.
"""
import csv
import json
import os
import sys

from tracetext import Tap

MIB = 1 << 20
# Of each object, in each event.
LEAST_SAMPLES = 100
# By construction; the program's own words are of the kernel.
WANTED = {"advised": 1, "split": 2 * MIB / (4 * MIB - 4096), "small": 0, "hugetlb": 1, "table": 0}
tap = Tap()


def said(directory):
    with open(os.path.join(directory, "huge_pages.said"), encoding="utf-8") as file:
        return {name: (int(resident), int(huge)) for name, resident, huge in map(str.split, file)}


def close(told, wanted):
    return told is not None and abs(told - wanted) < 0.001


def main():
    directory = sys.argv[1]
    own = said(directory)
    lies, _ = own.pop("lies")
    shares = {name: huge / resident for name, (resident, huge) in own.items()}
    tap.point("the kernel has made the pages that were asked for",
              [f"{name}: {shares.get(name)}, not {share}" for name, share in WANTED.items()
               if not close(shares.get(name), share)])
    with open(os.path.join(directory, "huge_pages.csv"), encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["object"] in WANTED and row["task"] == row["object"]]
    samples = {(row["event"], row["object"]): int(row["samples"]) for row in rows}
    tap.point("each object has samples, of both events",
              [str(samples)] if len(samples) != 2 * len(WANTED) or min(samples.values()) < LEAST_SAMPLES else [])
    tap.point("which share is in huge pages, by object",
              [f"{row['event']} {row['object']}: {row['huge_share']}, not {WANTED[row['object']]}" for row in rows
               if not row["huge_share"] or not close(float(row["huge_share"]), WANTED[row["object"]])])
    tap.point("the size of the pages",
              [f"{row['object']}: {row['page_kib']} KiB" for row in rows
               if row["page_kib"] != ("2048" if WANTED[row["object"]] >= 0.5 else "4")])
    with open(os.path.join(directory, "huge_pages.json"), encoding="utf-8") as file:
        objects = [row for row in json.load(file)["data_objects"]["objects"] if row["object"] in WANTED]
    tap.point("the same in the analysis",
              [f"{row['object']}: {row['huge_pct']} %, {row['page_kib']} KiB" for row in objects
               if not close(row["huge_pct"] / 100 if row["huge_pct"] is not None else None, WANTED[row["object"]])] +
              ([] if len(objects) == 2 * len(WANTED) else [f"{len(objects)} objects"]))
    tap.point("the program has lied about them", [] if lies >= 2 * len(WANTED) else [f"{lies} times"])
    sys.exit(tap.failed)


main()
