#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: profile_truth.py BASE HZ

Holds a profile (BASE.dat; BASE.folded, on-cpu; BASE.json, the report's) of tests/workloads/shares.c against what that
measured (BASE.said). Prints TAP.
"""
import collections
import json
import math
import re
import subprocess
import sys

from tracetext import Tap

# 99 of 100 samples of a random variable are within so many standard deviations.
SIGMAS = 2.576

CHAINS = {
    "alpha": "work;alpha;alpha_inner;burn",
    "beta": "work;beta;burn",
    "gamma_first": "work;gamma_first;gamma_inner;gamma_most;burn",
}
LEAST_SHARE_OF_CHAINS = 0.99
TOTAL_TOLERANCE = 0.02
LEAST_SAMPLES = 1500

SAMPLE = re.compile(r"^\s*(.*)-\d+\s+\[\d+\].*annot_sample:")


def count_samples(path):
    """By command, as trace-cmd prints them."""
    text = subprocess.run(["trace-cmd", "report", path], check=True, capture_output=True, text=True).stdout
    return collections.Counter(found[1] for found in map(SAMPLE.match, text.splitlines()) if found)


def count_chains(path, period_ns):
    """Samples by chain; those of the program outside of them are None's."""
    counts = dict.fromkeys([*CHAINS, None], 0)
    with open(path, encoding="utf-8") as file:
        for line in file:
            stack, weight = line.rstrip("\n").rsplit(" ", 1)
            if not stack.startswith("shares;"):
                continue
            kind = next((name for name, chain in CHAINS.items() if f";{chain};" in stack + ";"), None)
            counts[kind] += round(int(weight) / period_ns)
    return counts


def judge_shares(counts, truth):
    nr = sum(counts[name] for name in CHAINS)
    told_ns = sum(truth[name] for name in CHAINS)
    complaints = []
    for name in CHAINS:
        share = truth[name] / told_ns
        most = SIGMAS * math.sqrt(nr * share * (1 - share))
        off = counts[name] - nr * share
        print(f"# {name}: {counts[name]} of {nr} samples, {off:+.1f} (at most {most:.1f}) from {share:.4f} of its time")
        if abs(off) > most:
            complaints.append(f"{name}: {counts[name]} of {nr} samples, {nr * share:.1f} by its clock")
    if nr < LEAST_SAMPLES:
        complaints.append(f"only {nr} samples in known chains")
    return complaints


def judge_total(recorded, counts, truth, report, period_ns):
    nr = sum(counts.values())
    due = truth["all"] / period_ns
    chains = nr - counts[None]
    print(f"# {recorded['shares']} samples, {due:.1f} due, {report['lost_samples']} missing; {chains} in known chains")
    complaints = []
    if abs(recorded["shares"] - due) > TOTAL_TOLERANCE * due:
        complaints.append(f"{recorded['shares']} samples, of {due:.1f}")
    if chains < LEAST_SHARE_OF_CHAINS * recorded["shares"]:
        complaints.append(f"{chains} of {recorded['shares']} samples are in known chains")
    if not report["profile"]:
        complaints.append("the report knows of no profile")
    return complaints


def main():
    base, freq_hz = sys.argv[1], int(sys.argv[2])
    period_ns = round(1e9 / freq_hz)
    with open(f"{base}.said", encoding="ascii") as file:
        truth = {name: int(ns) for name, ns in (line.split() for line in file)}
    with open(f"{base}.json", encoding="utf-8") as file:
        report = json.load(file)
    counts = count_chains(f"{base}.folded", period_ns)
    tap = Tap()
    tap.point("each chain of calls has its share of the samples", judge_shares(counts, truth))
    recorded = count_samples(f"{base}.dat")
    tap.point("there are as many samples as CPU time", judge_total(recorded, counts, truth, report, period_ns))
    tap.point("no sample is of a CPU that has nothing to do", [f"{recorded['<idle>']} samples"] if recorded["<idle>"] else [])
    sys.exit(tap.failed)


if __name__ == "__main__":
    main()
