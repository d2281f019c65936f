#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: load_latency.py story HOW, or check HOW REPORT

Two threads that take a line from each other, and one of which then walks through memory, as lines for script_trace.py; and what
annot report says of their latencies and of what misses cost, against that. HOW: `sampled`, enough loads of the line tell their
latency; `few`, they do not; `silent`, no sample tells one.
"""
import json
import random
import sys

CPU_GHZ, PERIOD, MISSES, L1_CYCLES = 2, 1000, 200, 7
# perf_event_open(2): a load; hit, and L1 to memory; modified in another CPU's cache.
LOAD, HIT, L1, L2, L3, RAM, MODIFIED = 2, 1 << 6, 1 << 8, 1 << 10, 1 << 11, 1 << 12, 1 << 23
USER, ADDRESS, LATENCY, SOURCE = 0x10, 1, 2, 4
LINE, ELSEWHERE = 0x7f0000000000, 0x7f0000100000
SESSION_NS = 100_000_000
EVENTS = {"l1_cache_miss": "0x8d1", "memory_stores": "0x82d0", "load_latency:3": "0x1cd config1=0x3", "l2_cache_miss": "0x10d1"}
MISS, STORE, LOAD_LATENCY, L2_MISS = range(4)


def taken_latencies(how):
    chance = random.Random(3)
    return [chance.randint(80, 160) for _ in range({"sampled": 400, "few": 20, "silent": 0}[how])]


def walk_latencies(how):
    """(Where it was found, cycles)"""
    if how == "silent":
        return []
    return [(L1, L1_CYCLES)] * 50 + [(L2, 20)] * 100 + [(L3, 60)] * 60 + [(RAM, 400)] * 40


def story(how):
    lines = []

    def tell(now, tid, words):
        lines.append((now, f"{now} {tid and tid - 100} {tid} {words}"))

    def sample(now, tid, event, address, source=0, cycles=0):
        has = USER | ADDRESS | (SOURCE if source else 0) | (LATENCY if cycles else 0)
        tell(now, tid, f"sample event={event} period={PERIOD} ip=0x401136 has={has} addr={address:#x} data_src={source} "
                       f"weight={cycles} precise=2")

    print("1000 0 0 switch next_pid=100 next_comm=share")
    print("1000 0 100 marker buf='annot|session'")
    print("1000 0 100 marker buf='annot|machine|virtual|KVM'")
    for cpu in range(2):
        print(f"1000 0 100 marker buf='annot|cpu|{cpu}|{cpu}|0|0|1d:32768:64:8:64:0'")
    for index, (name, code) in enumerate(EVENTS.items()):
        print(f"1000 0 100 config text='event={index} name={name}:u mode=sample type=0x4 config={code} period={PERIOD} "
              f"user=1 kernel=0 asked=2 precise=2 error=0'")
    print(f"1000 0 100 config text='event={len(EVENTS)} name=cycles mode=count type=0x0 config=0x0 user=1 kernel=1 asked=0 "
          f"precise=0 error=0'")
    print("1100 0 100 fork pid=101 comm=share clone_flags=0x10000")
    tell(1200, 101, "switch prev_pid=0 next_pid=101 next_comm=share")
    for tid in (100, 101):
        tell(1300, tid, "begin name=share tgid=100")
        for i in range(MISSES):
            at = 10_000 + i * 400_000 + (tid - 100) * 200_000
            sample(at, tid, MISS, LINE + (tid - 100) * 8)
            sample(at + 1000, tid, STORE, LINE + (tid - 100) * 8)
        tell(90_000_000, tid, "end tgid=100")
        tell(SESSION_NS, tid, f"counts counts={CPU_GHZ * (SESSION_NS - 1000 - 200 * (tid - 100))} ended_by=0")
        tell(SESSION_NS, tid, "switch prev_state=16 next_pid=0")
    for i, cycles in enumerate(taken_latencies(how)):
        sample(20_000 + i * 150_000, 100 + i % 2, LOAD_LATENCY, LINE + i % 2 * 8, LOAD | HIT | L3 | MODIFIED, cycles)
    tell(90_000_000, 100, "begin name=walk tgid=100")
    for i, (level, cycles) in enumerate(walk_latencies(how)):
        sample(90_001_000 + i * 1000, 100, LOAD_LATENCY, ELSEWHERE + i * 64, LOAD | HIT | level, cycles)
    for i in range(20):
        sample(95_000_000 + i * 1000, 100, L2_MISS, ELSEWHERE + i * 64)
    tell(96_000_000, 100, "end tgid=100")
    for _, line in sorted(lines, key=lambda line: line[0]):
        print(line)


def mean(values):
    return sum(values) / len(values)


def cost_of_line(how):
    """Cycles, and ns: without what a hit costs; or the constant, at 3 GHz."""
    if how != "sampled":
        return 75, 25
    cycles = mean(taken_latencies(how)) - L1_CYCLES
    return cycles, cycles / CPU_GHZ


def rank(values, share):
    return sorted(values)[-int(-share * len(values) // 1) - 1]


def check_tasks(how, latency):
    own = {"share": taken_latencies(how), "walk": [cycles for _, cycles in walk_latencies(how)]}
    own[None] = own["share"] + own["walk"]
    level = {"share": "L3", "walk": "L2", None: "L3" if how == "sampled" else "L2"}
    for row in latency["tasks"]:
        values = own.pop(row["task"])
        want = {"event": "load_latency:3:u", "samples": len(values), "level": level[row["task"]], "sampled": "slow loads",
                "threshold_cycles": 3}
        want |= {f"p{percent}_cycles": rank(values, percent / 100) for percent in (50, 90, 99)}
        yield from (f"{row['task']}: {key}: {row[key]}, not {value}" for key, value in want.items() if row[key] != value)
        if not row["p50_low_cycles"] <= row["p50_cycles"] <= row["p50_high_cycles"]:
            yield f"{row['task']}: the interval of p50"
        for step in (step for step in latency["histogram"] if step["task"] == row["task"]):
            nr = sum(step["least_cycles"] <= value < step["below_cycles"] for value in values)
            if step["samples"] != nr or step["below_cycles"] != 2 * step["least_cycles"]:
                yield f"{step}, not {nr}"
        if sum(step["samples"] for step in latency["histogram"] if step["task"] == row["task"]) != len(values):
            yield f"{row['task']}: the histogram lacks samples"
    yield from (f"no row of {task}" for task in own)


def check_costs(how, latency):
    costs = {row["miss"]: row for row in latency["costs"]}
    taken = taken_latencies(how)
    ram, l3, l2 = ([cycles for level, cycles in walk_latencies(how) if level == of] for of in (RAM, L3, L2))
    want = {"L3": ram, "L2": ram + l3 + taken, "L1": ram + l3 + l2 + taken}
    if how == "sampled":
        want["taken line"] = taken
    for name, row in costs.items():
        if row["from"] != ("samples" if name in want else "assumed"):
            yield f"{name}: {row['from']}"
        elif name in want:
            cycles = mean(want[name]) - L1_CYCLES
            if abs(row["cycles"] - cycles) > 1e-6 or abs(row["ns"] - cycles / CPU_GHZ) > 0.01 or not row["is_above_l1"] or \
                    row["samples"] != len(want[name]) or abs(row["ghz"] - CPU_GHZ) > 0.001:
                yield f"{name}: {row}, not {cycles}"
        elif (row["error_cycles"], row["samples"], row["event"], row["ghz"]) != (None,) * 4:
            yield f"{name}: {row}"


def check_finding(how, report):
    cycles, ns = cost_of_line(how)
    sharing = report["false_sharing"]
    if sharing["cost_from"] != ("samples" if how == "sampled" else "assumed") or abs(sharing["cost_cycles"] - cycles) > 1e-6 or \
            (sharing["cost_error_cycles"] is None) != (how != "sampled"):
        yield f"cost: {[value for key, value in sharing.items() if key.startswith('cost_')]}, not {cycles}"
    findings = [finding for finding in report["findings"] if finding["kind"] == "false-sharing"]
    if len(findings) != 1:
        yield f"{len(findings)} findings"
        return
    lost_ns = MISSES * PERIOD * ns
    if abs(findings[0]["time_lost_ns"] - lost_ns) > 1e-3 * lost_ns:
        yield f"lost: {findings[0]['time_lost_ns']}, not {lost_ns}"
    if ("; each costs " in findings[0]["text"]) != (how == "sampled"):
        yield findings[0]["text"]
    if any("assumed" in caveat for caveat in findings[0]["caveats"]) != (how != "sampled"):
        yield str(findings[0]["caveats"])


def check_machine(report):
    """The trace says that it is virtual: each event of the PMU has that caveat."""
    trace = report["trace"]
    if (trace["virtual"], trace["hypervisor"]) != (True, "KVM"):
        yield f"virtual: {trace['virtual']}, by {trace['hypervisor']}"
    yield from (f"{event['name']}: {event['caveats']}" for event in trace["pmu"] if "virtual" not in event["caveats"])


def check(how, report):
    latency = report["load_latency"]
    yield from check_finding(how, report)
    yield from check_machine(report)
    if how == "silent":
        if not latency["not_computed"] or latency["tasks"] or latency["costs"]:
            yield str(latency)
        return
    yield from check_tasks(how, latency)
    yield from check_costs(how, latency)


def main():
    if sys.argv[1] == "story":
        story(sys.argv[2])
        return
    with open(sys.argv[3], encoding="utf-8") as file:
        complaints = list(check(sys.argv[2], json.load(file)))
    for complaint in complaints:
        print(complaint)
    sys.exit(bool(complaints))


main()
