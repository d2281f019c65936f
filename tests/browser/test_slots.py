#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# BROWSERS: chromium firefox
"""
The strip of issue slots in lanes of threads, from slices whose counts are known: each slice, and sums of those that share a pixel.

Thread 100, on CPU 0: "known", 10 slices of 1 ms that are alike; "mixed", slices of 2 us, in turn heavy (2.4 M slots, 80 % retire) and
light (0.2 M, 20 %); "blind", 2 slices of 1 ms in which no event was counted; "half", slices of 2 us of which 3 in 10 are so. Thread 101,
on CPU 1, is in "known" at the same time, with other shares.
"""
import json
import os
import subprocess
import tempfile

import slots_story
from browser import ANNOT, ROOT, Browser, Tap, equal, near, rgb
from buckets import table

US, MS = 10**3, 10**6
NAMES = ("slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound", "topdown-be-bound", "topdown-mem-bound")
ALL = (1 << len(NAMES)) - 1
# Retiring, bad speculation, front end, memory, core.
KNOWN, OTHER = (0.4, 0.1, 0.2, 0.2, 0.1), (0.1, 0.05, 0.05, 0.7, 0.1)
HEAVY, LIGHT = (0.8, 0.05, 0.05, 0.05, 0.05), (0.2, 0.1, 0.1, 0.5, 0.1)
KEYS = ("retiring", "bad-speculation", "frontend-bound", "memory-bound", "core-bound")
END_MS = 18


def counts_of(shares, slots):
    retiring, bad, front, memory, core = (round(share * slots) for share in shares)
    return [slots, retiring, bad, front, memory + core, memory]


def slices():
    """Of thread 100: (task, end in us, counts, invalid)."""
    for ms in range(1, 11):
        yield "known", ms * 1000, counts_of(KNOWN, 3 * MS), 0
    for i in range(2000):
        yield "mixed", 10000 + 2 * (i + 1), counts_of(LIGHT if i % 2 else HEAVY, 200000 if i % 2 else 2400000), 0
    for ms in (15, 16):
        yield "blind", ms * 1000, counts_of(KNOWN, MS), ALL
    for i in range(1000):
        yield "half", 16000 + 2 * (i + 1), counts_of(KNOWN, 6000), ALL if i % 10 < 3 else 0


def story():
    lines = [f"0 0 0 config text='event={i} name={name} mode=count user=1'" for i, name in enumerate(NAMES)]
    lines += ["0 0 0 switch next_pid=100 next_comm=many", "0 1 0 switch next_pid=101 next_comm=other"]
    before, at = None, 0
    for task, end, counts, invalid in slices():
        if task != before:
            lines += [f"{at} 0 100 end tgid=100"] * (before is not None) + [f"{at} 0 100 begin name={task} tgid=100"]
        before, at = task, end * US
        lines.append(f"{at} 0 100 counts counts={','.join(map(str, counts))} invalid={invalid}")
    lines += [f"{at} 0 100 end tgid=100", f"{at} 0 100 switch prev_state=1 prev_comm=many"]
    lines.append("0 1 101 begin name=known tgid=100")
    for ms in range(1, 11):
        lines.append(f"{ms * MS} 1 101 counts counts={','.join(map(str, counts_of(OTHER, 3 * MS)))} invalid=0")
    lines += [f"{10 * MS} 1 101 end tgid=100", f"{10 * MS} 1 101 switch prev_state=1 prev_comm=other"]
    return "\n".join(lines) + "\n"


def make_page(work, name, script):
    trace, page = (os.path.join(work, f"{name}.{end}") for end in ("dat", "html"))
    subprocess.run([os.path.join(ROOT, "tests/lib/script_trace.py"), trace], check=True, input=script.encode())
    subprocess.run([ANNOT, "html", "-o", page, trace], check=True, capture_output=True)
    return trace, page


def strip_of(browser, thread=0):
    lane = next(own for own in browser.run("annot.lanes()") if own["id"] == f"thread {thread}")
    return lane["slotsTop"], lane["slotsHeight"]


def column(browser, ns, thread=0):
    """The colours of a strip at a time, from its top."""
    top, height = strip_of(browser, thread)
    x = browser.run("annot.xOf(arguments[0])", ns)
    return [browser.pixel(x, top + y + 0.5) for y in range(height)]


def theme(browser, key):
    return rgb(browser.run("annot.colours().theme[arguments[0]]", key))


def is_stack(browser, pixels, shares, what, slack=1.01):
    """Each part is as tall as its share, in pixels, and stands on the one before."""
    order = []
    for key, share in zip(KEYS, shares):
        colour = theme(browser, f"slots-{key}")
        rows = [y for y, pixel in enumerate(pixels) if pixel == colour]
        near(len(rows), share * len(pixels), slack, f"{what}: height of {key}")
        order += reversed(rows)
    equal(order, list(reversed(range(len(pixels)))), f"{what}: the parts are a stack, in order, that fills the strip")


def is_grey(pixels):
    return all(red == green == blue for red, green, blue in pixels)


def zoomed_in(browser):
    browser.run("annot.setView(2e6, 4e6)")
    for thread, shares in ((0, KNOWN), (1, OTHER)):
        for ns in (2.5e6, 3.2e6):
            is_stack(browser, column(browser, ns, thread), shares, f"thread {thread} at {ns}")
    browser.screenshot("slots-in")
    browser.run("annot.setView(10e6, 10.02e6)")
    is_stack(browser, column(browser, 10.001e6), HEAVY, "a heavy slice")
    is_stack(browser, column(browser, 10.003e6), LIGHT, "a light slice")


def sums(first, nr):
    """Of slices of thread 100 from the first on: shares of the slots, and of the time in which they were counted."""
    rows, total, counted = list(slices()), [0] * len(NAMES), 0
    ends = [0, *(end for _, end, _, _ in rows)]
    for i in range(first, first + nr):
        if not rows[i][3]:
            total = [a + b for a, b in zip(total, rows[i][2])]
            counted += ends[i + 1] - ends[i]
    share = counted / (ends[first + nr] - ends[first])
    slots = sum(total[1:5]) or 1
    return (*(count / slots for count in total[1:4]), total[5] / slots, (total[4] - total[5]) / slots), share


def zoomed_out(browser):
    """Sums of slots, not means of shares: of heavy and light ones, 75 % retire, and not 50 %."""
    browser.run("annot.setView(0, arguments[0])", END_MS * MS)
    wanted, _ = sums(10, 2000)
    near(wanted[0], (0.8 * 2.4 + 0.2 * 0.2) / 2.6, 0.001, "by hand")
    for ns in (10.5e6, 12.02e6, 13.31e6):
        is_stack(browser, column(browser, ns), wanted, f"a column at {ns}", 1.6)
    is_stack(browser, column(browser, 5.5e6), KNOWN, "a slice that is wider than a pixel")
    browser.screenshot("slots-out")


def doubtful(browser):
    """Nothing is known of "blind"; of "half" too little was measured: it has no colour."""
    browser.run("annot.setView(0, arguments[0])", END_MS * MS)
    equal(set(column(browser, 14.5e6)), {theme(browser, "unknown")}, "what was not measured")
    half = column(browser, 17e6)
    assert is_grey(half) and len(set(half)) == len(KEYS), f"what is in doubt: {half}"
    browser.run("annot.setView(16.4e6, 16.42e6)")
    is_stack(browser, column(browser, 16.417e6), KNOWN, "a slice of it that was measured")
    equal(set(column(browser, 16.403e6)), {theme(browser, "unknown")}, "and one that was not")


def item_at(browser, ns):
    top, height = strip_of(browser)
    return browser.run("annot.itemAt(...arguments)", browser.run("annot.xOf(arguments[0])", ns), top + height / 2)


def facts_of(browser, item):
    return browser.run("annot.describe(arguments[0]).facts", item)


def told(browser):
    browser.run("annot.setView(2e6, 4e6)")
    item = item_at(browser, 2.5e6)
    equal(item, "slots.0.1.2", "the slice under the pointer")
    facts = facts_of(browser, item)
    equal([facts[name] for name in ("retiring", "bad speculation", "front-end bound", "memory bound", "core bound")],
          ["40 %", "10 %", "20 %", "20 %", "10 %"], "its figures")
    equal(facts["slots measured"], "100 % of the time on a CPU, in 1 slice", "its time")
    box = browser.run("annot.boxes(arguments[0])", item)[0]
    near(box["top"], strip_of(browser)[0], 1, "where it is shown")
    browser.run("annot.setView(0, arguments[0])", END_MS * MS)
    per_pixel = END_MS * MS / (browser.run("annot.xOf(arguments[0])", END_MS * MS) - browser.run("annot.xOf(0)"))
    for ns in (12.02e6, 17e6):
        item = item_at(browser, ns)
        _, _, nr, first = item.split(".")
        near(int(nr), per_pixel / (2 * US), 1, f"slices in a pixel: {item}")
        shares, measured = sums(int(first), int(nr))
        facts = facts_of(browser, item)
        near(float(facts["retiring"].split(" %")[0]), 100 * shares[0], 0.06, f"retiring of {item}")
        near(float(facts["slots measured"].split(" %")[0]), 100 * measured, 0.6, f"measured of {item}")
    assert facts["slots measured"].endswith("measured for less than 90 % of the time"), facts
    equal(facts_of(browser, item_at(browser, 14.5e6))["issue slots"], "not measured, in 1 slice", "of what is not known")
    browser.run("annot.select(arguments[0])", item)
    browser.settle()
    equal(browser.run("""Array.from(document.querySelectorAll("#details .fact .doubtful, #details .fact.doubtful"),
        (fact) => fact.innerText).length"""), len(KEYS) + 1, "figures in grey")
    browser.screenshot("slots-doubtful")
    browser.run("annot.select(null)")


def of_spans_and_slices(browser):
    """What lies inside; a slice of the CPU has all."""
    span = facts_of(browser, "span.0.0")
    equal((span["retiring"], span["slots measured"]), ("40 %", "100 % of the time on a CPU, in 10 slices"), "of known")
    half = facts_of(browser, "span.0.3")
    assert half["slots measured"].startswith("70 % of the time on a CPU, in 1,000 slices: "), half
    whole, share = sums(0, 3012)
    facts = facts_of(browser, "slice.0.0")
    near(float(facts["retiring"].split(" %")[0]), 100 * whole[0], 0.06, "of all slices")
    near(float(facts["slots measured"].split(" %")[0]), 100 * share, 0.6, "their time")


def of_the_overview(browser):
    """Two buckets: in the first all is as in "known", in the second as in "heavy"."""
    browser.run("annot.setView(0, arguments[0])", END_MS * MS)
    threads = len(browser.run("annot.threads()"))
    buckets = list(zip(counts_of(KNOWN, 9 * MS), counts_of(HEAVY, 9 * MS)))
    # Of an event and a thread: in one bucket, and in the other.
    tables = [table(24, event * threads, ["run", "sum", "min", "max"], [(1, one, one // 8, one // 8), (1, other, other // 8, other // 8)])
              for event, (one, other) in enumerate(buckets)]
    browser.run("annot.overview(arguments[0], arguments[1], arguments[2])", tables, 2, 9 * MS)
    is_stack(browser, column(browser, 4e6), KNOWN, "the first bucket")
    is_stack(browser, column(browser, 13e6), HEAVY, "the second bucket")
    browser.run("annot.overview(null)")


def is_compact(browser):
    browser.keys("m")
    browser.run("annot.setView(2e6, 4e6)")
    is_stack(browser, column(browser, 2.5e6), KNOWN, "compact")
    browser.keys("m")


def topdown_of(trace):
    report = subprocess.run([ANNOT, "report", "--json", "--show", "topdown", trace], check=True, capture_output=True).stdout
    return json.loads(report)["topdown"]


def of_turns(browser, trace):
    """Every second slice was measured: the errors, of a jackknife, are about as large as those of the report, of a bootstrap."""
    truth = {row["task"]: row for row in topdown_of(trace)["tasks"]}
    spans = {own["name"]: own["item"] for own in browser.run("annot.spansOf(0)")}
    for task, row in truth.items():
        if task == "lone":
            continue
        facts = facts_of(browser, spans[task])
        value, error = facts["retiring"].split(" % ± ")
        near(float(value), row["retiring_pct"], 0.06, f"retiring of {task}")
        equal(error == "?", row["error_pct"] is None, f"error of {task}: {error}")
        if error != "?":
            near(float(error), row["error_pct"], 0.4 * row["error_pct"], f"error of {task}")
        assert facts["slots measured"].startswith("50 % "), facts["slots measured"]
        equal(facts["slots measured"].split(" slices", 1)[1], f": {row['doubt']}" if row["doubt"] else "", f"doubt of {task}")


# Of CPUs that count in different ways: what a slice counted. Each formula is another one.
CPUS = {
    "skylake": {
        "cycles": 10**6, "UOPS_ISSUED:ANY": 22 * 10**5, "UOPS_RETIRED:RETIRE_SLOTS": 2 * 10**6, "IDQ_UOPS_NOT_DELIVERED:CORE": 4 * 10**5,
        "INT_MISC:RECOVERY_CYCLES": 10**5, "CYCLE_ACTIVITY:STALLS_MEM_ANY": 3 * 10**5, "EXE_ACTIVITY:BOUND_ON_STORES": 10**4,
        "CYCLE_ACTIVITY:STALLS_TOTAL": 5 * 10**5, "EXE_ACTIVITY:1_PORTS_UTIL": 10**5, "EXE_ACTIVITY:2_PORTS_UTIL": 10**5,
    },
    "ice lake": {
        "TOPDOWN:SLOTS_P": 5 * 10**6, "UOPS_RETIRED:SLOTS": 2 * 10**6, "TOPDOWN:BACKEND_BOUND_SLOTS": 10**6,
        "IDQ_UOPS_NOT_DELIVERED:CORE": 5 * 10**5,
    },
    "zen 4": {
        "zen4::ls_not_halted_cyc": 10**6, "de_no_dispatch_per_slot.no_ops_from_frontend": 6 * 10**5,
        "de_no_dispatch_per_slot.backend_stalls": 24 * 10**5, "de_no_dispatch_per_slot.smt_contention": 3 * 10**5,
        "de_src_op_disp.all": 27 * 10**5, "ex_ret_ops": 24 * 10**5, "ex_no_retire.load_not_complete": 2 * 10**5,
        "ex_no_retire.not_complete": 5 * 10**5,
    },
}
NAMES_OF_FACTS = {
    "retiring": "retiring", "bad_speculation": "bad speculation", "frontend_bound": "front-end bound", "backend_bound": "back-end bound",
    "memory_bound": "memory bound", "core_bound": "core bound", "smt_contention": "SMT contention",
}


def cpu_story(counts):
    lines = [f"0 0 0 config text='event={i} name={name} mode=count user=1'" for i, name in enumerate(counts)]
    lines += ["0 0 0 switch next_pid=100 next_comm=many", "0 0 100 begin name=task tgid=100"]
    lines.append(f"{MS} 0 100 counts counts={','.join(map(str, counts.values()))} invalid=0")
    return "\n".join([*lines, f"{MS} 0 100 end tgid=100", f"{MS} 0 100 switch prev_state=1 prev_comm=many"]) + "\n"


def formulas_of_cpus(browser, work):
    """The page computes what the report does; that this is right, tests/unit/analysis/topdown/test_topdown.c has seen."""
    for cpu, counts in CPUS.items():
        trace, page = make_page(work, cpu.replace(" ", "-"), cpu_story(counts))
        wanted = topdown_of(trace)["tasks"][0]
        browser.open(page)
        facts = facts_of(browser, "slots.0.1.0")
        is_divided = wanted["memory_bound_pct"] is not None
        for key, name in NAMES_OF_FACTS.items():
            value = wanted[f"{key}_pct"]
            if value is None or key == "backend_bound" and is_divided:
                assert name not in facts, f"{cpu}: {name}: {facts}"
            else:
                near(float(facts[name].split(" %")[0]), value, 0.06, f"{cpu}: {name}")
        equal(facts["slots measured"], "100 % of the time on a CPU, in 1 slice", cpu)


LEVEL2 = {
    "slots": 1000, "topdown-retiring": 400, "topdown-bad-spec": 200, "topdown-fe-bound": 300, "topdown-be-bound": 100,
    "topdown-fetch-lat": 250, "topdown-br-mispredict": 150, "topdown-heavy-ops": 100,
}


def of_level_2(browser, work):
    """A table of its own, without a bar: its columns are the report's."""
    browser.open(make_page(work, "level2", cpu_story(LEVEL2))[1], "#p=topdown")
    got = browser.run("""(() => {
        const table = document.querySelector('#details table[aria-label="Issue slots of tasks, divided further, in percent of all"]');
        return [table.tHead.rows[0], table.tBodies[0].rows[0]].map((row) => Array.from(row.cells, (cell) => cell.innerText.trim()));
    })()""")
    figures = dict(zip(*got))
    equal([figures[name] for name in ("light", "heavy", "mispredicts", "clears", "fetch latency", "fetch bandwidth")],
          ["30", "10", "15", "5", "25", "5"], f"figures of {got}")
    assert "slots" not in figures, got
    browser.screenshot("slots-level2")


def apart_story():
    """Of 40 slices, retiring was counted in the first of each two, the back end in the second, and nothing else."""
    names = ("topdown.slots", "uops_retired.slots", "topdown.backend_bound_slots")
    lines = [f"0 0 0 config text='event={i} name={name} mode=count user=1 shared=1'" for i, name in enumerate(names)]
    lines += ["0 0 0 switch next_pid=100 next_comm=many", "0 0 100 begin name=apart tgid=100"]
    for ms in range(1, 41):
        change = 10 if ms % 4 < 2 else -10
        retiring, back = (400 + change, 33) if ms % 2 else (77, 300 + change)
        lines.append(f"{ms * MS} 0 100 counts counts=1000,{retiring},{back} invalid={4 if ms % 2 else 2}")
    return "\n".join([*lines, f"{40 * MS} 0 100 end tgid=100", f"{40 * MS} 0 100 switch prev_state=1 prev_comm=many"]) + "\n"


def measured_apart(browser):
    """Each figure is of the slices in which its own events were counted; what the others are, is not known."""
    facts = facts_of(browser, "span.0.0")
    for key, share in (("retiring", "40"), ("back-end bound", "30")):
        value, error = facts[key].split(" % ± ")
        equal(value, share, key)
        near(float(error), 0.33, 0.1, f"error of {key}: 20 that are 1 too high or too low, half of all there are")
    equal(facts["slots measured"], "50 % of the time on a CPU, in 40 slices", "their time")
    assert "front-end bound" not in facts, facts
    browser.run("annot.setView(0, 40e6)")
    for ns, key, share in ((0.5e6, "retiring", 0.4), (1.5e6, "backend-bound", 0.3)):
        pixels = column(browser, ns)
        near(pixels.count(theme(browser, f"slots-{key}")), share * len(pixels), 1.01, f"height of {key}")
        near(pixels.count(theme(browser, "unknown")), (1 - share) * len(pixels), 1.01, f"the rest of {key}")


def of_turns_from_afar(browser):
    """The overview has no slices, so nobody knows which were counted together."""
    browser.run("annot.setView(0, 350e6)")
    threads = len(browser.run("annot.threads()"))
    tables = [table(24, event * threads, ["run", "sum", "min", "max"], [(1, 9000, 1125, 1125)]) for event in range(5)]
    browser.run("annot.overview(arguments[0], arguments[1], arguments[2])", tables, 1, 350 * MS)
    equal(set(column(browser, 100e6)), {theme(browser, "unknown")}, "from afar")
    browser.run("annot.overview(null)")


def of_regions(browser, page, trace):
    """Both threads in "known": as many slots of each."""
    rows = topdown_of(trace)["regions"]
    equal([(row["region"], row["kind"], row["instances"], row["on_cpu_ns"], row["doubt"]) for row in rows],
          [("known", "parallel", 1, 20 * MS, None)], "rows of the report")
    wanted = [(a + b) / 2 for a, b in zip(KNOWN, OTHER)]
    near(rows[0]["retiring_pct"], 100 * wanted[0], 0.01, "retiring in the report")
    browser.open(page, "#p=topdown")
    got = browser.run("""(() => {
        const row = document.querySelector('#details table[aria-label="Issue slots of parallel regions, in percent"]').tBodies[0].rows[0];
        const bar = row.querySelector(".slots");
        return [row.cells[0].innerText.trim(), Array.from(bar.children, (part) => part.getBoundingClientRect().width / bar.clientWidth)];
    })()""")
    equal(got[0], "known", "the region")
    for key, share, width in zip(KEYS, wanted, got[1]):
        near(width, share, 0.005, f"width of {key}")
    browser.screenshot("slots-regions")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="annot-page-") as work:
        browser = Browser()
        try:
            trace, page = make_page(work, "slots", story())
            browser.open(page)
            for test in (zoomed_in, zoomed_out, doubtful, told, of_spans_and_slices, of_the_overview, is_compact):
                tap.point(test.__name__.replace("_", " "), test, browser)
            tap.point("of regions", of_regions, browser, page, trace)
            trace, page = make_page(work, "turns", slots_story.story(True))
            browser.open(page)
            tap.point("of turns", of_turns, browser, trace)
            tap.point("of turns, from afar", of_turns_from_afar, browser)
            browser.open(make_page(work, "apart", apart_story())[1])
            tap.point("measured apart", measured_apart, browser)
            tap.point("formulas of CPUs", formulas_of_cpus, browser, work)
            tap.point("of level 2", of_level_2, browser, work)
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()


if __name__ == "__main__":
    main()
