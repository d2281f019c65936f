# SPDX-License-Identifier: GPL-2.0
"""Drives a headless Chromium: selenium and chromedriver, and the DevTools protocol for the rest.

See browser.py for what a driver offers.
"""
import base64
import json
import shutil
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains

ARGUMENTS = [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update", "--disable-default-apps",
    "--disable-dev-shm-usage", "--force-color-profile=srgb",
]
KINDS = {"move": "mouseMoved", "down": "mousePressed", "up": "mouseReleased"}
MODIFIERS = {"": 0, "control": 2, "shift": 8}


class Chromium:
    def __init__(self, limit_seconds):
        self.profile = tempfile.mkdtemp(prefix="annot-browser-")
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for argument in ARGUMENTS + [f"--user-data-dir={self.profile}"]:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_page_load_timeout(limit_seconds)
        self.driver.set_script_timeout(limit_seconds)
        self.is_pressed = False

    def close(self):
        self.driver.quit()
        shutil.rmtree(self.profile, ignore_errors=True)

    def command(self, name, **parameters):
        """A command of the DevTools protocol."""
        return self.driver.execute_cdp_cmd(name, parameters)

    def get(self, url):
        self.driver.get(url)

    def before_page(self, script):
        self.command("Page.addScriptToEvaluateOnNewDocument", source=script)

    def execute(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def execute_async(self, script, *arguments):
        return self.driver.execute_async_script(script, *arguments)

    def resize(self, width, height, ratio):
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height,
                     deviceScaleFactor=ratio, mobile=False)

    def emulate(self, scheme, media=""):
        self.command("Emulation.setEmulatedMedia", media=media,
                     features=[{"name": "prefers-color-scheme", "value": scheme}])

    def mouse(self, events, modifier=""):
        for kind, x, y in events:
            button = {} if kind == "move" and not self.is_pressed else {"button": "left"}
            self.command("Input.dispatchMouseEvent", type=KINDS[kind], x=x, y=y, buttons=int(self.is_pressed),
                         clickCount=int(kind != "move"), modifiers=MODIFIERS[modifier], **button)
            self.is_pressed = (self.is_pressed or kind == "down") and kind != "up"

    def wheel(self, x, y, down, modifier=""):
        self.command("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=down,
                     modifiers=MODIFIERS[modifier])

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, held, key):
        ActionChains(self.driver).key_down(held).send_keys(key).key_up(held).perform()

    def print_pdf(self):
        return base64.b64decode(self.command("Page.printToPDF", printBackground=True, preferCSSPageSize=True)["data"])

    def screenshot(self, path):
        self.driver.save_screenshot(path)

    def logged(self):
        """(messages, addresses asked for) since it was asked last."""
        messages = [entry["level"] + " " + entry["message"] for entry in self.driver.get_log("browser")]
        requests = []
        for entry in self.driver.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                requests.append(message["params"]["request"]["url"])
        return messages, requests
