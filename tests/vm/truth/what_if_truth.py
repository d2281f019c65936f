#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Usage: tests/vm/truth/what_if_truth.py --annot ANNOT --within PERCENT OUTDIR

What annot what-if predicts of the scenes of tests/workloads/decide.c, recorded as they are, against what they took when they
were really changed (tests/vm/measure-changes). Compared are shares of the length: the median of all recordings, and that of the
shortest runs, for what holds an emulated CPU up makes runs longer only. Prints TAP, each point with both.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

# The name of the lock for which threads wait longest.
LOCK = None

# The change of each scene, as a user would ask for it.
QUESTIONS = {
    "balance": ["--balance", "share"],
    "serial": ["--faster", "serial=2"],
    "pipeline": ["--faster", "encode=2"],
    "lock": ["--faster", "inside=3"],
    "tree": ["--faster", "leaf=2"],
    "chunks": ["--merge-chunks", "chunk"],
    "neighbour": ["--without", "neighbour"],
    "wakeup": ["--without", "neighbour"],
    "queue": ["--faster", "consume=2"],
    "wide": ["--cpus", "2"],
    "bound": ["--unpin"],
    "hop": ["--unpin"],
    "unlocked": ["--no-lock", LOCK],
    "astray": ["--pin"],
    "ranks": ["--faster", "compute=2"],
}


def asked(annot, arguments, path):
    """What annot what-if says."""
    return json.loads(subprocess.run([annot, "what-if", "--json", *arguments, path], check=True, capture_output=True,
                                     text=True).stdout)


def question_of(annot, scene, path):
    """Its change, with the name that the lock has in this recording; None: there is no such lock."""
    if LOCK not in QUESTIONS[scene]:
        return QUESTIONS[scene]
    trials = asked(annot, ["--try-all"], path).get("trials", [])
    locks = [trial["name"] for trial in trials
             if trial["change"] == "no-lock" and trial["name"].startswith(("futex ", "mutex "))]
    return ["--no-lock", locks[0]] if locks else None


def measured(path, typical=min):
    """The share of the length that the changed program takes, of the shortest runs or those that are @typical otherwise."""
    with open(path, encoding="ascii") as lines:
        runs = [tuple(int(word) for word in line.split()) for line in lines]
    return typical(after for _, after in runs) / typical(before for before, _ in runs)


def predicted(annot, scene, outdir, most_unanswered=0):
    """
    The same, of what the program measures: the session has its start and its end, too, which do not change. None if more
    recordings than that have no answer.
    """
    with open(f"{outdir}/{scene}.recorded", encoding="ascii") as lines:
        lengths_ns = [int(line) for line in lines]
    shares, errors, nr_unanswered = [], [], 0
    for number, length_ns in enumerate(lengths_ns, 1):
        path = f"{outdir}/{scene}.{number}.dat"
        question = question_of(annot, scene, path)
        if not question:
            return None, "no lock is found"
        answer = asked(annot, question, path)
        errors.append(f"{answer['replay_error_pct']:+.1f} %")
        if "no_answer" not in answer:
            shares.append(1 - (answer["recorded_ns"] - answer["predicted_ns"]) / length_ns)
            continue
        nr_unanswered += 1
        if nr_unanswered > most_unanswered:
            return None, f"replay off by {answer['replay_error_pct']:+.1f} %: {answer['no_answer']}"
    return statistics.median(shares), f"{min(shares):.3f} to {max(shares):.3f}; replays off by {', '.join(errors)}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--annot", required=True)
    parser.add_argument("--within", type=float, required=True)
    parser.add_argument("outdir")
    arguments = parser.parse_args()
    scenes = [scene for scene in QUESTIONS if os.path.exists(f"{arguments.outdir}/{scene}.times")]
    failed = not scenes
    for number, scene in enumerate(scenes, 1):
        truth = measured(f"{arguments.outdir}/{scene}.times")
        share, how = predicted(arguments.annot, scene, arguments.outdir)
        is_right = share is not None and abs(share / truth - 1) <= arguments.within / 100
        failed = failed or not is_right
        said = f"{share:.3f} predicted" if share is not None else "no answer"
        print(f"{'ok' if is_right else 'not ok'} {number} - {scene}: {said}, {truth:.3f} measured ({how})")
    print(f"1..{len(scenes)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
