# SPDX-License-Identifier: GPL-2.0
"""Drives a headless Firefox by WebDriver BiDi, which it speaks itself: JSON over a WebSocket.

Debian 12 has no geckodriver, and none is needed. What BiDi has no command for is done by a script in
Firefox's own window (moz:scope chrome). See browser.py for what a driver offers.
"""
import base64
import itertools
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import time

# No request but for pages, no question, no update; colours as they are written.
PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.backup.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "gfx.color_management.mode": 0,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "",
    "toolkit.telemetry.server": "",
    "ui.prefersReducedMotion": 0,
    "ui.systemUsesDarkTheme": 0,
}
HELD = {"control": "\ue009", "shift": "\ue008"}
ANSWERED = re.compile(rb"WebDriver BiDi listening on ws://127\.0\.0\.1:(\d+)")
# A page's value comes as JSON, as the arguments go.
CALL = "async (json) => JSON.stringify(await (function () {{ {} }}).apply(window, JSON.parse(json)))"
CALL_ASYNC = """async (json) => JSON.stringify(await new Promise((resolve) =>
    (function () {{ {} }}).apply(window, [...JSON.parse(json), resolve])))"""


class WebSocket:
    """A client's end of a WebSocket (RFC 6455) that carries text."""

    def __init__(self, port, path, limit_seconds):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=2 * limit_seconds)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                            "Sec-WebSocket-Version: 13\r\n\r\n".encode())
        status = self.file.readline()
        if b" 101 " not in status:
            raise ConnectionError(f"no WebSocket: {status!r}")
        while self.file.readline().strip():
            pass

    def send(self, text):
        data = text.encode()
        size = len(data)
        if size < 126:
            head = bytes([0x81, 0x80 | size])
        elif size < 1 << 16:
            head = struct.pack(">BBH", 0x81, 0x80 | 126, size)
        else:
            head = struct.pack(">BBQ", 0x81, 0x80 | 127, size)
        mask = os.urandom(4)
        repeated = (mask * (size // 4 + 1))[:size]
        masked = int.from_bytes(data, "big") ^ int.from_bytes(repeated, "big")
        self.socket.sendall(head + mask + masked.to_bytes(size, "big"))

    def receive(self):
        data = b""
        while True:
            first, size = self.read(2)
            if size == 126:
                size, = struct.unpack(">H", self.read(2))
            elif size == 127:
                size, = struct.unpack(">Q", self.read(8))
            data += self.read(size)
            if first & 0x80:
                return data.decode()

    def read(self, size):
        data = self.file.read(size)
        if len(data) < size:
            raise ConnectionError("Firefox has closed its WebSocket")
        return data

    def close(self):
        self.file.close()
        self.socket.close()


class Firefox:
    def __init__(self, limit_seconds):
        self.limit_seconds = limit_seconds
        self.profile = tempfile.mkdtemp(prefix="annot-browser-")
        self.numbers = itertools.count(1)
        self.events = []
        self.emulated = ()
        self.process = self.start()
        try:
            self.connection = WebSocket(self.port(limit_seconds), "/session", limit_seconds)
            self.command("session.new", capabilities={})
            self.command("session.subscribe", events=["log.entryAdded", "network.beforeRequestSent"])
            self.context = self.command("browsingContext.getTree")["contexts"][0]["context"]
            self.window = self.command("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"][0]["context"]
            self.hears_requests()
        except BaseException:
            self.kill()
            raise

    def start(self):
        with open(os.path.join(self.profile, "user.js"), "w", encoding="utf-8") as file:
            for name, value in PREFERENCES.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        with open(os.path.join(self.profile, "said"), "wb") as said:
            return subprocess.Popen(
                ["firefox-esr", "--headless", "--no-remote", "--profile", self.profile,
                 "--remote-debugging-port", "0", "--remote-allow-system-access"],
                stdin=subprocess.DEVNULL, stdout=said, stderr=said,
                env={**os.environ, "HOME": self.profile, "MOZ_CRASHREPORTER_DISABLE": "1"})

    def port(self, limit_seconds):
        """Of the WebSocket: the first line that Firefox prints names it."""
        end = time.monotonic() + limit_seconds
        while time.monotonic() < end and self.process.poll() is None:
            with open(os.path.join(self.profile, "said"), "rb") as file:
                found = ANSWERED.search(file.read())
            if found:
                return int(found[1])
            time.sleep(0.05)
        raise ConnectionError(f"Firefox does not listen after {limit_seconds} s")

    def hears_requests(self):
        """Asks for what nobody serves, to see that the log tells of requests."""
        with socket.socket() as unused:
            unused.bind(("127.0.0.1", 0))
            url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
            self.execute("return fetch(arguments[0]).catch(() => null)", url)
        assert url in self.logged()[1], "Firefox does not tell of requests"

    def close(self):
        try:
            self.command("browser.close")
            self.process.wait(10)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.kill()

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def command(self, method, **parameters):
        """A command of BiDi; what happens meanwhile is kept in events."""
        number = next(self.numbers)
        self.connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            try:
                message = json.loads(self.connection.receive())
            except TimeoutError as error:
                raise TimeoutError(f"Firefox does not answer {method} of {json.dumps(parameters)[:200]}") from error
            if message["type"] == "event":
                self.events.append(message)
            elif message["id"] == number:
                if message["type"] == "error":
                    raise AssertionError(f"{method}: {message['error']}: {message['message']}")
                return message["result"]

    def get(self, url):
        # Now and then Firefox does not tell for minutes that it has loaded a page. It is asked; and it is told
        # a second time what to load.
        if not self.load(url) and not self.load(url):
            raise TimeoutError(f"Firefox has not loaded {url} after {2 * self.limit_seconds} s")
        # A new window has its focus in the address bar; keys then press no button of the page. A page
        # may be in another process than the one before, which knows of no emulation.
        self.call(CALL.format("gBrowser.selectedBrowser.focus();"), [], self.window)
        if self.emulated:
            self.emulate(*self.emulated)

    def load(self, url):
        """Whether it has loaded the page in time."""
        end = time.monotonic() + self.limit_seconds
        self.command("browsingContext.navigate", context=self.context, url=url, wait="none")
        while not self.has_loaded(url):
            if time.monotonic() > end:
                print(f"# Firefox has not loaded {url} after {self.limit_seconds} s", flush=True)
                return False
            time.sleep(0.01)
        return True

    def has_loaded(self, url):
        try:
            return self.execute("return document.readyState === 'complete' && "
                                "location.href.split('#')[0] === arguments[0].split('#')[0]", url)
        except AssertionError:	# between two pages there is none to be asked
            return False

    def before_page(self, script):
        self.command("script.addPreloadScript", functionDeclaration=f"() => {{ {script} }}", contexts=[self.context])

    def call(self, function, arguments, context=None):
        said = self.command("script.callFunction", functionDeclaration=function, awaitPromise=True,
                            arguments=[{"type": "string", "value": json.dumps(arguments)}],
                            target={"context": context or self.context})
        if said["type"] == "exception":
            raise AssertionError(said["exceptionDetails"]["text"])
        return json.loads(said["result"].get("value", "null"))

    def execute(self, script, *arguments):
        return self.call(CALL.format(script), arguments)

    def execute_async(self, script, *arguments):
        return self.call(CALL_ASYNC.format(script), arguments)

    def resize(self, width, height, ratio):
        self.command("browsingContext.setViewport", context=self.context, devicePixelRatio=ratio,
                     viewport={"width": width, "height": height})

    def emulate(self, scheme, media=""):
        self.emulated = scheme, media
        self.call(CALL.format("""
            const tab = gBrowser.selectedBrowser.browsingContext;
            tab.prefersColorSchemeOverride = arguments[0];
            tab.mediumOverride = arguments[1];"""), [scheme, media], self.window)

    def actions(self, *sources):
        """Performs what each source does, in step with the others."""
        self.command("input.performActions", context=self.context, actions=list(sources))

    def while_held(self, modifier, kind, name, actions):
        """Does that, by a source of that kind, while a key is held."""
        if not modifier:
            self.actions({"type": kind, "id": name, "actions": actions})
            return
        key = {"value": HELD[modifier]}
        pause = {"type": "pause"}
        self.actions({"type": "key", "id": "keys",
                      "actions": [{"type": "keyDown", **key}, *[pause] * len(actions), {"type": "keyUp", **key}]},
                     {"type": kind, "id": name, "actions": [pause, *actions, pause]})

    def mouse(self, events, modifier=""):
        actions = []
        for kind, x, y in events:
            if kind == "move":
                actions.append({"type": "pointerMove", "x": x, "y": y})
            else:
                actions.append({"type": "pointerDown" if kind == "down" else "pointerUp", "button": 0})
        self.while_held(modifier, "pointer", "mouse", actions)

    def wheel(self, x, y, down, modifier=""):
        self.while_held(modifier, "wheel", "wheel", [
            {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": down}])

    def keys(self, *keys):
        self.actions({"type": "key", "id": "keys", "actions": [
            {"type": kind, "value": key} for key in "".join(keys) for kind in ("keyDown", "keyUp")]})

    def chord(self, held, key):
        self.actions({"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": held}, {"type": "keyDown", "value": key},
            {"type": "keyUp", "value": key}, {"type": "keyUp", "value": held}]})

    def print_pdf(self):
        return base64.b64decode(self.command("browsingContext.print", context=self.context, background=True)["data"])

    def screenshot(self, path):
        data = self.command("browsingContext.captureScreenshot", context=self.context)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def logged(self):
        """(messages, addresses asked for) since it was asked last. Of pages from files it does not tell."""
        self.command("session.status")	# and what was logged before comes before its answer
        messages, requests = [], []
        for event in self.events:
            told = event["params"]
            if event["method"] == "log.entryAdded":
                messages.append(f"{told['level']} {told['text']}")
            else:
                requests.append(told["request"]["url"])
        self.events.clear()
        return messages, requests
