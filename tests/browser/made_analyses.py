# SPDX-License-Identifier: GPL-2.0
"""What annot html might find in the trace of scene.py: made up, so that a test knows the truth.

All parts of the analysis after viewer/report/analyses.h, on the threads and CPUs of that trace.
"""
import json
import re

import scene

MS = 1000000
US = 1000
ANALYSIS = re.compile(r'<script type="application/json" id="analysis">.*?</script>\n', re.S)
HOSTILE = '<img src=x onerror="document.title=1">&amp;</script><b>bold'


def save(page, path, analysis):
    """The @page (a file) with another analysis; None: with none."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    escaped = json.dumps(analysis).replace("<", "\\u003c")
    element = "" if analysis is None else f'<script type="application/json" id="analysis">{escaped}</script>\n'
    assert len(ANALYSIS.findall(text)) == 1, "the page has not one analysis"
    with open(path, "w", encoding="utf-8") as file:
        file.write(ANALYSIS.sub(lambda _: element, text))


def finding(kind, lost, text, confidence, evidence, caveats=()):
    start, end, who, cpus, index = evidence
    return {"kind": kind, "time_lost_ns": lost, "text": text, "confidence": confidence,
            "evidence": {"from_ns": start, "to_ns": end, "tids": who, "threads": [index[tid] for tid in who],
                         "cpus": cpus},
            "caveats": list(caveats)}


def cured(own, least, value, most, *words):
    """The finding, with a gain."""
    return {**own, "gain_ns": value, "gain_least_ns": least, "gain_most_ns": most, "what_if": list(words)}


def findings(index):
    first = finding(
        "imbalance", 1500 * US, "solve: worker-a always comes last and has 1.7 times the work of the others: "
        "a perfect balance would save 1.500 ms", "high", (1000 * US, 5500 * US, [scene.A, scene.B], [], index),
        ["Few instances: the difference may be chance"])
    second = finding(
        "interference", 1200 * US, "stranger took the CPU from worker-a 1 time, for 1.500 ms", "medium",
        (3000 * US, 4500 * US, [scene.A, scene.STRANGER], [0], index),
        ["Events were lost: figures are lower bounds",
         "Threads ran on two hardware threads of one core and shared its caches and units"])
    third = finding("migrations", 150 * US, f"{HOSTILE} moved between CPUs", "low",
                    (4200 * US, 6000 * US, [scene.B], [0, 1], index))
    return [cured(first, 1000 * US, 2000 * US, 2500 * US, "--balance", "it's solved"), second,
            cured(third, -500 * US, -100 * US, 300 * US, "--pin")]


def what_if():
    return {
        "replay": [{"recorded_ns": 10 * MS, "replayed_ns": 9900 * US, "replay_error_pct": -1}],
        "tasks": [{"name": "solve", "gain_pct_per_pct": 0.8, "work_ns": 4 * MS},
                  {"name": HOSTILE, "gain_pct_per_pct": 0.2, "work_ns": 5 * MS},
                  {"name": "idle", "gain_pct_per_pct": -0.01, "work_ns": 1 * MS}],
    }


CATALOGUE = {
    "imbalance": {
        "title": "threads get unequal amounts of work",
        "how_to_see": "Spans end at different times, each followed by a wait.",
        "what": "Some threads have more to do than others, which then wait for them.",
        "definition": "Useful time per thread in each parallel region is compared: the greatest against the average.",
        "cures": ["Smaller pieces of work, handed out when they are asked for (schedule(dynamic))",
                  "Weights by measured cost, where pieces differ"],
    },
    "interference": {
        "title": "another program takes the CPU", "how_to_see": "A lane is preempted, and its CPU's lane shows a thread of another program.",
        "what": "Another program takes the CPU while there is work to do.",
        "definition": "The scheduler's switches show which thread ran while a thread of the session was ready to run.",
        "cures": ["CPUs of its own (taskset, cpusets, isolcpus)", "A lower priority for the other program (nice)"],
    },
}


def row(index, tid, **figures):
    return {"thread": index[tid], "tid": tid, **figures}


def instance(index, group, start, parts, last, text):
    """@parts: {tid: (from, useful, waiting, preempted, wakeup, blocked)} in us, from after the start."""
    end = start + max(sum(own) for own in parts.values())
    useful = [own[1] for own in parts.values()]
    most, mean = max(useful), sum(useful) / len(useful)
    return {
        "group": group, "from_ns": start * US, "to_ns": end * US, "load_balance": mean / most,
        "parallel_efficiency": sum(useful) / len(useful) / (end - start),
        "imbalance_time_ns": int((most - mean) * US),
        "imbalance_pct": (most - mean) / most * len(useful) / (len(useful) - 1) * 100,
        "last": row(index, last, why="more work", behind_ns=700 * US, text=text, by_thread=None, by_tid=None),
        "threads": [row(index, tid, from_ns=(start + late) * US, to_ns=end * US, useful_ns=use * US,
                        waiting_ns=wait * US, preempted_ns=preempted * US, wakeup_ns=woken * US,
                        blocked_ns=blocked * US, unknown_ns=0, migrations=tid == scene.B, misses=None)
                    for tid, (late, use, wait, preempted, woken, blocked) in parts.items()],
    }


def regions(index):
    a, b, c = scene.A, scene.B, scene.STRANGER
    first = instance(index, 0, 1000, {a: (0, 3000, 0, 1500, 0, 0), b: (200, 1800, 2500, 0, 0, 0),
                                      c: (900, 1000, 1600, 300, 200, 500)}, a, "worker-a had more work: 3.000 ms, "
                     "the others 1.400 ms")
    second = instance(index, 0, 6000, {a: (0, 1000, 500, 0, 0, 0), b: (0, 1200, 100, 200, 0, 0),
                                       c: (100, 1400, 0, 0, 0, 0)}, c, "stranger had more work")
    third = instance(index, 1, 8000, {a: (0, 900, 0, 0, 0, 0), b: (0, 0, 900, 0, 0, 0)}, a, "it alone had work")
    return {
        "groups": [
            {"name": "solve", "kind": "parallel", "instances": 2, "nr_threads": 3, "elapsed_ns": 6000 * US,
             "useful_ns": 9400 * US, "load_balance": 0.655, "parallel_efficiency": 0.522,
             "imbalance_time_ns": 1267 * US, "imbalance_pct": 51.7, "saved_ns": 1267 * US, "serial_ns": 0},
            {"name": f"output {HOSTILE}", "kind": "serial", "instances": 1, "nr_threads": 2, "elapsed_ns": 900 * US,
             "useful_ns": 900 * US, "load_balance": 0.5, "parallel_efficiency": 0.5, "imbalance_time_ns": 450 * US,
             "imbalance_pct": 100, "saved_ns": 0, "serial_ns": 900 * US},
        ],
        "totals": {"elapsed_ns": 6900 * US, "parallel_ns": 6000 * US, "serial_ns": 900 * US, "saved_ns": 1267 * US,
                   "serialisation_efficiency": 0.87, "load_balance_efficiency": 0.655,
                   "scheduling_efficiency": None, "parallel_efficiency": 0.522},
        "instances": [second, first, third], "left_out": 12,
    }


def path(index, group, number, segments, threads):
    """
    @segments: (tid, from us, to us, kind, task, cause), with the kind as "running", "blocked on disk"; @threads: (tid, on
    path us, slack us).
    """
    start, end = segments[0][1] * US, segments[-1][2] * US

    def kind_of(said):
        kind, _, waits_for = said.partition(" on ")
        return {"kind": kind, "waits_for": waits_for or None}
    return {
        "instance": number, "from_ns": start, "to_ns": end, "group": group, "elapsed_ns": end - start,
        "segments": [row(index, tid, from_ns=since * US, to_ns=to * US, task=task, cause=cause, **kind_of(kind))
                     for tid, since, to, kind, task, cause in segments],
        "threads": [row(index, tid, on_path_ns=own * US, slack_ns=slack * US) for tid, own, slack in threads],
        "left_out": 0,
    }


def critical_path(index):
    """Of solve's two instances; of output's none is told."""
    a, b, c = scene.A, scene.B, scene.STRANGER
    worst = path(index, "solve", 1, [
        (a, 1000, 3000, "running", "solve", "start"), (a, 3000, 3500, "preempted", "solve", "start"),
        (a, 3500, 4000, "running", "solve", "start"), (b, 4000, 4300, "blocked on disk", None, "wakeup"),
        (b, 4300, 5500, "running", "barrier", "wakeup")], [(a, 3000, 0), (b, 1500, 1700)])
    other = path(index, "solve", 2, [(c, 6000, 7500, "running", "solve", "start")],
                 [(c, 1500, 0), (a, 0, 500), (b, 0, 100)])
    session = {**worst, "group": None, "segments": worst["segments"][:2], "left_out": 7}
    del session["instance"]
    return {**session, "worst_region": worst, "other_regions": [other]}


def interference(index):
    def who(tid, comm, **more):
        return row(index, tid, comm=comm, **more)
    a, b = who(scene.A, "worker-a"), who(scene.B, "worker-b")
    stranger = who(scene.STRANGER, "stranger", program="stranger")
    return {
        "pairs": [{"victim": a, "by": stranger, "times": 3, "preempted_ns": 1500 * US,
                   "queued_ns": 0, "longest_ns": 900 * US},
                  {"victim": b, "by": stranger, "times": 2, "preempted_ns": 500 * US,
                   "queued_ns": 0, "longest_ns": 400 * US},
                  {"victim": b, "by": {**a, "program": "scene"}, "times": 1, "preempted_ns": 200 * US,
                   "queued_ns": 100 * US, "longest_ns": 300 * US}],
        "programs": [{"victim_program": "scene", "by_program": "stranger", "times": 5, "preempted_ns": 2000 * US,
                      "queued_ns": 0, "lengthened_waits_ns": 700 * US, "lost_ns": 1200 * US},
                     {"victim_program": "scene", "by_program": None, "times": 0, "preempted_ns": 0, "queued_ns": 10 * US,
                      "lengthened_waits_ns": 0, "lost_ns": 0}],
        "queues": [{"cpu": 0, "waits": 5, "wait_ns": 1800 * US, "longest_ns": 1500 * US,
                    "histogram": {"edges_ns": [1000, 10000, 100000, 1000000, 10000000], "counts": [0, 1, 2, 1, 1, 0]}},
                   {"cpu": 1, "waits": 1, "wait_ns": 20 * US, "longest_ns": 20 * US,
                    "histogram": {"edges_ns": [1000, 10000, 100000, 1000000, 10000000], "counts": [0, 0, 1, 0, 0, 0]}}],
        "left_out": 0,
    }


def wakeups(index):
    return {
        "histogram": {"edges_ns": [1000, 2000, 4000, 8000, 16000, 32000, 64000, 128000, 256000],
                      "counts": [0, 3, 25, 60, 80, 41, 12, 5, 2, 0]},
        "median_ns": 9 * US, "p99_ns": 140 * US, "max_ns": 200 * US,
        "threads": [row(index, scene.B, wakeups=150, median_ns=8 * US, p99_ns=120 * US, max_ns=200 * US),
                    row(index, scene.A, wakeups=78, median_ns=10 * US, p99_ns=140 * US, max_ns=150 * US)],
        "left_out": 0,
    }


def migrations(index):
    return {
        "total": 31, "ping_pongs": 6, "cost_ns": 90 * US, "excess_misses": 5200,
        "matrix": [[0, 12, 3, 0], [11, 0, 0, 1], [2, 0, 0, 1], [0, 1, 0, 0]],
        "distance": [[0, 1, 3, 3], [1, 0, 3, 3], [3, 3, 0, None], [3, 3, None, 0]],
        "threads": [row(index, scene.A, migrations=20, ping_pongs=5, cost_ns=60 * US, misses=4000),
                    row(index, scene.B, migrations=11, ping_pongs=1, cost_ns=None, misses=None)],
    }


def switch_misses():
    edges = [0, 10, 20, 50, 100, 200, 500, 1000, 2000, None]
    decay = [9.1, 7.2, 5.0, 3.1, 1.6, 0.9, 0.7, 0.6, 0.6]
    return {
        "event": "LLC-load-misses", "bins_us": edges, "warm_rate_per_us": 0.6, "from": "samples",
        "curves": [
            {"after": "same", "switches": 120, "rate_per_us": [value * 0.2 + 0.4 for value in decay],
             "error": [0.15] * len(decay)},
            {"after": "other program", "switches": 80, "rate_per_us": decay, "error": [0.6] * len(decay)},
            {"after": "migration", "switches": 9, "rate_per_us": [value * 1.4 for value in decay],
             "error": [1.8, 1.5, 1.2, 1, 0.8, 0.6, 0.5, 0.4, 0.4]},
        ],
        "excess": [
            {"after": "other program", "per_switch": 812.4, "low": 700.1, "high": 925, "ns_per_switch": 40600,
             "p_value": 0.001},
            {"after": "migration", "per_switch": 1190, "low": 400, "high": 1980, "ns_per_switch": None,
             "p_value": 0.04},
            {"after": "same", "switches": 0, "per_switch": None, "low": None, "high": None, "ns_per_switch": None,
             "p_value": None},
        ],
        "tasks": [{"task": "solve", "switches": 70, "warm_rate_per_us": 0.7, "excess": [
            {"after": "other program", "switches": 70, "per_switch": 900, "low": 800, "high": 1000,
             "ns_per_switch": 45000, "p_value": 0.001}]}],
    }


def patterns(index):
    return {
        "set_conflicts": {"rows": [
            {"symbol": "column_sum", "object": "conflict", "line": "conflict.c:41", "event": "l1d.replacement",
             "from": "addresses", "register": None, "samples": 4100, "level": "L1", "sets": 64, "ways": 8, "span_bytes": 4096, "lines": 128, "agreeing": 124,
             "expected": 0.02, "p_value": 1e-9, "is_conflict": True},
            {"symbol": HOSTILE, "object": None, "line": None, "event": "l1d.replacement", "from": "register",
             "register": "bx", "samples": 40, "level": "L1", "sets": 64, "ways": 8, "span_bytes": 4096, "lines": 30, "agreeing": 0, "expected": 0.02, "p_value": 0.4,
             "is_conflict": False},
            {"symbol": None, "object": "conflict", "line": None, "ip": "0xffffffff810055d0", "event": "l1d.replacement", "samples": 9,
             "level": "L1", "sets": 64, "ways": 8, "span_bytes": 4096, "lines": 9, "agreeing": 0, "expected": 0,
             "p_value": 1, "is_conflict": False}], "left_out": 0, "not_computed": None},
        "false_sharing": {"rows": [
            {"address": "0xffff8881f2a10c0", "symbol": "counters", "cpus": [0, 1], "tids": [scene.A, scene.B],
             "samples": 900, "stores": 450, "turns": 300,
             "is_false_sharing": True}], "accesses": [
                 row(index, tid, symbol="counters", object="solver", line=None, field=field, address=address,
                     line_address="0xffff8881f2a10c0", samples=450, stores=225)
                 for tid, field, address in ((scene.A, "counters[0].hits", "0xffff8881f2a10c0"),
                                             (scene.B, None, "0xffff8881f2a10d0"))], "left_out": 0},
        "working_set": {
            "line_bytes": 64, "levels": [{"name": "L1d", "bytes": 32 << 10, "holds_bytes": 24 << 10, "holds_not_bytes": 3 << 20},
                                         {"name": "L2", "bytes": 1 << 20, "holds_bytes": None, "holds_not_bytes": None},
                                         {"name": "L3", "bytes": 32 << 20, "holds_bytes": None, "holds_not_bytes": None}],
            "tasks": [
                {"name": "solve", "points": [{"accesses": 10 ** (n / 2), "bytes": min(64 * 10 ** (n / 2), 3 << 20)}
                                             for n in range(2, 16)], "knee_bytes": 3 << 20, "knee_accesses": 49152, "samples": 1200,
                 "misses": [{"level": "L1d", "expected_per_load": 1, "expected_is_upper_bound": True, "measured_per_load": 0.96, "event": "l1_cache_miss"},
                            {"level": "L2", "expected_per_load": 0.87, "measured_per_load": None, "event": None}]},
                {"name": "inner", "points": [{"accesses": 10 ** (n / 2), "bytes": min(64 * 10 ** (n / 2), 24 << 10)}
                                             for n in range(2, 16)], "knee_bytes": None, "knee_accesses": None, "samples": 900,
                 "misses": []},
                {"name": "round", "points": [{"accesses": 251, "bytes": 251 << 6, "is_sure": False},
                                             {"accesses": 502, "bytes": 502 << 6, "is_sure": False}],
                 "doubt": "seldom", "least_bytes": 256 << 10, "most_bytes": 64 << 20, "knee_bytes": None, "knee_accesses": None,
                 "samples": 850, "misses": []},
                {"name": "small", "points": [{"accesses": 100, "bytes": 6400}, {"accesses": 1000, "bytes": 24 << 10}],
                 "knee_bytes": 24 << 10, "knee_accesses": 384, "samples": 800,
                 "misses": [{"level": "L1d", "expected_per_load": 0, "measured_per_load": 0.02, "event": "l1_cache_miss"}]}]},
    }


def task_tree():
    def node(name, parent, figures, kind="work"):
        instances, inclusive, exclusive, on_cpu, own_on_cpu, preempted, misses = figures
        return {"name": name, "kind": kind, "parent": parent, "instances": instances, "inclusive_ns": inclusive * US,
                "exclusive_ns": exclusive * US, "on_cpu_ns": on_cpu * US, "exclusive_on_cpu_ns": own_on_cpu * US,
                "preempted_ns": preempted * US, "misses": misses and {"LLC-load-misses": misses}, "mpki": None,
                "mpki_error": None, "threads": 1}
    return {"nodes": [
        node("solve", -1, (1, 4500, 4500, 3000, 1000, 1500, 900)),
        node("assemble", 0, (4, 2000, 1500, 1500, 1000, 300, 700)),
        node("integrate", 1, (40, 500, 500, 500, 500, 0, None)),
        node("outer loop", -1, (1, 2600, 2100, 2600, 2100, 0, None)),
        node("inner", 3, (1, 500, 500, 500, 500, 0, None)),
        node("barrier", -1, (1, 4000, 4000, 400, 400, 0, None), "wait"),
        node(HOSTILE, 0, (2, 500, 500, 500, 500, 0, None)),
    ], "threshold_pct": 1, "left_out": 3}


def made_up(index):
    """An analysis that the page knows nothing of, with each type of column."""
    return {
        "things": [
            row(index, scene.B, comm="worker-b", cpu=1, cpus=[0, 1], tids=[scene.A, scene.B], nr=1234567, ratio=0.25,
                ns=1500 * US, start_ns=4200 * US, end_ns=5100 * US, address="0xffff8881f2a10c0", symbol=HOSTILE,
                object="libthing.so", line=None, text="a word", is_so=True, nothing=None),
            row(index, scene.A, comm="worker-a", cpu=0, cpus=[], tids=[], nr=7, ratio=None, ns=None,
                start_ns=1000 * US, end_ns=1200 * US, address="0x10", symbol=None, object="libthing.so",
                line=None, text=None, is_so=False, nothing=None),
        ],
        "left_out": 5,
    }


MADE_UP = {
    "name": "made_up", "title": "Made-up things", "hint": "what nobody has a view of", "tables": [{
        "key": "things", "title": "Things", "noun": "thing", "columns": [
            {"type": "thread", "heading": "thread", "meaning": "Whose thing it is."},
            {"type": "cpu", "key": "cpu", "heading": "CPU", "meaning": "Where it was."},
            {"type": "cpus", "key": "cpus", "heading": "all CPUs", "meaning": "Where it went."},
            {"type": "threads", "heading": "users", "meaning": "Who had it."},
            {"type": "count", "key": "nr", "heading": "number", "meaning": "How many they are."},
            {"type": "number", "key": "ratio", "heading": "ratio", "meaning": "Of how many."},
            {"type": "time", "key": "ns", "heading": "time", "meaning": "How long it took."},
            {"type": "from", "key": "start_ns", "heading": "since", "meaning": "When it began."},
            {"type": "to", "key": "end_ns", "meaning": "When it ended."},
            {"type": "address", "key": "address", "heading": "address", "meaning": "Where it stands."},
            {"type": "place", "heading": "place", "meaning": "What stands there."},
            {"type": "text", "key": "text", "heading": "word", "meaning": "What it says."},
            {"type": "flag", "key": "is_so", "heading": "so", "meaning": "Whether it is so."},
            {"type": "count", "key": "nothing", "heading": "nothing", "meaning": "What nobody knows."},
        ]}]}


def whole(index):
    """All analyses."""
    return {
        "session": {"from_ns": 0, "to_ns": 10 * MS}, "findings": findings(index), "catalogue": CATALOGUE,
        "regions": regions(index), "critical_path": critical_path(index), "interference": interference(index),
        "wakeup_latency": wakeups(index), "migrations": migrations(index), "switch_misses": switch_misses(),
        **patterns(index), "what_if": what_if(), "task_tree": task_tree(), "made_up": made_up(index), "analyses": [MADE_UP],
    }


NOTHING = {"session": {"from_ns": 0, "to_ns": 10 * MS}, "findings": []}
LEFT_OUT = {"left_out": {"events": 5200000, "most_events": 3000000}}
