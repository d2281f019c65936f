#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: by_ratio.py story PMU [COUNTED [CONFIG]]
       by_ratio.py check PMU REPORT RANKING
       by_ratio.py check_conflict MISSES REPORT

The first prints, for script_trace.py, a task of which the event of PMU samples a hundred instructions: of 50 loads 20 hit L1, 10
L2, 12 L3 (half of them told as before there were numbers of levels) and 8 memory. What misses L1 is of 16 lines of one set. A
million instructions, or events COUNTED, are counted, of which half are the task's. The second holds what annot report says against
that, the third what it says of the set: "unknown", or how many misses.
"""
import json
import sys

PERIOD, INSTRUCTIONS = 2000, 1_000_000
# perf_event_open(2): op; mem_lvl from bit 5: hit, L1 to memory, another's cache; mem_lvl_num from bit 33.
LOAD, STORE = 2, 4
HIT, L1, L2, L3, RAM, OTHER_CACHE = (bit << 5 for bit in (2, 8, 32, 64, 128, 1024))
NUMBERS = {"L1": 1 << 33, "L2": 2 << 33, "L3": 3 << 33, "RAM": 13 << 33, "LFB": 12 << 33}
USER, HAS_ADDRESS, HAS_DATA_SRC = 0x10, 1, 4
START, WAY, NR_LINES = 0x7f0000000000, 4096, 16
SAMPLES = [LOAD | HIT | L1] * 10 + [LOAD | NUMBERS["L1"]] * 10 + [LOAD | HIT | L2] * 10 + \
          [LOAD | HIT | L3 | OTHER_CACHE] * 6 + [LOAD | NUMBERS["L3"]] * 6 + \
          [LOAD | HIT | RAM] * 4 + [LOAD | NUMBERS["RAM"]] * 4 + [STORE | HIT | L1] * 10 + [None] * 40


def print_samples(now, tid):
    for i, data_src in enumerate(SAMPLES):
        now += 1000
        has = USER | (HAS_ADDRESS | HAS_DATA_SRC if data_src is not None else 0)
        print(f"{now} 0 {tid} sample period={PERIOD} ip=0x401136 has={has} data_src={data_src or 0} "
              f"addr={START + i % NR_LINES * WAY:#x}")
    return now + 1000


def print_story(pmu, counted="instr_retired:u", config="0x80000"):
    now = 1_000_000
    print(f"{now} 0 0 switch next_pid=100 next_comm=prog")
    print(f"{now} 0 100 marker buf='annot|session'")
    print(f"{now} 0 100 marker buf='annot|cpu|0|0|0|0|1d:32768:64:8:64:0'")
    print(f"{now} 0 100 config text='event=0 name=sampled:u mode=sample type=9 config={config} period={PERIOD} "
          f"user=1 kernel=0 asked=2 precise=2 error=0 pmu={pmu}'")
    print(f"{now} 0 100 config text='event=1 name={counted} mode=count type=0x0 config=0x1 "
          f"user={int(not counted.endswith(':k'))} kernel={int(counted.endswith(':k'))} asked=0 precise=0 error=0 pmu=cpu'")
    now = print_samples(now, 100)
    print(f"{now} 0 100 begin name=walk tgid=100")
    print(f"{now} 0 100 counts nr=1 ended_by=1 counts={INSTRUCTIONS // 2}")
    now = print_samples(now, 100)
    print(f"{now} 0 100 counts nr=1 ended_by=2 counts={INSTRUCTIONS // 2}")
    print(f"{now} 0 100 end tgid=100")
    print(f"{now + 1000} 0 100 switch prev_state=16 next_pid=0")


def check_row(row, times):
    want = {"samples": 100 * times, "loads": 50 * times, "l1": 20 * times, "l2": 10 * times,
            "l3": 12 * times, "memory": 8 * times, "elsewhere": 0}
    complaints = [f"{key}: {row[key]}, not {value}" for key, value in want.items() if row[key] != value]
    return [f"{row['task']}: {complaint}" for complaint in complaints]


def check_ratio(row, instructions):
    """Garwood's interval of Poisson's distribution: the upper end of 30 is 42.83, of 8 it is 15.76."""
    if row["task"] is None:
        upper_misses, upper_memory, nr = 77.25, 26.0, 200  # of 60 and 16
    else:
        upper_misses, upper_memory, nr = 42.83, 15.76, 100
    complaints = []
    for key, share, upper in (("l1_misses", 0.3, upper_misses), ("memory_loads", 0.08, upper_memory)):
        each = instructions / nr
        error = (upper - share * nr) * each
        if abs(row[key] - share * instructions) > 1e-6 * instructions:
            complaints.append(f"{row['task']}: {key}: {row[key]}")
        if abs(row[f"{key}_error"] - error) > 0.01 * error:
            complaints.append(f"{row['task']}: {key}_error: {row[f'{key}_error']}, not {error}")
    return complaints


def check(pmu, report, ranking):
    is_ratio = pmu.startswith("ibs_")
    every, walk = report["data_levels"]["rows"]
    complaints = check_row(every, 2) + check_row(walk, 1)
    if (every["task"], walk["task"]) != (None, "walk"):
        complaints.append(f"{every['task']}, {walk['task']}")
    if is_ratio:
        complaints += check_ratio(every, INSTRUCTIONS) + check_ratio(walk, INSTRUCTIONS / 2)
    elif (walk["l1_misses"], walk["memory_loads_error"]) != (None, None):
        complaints.append(f"a ratio: {walk}")
    counts = [report["trace"]["pmu"][0]["count"], report["tasks"][0]["events"][0]["count"],
              ranking["events"][0]["count"], ranking["events"][0]["rows"][0]["count"]]
    want = [None] * 4 if is_ratio else [400_000, 200_000, 400_000, 400_000]
    if counts != want:
        complaints.append(f"counts: {counts}")
    missed = [row["missed"] for row in (ranking["events"][0], ranking["events"][0]["rows"][0])]
    if missed != ([60, 60] if is_ratio else [None, None]):
        complaints.append(f"missed: {missed}")
    if ranking["events"][0]["rows"][0]["share"] != 1:
        complaints.append("the share of all samples is not 1")
    return complaints


def check_conflict(misses, report):
    """Of 60 samples that missed, on the lines of one set. Levels have a ratio where instructions were counted."""
    rows = report["set_conflicts"]["rows"]
    if len(rows) != 1 or not rows[0]["is_conflict"]:
        return [str(report["set_conflicts"])]
    got = [rows[0][key] for key in ("samples", "lines", "agreeing", "misses")]
    want = [60, NR_LINES, NR_LINES, None if misses == "unknown" else int(misses)]
    if got[-1] is not None:
        got[-1] = round(got[-1])
    complaints = [] if got == want else [f"{got}, not {want}"]
    if misses == "unknown":
        complaints += [f"{row['task']}: {row['l1_misses']}" for row in report["data_levels"]["rows"]
                       if row["l1_misses"] is not None or row["memory_loads_error"] is not None]
    return complaints


def main():
    if sys.argv[1] == "story":
        print_story(*sys.argv[2:])
        return
    if sys.argv[1] == "check_conflict":
        with open(sys.argv[3], encoding="utf-8") as report:
            complaints = check_conflict(sys.argv[2], json.load(report))
        print("\n".join(complaints))
        sys.exit(bool(complaints))
    with open(sys.argv[3], encoding="utf-8") as report, open(sys.argv[4], encoding="utf-8") as ranking:
        complaints = check(sys.argv[2], json.load(report), json.load(ranking))
    print("\n".join(complaints))
    sys.exit(bool(complaints))


main()
