# SPDX-License-Identifier: GPL-2.0
"""A headless browser that shows pages of annot, and TAP for the tests that drive it.

$ANNOT_BROWSER says which one: chromium (without it) or firefox. tests/run runs a test in each that its
line "# BROWSERS:" names. Both have a driver (chromium.py, firefox.py) with the same methods:

    get(url), before_page(script): to be run in each page opened from now on, before its own
    execute(script, arguments...), execute_async(...): as selenium has them
    resize(width, height, ratio), emulate(scheme, media)
    mouse([(kind, x, y)...], modifier): move, down, up; wheel(x, y, down, modifier)
    keys(keys...), chord(held, key)
    print_pdf(), screenshot(path), logged(), close()

Pixels are read from the canvas itself.
"""
import functools
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import traceback

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build")
ANNOT = os.path.join(BUILD, "annot")
SYNTHETIC = os.path.join(BUILD, "tests", "browser", "synthetic")
SCREENSHOTS = os.path.join(BUILD, "tests", "screenshots")
LIMIT_SECONDS = 60
CONTROL, SHIFT = "control", "shift"	# what is held while the mouse does something
NAME = os.environ.get("ANNOT_BROWSER", "chromium")


def driver():
    # Each needs modules that the other does not.
    if NAME == "firefox":
        from firefox import Firefox
        return Firefox(LIMIT_SECONDS)
    from chromium import Chromium
    return Chromium(LIMIT_SECONDS)


@functools.cache
def handle():
    """The script by which tests ask a page."""
    return subprocess.run(["esbuild", "--bundle", "--format=iife", "--charset=utf8", "--log-level=warning",
                           os.path.join(ROOT, "tests", "browser", "handle.js")],
                          check=True, stdout=subprocess.PIPE, encoding="utf-8", timeout=LIMIT_SECONDS).stdout


class Browser:
    def __init__(self, width=1280, height=720):
        # A test that runs out of time ends its browsers, too.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        self.driver = driver()
        self.requests = []
        self.messages = []
        self.resize(width, height)
        # What the browser asks for its own first tab is not ours.
        self.driver.get("about:blank")
        self.collect()
        self.requests.clear()
        self.messages.clear()

    def finish(self, tap):
        """The last points: what was logged while all the others ran."""
        self.collect()
        tap.point("nothing on the console", equal, self.messages, [])
        tap.point("no request but for the page itself", only_files, self.requests)

    def close(self):
        self.driver.close()

    def command(self, name, **parameters):
        return self.driver.command(name, **parameters)

    def resize(self, width, height, ratio=1):
        self.driver.resize(width, height, ratio)

    def prefer(self, scheme, media=""):
        self.driver.emulate(scheme, media)

    def limit(self, **rows):
        """Pages opened from now on load at most so many rows: {whole, shown, kept}, see js/data/windows.js."""
        self.driver.before_page(f"window.annot = {{ limits: {json.dumps(rows)} }};")

    def open(self, path, fragment=""):
        """Loads a page anew and waits until it is drawn; raises what it says when it cannot."""
        self.driver.get("about:blank")
        self.driver.get("file://" + path + fragment)
        self.driver.execute(handle())
        said = self.driver.execute_async(
            "const done = arguments[0];"
            "annot.ready.then(() => annot.settled()).then(() => done(''), (e) => done(String(e)));")
        self.collect()
        if said:
            raise AssertionError(f"{path}: {said}")

    def execute(self, script, *arguments):
        """Runs a script, or one that calls its last argument when it is done."""
        return self.driver.execute(script, *arguments)

    def execute_async(self, script, *arguments):
        return self.driver.execute_async(script, *arguments)

    def wait(self, ms):
        self.driver.execute_async("setTimeout(arguments[1], arguments[0])", ms)

    def run(self, script, *arguments):
        """The value of an expression."""
        return self.driver.execute("return " + script, *arguments)

    def settle(self):
        self.driver.execute_async("const done = arguments[0]; annot.settled().then(() => done());")

    def move(self, x, y):
        self.driver.mouse([("move", x, y)])
        self.settle()

    def click(self, x, y):
        self.driver.mouse([("move", x, y), ("down", x, y), ("up", x, y)])
        self.settle()

    def drag(self, x0, y0, x1, y1, modifier=""):
        steps = [("move", x0 + (x1 - x0) * step / 5, y0 + (y1 - y0) * step / 5) for step in range(1, 6)]
        self.driver.mouse([("move", x0, y0), ("down", x0, y0), *steps, ("up", x1, y1)], modifier)
        self.settle()

    def wheel(self, x, y, down, modifier=""):
        self.driver.wheel(x, y, down, modifier)
        self.settle()

    def keys(self, *keys):
        self.driver.keys(*keys)
        self.settle()

    def chord(self, held, key):
        self.driver.chord(held, key)
        self.settle()

    def print_pdf(self):
        return self.driver.print_pdf()

    def pixel(self, x, y, canvas="lanes-canvas"):
        """The colour, as (red, green, blue), that the canvas has at a point of the window."""
        return tuple(self.run("""(() => {
            const canvas = document.getElementById(arguments[2]);
            const box = canvas.getBoundingClientRect();
            const ratio = canvas.width / box.width;
            const data = canvas.getContext("2d").getImageData(
                Math.floor((arguments[0] - box.left) * ratio),
                Math.floor((arguments[1] - box.top) * ratio), 1, 1).data;
            return [data[0], data[1], data[2]];
        })()""", x, y, canvas))

    def text(self, selector):
        return self.run("document.querySelector(arguments[0]).innerText", selector)

    def screenshot(self, name):
        os.makedirs(SCREENSHOTS, exist_ok=True)
        self.settle()
        time.sleep(0.1)
        self.driver.screenshot(os.path.join(SCREENSHOTS, name + ".png"))

    def collect(self):
        """Gathers what the browser logged since it was asked last."""
        messages, requests = self.driver.logged()
        # our own reading of pixels
        self.messages += [message for message in messages if "willReadFrequently" not in message]
        self.requests += requests


def rgb(colour):
    return tuple(int(colour[at:at + 2], 16) for at in (1, 3, 5))


def only_files(urls):
    """Firefox tells of no file; that it tells of others, firefox.py has seen."""
    assert NAME == "firefox" or any(url.startswith("file://") for url in urls), "the log does not even tell of the page"
    foreign = [url for url in urls if not url.startswith(("file://", "data:", "blob:", "about:"))]
    equal(foreign, [], "requests")


def make(work, what, *arguments):
    """A page of synthetic.c's, of a made-up model."""
    path = os.path.join(work, what + ".html")
    with open(path, "wb") as file:
        subprocess.run([SYNTHETIC, what, *arguments], check=True, stdout=file)
    return path


class Tap:
    """Runs functions as test points: an exception is a failure, Skip a skip."""

    def __init__(self):
        self.failed = 0

    def point(self, name, function, *arguments):
        try:
            function(*arguments)
        except Skip as skip:
            print(f"ok - {name} # SKIP {skip}", flush=True)
        except Exception:	# whatever it is, it is why
            self.failed += 1
            for line in traceback.format_exc(limit=-3).splitlines():
                print("#", line)
            print(f"not ok - {name}", flush=True)
        else:
            print(f"ok - {name}", flush=True)

    def finish(self):
        sys.exit(1 if self.failed else 0)


class Skip(Exception):
    pass


def equal(got, wanted, what=""):
    assert got == wanted, f"{what}: {got!r}, not {wanted!r}"


def near(got, wanted, slack, what=""):
    assert abs(got - wanted) <= slack, f"{what}: {got!r}, not within {slack} of {wanted!r}"


def run_page_tests(save, tests):
    """The page of the trace that save(path) writes: each of @tests gets the browser and the page. Ends the process."""
    tap = Tap()
    with tempfile.TemporaryDirectory(prefix="annot-page-") as work:
        trace, page = (os.path.join(work, f"trace.{end}") for end in ("dat", "html"))
        save(trace)
        subprocess.run([ANNOT, "html", trace, "-o", page], check=True, stdout=subprocess.DEVNULL)
        browser = Browser()
        try:
            for test in tests:
                tap.point(test.__name__.replace("_", " "), test, browser, page)
            browser.finish(tap)
        finally:
            browser.close()
    tap.finish()
