#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Usage: tests/vm/truth/slow_truth.py --annot ANNOT --within POINTS OUTDIR

Why requests are slow, as annot tells it, against what tests/workloads/serve.c wrote down: how many are, the share of each reason
in their extra time, who had the CPU, and the finding; and that of the same program without slow ones nothing is told. Prints TAP.
"""
import argparse
import json
import subprocess
import sys

# Where time goes that a request of each reason loses. One that is woken late sleeps before that.
PARTS = {"work": "longer on a CPU", "blocked": "blocked", "preempted": "preempted", "late": "woken late"}
NAP_NS = 400_000
HOLDER = "backup"


def told_by_program(path):
    """By part: ns; how many are slow, and how long these are on average."""
    with open(path, encoding="ascii") as lines:
        rows = {name: (int(number), int(ns)) for name, number, ns in map(str.split, lines)}
    number, long_ns = rows.pop("long")
    parts = {PARTS[name]: ns for name, (_, ns) in rows.items()}
    asleep_ns = rows["late"][0] * NAP_NS
    parts["woken late"] -= asleep_ns
    parts["blocked"] += asleep_ns
    return parts, number, long_ns / number


def report(annot, path):
    said = subprocess.run([annot, "report", "--json", "--show", "slow_instances", path], check=True, capture_output=True, text=True)
    return json.loads(said.stdout)


def findings_of(told):
    return [finding["text"] for finding in told["findings"] if finding["kind"] == "slow-instances"]


def check_shares(told, parts, within):
    """Complaints, and what was said."""
    slow = told["slow_instances"]
    shares = {name: 0 for name in PARTS.values()}
    for row in slow["parts"]:
        shares[row["part"]] = shares.get(row["part"], 0) + row["share_pct"]
    true = {name: 100 * ns / sum(parts.values()) for name, ns in parts.items()}
    said = ", ".join(f"{name} {share:.1f} ({true.get(name, 0):.1f})" for name, share in shares.items())
    return all(abs(share - true.get(name, 0)) <= within for name, share in shares.items()), said


def check_holders(told):
    """Of instances that waited for a CPU most: each waited for the same program."""
    rows = [row for row in told["slow_instances"]["instances"] if row["most"] in ("preempted", "woken late")]
    return bool(rows) and all(row["cause"] == HOLDER for row in rows), f"{[row['cause'] for row in rows]}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--annot", required=True)
    parser.add_argument("--within", type=float, required=True)
    parser.add_argument("outdir")
    arguments = parser.parse_args()
    parts, nr_slow, slow_ns = told_by_program(f"{arguments.outdir}/slow.told")
    told = report(arguments.annot, f"{arguments.outdir}/slow.dat")
    quiet = report(arguments.annot, f"{arguments.outdir}/quiet.dat")
    tasks = [(row["task"], row["slow"], row["slow_ns"]) for row in told["slow_instances"]["tasks"]]
    as_many = [task[:2] for task in tasks] == [("request", nr_slow)] and abs(tasks[0][2] / slow_ns - 1) < 0.01
    texts = findings_of(told)
    points = [
        ("as many are slow as took so long, and as slow", as_many, f"{tasks}, {nr_slow} of {slow_ns:.0f} ns"),
        (f"shares of reasons within {arguments.within:g} points", *check_shares(told, parts, arguments.within)),
        ("who had the CPU", *check_holders(told)),
        ("they are a finding", len(texts) == 1 and f"({nr_slow} of 400)" in texts[0], f"{texts}"),
        ("without slow ones, there is none", not findings_of(quiet), f"{findings_of(quiet)}"),
    ]
    for number, (what, is_right, said) in enumerate(points, 1):
        print(f"{'ok' if is_right else 'not ok'} {number} - {what}: {said}")
    print(f"1..{len(points)}")
    return 0 if all(point[1] for point in points) else 1


if __name__ == "__main__":
    sys.exit(main())
