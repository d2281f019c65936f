#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: stalls.py story HOW [SAID], or check HOW REPORT [SAID]

A thread whose task "sort" mispredicts branches, and whose task "walk" misses instructions and walks through page tables, both within
"all", as lines for script_trace.py; and what annot report says of that, against it. HOW: `counted`, with the clock's rate;
`assumed`, without it; `quiet`, with a third of all; `sampled`, branches are sampled where symbols_program.c SAID that its function
hot is; `untasked`, without tasks, with the rate.
"""
import json
import re
import sys

MS = 10**6
GHZ = {"counted": 2, "untasked": 2}
CYCLES_EACH = {"branch_miss": 17, "icache_miss": 14, "page_walk_cycles": 1}
EVENTS = tuple(CYCLES_EACH)
LENGTH_MS = {"clean": 20, "sort": 40, "walk": 40}
# Of a millisecond: how many of each event.
RATES = {"clean": (100, 100, 1000), "sort": (36_000, 300, 1000), "walk": (500, 14_000, 600_000)}
PERIOD = 18_000
# The finding, which task has it, and from what share on, in percent.
KINDS = {"branch_miss": ("branch-misses", "sort", 10), "icache_miss": ("icache-misses", "walk", 5),
         "page_walk_cycles": ("page-walks", "walk", 10)}


def ghz(how):
    return GHZ.get(how, 3)


def rates(how, task):
    own = [rate // 3 if how == "quiet" else rate for rate in RATES[task]]
    if how == "sampled":
        own[0] -= own[0] % PERIOD
    return own


def events(how):
    return ["cycles" if how in GHZ else "instructions", *EVENTS[how == "sampled":]]


def mappings(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = re.match(r"map ([0-9a-f]+)-([0-9a-f]+) .... ([0-9a-f]+) \S+ \S+ *(/.*)", line)
            if match and not match[4].endswith(".c"):
                yield f"annot|map|100|{match[1]}|{int(match[2], 16) - int(match[1], 16):x}|{match[3]}||0|{match[4]}"


def place_of_hot(path):
    """Address and line."""
    with open(path, encoding="utf-8") as file:
        return next(line.split()[2:4] for line in file if line.startswith("code hot "))


def story(how, said):
    counted = events(how)
    for i, name in enumerate(counted):
        print(f"0 0 0 config text='event={i} name={name} mode=count user=1 kernel=1'")
    if how == "sampled":
        print(f"0 0 0 config text='event={len(counted)} name=branch_miss mode=sample period={PERIOD} user=1 precise=2'")
    print("0 0 0 switch next_pid=100 next_comm=program")
    print("1 0 100 marker buf='annot|session'")
    for line in mappings(said) if how == "sampled" else ():
        print(f"2 0 100 marker buf='{line}'")
    at = 0
    tell = print if how != "untasked" else lambda line: None
    tell("3 0 100 begin name=all tgid=100")
    for task, length in LENGTH_MS.items():
        tell(f"{at * MS + 4} 0 100 begin name={task} tgid=100")
        for _ in range(length):
            own = rates(how, task)
            if how == "sampled":
                for i in range(own.pop(0) // PERIOD):
                    print(f"{at * MS + 10 + i} 0 100 sample event={len(counted)} period={PERIOD} has=16 ip={place_of_hot(said)[0]}")
            at += 1
            print(f"{at * MS} 0 100 counts counts={ghz(how) * MS},{','.join(map(str, own))}")
        tell(f"{at * MS} 0 100 end tgid=100")
    tell(f"{at * MS} 0 100 end tgid=100")
    print(f"{at * MS} 0 100 switch prev_state=1")


def share_of(how, task, event):
    """In percent; task None: of all."""
    tasks = [task] if task in LENGTH_MS else LENGTH_MS
    lost = sum(rates(how, own)[EVENTS.index(event)] * LENGTH_MS[own] for own in tasks) * CYCLES_EACH[event] / ghz(how)
    return 100 * lost / (sum(LENGTH_MS[own] for own in tasks) * MS)


def check_rows(how, rows):
    tasks = {None} if how == "untasked" else {None, "all", *LENGTH_MS}
    for event in EVENTS:
        own = {row["task"]: row for row in rows if row["event"] == event}
        if set(own) != tasks:
            yield f"{event}: rows of {own.keys()}"
        for task, row in own.items():
            share = share_of(how, task, event)
            if abs(row["share_pct"] - share) > 0.01 * share + 0.001:
                yield f"{event}: {task}: {row['share_pct']} %, not {share} %"
            if not row["share_low_pct"] <= row["share_pct"] <= row["share_high_pct"]:
                yield f"{event}: {task}: the interval"
            if row["ghz"] != GHZ.get(how) or row["from"] != ("counted" if CYCLES_EACH[event] == 1 else "assumed"):
                yield f"{event}: {task}: {row['ghz']} GHz, from {row['from']}"


def wanted_findings(how):
    """The task of each kind."""
    for event, (kind, task, least) in KINDS.items():
        task = None if how == "untasked" else task
        if share_of(how, task, event) > least:
            yield kind, task


def check_findings(how, findings, said):
    kinds = [kind for kind, _, _ in KINDS.values()]
    own = {finding["kind"]: finding for finding in findings if finding["kind"] in kinds}
    wanted = dict(wanted_findings(how))
    if set(own) != set(wanted):
        yield f"findings: {sorted(own)}, not {sorted(wanted)}"
    for kind, finding in own.items():
        if not finding["text"].startswith(f"{wanted.get(kind) or 'the session'}: "):
            yield finding["text"]
        if wanted.get(kind) and finding["evidence"]["to_ns"] - finding["evidence"]["from_ns"] > LENGTH_MS[wanted[kind]] * MS:
            yield f"{kind}: {finding['evidence']}"
        if any("assumed" in caveat for caveat in finding["caveats"]) != (how not in GHZ or kind != "page-walks"):
            yield f"{kind}: {finding['caveats']}"
        if (" 2.00 GHz" in finding["text"]) != (how in GHZ):
            yield finding["text"]
    if how == "sampled":
        place = f"; branch_miss at symbols_program.c:{place_of_hot(said)[1]} (100 %)"
        if not own["branch-misses"]["text"].endswith(place):
            yield own["branch-misses"]["text"]


def main():
    what, how, *rest = sys.argv[1:]
    if what == "story":
        story(how, *rest, *([None] if not rest else []))
        return
    with open(rest[0], encoding="utf-8") as file:
        report = json.load(file)
    complaints = list(check_rows(how, report["stalls"]["rows"]))
    complaints += check_findings(how, report["findings"], rest[1] if len(rest) > 1 else None)
    for complaint in complaints:
        print(complaint)
    sys.exit(bool(complaints))


main()
