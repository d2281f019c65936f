#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# NEEDS: synthetic workloads
# BROWSERS: chromium firefox
"""What the page tells of findings and analyses: that of made_analyses.py, whose truth is known."""
import glob
import json
import math
import os
import re
import subprocess
import tempfile

from selenium.webdriver.common.keys import Keys

import made_analyses
import scene
from browser import ANNOT, ROOT, Browser, Tap, equal, near, rgb
from tracefile import TraceFile

US = made_analyses.US
TABS = ["Findings", "What if", "Regions", "Interference", "Wakeups", "Migrations", "Misses", "Made-up things", "Task tree",
        "Figures"]
EXPLAIN = ".finding .does button[title$='and what helps']"
WHAT_IF = ".finding .does button[title^='What its cure']"
UNITS = {"s": 1e9, "ms": 1e6, "µs": 1e3, "ns": 1}


class Pages:
    """Pages of the scene, each with another analysis."""

    def __init__(self, browser, work):
        self.browser = browser
        self.work = work
        trace = os.path.join(work, "scene.dat")
        self.plain = os.path.join(work, "scene.html")
        scene.save(trace)
        subprocess.run([ANNOT, "html", trace, "-o", self.plain], check=True, stdout=subprocess.DEVNULL)
        browser.open(self.plain)
        self.index = {thread["tid"]: thread["index"] for thread in browser.run("annot.threads()")}
        self.truth = made_analyses.whole(self.index)
        self.whole = self.save("whole", self.truth)

    def save(self, name, analysis):
        path = os.path.join(self.work, f"{name}.html")
        made_analyses.save(self.plain, path, analysis)
        return path

    def open(self, fragment=""):
        self.browser.open(self.whole, fragment)
        return self.browser


def ns_of(text):
    number, unit = re.fullmatch(r"([\d.,]+) (s|ms|µs|ns)", text).groups()
    return float(number.replace(",", "")) * UNITS[unit]


def texts(browser, selector):
    return browser.run("""Array.from(document.querySelectorAll(arguments[0]),
        (node) => (node.innerText ?? node.textContent).trim())""", selector)


def rows(browser, caption):
    """Of a table in the panel: [{heading: text}]."""
    return browser.run("""(() => {
        const table = document.querySelector(`#details table[aria-label="${arguments[0]}"]`);
        const names = Array.from(table.tHead.rows[0].cells, (cell) => cell.textContent);
        return Array.from(table.tBodies[0].rows, (row) => Object.fromEntries(
            Array.from(row.cells, (cell, i) => [names[i], cell.textContent])));
    })()""", caption)


def press(browser, selector, nth=0):
    """As a click would, and waits for what comes of it."""
    browser.execute("""
        const own = document.querySelectorAll(arguments[0])[arguments[1]];
        own.focus();
        own.click();""", selector, nth)
    browser.settle()


def wait_for_address(browser):
    browser.wait(400)


def view(browser):
    now = browser.run("annot.view()")
    return now["start"], now["end"]


def all_are_listed(pages):
    browser = pages.open()
    equal(browser.text("#findings-open"), "3 findings", "the button in the header")
    equal(texts(browser, ".finding .sentence"), [own["text"] for own in pages.truth["findings"]], "sentences")
    equal([ns_of(text) for text in texts(browser, ".finding .lost strong")],
          [own["time_lost_ns"] for own in pages.truth["findings"]], "times lost")
    equal(texts(browser, ".finding .lost strong + span"), ["15 %", "12 %", "1.5 %"], "shares of the session")
    equal(texts(browser, ".finding .kind"), ["imbalance", "interference", "migrations"], "kinds")
    for text, own in zip(texts(browser, ".finding .confidence"), pages.truth["findings"]):
        assert own["confidence"] in text, f"{text}, not {own['confidence']}"
    equal(texts(browser, ".finding .caveat"), sum((own["caveats"] for own in pages.truth["findings"]), []), "caveats")
    bars = browser.run("""Array.from(document.querySelectorAll(".lost-bar span"),
        (bar) => bar.getBoundingClientRect().width)""")
    for bar, own in zip(bars, pages.truth["findings"]):
        near(bar / bars[0], own["time_lost_ns"] / pages.truth["findings"][0]["time_lost_ns"], 0.01, "lengths of bars")


def bounds_and_cpu_time(pages):
    """The second has a bound only, the third costs no elapsed time."""
    browser = pages.browser
    own = dict(pages.truth, findings=[dict(finding) for finding in pages.truth["findings"]])
    own["findings"][1].update(time_lost_ns=0, time_lost_at_most_ns=1200 * US)
    own["findings"][2].update(time_lost_ns=0, time_lost_at_most_ns=0, cpu_time_lost_ns=700 * US)
    browser.open(pages.save("bounds", own))
    equal(texts(browser, ".finding .lost strong"), ["1.500 ms", "≤ 1.200 ms", "CPU time"], "times lost")
    equal(texts(browser, ".finding .lost strong + span"), ["15 %", "12 %", "700.0 µs"], "shares, and CPU time")
    bars = browser.run("""Array.from(document.querySelectorAll(".lost-bar span"),
        (bar) => bar.getBoundingClientRect().width)""")
    equal(len(bars), 2, "bars")
    near(bars[1] / bars[0], 12 / 15, 0.01, "lengths of bars")


def show_goes_to_the_evidence(pages):
    browser = pages.open()
    for nth, own in enumerate(pages.truth["findings"]):
        press(browser, ".finding .does button[title^='Zoom']", nth)
        evidence = own["evidence"]
        start, end = evidence["from_ns"], evidence["to_ns"]
        left, right = view(browser)
        assert left <= start < end <= right, f"{left} to {right} in sight, not {start} to {end}"
        assert (right - left) <= (end - start) * 1.4, f"{right - left} ns in sight, for {end - start}"
        shown = browser.run("annot.evidence()")
        equal((shown["start"], shown["end"]), (start, end), "what is marked")
        lanes = {f"thread {thread}" for thread in evidence["threads"]} | {f"cpu {cpu}" for cpu in evidence["cpus"]}
        equal(set(shown["lanes"]), lanes, "lanes that are marked")
        there = {lane["id"] for lane in browser.run("annot.lanes()") if lane["visible"]}
        equal(lanes - there, set(), "lanes out of sight")
    browser.screenshot("findings")
    accent = rgb(browser.run("annot.colours().theme.accent"))
    lane = next(lane for lane in browser.run("annot.lanes()") if lane["id"] == "cpu 0")
    edge = browser.run("annot.xOf(arguments[0])", pages.truth["findings"][2]["evidence"]["from_ns"])
    seen = {browser.pixel(edge + shift, lane["top"] + lane["height"] / 2) for shift in (-1, 0, 1)}
    assert accent in seen, f"no edge of the evidence, {seen}"
    browser.keys(Keys.ESCAPE)
    equal(browser.run("annot.evidence()"), None, "what is marked after Escape")


def it_is_in_the_address(pages):
    browser = pages.open()
    press(browser, ".finding .does button[title^='Zoom']", 1)
    wait_for_address(browser)
    seen, fragment = view(browser), browser.run("location.hash")
    browser.open(pages.whole, fragment)
    equal(view(browser), seen, f"view of {fragment}")
    equal(browser.run("annot.evidence().lanes.length"), 3, f"lanes marked by {fragment}")
    equal(browser.run("document.querySelector('.finding.shown .rank').textContent"), "2", "the finding that is marked")
    for bad in ("#p=findings.99", "#p=findings.constructor", "#p=constructor", "#p=regions.9.9", "#p=tasks.1e9",
                "#p=regions.-1.x"):
        browser.open(pages.whole, bad)
        assert browser.text("#details"), f"nothing in the panel with {bad}"
    browser.open(pages.whole, "#p=wakeup_latency")
    equal(texts(browser, "[role=tab][aria-selected=true]"), ["Wakeups"], "the tab of the address")


def explained(pages):
    browser = pages.open()
    equal(len(texts(browser, EXPLAIN)), 2, "findings with an explanation")
    press(browser, EXPLAIN)
    shown = browser.text(".explanation")
    own = made_analyses.CATALOGUE["imbalance"]
    for wanted in (own["what"], own["definition"], own["how_to_see"], *own["cures"]):
        assert wanted in shown, f"{wanted!r} is not in {shown!r}"
    press(browser, EXPLAIN)
    equal(texts(browser, ".explanation"), [], "explanations once it is closed")


def gains(pages):
    """What a cure gains: in a word, and as bars of 10 ms, recorded, and of what the replay makes of it."""
    browser = pages.open()
    equal(texts(browser, ".finding .gain"), ["cured: 2.000 ms shorter", "cured: not shorter"], "gains")
    equal(len(texts(browser, WHAT_IF)), 2, "findings with a gain")
    press(browser, WHAT_IF)
    shown = browser.text(".what-if")
    for wanted in ("10.00 ms", "8.000 ms (7.500 ms to 9.000 ms), 20 % shorter"):
        assert wanted in shown, f"{wanted!r} is not in {shown!r}"
    equal(browser.text(".explanation code"), r"annot what-if --balance 'it'\''s solved'", "the command")
    how = browser.text(".explanation p")
    assert "Predicted by a replay that is off by 1.0 % where nothing is changed" in how, how
    recorded, cured = browser.run("""Array.from(document.querySelectorAll(".what-if-bar span"),
        (bar) => bar.getBoundingClientRect().width)""")
    near(cured / recorded, 0.8, 0.01, "lengths of bars")
    browser.screenshot("gains")
    press(browser, WHAT_IF, 1)
    assert "10.10 ms (9.700 ms to 10.50 ms), 1.0 % longer" in texts(browser, ".what-if")[1], texts(browser, ".what-if")[1]
    press(browser, WHAT_IF)
    equal(len(texts(browser, ".what-if")), 1, "what is open once the first is closed")


def causal_profile(pages):
    browser = pages.open("#p=what_if")
    equal([text.splitlines()[:2] for text in texts(browser, ".gains li")],
          [["solve", "0.8 %"], [made_analyses.HOSTILE, "0.2 %"], ["idle", "-0.01 %"]], "tasks and gains")
    full, *bars = browser.run("""Array.from(document.querySelectorAll(".gains li:first-child .what-if-bar, .what-if-bar span"),
        (bar) => bar.getBoundingClientRect().width)""")
    equal([round(bar / full, 2) for bar in bars], [0.8, 0.2, 0], "lengths of bars")
    browser.screenshot("what-if")
    own = dict(pages.truth, what_if={"replay": [], "tasks": [], "not_computed": "the session is too long"})
    browser.open(pages.save("too-long", own), "#p=what_if")
    assert "Not computed: the session is too long." in browser.text("#details"), browser.text("#details")


def nothing_found(pages):
    browser = pages.browser
    browser.open(pages.save("nothing", made_analyses.NOTHING))
    assert "Nothing found that costs 1 % of the time or more" in browser.text("#details"), browser.text("#details")
    equal(browser.text("#findings-open"), "No findings", "the button in the header")
    assert "Whole trace" in browser.text("#details"), "the figures are not there"
    equal(len(texts(browser, "[role=tab]")), 2, "tabs: findings, figures")
    browser.open(pages.save("without", None))
    equal(texts(browser, "[role=tab]"), [], "tabs of a page without an analysis")
    assert browser.run("document.getElementById('findings-open').hidden"), "a button without an analysis"
    assert "Whole trace" in browser.text("#details"), "the figures are not there without an analysis"


def left_out(pages):
    browser = pages.browser
    browser.open(pages.save("long", made_analyses.LEFT_OUT))
    shown = browser.text("#details")
    assert "5,200,000" in shown and "3,000,000" in shown and "Whole trace" in shown, shown
    assert "annot html --force-findings" in shown, "it is not said how to have them"
    assert browser.run("document.getElementById('findings-open').hidden"), "a button without findings"


def names_are_text(pages):
    browser = pages.browser
    for tab in ("findings", "what_if", "regions", "misses", "made_up", "tasks"):
        pages.open(f"#p={tab}")
        assert made_analyses.HOSTILE in browser.run("document.getElementById('details').textContent"), f"no name in {tab}"
        equal(browser.run("document.querySelectorAll('#details img, #details b b').length"), 0, f"elements in {tab}")
    equal(browser.run("document.title"), "scene.dat", "title")


def tabs_by_keys(pages):
    browser = pages.open()
    equal([text.split("\n")[0].rstrip("3 ") for text in texts(browser, "[role=tab]")], TABS, "tabs")
    browser.run("document.querySelector('[role=tab]').focus()")
    for title in [*TABS[1:], TABS[0]]:
        browser.keys(Keys.ARROW_RIGHT)
        assert browser.run("document.activeElement.textContent").startswith(title), f"not at {title}"
        assert browser.run("document.activeElement.getAttribute('aria-selected')") == "true", f"{title} is not shown"
    browser.keys(Keys.END)
    assert "Whole trace" in browser.text("#details"), "End does not show the figures"
    browser.run("annot.select(annot.slicesOf(0)[0].item)")
    browser.chord(Keys.SHIFT, "f")
    browser.settle()
    equal(browser.run("annot.selection()"), None, "what is selected after Shift + F")
    equal(len(texts(browser, ".finding")), 3, "findings after Shift + F")
    browser.run("annot.panel('figures')")
    browser.keys("f")
    equal(len(texts(browser, ".finding")), 3, "findings after F with nothing selected")
    item = browser.run("annot.slicesOf(0)[1].item")
    browser.run("annot.select(arguments[0])", item)
    browser.keys("f")
    equal(browser.run("annot.selection()"), item, "what is selected after F")


def regions(pages):
    browser = pages.open("#p=regions")
    truth = pages.truth["regions"]
    got = rows(browser, "Regions")
    for row, group in zip(got, truth["groups"]):
        assert row["region"].startswith(group["name"]), row
        equal(row["instances"], str(group["instances"]), "instances")
        equal(ns_of(row["elapsed"]), group["elapsed_ns"], "elapsed")
        equal(row["load balance"], f"{group['load_balance'] * 100:.0f} %", "load balance")
        equal(row["imbalance %"], f"{group['imbalance_pct']:.0f} %", "imbalance")
    assert "serial" in got[1]["region"], "the serial region is not called so"
    first = truth["instances"][1]
    shown = browser.text(".stacks")
    assert first["last"]["text"] in shown, f"the worst instance is not the one shown first: {shown}"
    stacks(browser, first)
    press(browser, "[data-key='instance 0']")
    second = truth["instances"][0]
    stacks(browser, second)
    equal(browser.run("document.activeElement.dataset.key"), "instance 0", "the focus")
    left, right = view(browser)
    assert left <= second["from_ns"] and right >= second["to_ns"], "the instance is not in sight"
    wait_for_address(browser)
    browser.open(pages.whole, browser.run("location.hash"))
    stacks(browser, second)
    press(browser, "[data-key='group 1']")
    stacks(browser, truth["instances"][2])


def stacks(browser, instance):
    """Widths of the parts are those of the times."""
    elapsed = instance["to_ns"] - instance["from_ns"]
    got = browser.run("""Array.from(document.querySelectorAll(".stack"), (bar) => ({
        width: bar.getBoundingClientRect().width,
        parts: Object.fromEntries(Array.from(bar.children, (part) =>
            [part.className.replace("part part-", ""), part.getBoundingClientRect().width])),
    }))""")
    equal(len(got), len(instance["threads"]), "bars")
    for bar, row in zip(got, instance["threads"]):
        wanted = {"late": row["from_ns"] - instance["from_ns"], "useful": row["useful_ns"], "waiting": row["waiting_ns"],
                  "preempted": row["preempted_ns"], "runnable": row["wakeup_ns"], "blocked": row["blocked_ns"]}
        wanted = {part: ns for part, ns in wanted.items() if ns}
        equal(set(bar["parts"]), set(wanted), "parts")
        for part, ns in wanted.items():
            near(bar["parts"][part] / bar["width"], ns / elapsed, 0.005, f"{part} of thread {row['tid']}")


def critical_path(pages):
    browser = pages.open("#p=regions")
    truth = pages.truth["critical_path"]["worst_region"]
    where = path_is(browser, truth)
    equal(len(rows(browser, "Steps of the critical path of the session")), 2, "steps of the session")
    press(browser, f"#details button[title^='Draw the critical path of {where}']")
    drawn = browser.run("annot.evidence().path")
    equal([(own["thread"], own["start"], own["end"]) for own in drawn],
          [(own["thread"], own["from_ns"], own["to_ns"]) for own in truth["segments"]], "the path")
    line = rgb(browser.run("annot.colours().theme.path"))
    for own in truth["segments"]:
        lane = next(lane for lane in browser.run("annot.lanes()") if lane["id"] == f"thread {own['thread']}")
        x = browser.run("annot.xOf(arguments[0])", (own["from_ns"] + own["to_ns"]) / 2)
        seen = [browser.pixel(x, lane["top"] + y) for y in range(4, 14)]
        assert line in seen, f"no line at {own['from_ns']} ns in the lane of {own['tid']}: {seen}"
    browser.screenshot("critical-path")
    press(browser, "[data-key='instance 0']")
    path_is(browser, pages.truth["critical_path"]["other_regions"][0])
    press(browser, "[data-key='group 1']")
    assert "annot report --region" in browser.text("#details"), "nothing tells of a path that is not there"
    equal(len(rows(browser, "Steps of the critical path of the session")), 2, "steps of the session")


def path_is(browser, truth):
    """Of the instance that is chosen; returns what the page calls it."""
    shown = "On the critical path of "
    where = browser.run("""Array.from(document.querySelectorAll("#details table"), (table) => table.ariaLabel)
        .find((label) => label.startsWith(arguments[0]))""", shown).removeprefix(shown)
    assert where.startswith(f"{truth['group']} at "), where
    slack = rows(browser, f"On the critical path of {where}")
    equal([ns_of(row["on path"]) for row in slack], [own["on_path_ns"] for own in truth["threads"]], "on the path")
    equal([ns_of(row["slack"]) for row in slack], [own["slack_ns"] for own in truth["threads"]], "slack")
    steps = rows(browser, f"Steps of the critical path of {where}")
    equal([row["state"] for row in steps],
          [f"{own['kind']} on {own['waits_for']}" if own["waits_for"] else own["kind"] for own in truth["segments"]], "steps")
    return where


def who_interferes(pages):
    browser = pages.open("#p=interference")
    truth = pages.truth["interference"]
    got = rows(browser, "Which program took whose CPU")
    equal([(ns_of(row["preempted"]), ns_of(row["queued"]), int(row["times"])) for row in got],
          [(own["preempted_ns"], own["queued_ns"], own["times"]) for own in truth["pairs"]], "pairs")
    cells = browser.run("""Array.from(document.querySelectorAll(".heat tbody tr"), (row) =>
        Array.from(row.cells, (cell) => [cell.textContent, cell.firstElementChild ?
            Number(cell.firstElementChild.style.opacity) : null]))""")
    equal([[text for text, _ in row] for row in cells],
          [["worker-a 901", "1.5 ms", ""], ["worker-b 902", "500 µs", "300 µs"]], "the matrix")
    darkness = {text: dark for row in cells for text, dark in row[1:]}
    assert darkness["1.5 ms"] > darkness["500 µs"] > darkness["300 µs"] > darkness[""] == 0, darkness
    equal([ns_of(row["waited"]) for row in rows(browser, "Run queues")],
          [own["wait_ns"] for own in truth["queues"]], "waits for CPUs")
    equal([(ns_of(row["waits lengthened"]), ns_of(row["time lost"])) for row in rows(browser, "Programs")],
          [(own["lengthened_waits_ns"], own["lost_ns"]) for own in truth["programs"]], "programs")


def bars_of(browser, label):
    return browser.run("""(() => {
        const plot = document.querySelector(`svg.plot[aria-label^="${arguments[0]}"]`);
        return Array.from(plot.querySelectorAll(".bar"), (bar) => ({
            x: Number(bar.getAttribute("x")), width: Number(bar.getAttribute("width")),
            height: Number(bar.getAttribute("height")), title: bar.textContent,
        }));
    })()""", label)


def wakeup_latencies(pages):
    browser = pages.open("#p=wakeup_latency")
    truth = pages.truth["wakeup_latency"]
    bars = bars_of(browser, "from woken")
    counts = truth["histogram"]["counts"][1:-1]
    equal(len(bars), len(counts), "bars")
    for bar, count in zip(bars, counts):
        near(bar["height"] / bars[3]["height"], count / counts[3], 0.01, f"height of {bar['title']}")
        near(bar["width"], bars[0]["width"], 0.1, "widths: on a logarithmic axis octaves are alike")
    assert "80 wakeups" in bars[3]["title"], bars[3]
    for row, own in zip(rows(browser, "Wakeups"), truth["threads"]):
        equal((int(row["wakeups"]), ns_of(row["p99"])), (own["wakeups"], own["p99_ns"]), "a thread's wakeups")
    facts = browser.text(".key-facts")
    assert "9.000 µs" in facts and "140.0 µs" in facts, facts


def who_migrates(pages):
    browser = pages.open("#p=migrations")
    truth = pages.truth["migrations"]
    got = browser.run("""Array.from(document.querySelectorAll(".heat tbody tr"), (row) =>
        Array.from(row.cells).slice(1).map((cell) => Number(cell.textContent.replace("·", "")) || 0))""")
    equal(got, truth["matrix"], "the matrix")
    far = {row["distance"]: int(row["migrations"]) for row in rows(browser, "How far")}
    equal(far, {"SMT sibling": 23, "shared LLC": 7, "distance not known": 1}, "how far")
    equal([int(row["migrations"]) for row in rows(browser, "Who moved")],
          [own["migrations"] for own in truth["threads"]], "who moved")
    equal(rows(browser, "Who moved")[1]["cost"], "", "a cost that is not known")


def points_of(browser, plot, selector):
    return browser.run("""Array.from(document.querySelectorAll(`svg.plot[aria-label*="${arguments[0]}"] ${arguments[1]}`),
        (line) => line.getAttribute("points").split(" ").map((pair) => pair.split(",").map(Number)))""", plot, selector)


def where_it_misses(pages):
    browser = pages.open("#p=misses")
    truth = pages.truth["switch_misses"]
    lines = points_of(browser, "per microsecond", ".line")
    equal(len(lines), 3, "curves")
    # From two points of one curve the axes follow, and with them all other points.
    rates = truth["curves"][1]["rate_per_us"]
    edges = truth["bins_us"][:-1]	# the last bin has no end
    middles = [math.log((a + b) / 2) for a, b in zip(edges, edges[1:])]
    (x0, y0), (x1, y1) = lines[1][0], lines[1][-1]
    for curve, line in zip(truth["curves"], lines):
        equal(len(line), len(middles), "points")
        for (x, y), us, rate in zip(line, middles, curve["rate_per_us"]):
            near(x, x0 + (us - middles[0]) / (middles[-1] - middles[0]) * (x1 - x0), 0.1, f"x of {math.exp(us)} us")
            near(y, y0 + (rate - rates[0]) / (rates[-2] - rates[0]) * (y1 - y0), 0.1, f"y of {rate}")
    equal(len(points_of(browser, "per microsecond", ".band")), 3, "bands of error")
    assert "warm rate 0.6" in browser.run("document.querySelector('#details').textContent"), "no warm rate"
    excess = rows(browser, "Excess of LLC-load-misses")
    equal([row["per switch"] for row in excess], ["812 [700, 925]", "1.19 k [400, 1.98 k]", "900 [800, 1 k]"],
          "excess")
    equal([row["time per switch"] for row in excess], ["40.60 µs", "", "45.00 µs"], "time of the excess")
    equal([row["task"] for row in excess], ["all tasks", "all tasks", "solve"], "tasks of the excess")
    conflicts = rows(browser, "Set conflicts")
    equal([row["symbol"].endswith("conflict") for row in conflicts], [True, False, False], "what is called a conflict")
    equal((conflicts[0]["set span"], conflicts[0]["agreeing"], conflicts[0]["expected"]), ("4 KiB", "124", "0.02"),
          "the conflict")
    equal([row["told by"] for row in conflicts], ["addresses", "register bx", ""], "what tells of conflicts")
    equal(conflicts[2]["symbol"], "conflict 0xffffffff810055d0", "an instruction without a symbol")
    line = rows(browser, "Lines that several CPUs use")[0]
    equal((line["line"], line["address"], line["turns"]), ("countersfalse sharing", "0xffff8881f2a10c0", "300"), "the line")
    equal([row["data"] for row in rows(browser, "Data in falsely shared lines")], ["counters[0].hits", "counters 0xffff8881f2a10d0"],
          "what is accessed in it")
    working_sets(pages, browser)


def working_sets(pages, browser):
    sets = points_of(browser, "Working set:", ".line")
    tasks = pages.truth["working_set"]["tasks"]
    sure = [[point for point in task["points"] if point.get("is_sure", True)] for task in tasks]
    equal([len(line) for line in sets], [len(points) for points in sure if points], "points of working sets")
    steps = [b[0] - a[0] for a, b in zip(sets[0], sets[0][1:])]
    near(max(steps), min(steps), 0.1, "steps of half a decade on a logarithmic axis")
    near(sets[0][-1][1], sets[0][-2][1], 0.01, "the curve beyond its knee")
    knee = dots_of(browser, "Working set:")
    equal(len(knee), 2, "knees")
    near(knee[0][1], sets[0][-1][1], 0.01, "height of the knee")
    assert "knee at 3 MiB" in browser.text("#details"), "the knee is not told"
    names = texts(browser, "svg .on-plot")
    for wanted in ("L1d 32 KiB", "L2 1 MiB", "L3 32 MiB"):
        assert wanted in names, f"{wanted} is not in {names}"
    equal([(row["working set"], row["L1d expected"], row["L1d measured"], row["L2 expected"], row["L2 measured"])
           for row in rows(browser, "Working sets")],
          [("3 MiB", "≤ 100 %", "96 %", "87 %", ""), ("", "", "", "", ""),
           ("256 KiB to 64 MiB: too few samples per line", "", "", "", ""), ("24 KiB", "0 %", "2.0 %", "", "")],
          "misses by working set")
    # A point for each task whose set is known; 2 % and 96 % of a scale that begins with 0.
    misses = dots_of(browser, "Misses per load")
    equal(len(misses), 2, "tasks in the drawing of misses by size")
    bottom = browser.run("""Number(document.querySelector("svg[aria-label^='Misses per load'] .axis").getAttribute("y1"))""")
    near((bottom - misses[1][1]) / (bottom - misses[0][1]), 48, 0.5, "how much more the larger one misses")
    assert misses[0][0] < misses[1][0], "the larger one is not to the right"
    assert "L1d, holds 24 KiB, but not 3 MiB" in browser.text("#details"), "what the level holds is not told"
    assert "words of a line" in browser.run("""Array.from(document.querySelectorAll("button.sort"))
        .find((button) => button.textContent === "L1d expected").title"""), "what is expected is not explained"


def dots_of(browser, plot):
    return browser.run("""Array.from(document.querySelectorAll(`svg[aria-label^='${arguments[0]}'] .dot`),
        (dot) => [Number(dot.getAttribute("cx")), Number(dot.getAttribute("cy"))])""", plot)


def plain_view(pages):
    """Of an analysis without a view of its own: columns of each type, from what it tells of them."""
    browser = pages.open("#p=made_up")
    got = rows(browser, "Things")
    first = {"thread": "worker-b 902", "CPU": "1", "all CPUs": "0, 1", "users": f"{scene.A}, {scene.B}", "number": "1,234,567",
             "ratio": "0.25", "time": "1.500 ms", "since": "0.004\u2009200\u2009000 s", "address": "0xffff8881f2a10c0",
             "place": made_analyses.HOSTILE, "word": "a word", "so": "yes"}
    second = {"thread": "worker-a 901", "CPU": "0", "all CPUs": "", "users": "", "number": "7", "ratio": "", "time": "",
              "since": "0.001\u2009000\u2009000 s", "address": "0x10", "place": "libthing.so", "word": "", "so": "no"}
    equal(got, [first, second], "rows")
    equal(browser.run("document.querySelectorAll('#details img, #details b b').length"), 0, "elements in names")
    assert "5 more things are not in the page" in browser.text("#details"), "nothing tells of what is left out"
    equal(browser.run("document.querySelector('[role=tab][aria-selected=true]').title"), "What nobody has a view of", "hint")
    title = browser.run("""Array.from(document.querySelectorAll("#details .sort"))
        .find((own) => own.textContent === "ratio").title""")
    assert title.startswith("Of how many."), f"the column is not explained: {title}"
    press(browser, "#details tbody button", 0)
    shown = browser.run("annot.evidence()")
    equal((shown["start"], shown["end"]), (4200 * US, 5100 * US), "what is marked")
    equal(set(shown["lanes"]), {f"thread {pages.index[scene.B]}", "cpu 1"}, "lanes that are marked")


def boxes_of(browser):
    return browser.run("""Object.fromEntries(Array.from(document.querySelectorAll(".flame-box"), (box) =>
        [box.dataset.node, { width: box.getBoundingClientRect().width, left: box.getBoundingClientRect().left,
            top: box.getBoundingClientRect().top, text: box.textContent, title: box.title }]))""")


def task_tree(pages):
    browser = pages.open("#p=tasks")
    nodes = pages.truth["task_tree"]["nodes"]
    total = sum(node["on_cpu_ns"] for node in nodes if node["parent"] < 0)
    boxes = boxes_of(browser)
    equal(len(boxes), 1 + len(nodes), "boxes")
    for i, node in enumerate(nodes):
        box = boxes[str(i)]
        near(box["width"] / boxes["-1"]["width"], node["on_cpu_ns"] / total, 0.002, f"width of {node['name']}")
        outer = boxes[str(node["parent"])]
        assert box["top"] > outer["top"] and box["left"] >= outer["left"] - 0.1 and \
            box["left"] + box["width"] <= outer["left"] + outer["width"] + 0.1, f"{node['name']} is not within its outer one"
    press(browser, ".flame-box[data-node='0']")
    zoomed = boxes_of(browser)
    near(zoomed["0"]["width"], zoomed["-1"]["width"], 0.1, "width of the one that was clicked")
    near(zoomed["1"]["width"] / zoomed["0"]["width"], nodes[1]["on_cpu_ns"] / nodes[0]["on_cpu_ns"], 0.002, "of one in it")
    assert "3" not in zoomed, "others are still there"
    equal(browser.run("document.activeElement.dataset.node"), "0", "the focus")
    for key, node in ((Keys.ARROW_DOWN, "1"), (Keys.ARROW_RIGHT, "6"), (Keys.ARROW_LEFT, "1"), (Keys.ARROW_UP, "0"),
                      (Keys.ARROW_UP, "-1")):
        browser.keys(key)
        equal(browser.run("document.activeElement.dataset.node"), node, "where keys lead")
    browser.keys(Keys.ENTER)
    equal(len(boxes_of(browser)), 1 + len(nodes), "boxes of all, again")
    table_of_tasks(browser, nodes)


def table_of_tasks(browser, nodes):
    got = {row["task"].lstrip("▾▸"): row for row in rows(browser, "Task tree")}
    equal(len(got), len(nodes), "rows")
    for node in nodes:
        row = got[node["name"]]
        for name, key in (("inclusive", "inclusive_ns"), ("exclusive", "exclusive_ns"), ("on CPU", "on_cpu_ns"),
                          ("preempted", "preempted_ns")):
            equal(ns_of(row[name]), node[key], f"{name} of {node['name']}")
        equal(row["LLC-load-misses"], str((node["misses"] or {}).get("LLC-load-misses", "")), "misses")
    press(browser, ".twist[aria-expanded=true]")
    equal([row["task"].lstrip("▾▸") for row in rows(browser, "Task tree")][:2], ["solve", "outer loop"], "once closed")
    browser.keys(Keys.ENTER)
    equal(len(rows(browser, "Task tree")), len(nodes), "rows once opened again")


def narrow(pages):
    """1280 x 1024 at 400 %: the page scrolls in one direction only, whatever is shown."""
    browser = pages.browser
    try:
        browser.resize(320, 256)
        for name in ("findings", "regions", "interference", "wakeup_latency", "migrations", "misses", "made_up", "tasks", "figures"):
            pages.open(f"#p={name}")
            wide = browser.run("document.scrollingElement.scrollWidth")
            assert wide <= 320, f"{name} is {wide} pixels wide"
            browser.screenshot(f"narrow-{name}")
    finally:
        browser.resize(1280, 720)


def keys_reach_all(pages):
    """Tab comes to each control of each view, and it is seen to be there."""
    browser = pages.browser
    for name in ("findings", "regions", "interference", "wakeup_latency", "migrations", "misses", "made_up", "tasks"):
        pages.open(f"#p={name}")
        wanted = browser.run("""Array.from(document.querySelectorAll("#details button:not([tabindex='-1'])")).length""")
        browser.run("document.querySelector('[role=tab][aria-selected=true]').focus()")
        reached = 1
        while reached < wanted + 20:
            browser.keys(Keys.TAB)
            found = browser.run("""(() => {
                const own = document.activeElement;
                const box = own.getBoundingClientRect();
                return own.closest("#details") && own.localName === "button" ? {
                    name: own.textContent, seen: box.bottom > 0 && box.top < innerHeight,
                    outline: parseFloat(getComputedStyle(own).outlineWidth),
                } : own.closest("#details") && {};
            })()""")
            if found is None:
                break
            if not found:
                continue
            reached += 1
            assert found["seen"] and found["outline"] >= 2, f"{name}: {found}"
        equal(reached, wanted, f"controls of {name}")


def terms_are_told(pages):
    browser = pages.browser
    for name in ("findings", "regions", "migrations", "misses", "tasks"):
        pages.open(f"#p={name}")
        bare = browser.run("""Array.from(document.querySelectorAll("#details dfn"))
            .filter((own) => !own.title).map((own) => own.textContent)""")
        equal(bare, [], f"words of {name} without a meaning")
    pages.open("#p=regions")
    title = browser.run("""Array.from(document.querySelectorAll("#details .sort"))
        .find((own) => own.textContent === "load balance").title""")
    assert "greatest" in title, title
    browser.keys("?")
    assert "load balance" in browser.text("#help .glossary"), "the help does not tell the words"


def on_paper(pages):
    browser = pages.open("#p=wakeup_latency")
    browser.execute("""
        window.addEventListener("beforeprint", () =>
            window.printed = document.getElementById("details").innerText);""")
    browser.print_pdf()
    printed = browser.run("printed")
    for wanted in (pages.truth["findings"][0]["text"], "p99"):
        assert wanted in printed, f"{wanted!r} is not printed: {printed}"
    equal(len(texts(browser, ".finding")), 0, "findings on the screen afterwards")


def lengths_of_spans(pages):
    """The histogram of a selected span's task, of a trace that has enough of them."""
    browser = pages.browser
    trace, path = (os.path.join(pages.work, f"many.{ending}") for ending in ("dat", "html"))
    lengths = [10, 12, 100, 110, 120, 1000, 1100]
    save_spans(trace, lengths, [100] * 5)
    subprocess.run([ANNOT, "html", trace, "-o", path], check=True, stdout=subprocess.DEVNULL)
    browser.open(path)
    index = next(thread["index"] for thread in browser.run("annot.threads()") if thread["tid"] == scene.A)
    spans = browser.run("annot.spansOf(arguments[0])", index)
    equal(len(spans), len(lengths) + 5, "spans")
    browser.run("annot.select(arguments[0])", spans[2]["item"])
    bars = bars_of(browser, "duration of step")
    told = [int(re.search(r": (\d+) span", bar["title"])[1]) for bar in bars]
    equal(sum(told), len(lengths), "spans in the histogram, without the waits of that name")
    assert all(bar["height"] / count == bars[0]["height"] / told[0] or
               abs(bar["height"] / count - bars[0]["height"] / told[0]) < 0.1 for bar, count in zip(bars, told)), bars
    assert "100.0 µs" in browser.run("document.querySelector('#details svg').textContent"), "where it stands"


def lengths_that_are_chosen(pages):
    """A bar of the histogram: instances of its length keep their colour; Escape, a key and a press show all again."""
    browser = pages.browser
    trace, path = (os.path.join(pages.work, f"chosen.{ending}") for ending in ("dat", "html"))
    save_spans(trace, [300] * 36 + [3000, 700] * 2, [300] * 30)
    subprocess.run([ANNOT, "html", trace, "-o", path], check=True, stdout=subprocess.DEVNULL)
    browser.open(path, "#p=percentiles")
    index = next(thread["index"] for thread in browser.run("annot.threads()") if thread["tid"] == scene.A)
    spans = browser.run("annot.spansOf(arguments[0])", index)
    usual, slow, half, wait = spans[2], spans[36], spans[37], spans[50]
    lane = next(lane for lane in browser.run("annot.lanes()") if lane["id"] == f"thread {index}")

    def colour(span):
        return browser.pixel(browser.run("annot.xOf(arguments[0])", (span["start"] + span["end"]) / 2),
                             lane["top"] + lane["height"] - 8)

    def colours():
        return [colour(span) for span in (usual, half, slow)]

    def pressed():
        return browser.run("""Array.from(document.querySelectorAll(".target"),
            (bar) => [bar.getAttribute("aria-label").split(": ")[1], bar.getAttribute("aria-pressed")])""")
    full, full_wait = colours()[0], colour(wait)
    equal(colours(), [full] * 3, "colours at first")
    # Those of the same name that are waits have a histogram of their own.
    equal(pressed(), [["36 instances", "false"], ["2 instances", "false"], ["2 instances", "false"],
                      ["30 instances", "false"]], "bars")
    # From the second bar on to the third.
    browser.execute("""
        const bars = document.querySelectorAll(".target");
        bars[1].dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
        bars[2].dispatchEvent(new PointerEvent("pointerenter"));
        document.body.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));""")
    browser.settle()
    faint, *rest = colours()
    assert faint != full, "what is not chosen has its full colour"
    equal(rest, [full] * 2, "colours of what is chosen")
    equal(pressed(), [["36 instances", "false"], ["2 instances", "true"], ["2 instances", "true"],
                      ["30 instances", "false"]], "bars that are chosen")
    assert "step: 500.0 µs to 5.000 ms" in browser.text("#details"), browser.text("#details")
    browser.screenshot("percentiles")
    browser.run("document.querySelectorAll('.target')[0].focus()")
    browser.keys(Keys.ENTER)
    browser.settle()
    equal(colours(), [full, faint, faint], "colours once the first is chosen by a key")
    assert colour(wait) != full_wait, "a wait as long as the work that is chosen has its full colour"
    browser.run("document.querySelectorAll('.target')[3].focus()")
    browser.keys(Keys.ENTER)
    browser.settle()
    equal(colours(), [faint] * 3, "colours once waits are chosen")
    equal(colour(wait), full_wait, "the colour of a wait that is chosen")
    assert "step (wait): 200.0 µs to 500.0 µs" in browser.text("#details"), browser.text("#details")
    browser.run("document.getElementById('lanes').focus()")
    browser.keys(Keys.ESCAPE)
    browser.settle()
    equal(colours(), [full] * 3, "colours after Escape")
    equal(sum(state == "true" for _, state in pressed()), 0, "bars that are chosen after Escape")


def save_spans(path, lengths, waits=()):
    """Spans of work named step, and then of waits of that name."""
    trace = TraceFile(1, {scene.A: "worker-a"})
    now = scene.START
    trace.switch(0, now, 0, scene.A)
    for us, kind in [(us, "") for us in lengths] + [(us, "|wait") for us in waits]:
        trace.write(0, now + 1000, scene.A, f"B|900|step{kind}")
        now += 1000 + us * US
        trace.write(0, now, scene.A, "E|900")
    trace.switch(0, now + 1000, scene.A, 0)
    trace.save(path)


def in_the_dark(pages):
    browser = pages.browser
    try:
        browser.prefer("dark")
        for name in ("findings", "regions", "misses"):
            pages.open(f"#p={name}")
            browser.screenshot(f"dark-{name}")
            grounds = browser.run("""Array.from(document.querySelectorAll("#details .sentence, #details th, #details dt"),
                (own) => getComputedStyle(own).color)""")
            assert all(sum(map(int, re.findall(r"\d+", colour)[:3])) > 300 for colour in grounds), set(grounds)
    finally:
        browser.prefer("light")


def idle_waits(pages):
    """Their view has the figures of annot report; a click shows the longest wait, and both CPUs."""
    browser = pages.browser
    trace, path = os.path.join(ROOT, "tests", "data", "scene-queue.dat"), os.path.join(pages.work, "queue.html")
    subprocess.run([ANNOT, "html", trace, "-o", path], check=True, stdout=subprocess.DEVNULL)
    report = json.loads(subprocess.run([ANNOT, "report", "--json", trace], check=True, text=True,
                                       stdout=subprocess.PIPE).stdout)
    truth = report["idle_waits"]["threads"]
    browser.open(path, "#p=idle_waits")
    equal(texts(browser, "[role=tab][aria-selected=true]"), ["Idle waits"], "the tab of the address")
    got = rows(browser, "Waits beside an idle CPU")
    equal(texts(browser, "#details thead th"), ["thread", "waits", "time", "longest", "CPU", "idle CPU"], "columns")
    equal(len(got), len(truth), "threads")
    for row, own in zip(got, truth):
        equal((row["thread"], int(row["waits"]), int(row["CPU"]), int(row["idle CPU"])),
              (f"{own['comm']} {own['tid']}", own["waits"], own["cpu"], own["idle_cpu"]), "a thread's waits")
        # Four digits are shown.
        near(ns_of(row["time"]), own["ns"], own["ns"] / 2000, "time")
        near(ns_of(row["longest"]), own["longest_ns"], own["longest_ns"] / 2000, "longest")
    press(browser, "#details tbody button")
    shown = browser.run("annot.evidence()")
    equal((shown["start"], shown["end"]), (truth[0]["longest_from_ns"], truth[0]["longest_to_ns"]), "what is marked")
    equal({lane for lane in shown["lanes"] if lane.startswith("cpu ")},
          {f"cpu {truth[0]['cpu']}", f"cpu {truth[0]['idle_cpu']}"}, "CPUs that are marked")
    browser.screenshot("idle-waits")


def real_traces(pages):
    """Each view of each trace of tests/data: whatever is not known, no figure is made of it."""
    browser = pages.browser
    for trace in sorted(glob.glob(os.path.join(ROOT, "tests", "data", "*.dat"))):
        name = os.path.basename(trace)
        path = os.path.join(pages.work, "real.html")
        subprocess.run([ANNOT, "html", trace, "-o", path], check=True, stdout=subprocess.DEVNULL)
        report = json.loads(subprocess.run([ANNOT, "report", "--json", trace], check=True, text=True,
                                           stdout=subprocess.PIPE).stdout)
        browser.open(path)
        equal(texts(browser, ".finding .sentence"), [own["text"] for own in report["findings"]], f"findings of {name}")
        for nth in range(len(report["findings"])):
            press(browser, ".finding .does button[title^='Zoom']", nth)
            shown = browser.run("annot.evidence()")
            evidence = report["findings"][nth]["evidence"]
            tids = {thread["index"]: thread["tid"] for thread in browser.run("annot.threads()")}
            equal({tids[int(lane.split()[1])] for lane in shown["lanes"] if lane.startswith("thread ")},
                  set(evidence["tids"]), f"threads marked in {name}")
        for tab in browser.run("Array.from(document.querySelectorAll('[role=tab]'), (tab) => tab.id)"):
            press(browser, f"#{tab}")
            bad = browser.run(r"document.getElementById('details').outerHTML.match(/NaN|undefined|Infinity|\[object/g)")
            equal(bad, None, f"{tab} of {name}")


def the_lanes_come_first(pages):
    """The first drawing is done before the analysis is even read."""
    browser = pages.open()
    got = browser.run("""(() => {
        const at = (name) => performance.getEntriesByName(name)[0].startTime;
        return [at("annot-drawn"), at("annot-findings")];
    })()""")
    assert got[0] < got[1], got


def main():
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="annot-page-") as work:
        browser = Browser()
        try:
            pages = Pages(browser, work)
            for test in (all_are_listed, bounds_and_cpu_time, show_goes_to_the_evidence, it_is_in_the_address, explained,
                         gains, causal_profile, nothing_found, left_out, names_are_text, tabs_by_keys, regions, critical_path, who_interferes,
                         wakeup_latencies, who_migrates, where_it_misses, plain_view, task_tree, narrow, keys_reach_all,
                         terms_are_told, on_paper, lengths_of_spans,
                         lengths_that_are_chosen, in_the_dark, idle_waits, real_traces, the_lanes_come_first):
                tap.point(test.__name__.replace("_", " "), test, pages)
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()


if __name__ == "__main__":
    main()
