# SPDX-License-Identifier: GPL-2.0
"""A headless Chromium that shows pages of annot, and TAP for the tests that drive it.

Mouse and wheel go the way of a real mouse (the DevTools protocol's Input domain), pixels are read
from the canvas itself.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import traceback

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(ROOT, "build")
ANNOT = os.path.join(BUILD, "annot")
SYNTHETIC = os.path.join(BUILD, "tests", "browser", "synthetic")
SCREENSHOTS = os.path.join(BUILD, "tests", "screenshots")
LIMIT_SECONDS = 60
CONTROL, SHIFT = 2, 8	# the protocol's modifier bits

ARGUMENTS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-dev-shm-usage", "--force-color-profile=srgb",
]


class Browser:
    def __init__(self, width=1280, height=720):
        self.profile = tempfile.mkdtemp(prefix="annot-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ARGUMENTS + [f"--user-data-dir={self.profile}"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(LIMIT_SECONDS)
        self.driver.set_script_timeout(LIMIT_SECONDS)
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
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def command(self, name, **parameters):
        return self.driver.execute_cdp_cmd(name, parameters)

    def resize(self, width, height, ratio=1):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=ratio, mobile=False)

    def prefer(self, scheme):
        self.command("Emulation.setEmulatedMedia",
                     features=[{"name": "prefers-color-scheme", "value": scheme}])

    def limit(self, **rows):
        """Pages opened from now on load at most so many rows: {whole, shown, kept}, see js/windows.js."""
        self.command("Page.addScriptToEvaluateOnNewDocument",
                     source=f"window.annot = {{ limits: {json.dumps(rows)} }};")

    def open(self, path, fragment=""):
        """Loads a page anew and waits until it is drawn; raises what it says when it cannot."""
        self.driver.get("about:blank")
        self.driver.get("file://" + path + fragment)
        said = self.driver.execute_async_script(
            "const done = arguments[0];"
            "annot.ready.then(() => annot.settled()).then(() => done(''), (e) => done(String(e)));")
        self.collect()
        if said:
            raise AssertionError(f"{path}: {said}")

    def run(self, script, *arguments):
        return self.driver.execute_script("return " + script, *arguments)

    def settle(self):
        self.driver.execute_async_script(
            "const done = arguments[0]; annot.settled().then(() => done());")

    def mouse(self, kind, x, y, **more):
        self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def move(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.settle()

    def click(self, x, y):
        self.mouse("mouseMoved", x, y)
        self.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.mouse("mouseReleased", x, y, button="left", clickCount=1)
        self.settle()

    def drag(self, x0, y0, x1, y1, modifiers=0):
        self.mouse("mouseMoved", x0, y0, modifiers=modifiers)
        self.mouse("mousePressed", x0, y0, button="left", clickCount=1, modifiers=modifiers)
        for step in range(1, 6):
            self.mouse("mouseMoved", x0 + (x1 - x0) * step / 5, y0 + (y1 - y0) * step / 5,
                       button="left", buttons=1, modifiers=modifiers)
        self.mouse("mouseReleased", x1, y1, button="left", clickCount=1, modifiers=modifiers)
        self.settle()

    def wheel(self, x, y, down, modifiers=0):
        self.mouse("mouseWheel", x, y, deltaX=0, deltaY=down, modifiers=modifiers)
        self.settle()

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        self.settle()

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
        self.driver.save_screenshot(os.path.join(SCREENSHOTS, name + ".png"))

    def collect(self):
        """Gathers what the browser logged: asking empties its logs."""
        self.messages += [entry["level"] + " " + entry["message"]
                          for entry in self.driver.get_log("browser")
                          # our own reading of pixels
                          if "willReadFrequently" not in entry["message"]]
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                self.requests.append(message["params"]["request"]["url"])


def rgb(colour):
    return tuple(int(colour[at:at + 2], 16) for at in (1, 3, 5))


def only_files(urls):
    assert any(url.startswith("file://") for url in urls), "the log does not even tell of the page"
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
