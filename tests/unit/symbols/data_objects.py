#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: data_objects.py REPORT.json ROWS.csv

Holds the tables data_objects of annot report --json against the rows of annot report --by object --csv, of the same trace.
"""
import collections
import csv
import json
import sys


def close(a, b):
    return abs(a - b) <= 1e-6 * max(abs(a), abs(b), 1)


def sums(rows, keys):
    """By the values of @keys: samples, count."""
    own = collections.defaultdict(lambda: [0, 0.0])
    for row in rows:
        own[tuple(row[key] for key in keys)][0] += int(row["samples"])
        own[tuple(row[key] for key in keys)][1] += float(row["count"])
    return own


def words(row, keys):
    """As the ranking has them."""
    return tuple("-" if row[key] is None else str(row[key]) for key in keys)


def compare(what, told, wanted, key_of):
    own = dict(wanted)
    for row in told:
        samples, count = own.pop(key_of(row), (0, 0))
        if row["samples"] != samples or not close(row["count"], count):
            print(f"{what}: {key_of(row)}: {row['samples']} samples, count {row['count']}; not {samples}, {count}")
    for key in own:
        print(f"{what}: no row of {key}")


def check_order(rows, group):
    for before, row in zip(rows, rows[1:]):
        if group(before) == group(row) and before["share_pct"] < row["share_pct"]:
            print(f"before {row}: one with a smaller share")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        tables = json.load(file)["data_objects"]
    with open(sys.argv[2], encoding="utf-8", newline="") as file:
        ranked = [row for row in csv.DictReader(file) if row["object"] != "(no address)"]
    for row in ranked:
        row["task"] = "-" if row["task"] == "(no task)" else row["task"]
    objects, users = tables["objects"], tables["users"]
    named = ("event", "object", "kind", "file")
    compare("objects", objects, sums(ranked, named), lambda row: words(row, named))
    used = ("event", "object", "task", "tid")
    compare("users", users, sums(ranked, used), lambda row: words(row, used))
    for event in {row["event"] for row in objects}:
        shares = sum(row["share_pct"] for row in objects if row["event"] == event)
        if not close(shares, 100):
            print(f"{event}: the shares of objects make {shares}")
    threads = {words(row, named): row["threads"] for row in objects}
    for row in ranked:
        key = tuple(row[name] for name in named)
        if str(threads[key] or "") != row["threads"]:
            print(f"{key}: {threads[key]} threads, not {row['threads']}")
    tasks = {words(row, named[:2]): row["tasks"] for row in objects}
    for key, nr in tasks.items():
        own = {row["task"] for row in users if words(row, named[:2]) == key} - {None}
        if len(own) != nr:
            print(f"{key}: {nr} tasks, not {own}")
    check_order(objects, lambda row: row["event"])
    check_order(users, lambda row: words(row, named[:2]))
    print(f"{len(objects)} objects, {len(users)} users")


main()
