#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: overhead_runs.py FILE KERNELS FORMS

What tests/bench/overhead-round printed, and what is made of it. As a program it holds the runs in
FILE against each other, of which there must be some of each kernel in each form (lists with
commas), and none that lost events. Prints TAP.
"""
import statistics
import sys
from typing import NamedTuple

UNRECORDED_FORMS = ["original", "disabled"]


class Run(NamedTuple):
    form: str
    kernel: str
    wall_ns: int
    cpu_ns: int
    tasks: int
    annotations: int
    checksum: str
    recorded_tasks: int
    recorded_waits: int
    lost: int

    @classmethod
    def parse(cls, line):
        words = line.split()
        if len(words) != len(cls._fields):
            raise ValueError(f"not a run: {line.rstrip()}")
        return cls(*[word if kind is str else int(word)
                     for word, kind in zip(words, cls.__annotations__.values())])

    def is_annotated(self):
        return self.form not in UNRECORDED_FORMS and not self.form.startswith("traced")


class Runs:
    """All runs of one place, by kernel and form, in order of the rounds."""

    def __init__(self, lines):
        self.runs = [Run.parse(line) for line in lines]
        self.kernels = list(dict.fromkeys(run.kernel for run in self.runs))
        self.forms = list(dict.fromkeys(run.form for run in self.runs))

    def of(self, kernel, form):
        return [run for run in self.runs if run.kernel == kernel and run.form == form]

    def original(self, kernel):
        return self.of(kernel, "original")

    def problems(self):
        """Why these figures mean nothing: what computes something else, or records less."""
        for run in self.runs:
            first = self.original(run.kernel)[0]
            what = f"{run.kernel} as {run.form}"
            if (run.checksum, run.tasks) != (first.checksum, first.tasks):
                yield f"{what} computes something else than the original"
            made = (run.tasks, run.annotations) if run.is_annotated() else (0, 0)
            recorded = (run.recorded_tasks, 2 * (run.recorded_tasks + run.recorded_waits))
            if recorded != made and not run.lost:
                yield (f"{what}: {recorded[0]} tasks and {recorded[1]} annotations in the recording, "
                       f"{made[0]} and {made[1]} were made")


def spread(values):
    least, *quartiles = min(values), *statistics.quantiles(values, n=4, method="inclusive")
    return dict(zip(["min", "q1", "median", "q3"], [least, *quartiles]))


def round_ratios(runs, kernel, form, base, clock):
    """Each round's, to the form base of the same round."""
    return [getattr(run, clock) / getattr(other, clock)
            for run, other in zip(runs.of(kernel, form), runs.of(kernel, base))]


def ratios(runs, kernel, form, clock):
    return spread(round_ratios(runs, kernel, form, "original", clock))


def least_cpu_ns(runs, kernel, form):
    return min(run.cpu_ns for run in runs.of(kernel, form))


def annotation_ns(runs, form):
    """What one costs, by the kernel that makes most; from the least time of each."""
    kernel = max(runs.kernels, key=lambda kernel: runs.original(kernel)[0].annotations)
    without = "original" if form in UNRECORDED_FORMS else "traced"
    more_ns = least_cpu_ns(runs, kernel, form) - least_cpu_ns(runs, kernel, without)
    return more_ns / runs.original(kernel)[0].annotations


def figures_of(runs, form):
    cost_ns = None if form in ["original", "traced"] else annotation_ns(runs, form)
    figures = {"annotation_ns": cost_ns, "lost_events": sum(
        run.lost for kernel in runs.kernels for run in runs.of(kernel, form))}
    for kernel in runs.kernels:
        figures[kernel] = {
            "cpu_ratio": ratios(runs, kernel, form, "cpu_ns"),
            "wall_ratio": ratios(runs, kernel, form, "wall_ns"),
            # what is to be expected: cost of an annotation x their number / duration
            "annotations_share": None if cost_ns is None else
                cost_ns * runs.original(kernel)[0].annotations / least_cpu_ns(runs, kernel, "original"),
        }
    return figures


def kernel_figures(runs, kernel):
    run = runs.original(kernel)[0]
    return {"tasks": run.tasks, "annotations": run.annotations,
            "task_ns": least_cpu_ns(runs, kernel, "original") / run.tasks}


def summary(runs, place, unit_ns):
    return {"place": place, "rounds": len(runs.original(runs.kernels[0])), "unit_ns": unit_ns,
            "kernels": {kernel: kernel_figures(runs, kernel) for kernel in runs.kernels},
            "forms": {form: figures_of(runs, form) for form in runs.forms}}


def check(runs, kernels, forms):
    """TAP: whether all forms compute the same, and their recordings are complete."""
    missing = [f"{kernel} as {form}" for kernel in kernels for form in forms
               if not runs.of(kernel, form)]
    lossy = [f"{run.kernel} as {run.form} lost {run.lost} events" for run in runs.runs if run.lost]
    for name, wrong in [
            ("each kernel has run in each form", missing),
            ("no event was lost", lossy),
            ("all forms compute the same, and each task and wait is recorded",
             [] if missing else list(runs.problems()))]:
        for why in wrong:
            print(f"# {why}")
        print(f"{'not ok' if wrong else 'ok'} - {name}")


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__.strip().splitlines()[0])
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            runs = Runs(file)
    except (OSError, ValueError) as error:
        sys.exit(f"overhead_runs.py: {sys.argv[1]}: {error}")
    check(runs, sys.argv[2].split(","), sys.argv[3].split(","))


if __name__ == "__main__":
    main()
