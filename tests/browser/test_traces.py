#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic workloads
# BROWSERS: chromium firefox
"""Usage: test_traces.py [TRACE...]

The pages of real traces, held against what trace-cmd report says of the same files. Without
arguments: those of tests/data, and one recorded on the spot where that is possible.
"""
import collections
import glob
import json
import os
import re
import struct
import subprocess
import sys
import tempfile

from browser import ANNOT, BUILD, ROOT, Browser, Skip, Tap, equal, near, rgb

WITH_TRACEFS = os.path.join(ROOT, "tests", "native", "with-tracefs")
WORKLOAD = [os.path.join(BUILD, "workloads", "migrate"), "-r", "3"]
LIMIT_SECONDS = 60
RECORD_SECONDS = 60
PIXELS_LOOKED_AT = 40

EVENT = re.compile(r"^ *(?P<comm>.*)-(?P<tid>\d+) +\[(?P<cpu>\d+)\].*? (?P<seconds>\d+)\.(?P<nanoseconds>\d{9}): "
                   r"(?P<name>\w+): +(?P<text>.*)$")
SWITCH = re.compile(r"prev_pid=(\d+) .*next_pid=(\d+)")
NAME = re.compile(r"id=(\d+) table=(\d+) tgid=-?\d+ name=(.*)$")
BATCH = re.compile(r"table=(\d+) nr=\d+ records=ARRAY\[(.*)\]")
RECORD = struct.Struct("<QqQ")	# ago, value, name << 32 | operation << 8 | flags
BEGINS = (0, 1, 5)	# ANNOT_OP_BEGIN, WAIT_BEGIN, NEXT

# Of each [start, end, y], five colours across the slice, with as much time to either side of it in sight. One call for all: each
# call costs more than what it does.
PIXELS_OF = """arguments[0].map(([start, end, y]) => {
    annot.setView(2 * start - end, 2 * end - start);
    const canvas = document.getElementById("lanes-canvas");
    const box = canvas.getBoundingClientRect();
    const ratio = canvas.width / box.width;
    const pen = canvas.getContext("2d");
    const [left, right] = [annot.xOf(start), annot.xOf(end)];
    return [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => [...pen.getImageData(
        Math.floor((left + (right - left) * part - box.left) * ratio),
        Math.floor((y - box.top) * ratio), 1, 1).data.slice(0, 3)]);
})"""
# What is selected after each of so many steps.
STEPS = """(async (nr) => {
    const seen = [];
    for (let i = 0; i < nr; i++) {
        await annot.searchStep(1);
        seen.push(annot.selection());
    }
    return seen;
})(arguments[0])"""


class Truth:
    """What trace-cmd report tells of a file."""

    def __init__(self, path):
        said = subprocess.run(["trace-cmd", "report", "-R", "-t", path], check=True, text=True,
                              errors="replace", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              timeout=LIMIT_SECONDS).stdout
        self.cpus = set()
        self.events = 0
        self.slices = []	# (cpu, start, end, tid): between two switches of a CPU
        self.begins = collections.Counter()
        self.batched = collections.Counter()	# (table, id): spans in batches
        self.names = {}
        self.unclear = 0	# switches from someone else than the one switched to before
        self.refutes = False	# an event is someone else's than the one switched to before
        self.lossy = {int(cpu) for cpu in re.findall(r"^CPU:(\d+) \[.*EVENTS DROPPED", said, re.M)}
        running = {}
        start = None
        for line in said.splitlines():
            found = EVENT.match(line)
            if not found:
                continue
            ns = int(found["seconds"]) * 10**9 + int(found["nanoseconds"])
            start = ns if start is None else start
            cpu = int(found["cpu"])
            self.events += 1
            self.cpus.add(cpu)
            self.span(found["name"], found["text"])
            tid, since = running.get(cpu, (None, None))
            # Samples come in the middle of a switch, too.
            if found["name"] not in ("annot_sample", "annot_pmu_state"):
                self.refutes = self.refutes or tid not in (None, int(found["tid"]))
            switch = SWITCH.search(found["text"]) if found["name"] == "sched_switch" else None
            if not switch:
                continue
            if tid == int(switch[1]) and tid:
                self.slices.append((cpu, since, ns - start, tid))
            self.unclear += tid not in (None, int(switch[1]))
            running[cpu] = (int(switch[2]), ns - start)
        for name, count in self.batched.items():
            self.begins[self.names[name]] += count

    def span(self, event, text):
        if event == "annot_begin":
            self.begins[re.search(r"\bname=(.*?)(?= \w+=|$)", text)[1]] += 1
        elif event == "print" and " buf=B|" in text:
            fields = text.split(" buf=B|", 1)[1].split("|")
            self.begins[fields[1]] += 1
        elif event == "annot_name":
            name, table, text = NAME.search(text).groups()
            self.names[table, int(name)] = text
        elif event == "annot_batch":
            table, data = BATCH.search(text).groups()
            for _, _, what in RECORD.iter_unpack(bytes.fromhex(data.replace(",", ""))):
                if what >> 8 & 0xff in BEGINS:
                    self.batched[table, what >> 32] += 1


def same_cpus(browser, truth):
    lanes = {lane["id"] for lane in browser.run("annot.lanes()") if lane["kind"] == "cpu"}
    equal(lanes, {f"cpu {cpu}" for cpu in truth.cpus}, "CPU lanes")


def same_slices(browser, truth):
    # Where events were lost, who ran in between is not certain.
    cpus = truth.cpus - truth.lossy
    slices = [piece for piece in truth.slices if piece[0] in cpus]
    assert slices, "trace-cmd report tells of no slice"
    page = {cpu: {(item["start"], item["end"], item["tid"])
                  for item in browser.run("annot.slicesOf(arguments[0])", cpu)} for cpu in cpus}
    missing = [piece for piece in slices if piece[1:] not in page[piece[0]]]
    equal(missing[:5], [], f"{len(missing)} of {len(slices)} slices are not in the page")
    # Before the first switch of a CPU, after its last, and around one that the file lacks, the page
    # may tell of more than what stands between two switches.
    extra = sum(len(items) for items in page.values()) - len(slices)
    assert 0 <= extra <= 2 * (len(cpus) + truth.unclear), f"{extra} slices more in the page"


def slices_are_painted(browser, truth):
    threads = collections.defaultdict(set)
    colours = browser.run("annot.colours().threads")
    for thread in browser.run("annot.threads()"):
        threads[thread["tid"]].add(rgb(colours[thread["index"]]))
    lanes = {lane["id"]: lane for lane in browser.run("annot.lanes()")}
    longest = sorted(truth.slices, key=lambda piece: piece[1] - piece[2])[:400]
    looked_at = longest[::max(len(longest) // PIXELS_LOOKED_AT, 1)]
    pixels = browser.run(PIXELS_OF, [[start, end, lanes[f"cpu {cpu}"]["top"] + 3] for cpu, start, end, _ in looked_at])
    for (cpu, start, end, tid), got in zip(looked_at, pixels, strict=True):
        # An arrow may cross it.
        assert sum(tuple(pixel) in threads[tid] for pixel in got) >= 3, \
            f"CPU {cpu}, {start} to {end} ns: {got}, not {threads[tid]}"


def gaps_are_told(browser, truth):
    """Of lost events, and of switches that are missing: somebody leaves whom nobody let run."""
    equal(browser.run("annot.counts().gaps") > 0, bool(truth.lossy or truth.refutes),
          "whether there are gaps")
    warnings = browser.run("[...document.querySelectorAll('#warnings button')].map((b) => b.textContent)")
    equal(any(" lost " in text for text in warnings), bool(truth.lossy), "whether the page warns of loss")
    # Where events were lost, it is they that are missing.
    if not truth.lossy:
        equal(any(text.endswith(" missing") for text in warnings), truth.refutes,
              "whether the page warns of switches that are missing")


def same_spans(browser, truth):
    page = collections.Counter(browser.run("annot.threads().flatMap(({ index }) => annot.spansOf(index).map(({ name }) => name))"))
    equal(page, truth.begins, "spans by name")
    for name in truth.begins:
        found = browser.run("annot.search(arguments[0])", name)
        assert found["spans"] >= truth.begins[name], f"search finds {found} of {name}"
    browser.run("annot.search('')")


def search_goes_to_each(browser, truth):
    if not truth.begins:
        raise Skip("the trace has no spans")
    name = min(truth.begins)
    total = browser.run("annot.search(arguments[0]).spans", name)
    seen = browser.run(STEPS, total)
    equal(len(set(seen)), total, f"different hits of {name}")
    browser.run("annot.searchStep(1)")
    equal(browser.run("annot.selection()"), seen[0], "round again")
    browser.run("annot.search('')")
    browser.run("annot.select(null)")


def same_as_the_report(browser, trace):
    report = subprocess.run([ANNOT, "report", trace, "--json"], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, timeout=LIMIT_SECONDS, check=False)
    equal(report.returncode, 0, report.stderr.decode())
    report = json.loads(report.stdout)
    page = collections.defaultdict(int)
    for thread in browser.run("annot.threads()"):
        page[thread["tid"]] += thread["onCpu"]
    threads = collections.defaultdict(int)
    for thread in report["threads"]:
        threads[thread["tid"]] += thread["on_cpu_ns"]
    assert threads, "the report tells of no thread"
    for tid, on_cpu_ns in threads.items():
        equal(page[tid], on_cpu_ns, f"on-CPU time of {tid}")
    end = report["trace"]["duration_ns"]
    browser.run("annot.setView(0, 2 * arguments[0])", end)
    equal(browser.run("annot.view().end"), end, "duration")
    got = {(task["name"], task["waits"]): task
           for task in browser.run("annot.range(0, arguments[0]).tasks", end)}
    for task in report["tasks"]:
        mine = got[task["name"], task["kind"] == "wait"]
        what = f"of {task['name']}"
        equal(mine["count"], task["instances"], f"instances {what}")
        equal(mine["wall"], task["wall_ns"]["sum"], f"wall time {what}")
        equal(mine["ns"][1], task["on_cpu_ns"], f"on-CPU time {what}")
        equal(mine["ns"][2], task["preempted_ns"], f"preempted time {what}")
        near(mine["ns"][4] + mine["ns"][5], task["blocked_ns"], 0, f"blocked time {what}")
    browser.run("annot.select(null)")


def record(path):
    """Records a workload with the machine's own ftrace."""
    # timeout(1) ends all that was started, and lets annot record put tracing back in order.
    subprocess.run(["timeout", "-k", "10", str(RECORD_SECONDS), WITH_TRACEFS, ANNOT, "record", "-q",
                    "--readable",
                    "-o", path, "--", *WORKLOAD], check=True, stdout=sys.stderr)


def test_trace(tap, browser, work, trace):
    name = os.path.splitext(os.path.basename(trace))[0]
    path = os.path.join(work, name + ".html")
    subprocess.run([ANNOT, "html", trace, "-o", path], check=True, stdout=subprocess.DEVNULL,
                   timeout=LIMIT_SECONDS)
    truth = Truth(trace)
    browser.open(path)
    for test in (same_cpus, same_slices, gaps_are_told, slices_are_painted, same_spans, search_goes_to_each):
        tap.point(f"{name}: {test.__name__.replace('_', ' ')}", test, browser, truth)
    tap.point(f"{name}: same figures as the report", same_as_the_report, browser, trace)
    for scheme in ("dark", "light"):
        browser.prefer(scheme)
        browser.open(path)
        browser.screenshot(f"{name}-{scheme}")
    size = os.path.getsize(path)
    print(f"# {name}: a page of {size} bytes, {truth.events} events")


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="annot-page-") as work:
        traces = sys.argv[1:]
        if not traces:
            traces = sorted(glob.glob(os.path.join(ROOT, "tests", "data", "*.dat")))
            recorded = os.path.join(work, "recorded.dat")
            if os.geteuid() == 0:
                tap.point("a trace is recorded on the spot", record, recorded)
                traces += glob.glob(recorded)
            else:
                print("ok - a trace is recorded on the spot # SKIP only root may record")
        if not traces:
            tap.finish()
        browser = Browser(1600, 900)
        try:
            for trace in traces:
                test_trace(tap, browser, work, trace)
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()


if __name__ == "__main__":
    main()
