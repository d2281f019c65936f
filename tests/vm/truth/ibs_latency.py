# SPDX-License-Identifier: GPL-2.0
"""
What annot report says of latencies, of a recording with IBS, against those that the emulator draws (spread_latency() in
tests/vm/pebs-qemu/pmu-models.patch): a miss takes once to twice what its level takes, each number of cycles equally likely, and
one in 16 takes four times that. A hit in L1 tells none.
"""
import bisect
import collections
import math
import statistics

# By where a load finds its data; "modified": another CPU has written to the line.
BASE_CYCLES = {"l2": 14, "l3": 44, "modified": 75, "memory": 230}
LEVEL_NAMES = {"l2": "L2", "l3": "L3", "modified": "L3", "memory": "memory"}
# The loads that tell what a miss of a level costs, and how many it takes.
COST_PLACES = {"L1": {"l2", "l3", "modified", "memory"}, "L2": {"l3", "modified", "memory"}, "L3": {"memory"},
               "taken line": {"modified"}}
LEAST_FOR_COST = 30
DRAWS, SLOW_FACTOR = 16, 4
SHARES = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
COVERAGE, NORMAL = 0.95, 1.96
# What follows by chance is wrong in one of a hundred million cases.
CHANCE = 1e-8
TILTS = [0.05 * 0.8 ** step for step in range(30)]
LEAST_SAMPLES = 100
# perf_event_open(2): a load, alone; the place where it hits, which older kernels tell by bits, newer ones by a number.
OPERATIONS, LOAD = 0x1f, 0x2
LEVEL_BITS = {1 << 8: "l1", 1 << 10: "l2", 1 << 11: "l3", 1 << 12: "memory"}
NUMBER_SHIFT, NUMBER_MASK, LEVEL_NUMBERS = 33, 0xf, {1: "l1", 2: "l2", 3: "l3", 13: "memory"}
MODIFIED = 1 << 23


def outcomes(place):
    """All latencies of such a load, as often as they are likely."""
    base = BASE_CYCLES[place]
    return [cycles * (1 if draw else SLOW_FACTOR) for draw in range(DRAWS) for cycles in range(base, 2 * base)]


OUTCOMES = {place: outcomes(place) for place in BASE_CYCLES}


def place_of(sample):
    number = LEVEL_NUMBERS.get(sample.data_src >> NUMBER_SHIFT & NUMBER_MASK)
    level = next((name for bit, name in LEVEL_BITS.items() if sample.data_src & bit), number)
    return "modified" if level == "l3" and sample.data_src & MODIFIED else level


def timed_of(samples):
    """The samples that tell a latency, as (cycles, place)."""
    return sorted((sample.weight, place_of(sample)) for sample in samples if sample.weight)


def mixture_of(timed):
    """How many of them are of each place."""
    return collections.Counter(place for _, place in timed)


def chance_below(mixture, cycles):
    """That a load does not take longer, of so many loads by place."""
    return sum(nr * sum(one <= cycles for one in OUTCOMES[place]) / len(OUTCOMES[place])
               for place, nr in mixture.items()) / sum(mixture.values())


def mean_of(mixture):
    return sum(nr * statistics.fmean(OUTCOMES[place]) for place, nr in mixture.items()) / sum(mixture.values())


def chance_of_mean(mixture, mean):
    """By Chernoff's bound: of so many loads by place, the mean is as far from what is drawn in no more cases than that."""
    away = 1 if mean > mean_of(mixture) else -1
    return math.exp(min(sum(nr * math.log(statistics.fmean(math.exp(away * tilt * (one - mean)) for one in OUTCOMES[place]))
                            for place, nr in mixture.items()) for tilt in TILTS))


def binomial_tail(nr, chance, least):
    """That of @nr there are @least or more."""
    if least <= 0 or chance >= 1:
        return 1
    if chance <= 0:
        return 0
    logarithms = (math.lgamma(nr + 1) - math.lgamma(i + 1) - math.lgamma(nr - i + 1) +
                  i * math.log(chance) + (nr - i) * math.log1p(-chance) for i in range(least, nr + 1))
    return min(sum(math.exp(one) for one in logarithms), 1)


def ranks_of(nr, share):
    """Of the percentile and the ends of its interval, from 1 on; None: there are too few samples for that end."""
    miss, ranks = (1 - COVERAGE) / 2, range(1, nr + 1)
    low = bisect.bisect_right(ranks, miss - 1, key=lambda rank: -binomial_tail(nr, share, rank))
    high = bisect.bisect_left(ranks, -miss, key=lambda rank: -binomial_tail(nr, share, rank)) + 1
    return {"": math.ceil(share * nr), "_low": low or None, "_high": high if high <= nr else None}


def percentiles_of(row):
    """(Name, rank, cycles as told)"""
    for name, share in SHARES.items():
        for end, rank in ranks_of(row["samples"], share).items():
            yield f"{name}{end}", rank, row[f"{name}{end}_cycles"]


def row_of(report, task, event):
    return next((row for row in report["load_latency"]["tasks"]
                 if (row["task"], row["event"]) == (task, event)), None)


def check_samples(samples):
    """Loads that missed L1, and no others, tell a latency, which is one of their place's."""
    complaints = []
    for sample in samples:
        place = place_of(sample)
        if sample.data_src & OPERATIONS == LOAD and place in OUTCOMES:
            if sample.weight not in OUTCOMES[place]:
                complaints.append(f"{place}: {sample.weight} cycles at {sample.ip:#x}")
        elif sample.weight or "weight" in sample.has:
            complaints.append(f"{place}, {sample.data_src:#x}: {sample.weight} cycles at {sample.ip:#x}")
    return complaints


def check_every(report, samples, event):
    """Of all threads together: each figure is what the samples make."""
    timed, row = timed_of(samples), row_of(report, None, event)
    levels = collections.Counter(LEVEL_NAMES[place] for _, place in timed)
    want = {"samples": len(timed), "level": levels.most_common(1)[0][0], "sampled": "L1 misses", "threshold_cycles": None}
    complaints = [f"{key} {row[key]}, not {value}" for key, value in want.items() if row[key] != value]
    for name, rank, told in percentiles_of(row):
        cycles = timed[rank - 1][0] if rank else None
        if told != cycles:
            complaints.append(f"{name} is {told}, of rank {rank} are {cycles}")
    steps = [step for step in report["load_latency"]["histogram"] if step["task"] is None]
    told = {step["least_cycles"]: step["samples"] for step in steps}
    if told != collections.Counter(1 << cycles.bit_length() - 1 for cycles, _ in timed):
        complaints.append(f"histogram: {told}")
    complaints += [str(step) for step in steps if step["below_cycles"] != 2 * step["least_cycles"]]
    return complaints if len(timed) >= LEAST_SAMPLES else complaints + [f"{len(timed)} samples"]


def agrees(mixture, nr, rank, cycles):
    """Whether the value of that rank may be that long."""
    return binomial_tail(nr, chance_below(mixture, cycles), rank) > CHANCE and \
        binomial_tail(nr, chance_below(mixture, cycles - 1), rank) < 1 - CHANCE


def check_task(recording, event, span, level):
    row, mixture = row_of(recording.report, span["name"], event), mixture_of(timed_of(recording.samples_in(span)))
    if not row or row["samples"] < LEAST_SAMPLES or row["level"].lower() != level:
        return [f"{span['name']}: {row}"]
    print(f"# {span['name']}: " + ", ".join(
        f"{name} {row[f'{name}_cycles']} ({row[f'{name}_low_cycles']} to {row[f'{name}_high_cycles']})" for name in SHARES) +
        f" of {row['samples']}")
    return [f"{span['name']}: {name} is {told}, of {mixture}" for name, rank, told in percentiles_of(row)
            if rank and not agrees(mixture, row["samples"], rank, told)]


def check_tasks(recording, event, tasks):
    """As many samples as data_levels has loads beyond L1; percentiles and their intervals are those of what is drawn."""
    complaints = []
    for span in recording.thread["spans"]:
        row, levels = row_of(recording.report, span["name"], event), recording.levels(span["name"], event)
        if (row["samples"] if row else 0) != levels["loads"] - levels["l1"]:
            complaints.append(f"{span['name']}: {row}, of {levels}")
        if tasks[span["name"]] != "l1":
            complaints += check_task(recording, event, span, tasks[span["name"]])
        elif levels["l1"] < LEAST_SAMPLES:
            complaints.append(f"{span['name']}: {levels}")
    return complaints


def check_cost(row, event, timed):
    """The mean of the samples; and that is what is drawn, as far as so many can tell."""
    cycles, nr = [one for one, _ in timed], len(timed)
    mean, variance = statistics.fmean(cycles), statistics.variance(cycles) / nr
    mixture = mixture_of(timed)
    # The quantile of Student's distribution, by the first terms of its expansion in 1 / nr.
    error = NORMAL * (1 + (NORMAL ** 2 + 1) / 4 / nr) * math.sqrt(variance)
    print(f"# {row['miss']}: {row['cycles']:.1f} +/- {row['error_cycles']:.1f} cycles by {nr} samples, {mean_of(mixture):.1f} drawn")
    if (row["event"], row["samples"], row["is_above_l1"]) != (event, nr, 1) or \
            not math.isclose(row["cycles"], mean, rel_tol=1e-6) or not math.isclose(row["error_cycles"], error, rel_tol=0.01):
        return [f"{row}, not {mean} +/- {error} of {nr}"]
    return [] if chance_of_mean(mixture, mean) > CHANCE else [f"{row}, not what is drawn"]


def check_costs(report, samples, event, needed, told=tuple(COST_PLACES)):
    """Of what the event @told all loads of, as far as there are enough samples, as of the @needed; the rest is assumed."""
    timed, complaints = timed_of(samples), []
    for row in report["load_latency"]["costs"]:
        own = [one for one in timed if one[1] in COST_PLACES.get(row["miss"], ())]
        is_known = row["miss"] in told and len(own) >= LEAST_FOR_COST
        if row["from"] != ("samples" if is_known else "assumed") or row["miss"] in needed and not is_known:
            complaints.append(f"{row}, {len(own)} samples")
        elif is_known:
            complaints += check_cost(row, event, own)
    return complaints


def add_points(tap, recording, event, tasks):
    """@tasks: the level where the loads of each find their data."""
    report, samples = recording.report, recording.measured.samples
    tap.point("ibs: loads that missed L1 tell a latency of their level, and no others", check_samples(samples))
    tap.point("ibs: percentiles, intervals and histogram are those of the samples", check_every(report, samples, event))
    tap.point("ibs: percentiles and intervals of each task are what is drawn", check_tasks(recording, event, tasks))
    tap.point("ibs: a miss of each level costs what is drawn", check_costs(report, samples, event, ("L1", "L2", "L3")))
