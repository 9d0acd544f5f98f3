# SPDX-License-Identifier: GPL-2.0-only
"""`nettop serve`, and who reads from it."""
import contextlib
import http.client
import http.server
import os
import re
import signal
import threading
import time

from .process import LineProcess, descendants_named, wait_until

STARTS_S = 30
OPENMETRICS = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"
SAMPLE = re.compile(r"(\w+)(?:\{(.*)\})? (\S+)")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


def samples_of(text):
    """{(name, frozenset of (label, value)): value} of a text."""
    samples = {}
    for line in text.splitlines():
        if not line.startswith("#"):
            name, labels, value = SAMPLE.fullmatch(line).groups()
            samples[name, frozenset(LABEL.findall(labels or ""))] = float(value)
    return samples


class Collector(contextlib.AbstractContextManager):
    """
    What an OTLP collector is to nettop: it keeps the bodies that it takes in `taken`. `says`: what it answers meanwhile, a status, or (status, headers); None: it hangs.
    """

    def __init__(self):
        self.taken, self.asked, self.says, self.ends = [], [], 200, threading.Event()
        collector = self

        class Answers(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                collector.asked.append((time.monotonic(), self.path, self.headers["Content-Type"]))
                says = collector.says
                if says is None:
                    collector.ends.wait()
                    return
                status, headers = says if isinstance(says, tuple) else (says, {})
                if status == 200:
                    collector.taken.append(body)
                self.send_response(status)
                for name, value in (headers | {"Content-Length": "0"}).items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_):
                pass
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __exit__(self, *_):
        self.ends.set()
        self.server.shutdown()
        self.server.server_close()


class Serve(LineProcess):
    """nettop serve at a port of its own. `with Serve(env, "-p", str(pid)) as serve: serve.samples()`"""

    def __init__(self, env, *options, listen="127.0.0.1:0", prefix=()):
        super().__init__([*prefix, str(env.nettop), "serve", "--listen", listen, *options], os.environ.copy(), stderr_path=env.scratch / "serve.err")
        wait_until(lambda: self._where() or not self.alive(), STARTS_S, lambda: f"it listens: {self.stderr_text()}")
        found = self._where()
        self.host, self.port = (found[1].strip("[]"), int(found[2])) if found else (None, None)

    def _where(self):
        return re.search(r"^nettop: http://(\S*):(\d+)/metrics", self.stderr_text(), re.MULTILINE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.kill()

    def get(self, path="/metrics", method="GET", seconds=10, **headers):
        """(status, headers, body) of one request."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=seconds)
        try:
            connection.request(method, path, headers={"Accept": OPENMETRICS} | {name.replace("_", "-"): value for name, value in headers.items()})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def samples(self):
        status, _, body = self.get()
        return samples_of(body) if status == 200 else {}

    def of(self, pid):
        """{name: value} of what a process has, where it has no other labels."""
        return {name: value for (name, labels), value in self.samples().items() if dict(labels).keys() == {"process", "pid"} and ("pid", str(pid)) in labels}

    def wait_for(self, pid, condition, what):
        """What it says of a process when that holds."""
        seen = {}

        def holds():
            seen.clear()
            seen.update(self.of(pid))
            return condition(seen)
        wait_until(holds, STARTS_S, lambda: f"{what}; {self.stderr_text()[-1000:]}; {seen}"[:3000], step=0.1)
        return dict(seen)

    def server_pids(self):
        """The process that speaks with strangers."""
        return [pid for pid in descendants_named("nettop-web") if self.alive()]

    def stop(self):
        self.signal(signal.SIGINT)
        return self.wait(STARTS_S)
