# SPDX-License-Identifier: GPL-2.0
"""The tables of an overview, counted anew from the rows that a page tells of."""
import collections

STATES = ["running", "preempted", "runnable", "sleeping", "uninterruptible", "stopped", "dead"]
FULL = 255


def share(ns, bucket_ns):
    """Of 255; what is there at all is at least 1."""
    return max(round(FULL * ns / bucket_ns), 1) if ns > 0 else 0


def parts(start, end, bucket_ns):
    """(bucket, ns in it) for each bucket of a time."""
    bucket = int(start // bucket_ns)
    while bucket * bucket_ns < end:
        yield bucket, min(end, (bucket + 1) * bucket_ns) - max(start, bucket * bucket_ns)
        bucket += 1


def table(kind, owner, columns, rows):
    turned = list(zip(*rows)) or [()] * len(columns)
    return {"kind": kind, "owner": owner,
            "table": {"rows": len(rows), **{name: list(column) for name, column in zip(columns, turned)}}}


def runs(rows):
    """[(row...)] by bucket -> [(row..., how many buckets)]: those alike become one."""
    found = []
    for row in rows:
        if found and found[-1][:-1] == row:
            found[-1] = (*row, found[-1][-1] + 1)
        else:
            found.append((*row, 1))
    return found


def of_cpu(slices, index_of, buckets, bucket_ns):
    ran = [collections.Counter() for _ in range(buckets)]
    for piece in slices:
        for bucket, ns in parts(piece["start"], piece["end"], bucket_ns):
            ran[bucket][index_of[piece["tid"]]] += ns
    return [(max(own, key=own.get) + 1 if own else 0, share(sum(own.values()), bucket_ns)) for own in ran]


def of_states(states, buckets, bucket_ns):
    shares = [[0] * len(STATES) for _ in range(buckets)]
    for row in states:
        if row["state"]:
            end = min(row["end"], buckets * bucket_ns)
            for bucket, ns in parts(row["start"], end, bucket_ns):
                shares[bucket][row["state"] - 1] += ns
    return [(run, *own) for *own, run in runs([tuple(min(share(ns, bucket_ns), FULL) for ns in own)
                                              for own in shares])]


def of_spans(spans, names, buckets, bucket_ns):
    rows = []
    for depth in sorted({span["depth"] for span in spans}):
        own = [collections.Counter() for _ in range(buckets)]
        for span in spans:
            if span["depth"] == depth:
                for bucket, ns in parts(span["start"], span["end"], bucket_ns):
                    own[bucket][names[span["name"]], span["kind"]] += ns
        by_bucket = [(*max(times, key=times.get), share(sum(times.values()), bucket_ns)) if times else (0, 0, 0)
                     for times in own]
        rows += [(depth, run, *row) for *row, run in runs(by_bucket)]
    return rows


def of_marks(marks, names, buckets, bucket_ns):
    found = [[] for _ in range(buckets)]
    for mark in marks:
        if not mark["counter"]:
            found[min(int(mark["start"] // bucket_ns), buckets - 1)].append(names[mark["name"]])
    return [(run, *row) for *row, run in runs([(own[0] if own else 0, len(own)) for own in found])]


def of_counters(marks, names, buckets, bucket_ns):
    rows = []
    for name in sorted({names[mark["name"]] for mark in marks if mark["counter"]}):
        by_bucket = []
        last = 0
        values = collections.defaultdict(list)
        for mark in marks:
            if mark["counter"] and names[mark["name"]] == name:
                values[min(int(mark["start"] // bucket_ns), buckets - 1)].append(mark["value"])
        for bucket in range(buckets):
            seen = [last, *values[bucket]]
            last = seen[-1]
            by_bucket.append((min(seen), max(seen), last))
        rows += [(name, run, *row) for *row, run in runs(by_bucket)]
    return rows


def tables(browser, buckets, bucket_ns=None):
    """(tables, ns of a bucket) of the page that a browser shows."""
    bucket_ns = bucket_ns or -(-browser.run("annot.view().end") // buckets)
    threads = browser.run("annot.threads()")
    names = {name: i for i, name in enumerate(browser.run("annot.strings()"))}
    index_of = {thread["tid"]: thread["index"] for thread in threads}
    made = []
    for lane in browser.run("annot.lanes()"):
        if lane["kind"] == "cpu":
            cpu = int(lane["id"].split()[1])
            slices = browser.run("annot.slicesOf(arguments[0])", cpu)
            made.append(table(20, cpu, ["thread", "busy"], of_cpu(slices, index_of, buckets, bucket_ns)))
    for thread in threads:
        index = thread["index"]
        states, spans, marks = (browser.run(f"annot.{what}Of(arguments[0])", index)
                                for what in ("states", "spans", "marks"))
        for kind, columns, rows in (
                (21, ["run", *STATES], of_states(states, buckets, bucket_ns)),
                (22, ["depth", "run", "name", "kind", "share"], of_spans(spans, names, buckets, bucket_ns)),
                (25, ["name", "run", "min", "max", "last"], of_counters(marks, names, buckets, bucket_ns)),
                (26, ["run", "name", "count"], of_marks(marks, names, buckets, bucket_ns))):
            made.append(table(kind, index, columns, rows))
    return made, bucket_ns
