#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Usage: check_made.py REPORT.json REPORT.csv REPORT.txt
#
# The report of what make_trace.py makes, against its story: each figure worked out by hand. Says
# what is wrong.
import csv
import io
import json
import sys

MS = 1_000_000
AWKWARD_NAME = b'a,"b"\\<script>\xff\x1b[31m\xc3\xa4'
TASKS = {   # name: kind, instances, wall, on CPU, preempted, blocked, waiting, useful
    "loop48": ("work", 2, 1000, 900, 100, 0, 0, 900),
    "barrier": ("wait", 1, 198, 8, 0, 190, 198, 0),
    AWKWARD_NAME.decode(errors="replace"): ("work", 1, 3, 3, 0, 0, 0, 3),
    "next": ("work", 1, 1, 1, 0, 0, 0, 1),
    "long" * 60: ("work", 1, 1, 1, 0, 0, 0, 1),
}
THREADS = {     # tid: comm, wall, on CPU, preempted, wakeup, blocked, switches, useful, waiting
    100: ("pe0", 900, 710, 0, 0, 190, 2, 600, 198),
    101: ("pe1", 410, 306, 100, 4, 0, 2, 303, 0),
    77: ("other", 694, 100, 0, 0, 594, 1, 0, 0),
}
BALANCE = (0.75, 50.0, 150 * MS)    # of 600 and 300 ms


def differ(what, found, expected):
    if found != expected:
        print(f"{what}: {found}, not {expected}")


def times(figures, *keys):
    return tuple(figures[key] // MS if key.endswith("_ns") else figures[key] for key in keys)


def check_json(report):
    differ("CPUs", report["trace"]["cpus"], 2)
    differ("events", report["trace"]["events"], 24)
    differ("clock", report["trace"]["clock"], "mono")
    differ("duration", report["trace"]["duration_ns"], 900 * MS)
    differ("tasks", sorted(task["name"] for task in report["tasks"]), sorted(TASKS))
    differ("threads", sorted(thread["tid"] for thread in report["threads"]), sorted(THREADS))
    for task in report["tasks"]:
        differ(task["name"], (task["kind"], task["instances"], task["wall_ns"]["sum"] // MS) +
               times(task, "on_cpu_ns", "preempted_ns", "blocked_ns", "waiting_ns", "useful_ns"),
               TASKS[task["name"]])
        if task["name"] == "loop48":
            differ("balance", (task["load_balance"], task["imbalance_pct"],
                               task["imbalance_time_ns"]), BALANCE)
    for thread in report["threads"]:
        differ(thread["tid"], times(thread, "comm", "wall_ns", "on_cpu_ns", "preempted_ns",
                                    "wakeup_ns", "blocked_ns", "switches", "useful_ns",
                                    "waiting_ns"), THREADS[thread["tid"]])
        if thread["tid"] != 77:
            differ("tgid", thread["tgid"], 100)


def check_csv(text):
    rows = list(csv.reader(io.StringIO(text.decode("latin-1"), newline="")))
    differ("columns", {len(row) for row in rows}, {21})
    names = {row[0].encode("latin-1") for row in rows[1:]}
    if AWKWARD_NAME not in names:
        print(f"{AWKWARD_NAME!r} is not in {names}")


def check_text(text):
    for byte in set(text):
        if byte < 0x20 and byte != 0x0a or byte == 0x7f:
            print(f"byte {byte:#x} in the text")
    text.decode()


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        check_json(json.load(file))
    with open(sys.argv[2], "rb") as file:
        check_csv(file.read())
    with open(sys.argv[3], "rb") as file:
        check_text(file.read())


main()
