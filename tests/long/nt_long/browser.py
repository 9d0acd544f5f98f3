# SPDX-License-Identifier: GPL-2.0-only
"""A headless Chromium with one page, driven through its DevTools protocol over a pair of pipes."""
import fcntl
import json
import os
import select
import shutil
import subprocess
import time

from nt_live.environment import Missing
from nt_live.process import Failure, OutOfLimit

INSTALL_S, ANSWER_S = 900, 60
PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def browser_program():
    """The browser of this machine; Debian's, which is installed where there is none and root may."""
    found = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if found:
        return found
    fix = "apt-get install --no-install-recommends chromium"
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        raise Missing(f"no Chromium ({fix})")
    said = ""
    for words in (["update", "-q"], ["install", "-q", "-y", "--no-install-recommends", "chromium"]):
        done = subprocess.run(["apt-get", *words], env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=INSTALL_S, check=False)
        said = (done.stdout.strip().splitlines() or [""])[-1]
    found = shutil.which("chromium")
    if not found:
        raise Missing(f"no Chromium, and `{fix}` brings none: {said}")
    return found


def _high(descriptor):
    """The same pipe under a number that is none of those that the browser wants."""
    high = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return high


class Browser:
    """What a page says wrong is gathered in `errors`, the dialogs it opens in `dialogs`; a prompt is answered with `words`."""

    def __init__(self, env, width, height):
        self.errors, self.dialogs, self.words = [], [], None
        self._number, self._bytes, self._session = 0, b"", None
        self._size = (width, height)
        program = browser_program()
        (theirs_in, self._out), (self._in, theirs_out) = (tuple(map(_high, os.pipe())) for _ in range(2))
        self.log = env.scratch / "chromium.err"
        # The browser reads from descriptor 3 and writes to 4, which Python does not hand over by number; sh knows those of one digit only.
        shell = f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}'
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(["bash", "-c", shell, "bash", program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                                             "--hide-scrollbars", "--no-first-run", "--disable-background-networking", "--disable-component-update",
                                             "--disable-breakpad", f"--user-data-dir={env.scratch / 'chromium'}", "--remote-debugging-pipe", "about:blank"],
                                            pass_fds=(theirs_in, theirs_out), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        os.close(theirs_in)
        os.close(theirs_out)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._session = None
            self.call("Browser.close")
            self.process.wait(ANSWER_S)
        except (OSError, Failure, OutOfLimit, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self._out)
        os.close(self._in)

    def open(self, url):
        """Show it in a new page of the window's size, with nothing said wrong yet."""
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.errors, self.dialogs = [], []
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(*self._size)
        answer = self.call("Page.navigate", url=url)
        if answer.get("errorText"):
            raise Failure(f"{url}: {answer['errorText']}")
        self.wait_for("document.readyState === 'complete' && location.href !== 'about:blank'")

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.wait_for(f"window.innerWidth === {width}")
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")

    def evaluate(self, expression):
        """What an expression of JavaScript comes to."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise Failure(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait_for(self, expression):
        deadline = time.monotonic() + ANSWER_S
        while not self.evaluate(expression):
            if time.monotonic() > deadline:
                raise OutOfLimit(f"not within {ANSWER_S} s: {expression}")

    def point(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x, y):
        self.point(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key, text=None):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def call(self, method, **parameters):
        """Its answer; what happens meanwhile is noted."""
        number = self._send(method, parameters)
        while True:
            message = self._read()
            if message.get("id") == number:
                if "error" in message:
                    raise Failure(f"{method}: {message['error']}")
                return message["result"]
            self._note(message)

    def _send(self, method, parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        return self._number

    def _read(self):
        deadline = time.monotonic() + ANSWER_S
        while b"\0" not in self._bytes:
            if not select.select([self._in], [], [], max(0, deadline - time.monotonic()))[0]:
                raise OutOfLimit(f"the browser says nothing for {ANSWER_S} s")
            piece = os.read(self._in, 1 << 16)
            if not piece:
                raise Failure(f"the browser has ended: {self.log.read_text(errors='replace')[-800:]}")
            self._bytes += piece
        message, self._bytes = self._bytes.split(b"\0", 1)
        return json.loads(message)

    def _note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.errors.append(parameters["exceptionDetails"])
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(parameters["entry"])
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(parameters["args"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append((parameters["type"], parameters["message"]))
            # Nobody waits for this answer: it comes while another one is waited for.
            self._send("Page.handleJavaScriptDialog", {"accept": self.words is not None, "promptText": self.words or ""})
