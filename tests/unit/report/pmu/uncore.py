#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""
Usage: uncore.py story HOW, or check HOW REPORT

Two threads whose task "solve" is a region of 30 ms, twice, and annot record, which reads two counters of each of two sockets every 10 ms:
energy, and transfers of memory. As lines for script_trace.py; and what annot report says of that, against it. HOW: `whole`, the
regions begin at readings; `between`, they begin 4 ms later; `turns`, transfers are counted half of the time; `lost`, the readings
from 40 to 70 ms are missing.
"""
import json
import sys

MS = 10**6
END_MS = 120
REGIONS_MS = ((20, 50), (70, 100))
JOULE = 2**20
MIB_BYTES = 64 / 2**20
READER = 300


def regions(how):
    shift = 4 if how == "between" else 0
    return [(begin + shift, end + shift) for begin, end in REGIONS_MS]


def watts(socket, ms):
    """Constant within 10 ms."""
    return 10 + 5 * socket + ms // 10 % 4


def joules(socket, begin, end):
    return sum(watts(socket, ms) / 1000 for ms in range(begin, end))


def transfers(ms):
    return ms * 1000


def is_read(how, ms):
    return how != "lost" or not 40 < ms < 70


def tell(ms, reader_line):
    print(f"{ms * MS + 1} 2 {READER} marker buf='annot|uncore|{reader_line}'")


def tell_counts(how, ms):
    ran = ms * MS // 2 if how == "turns" else ms * MS
    counts = []
    for socket in (0, 1):
        counts.append(f"{round(joules(socket, 0, ms) * JOULE)},{ms * MS},{ms * MS}")
        counts.append(f"{transfers(ms) // (2 if how == 'turns' else 1)},{ms * MS},{ran}")
    tell(ms, "counts|0|" + "|".join(counts))


def story(how):
    print(f"0 2 0 switch next_pid={READER} next_comm=annot-uncore")
    for socket in (0, 1):
        tell(0, f"event|{2 * socket}|{8 * socket}|{1 / JOULE:.17g}|Joules|power/energy-pkg/")
        tell(0, f"event|{2 * socket + 1}|{8 * socket}|{MIB_BYTES:.17g}|MiB|uncore_imc_0/reads/")
    for ms in range(0, END_MS + 1, 10):
        if is_read(how, ms):
            tell_counts(how, ms)
    print(f"{END_MS * MS + 5} 2 {READER} switch prev_state=1")
    for cpu, tid in ((0, 100), (1, 101)):
        print(f"0 {cpu} 0 switch next_pid={tid} next_comm=program")
        for begin, end in regions(how):
            print(f"{begin * MS + 1} {cpu} {tid} begin name=solve tgid=100")
            print(f"{end * MS + 1} {cpu} {tid} end tgid=100")
        print(f"{END_MS * MS + 5} {cpu} {tid} switch prev_state=1")


def near(got, wanted):
    return got is not None and abs(got - wanted) <= 1e-5 * wanted


def amount_of(name, socket, begin, end):
    return joules(socket, begin, end) if name.startswith("power") else transfers(end - begin) * MIB_BYTES


def check_totals(how, rows):
    if len(rows) != 4:
        yield f"{len(rows)} counters"
    for row in rows:
        socket = row["cpu"] // 8
        amount = amount_of(row["counter"], socket, 0, END_MS)
        if not near(row["amount"], amount) or not near(row["per_s"], amount * 1000 / END_MS):
            yield f"{row}: not {amount}"
        if row["unit"] != ("Joules" if row["counter"].startswith("power") else "MiB"):
            yield row["unit"]
        share = 50 if how == "turns" and row["counter"].startswith("uncore") else 100
        if not near(row["measured_pct"], share):
            yield f"{row['counter']}: measured {row['measured_pct']} %"
        if row["counter"].startswith("power") and how != "lost" and \
                not (near(row["least_per_s"], watts(socket, 0)) and near(row["most_per_s"], watts(socket, 30))):
            yield f"{row['least_per_s']} to {row['most_per_s']} W"


def bounds(how, name, socket, begin, end):
    """Of readings that lie in a region, and of those that touch it."""
    read = [ms for ms in range(0, END_MS + 1, 10) if is_read(how, ms)]
    pairs = list(zip(read, read[1:]))
    inside = sum(amount_of(name, socket, a, b) for a, b in pairs if a >= begin and b <= end)
    touching = sum(amount_of(name, socket, a, b) for a, b in pairs if a < end and b > begin)
    return inside, touching


def check_regions(how, rows):
    if len(rows) != 4:
        yield f"{len(rows)} rows of regions"
    for row in rows:
        name, socket = row["counter"], row["cpu"] // 8
        truth = sum(amount_of(name, socket, begin, end) for begin, end in regions(how))
        least, most = map(sum, zip(*(bounds(how, name, socket, begin, end) for begin, end in regions(how))))
        if row["region"] != "solve" or not near(row["elapsed_ns"], 60 * MS):
            yield f"{row['region']}: {row['elapsed_ns']}"
        if how in ("whole", "turns") and not near(row["amount"], truth):
            yield f"{row}: not {truth}"
        if how == "turns" and name.startswith("uncore"):
            if (row["amount_least"], row["amount_most"]) != (None, None):
                yield f"bounds of what is estimated: {row}"
        elif not near(row["amount_least"], least) or not near(row["amount_most"], most):
            yield f"{row}: not {least} to {most}"
        elif not row["amount_least"] <= row["amount"] <= row["amount_most"] or not least * 0.99999 <= truth <= most * 1.00001:
            yield f"{row}: {truth} is not within {least} to {most}"


def check(how, path):
    with open(path, encoding="utf-8") as file:
        report = json.load(file)
    yield from check_totals(how, report["uncore"]["counters"])
    yield from check_regions(how, report["uncore"]["regions"])


def main():
    what, how, *rest = sys.argv[1:]
    if what == "story":
        story(how)
        return
    for complaint in check(how, *rest):
        print(complaint)


if __name__ == "__main__":
    main()
