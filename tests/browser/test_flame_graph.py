#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
# BROWSERS: chromium firefox
"""Call stacks as a flame graph: what belongs to each, held against the script of the trace; zoom, keys, search,
choices of threads, tasks and times, and comparing."""
import os
import subprocess
import tempfile

from selenium.webdriver.common.keys import Keys

from browser import ANNOT, ROOT, Browser, Tap, equal, near

SCRIPT_TRACE = os.path.join(ROOT, "tests", "lib", "script_trace.py")
US, START = 1000, 1000
KALLSYMS = "ffffffff81001000 T schedule\nffffffff81002000 T futex_wait\nffffffff81003000 T pipe_read\nffffffff81004000 T folio_wait_bit\n"
LEAF, MIDDLE, OUTER, OTHER = ("[0x401000]", "[0x402000]", "[0x403000]", "[0x404000]")
PIPE_STACK = "caller=0x401000,0x402001,0x403001"
FUTEX_STACK = "caller=0x404000,0x403001"
HELPER_STACK = "caller=0x402000,0x403001"
LONG_US = 400000
MOST_SHOWN = 200000
SCHEDULE = "0xffffffff81001010"

# (us, cpu, tid, event): prog waits for a pipe from 200 to 1200, in "work", and for a futex from 1300 to 1600; helper
# for what is not known, from 500 to 700.
SCRIPT = [
    (0, 0, 0, "config text='event=0 name=miss mode=sample period=1000 user=1 kernel=1'"),
    (0, 0, 0, "switch next_pid=100 next_comm=prog"),
    (0, 1, 0, "switch next_pid=200 next_comm=helper"),
    (10, 1, 200, "marker buf='I|200|both annotate'"),
    (50, 0, 100, "sample period=1000 has=0x10 ip=0x401000 stack=5"),
    (60, 0, 100, "sample period=3000 has=0x10 ip=0x404000 stack=6"),
    (70, 0, 100, "stack id=5 tgid=100 ips=0x401000,0x403001"),
    (80, 0, 100, "marker buf='B|100|work'"),
    (200, 0, 100, "switch prev_state=1 prev_comm=prog"),
    (201, 0, 100, f"user_stack tgid=100 {PIPE_STACK} common_flags=1"),
    (202, 0, 100, f"kernel_stack size=2 caller={SCHEDULE},0xffffffff81003010 common_flags=1"),
    (500, 1, 200, "switch prev_state=1 prev_comm=helper"),
    (501, 1, 200, f"user_stack tgid=200 {HELPER_STACK} common_flags=1"),
    (700, 1, 0, "switch next_pid=200 next_comm=helper"),
    (1200, 0, 0, "switch next_pid=100 next_comm=prog"),
    (1250, 0, 100, "marker buf='E|100'"),
    (1300, 0, 100, "switch prev_state=1 prev_comm=prog"),
    (1301, 0, 100, f"user_stack tgid=100 {FUTEX_STACK} common_flags=1"),
    (1302, 0, 100, f"kernel_stack size=2 caller={SCHEDULE},0xffffffff81002010 common_flags=1"),
    (1600, 0, 0, "switch next_pid=100 next_comm=prog"),
    (2000, 0, 100, "switch prev_state=0 prev_comm=prog"),
    (2000, 1, 200, "switch prev_state=0 prev_comm=helper"),
]
PIPE = ["pipe read", OUTER, MIDDLE, LEAF, "pipe_read", "schedule"]
FUTEX = ["futex", OUTER, OTHER, "futex_wait", "schedule"]
HELPER = ["unknown", OUTER, MIDDLE]
DISK = ["disk", OUTER, OTHER, "folio_wait_bit", "schedule"]

BOXES = """(() => {
    const flame = document.querySelector(".flame").getBoundingClientRect();
    return [...document.querySelectorAll(".flame-box")].map((box) => {
        const { left, width, top } = box.getBoundingClientRect();
        return { name: box.textContent, left: (left - flame.left) / flame.width, width: width / flame.width,
                 depth: Math.round((top - flame.top) / 19), said: box.title, hit: box.classList.contains("flame-hit") };
    });
})()"""


def page_of(work, script=None):
    trace, page, kallsyms = (os.path.join(work, name) for name in ("t.dat", "t.html", "kallsyms"))
    with open(kallsyms, "w", encoding="utf-8") as file:
        file.write(KALLSYMS)
    script = "\n".join(f"{START + us * US} {cpu} {tid} {event}" for us, cpu, tid, event in script or SCRIPT)
    subprocess.run([SCRIPT_TRACE, "-k", kallsyms, trace], check=True, input=script.encode())
    subprocess.run([ANNOT, "html", "-o", page, trace], check=True, stdout=subprocess.DEVNULL)
    return page


def open_graph(browser, page):
    browser.open(page)
    browser.run("annot.panel('flame')")
    browser.settle()


def stacks(browser, depth=1):
    """{path: width}, of boxes from that depth on, below others of the path."""
    found, open_boxes = {}, []
    boxes = sorted(browser.run(BOXES), key=lambda box: (round(box["left"], 4), box["depth"]))
    for box in boxes:
        if box["depth"] < depth:
            continue
        while open_boxes and open_boxes[-1]["depth"] >= box["depth"]:
            open_boxes.pop()
        open_boxes.append(box)
        found[";".join(own["name"] for own in open_boxes)] = box["width"]
    return found


def expect(browser, truth, what):
    """truth: [(path, weight)] of whole stacks."""
    total = sum(weight for _, weight in truth)
    wanted = {}
    for path, weight in truth:
        for i in range(len(path)):
            key = ";".join(path[:i + 1])
            wanted[key] = wanted.get(key, 0) + weight / total
    found = stacks(browser)
    equal(sorted(found), sorted(wanted), f"{what}: stacks")
    for key, width in wanted.items():
        near(found[key], width, 0.005, f"{what}: width of {key}")


def choose(browser, name, text):
    browser.run("""((name, text) => {
        const select = document.querySelector(`[data-key="flame ${name}"]`);
        select.value = [...select.options].find((option) => option.textContent === text).value;
        select.dispatchEvent(new Event("change"));
    })(arguments[0], arguments[1])""", name, text)
    browser.settle()


def click_box(browser, name):
    browser.run("[...document.querySelectorAll('.flame-box')].find((box) => box.textContent === arguments[0]).click()", name)
    browser.settle()


def press(browser, text):
    browser.run("[...document.querySelectorAll('.flame-controls button')].find((own) => own.textContent === arguments[0]).click()",
                text)
    browser.settle()


def off_cpu(browser, page):
    open_graph(browser, page)
    expect(browser, [(PIPE, 1000), (FUTEX, 300), (HELPER, 200)], "off the CPU")
    equal(browser.text(".flame-status"), "1.500 ms with stacks", "what is said")
    said = next(box["said"] for box in browser.run(BOXES) if box["name"] == LEAF)
    equal(said, f"{LEAF}: 1.000 ms, 67 %, itself 0 ns", "what is said of a box")


def of_state(browser, page):
    """What a thread waits for has its calls beside it, of the program and of the kernel."""
    open_graph(browser, page)
    browser.run("annot.select('state.0.1')")
    browser.settle()
    facts = browser.run("annot.describe(annot.selection()).facts")
    equal([facts.get("waits for"), facts.get("call stack")], ["pipe read", f"{LEAF} < {MIDDLE} < {OUTER}"], f"facts: {facts}")
    browser.run("annot.select('state.0.0')")
    browser.settle()
    assert "call stack" not in browser.run("annot.describe(annot.selection()).facts"), "a thread that runs has none"


def on_cpu(browser, page):
    open_graph(browser, page)
    choose(browser, "what", "On CPU")
    # Up to the samples, the second of which has a stack that is lost, then to the switches.
    expect(browser, [([OUTER, LEAF], 50), (["[stack is not in the trace]"], 10),
                     ([OUTER, MIDDLE, LEAF, "pipe_read", "schedule"], 140),
                     ([OUTER, OTHER, "futex_wait", "schedule"], 100), ([OUTER, MIDDLE], 500)], "on the CPU")
    equal(browser.text(".flame-status"), "800.0 µs with stacks, 68 % of all without", "what is said")


def misses(browser, page):
    open_graph(browser, page)
    choose(browser, "what", "miss")
    expect(browser, [([OUTER, LEAF], 1000), (["[stack is not in the trace]"], 3000)], "misses")


def profile(browser, _page):
    """The same samples, of a clock: each stands for its period."""
    script = [(us, cpu, tid, event.replace("name=miss mode=sample", "name=cpu_clock mode=sample type=0x1 config=0x0"))
              for us, cpu, tid, event in SCRIPT]
    with tempfile.TemporaryDirectory() as work:
        open_graph(browser, page_of(work, script))
        choose(browser, "what", "On CPU")
        expect(browser, [([OUTER, LEAF], 1000), (["[stack is not in the trace]"], 3000)], "a profile")
        equal(browser.text(".flame-status"), "4.000 µs with stacks", "what is said of a profile")
        equal(browser.run("[...document.querySelectorAll('[data-key=\"flame what\"] option')].map((own) => own.textContent)"),
              ["Off CPU", "On CPU", "Off CPU, by who ended it"], "the clock is no choice of its own")


def wakers(browser, _page):
    """The helper ends the wait for the pipe; of the others nobody knows."""
    script = sorted(SCRIPT + [
        (90, 0, 100, "stack id=9 tgid=100 ips=0x402000,0x403001"),
        (1100, 1, 200, "annot:annot_waking pid=100 stack=9"),
        (1101, 1, 200, "wakeup comm=prog pid=100 target_cpu=0"),
        (1590, 1, 200, "wakeup comm=prog pid=100 target_cpu=0"),
    ], key=lambda event: event[0])
    with tempfile.TemporaryDirectory() as work:
        open_graph(browser, page_of(work, script))
        choose(browser, "what", "Off CPU, by who ended it")
        expect(browser, [(["pipe read", OUTER, MIDDLE], 901)], "by who ended it")
        equal(browser.text(".flame-status"), "901.0 µs with stacks, 35 % of all without", "what is said of wakers")
        browser.run("annot.select('state.0.1')")
        browser.settle()
        facts = browser.run("annot.describe(annot.selection()).facts")
        equal(facts.get("woken in"), f"{MIDDLE} < {OUTER}", f"where the waker was, of {facts}")


def scopes(browser, page):
    open_graph(browser, page)
    choose(browser, "thread", "helper 200")
    expect(browser, [(HELPER, 200)], "a thread")
    choose(browser, "thread", "all threads of the session")
    choose(browser, "task", "in work")
    expect(browser, [(PIPE, 1000)], "a task")
    choose(browser, "task", "in and outside of spans")
    browser.run("annot.setView(arguments[0], arguments[1])", 600 * US, 1400 * US)
    press(browser, "time in sight")
    expect(browser, [(PIPE, 600), (FUTEX, 100), (HELPER, 100)], "the time in sight")
    press(browser, "whole trace")
    expect(browser, [(PIPE, 1000), (FUTEX, 300), (HELPER, 200)], "all of it")
    browser.run("annot.selectRange(arguments[0], arguments[1])", 1100 * US, 1500 * US)
    browser.settle()
    expect(browser, [(PIPE, 100), (FUTEX, 200)], "the selected time")


def zooms(browser, page):
    open_graph(browser, page)
    click_box(browser, "futex")
    found = stacks(browser)
    equal(sorted(found), sorted(";".join(FUTEX[:i + 1]) for i in range(len(FUTEX))), "a click leaves what is below")
    for width in found.values():
        near(width, 1, 0.001, "it fills the width")
    # The address tells it.
    browser.wait(500)	# it is noted a little later
    address = browser.run("location.hash")
    browser.open(page, address)
    browser.settle()
    equal(sorted(stacks(browser)), sorted(found), "as the address tells")
    click_box(browser, "Off CPU")
    expect(browser, [(PIPE, 1000), (FUTEX, 300), (HELPER, 200)], "and out again")


def focused(browser):
    return browser.run("document.activeElement.textContent")


def by_keys(browser, page):
    open_graph(browser, page)
    browser.run("document.querySelector('.flame-box').focus()")
    for key, name in [(Keys.ARROW_DOWN, "pipe read"), (Keys.ARROW_RIGHT, "futex"), (Keys.ARROW_RIGHT, "unknown"),
                      (Keys.ARROW_LEFT, "futex"), (Keys.ARROW_DOWN, OUTER), (Keys.ARROW_DOWN, OTHER),
                      (Keys.ARROW_UP, OUTER)]:
        browser.keys(key)
        equal(focused(browser), name, "focus")
    browser.keys(Keys.ENTER)
    browser.settle()
    equal(focused(browser), OUTER, "the focus stays")
    near(stacks(browser)[f"futex;{OUTER}"], 1, 0.001, "Enter zooms")


def searches(browser, page):
    open_graph(browser, page)
    browser.run("document.querySelector('.flame-search').focus()")
    browser.keys("P", "I", "p", "e")
    hits = [box["name"] for box in browser.run(BOXES) if box["hit"]]
    equal(sorted(hits), ["pipe read", "pipe_read"], "what is found")


def compares(browser, page):
    open_graph(browser, page)
    press(browser, "compare")
    choose(browser, "thread", "prog 100")
    boxes = {box["name"]: box for box in browser.run(BOXES) if box["depth"] == 1}
    # 1000 of 1300 against 1000 of 1500, and 300 of them.
    for name, difference in [("pipe read", "+10 %"), ("futex", "+3.1 %")]:
        assert difference in boxes[name]["said"], boxes[name]["said"]
    choose(browser, "thread", "helper 200")
    said = next(box["said"] for box in browser.run(BOXES) if box["name"] == "unknown")
    assert "+87 %" in said, said
    press(browser, "stop comparing")
    assert "of all" not in browser.run(BOXES)[1]["said"], "it still compares"


def jobs_page(work):
    """
    Of 20 jobs of prog's, 18 wait 50 us for a pipe, two 1000 us for the disk, which is a finding.
    """
    lines = [f"{START} 0 0 switch next_pid=100 next_comm=prog", f"{START} 1 0 switch next_pid=200 next_comm=helper"]
    us = 0
    for nr in range(20):
        stack, function, wait = (FUTEX_STACK, "4010", 1000) if nr % 10 == 5 else (PIPE_STACK, "3010", 50)
        for after, cpu_tid, event in [
                (0, "0 100", "marker buf='B|100|job'"), (10, "0 100", "switch prev_state=1 prev_comm=prog"),
                (11, "0 100", f"user_stack tgid=100 {stack} common_flags=1"),
                (12, "0 100", f"kernel_stack size=2 caller={SCHEDULE},0xffffffff8100{function} common_flags=1"),
                (10 + wait, "0 0", "switch next_pid=100 next_comm=prog"), (20 + wait, "0 100", "marker buf='E|100'")]:
            lines.append(f"{START + (us + after) * US} {cpu_tid} {event}")
        us += wait + 30
    lines.append(f"{START + us * US} 0 100 switch prev_state=0 prev_comm=prog")
    trace, page = os.path.join(work, "jobs.dat"), os.path.join(work, "jobs.html")
    subprocess.run([SCRIPT_TRACE, "-k", os.path.join(work, "kallsyms"), trace], check=True,
                   input="\n".join(lines).encode())
    subprocess.run([ANNOT, "html", "-o", page, trace], check=True, stdout=subprocess.DEVNULL)
    return page


def long_page(work):
    """Of several windows, all of which a wait crosses; helper's switches fill them."""
    lines = [f"{START} 0 0 switch next_pid=100 next_comm=prog", f"{START} 1 0 switch next_pid=200 next_comm=helper",
             f"{START + US} 0 100 switch prev_state=1 prev_comm=prog",
             f"{START + US + 1} 0 100 user_stack tgid=100 {PIPE_STACK} common_flags=1",
             f"{START + US + 2} 0 100 kernel_stack size=2 caller={SCHEDULE},0xffffffff81003010 common_flags=1"]
    for us in range(2, LONG_US, 2):
        lines += [f"{START + us * US} 1 200 switch prev_state=1 prev_comm=helper",
                  f"{START + us * US + 1} 1 200 user_stack tgid=200 {HELPER_STACK} common_flags=1",
                  f"{START + (us + 1) * US} 1 0 switch next_pid=200 next_comm=helper"]
    lines.append(f"{START + LONG_US * US} 0 0 switch next_pid=100 next_comm=prog")
    trace, page = os.path.join(work, "long.dat"), os.path.join(work, "long.html")
    subprocess.run([SCRIPT_TRACE, "-k", os.path.join(work, "kallsyms"), trace], check=True,
                   input="\n".join(lines).encode())
    subprocess.run([ANNOT, "html", "-o", page, trace], check=True, stdout=subprocess.DEVNULL)
    return page


def slow_instances(browser, page):
    open_graph(browser, page)
    equal(browser.run("document.querySelector('[data-key=\"flame instances\"]')"), None, "a choice of no task's instances")
    choose(browser, "task", "in job")
    expect(browser, [(PIPE, 900), (DISK, 2000)], "all instances")
    choose(browser, "instances", "the slowest 10 %")
    expect(browser, [(DISK, 2000)], "the slowest")
    press(browser, "compare")
    choose(browser, "instances", "the other 90 %")
    expect(browser, [(PIPE, 900)], "the others")
    said = next(box["said"] for box in browser.run(BOXES) if box["name"] == "pipe read")
    assert "+100 % of all" in said, said
    # One of seven: the slowest tenth of few is the slowest one.
    browser.run("annot.selectRange(arguments[0], arguments[1])", 0, 900 * US)
    choose(browser, "instances", "the slowest 10 %")
    equal(sorted(stacks(browser)), sorted(";".join(DISK[:i + 1]) for i in range(len(DISK))), "the slowest of a time")


def of_finding(browser, page):
    browser.open(page)
    browser.settle()
    equal(browser.text(".finding .kind"), "io wait", "the finding")
    browser.run("[...document.querySelectorAll('.finding .does button')].find((own) => own.textContent === 'stacks').click()")
    browser.settle()
    evidence = browser.run("annot.evidence()")
    disk = next(box for box in browser.run(BOXES) if box["name"] == "disk")
    assert disk["width"] > 0.9, f"it is of the finding's time {evidence}: {disk}"
    assert "prog 100" in browser.run(BOXES)[0]["name"], "it is of its thread"


def in_windows(browser, work):
    """One in the middle knows the wait that began before, and the stack that belongs to it."""
    browser.open(long_page(work))
    browser.run("annot.setView(arguments[0], arguments[1])", LONG_US * 0.4 * US, LONG_US * 0.42 * US)
    browser.settle()
    loaded = browser.run("annot.loaded()")
    assert loaded["first"] > 0, f"the first window is loaded: {loaded}"
    browser.run("annot.panel('flame')")
    browser.settle()
    press(browser, "time in sight")
    share = LONG_US * 0.02
    expect(browser, [(PIPE, share), (HELPER, share / 2)], "in a window")


def run(browser, parts, tap, work):
    page = page_of(work)
    tap.point("time off the CPU, by cause", off_cpu, browser, page)
    tap.point("a blocked state tells its calls", of_state, browser, page)
    tap.point("time on a CPU", on_cpu, browser, page)
    tap.point("samples", misses, browser, page)
    tap.point("a profile", profile, browser, page)
    tap.point("who ended the time off the CPU", wakers, browser, page)
    tap.point("threads, tasks, times", scopes, browser, page)
    tap.point("a click zooms", zooms, browser, page)
    tap.point("keys walk", by_keys, browser, page)
    tap.point("search", searches, browser, page)
    tap.point("two graphs are compared", compares, browser, page)
    jobs = jobs_page(work)
    tap.point("slow instances of a task, and the others", slow_instances, browser, jobs)
    tap.point("of a finding", of_finding, browser, jobs)
    parts.limit(whole=0, shown=MOST_SHOWN, kept=2 * MOST_SHOWN)
    tap.point("in windows", in_windows, parts, work)
    browser.finish(tap)


def main():
    tap = Tap()
    browser, parts = Browser(), Browser()
    try:
        with tempfile.TemporaryDirectory(prefix="annot-flame-") as work:
            run(browser, parts, tap, work)
    finally:
        browser.close()
        parts.close()
    tap.finish()


if __name__ == "__main__":
    main()
