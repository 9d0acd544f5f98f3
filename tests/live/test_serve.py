#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop serve`: figures for those who gather them, over HTTP."""
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from nt_live import *
from nt_live.environment import REPO
from nt_live.process import LineProcess, proportional_bytes
from nt_live.runner import check, check_equal
from nt_live.serve import STARTS_S, Collector, Serve, samples_of
from nt_live.stack_files import npm_package

COUNTED = {"nettop_gc_gen0_total": lambda truth: truth.gc_counts()[0], "nettop_gc_gen1_total": lambda truth: truth.gc_counts()[1], "nettop_gc_gen2_total": lambda truth: truth.gc_counts()[2],
           "nettop_exceptions_total": lambda truth: truth["exception_count"], "nettop_contention_total": lambda truth: truth["contention_count"]}
DEPLOY = REPO / "doc/deploy"
PROMETHEUS_S = 60
CONNECTIONS = 32  # of the server, at most


def is_whole(seen):
    return "nettop_gc_pause_seconds_total" in seen and "nettop_exceptions_total" in seen and "nettop_gc_alloc_bytes_total" in seen


def promtool(text):
    """What Prometheus' own checker says of the older form; None: it is not here."""
    try:
        return subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, text=True, timeout=30, check=False)
    except FileNotFoundError:
        return None


@test
def counters_are_the_runtimes_own(env):
    """Between two readings counters have grown by what the runtime counted itself; each form is what it says it is; there is nothing but /metrics; afterwards nothing is left in the process."""
    with Bare(env) as work:
        work.settle()
        with Serve(env, "-p", str(work.pid), "-d", "0.5") as serve:
            serve.wait_for(work.pid, is_whole, "what the runtime tells")
            before = serve.of(work.pid)
            truth, _ = work.measure("throw 120", "locks 35", "gc 0", "gc 0", "gc 1", "gc 2")
            expected = {name: of(truth) for name, of in COUNTED.items()}
            after = serve.wait_for(work.pid, lambda seen: all(seen.get(name, 0) - before[name] >= count for name, count in expected.items()), f"{expected} more than {before}")
            check_equal("grown", {name: after[name] - before[name] for name in COUNTED}, expected)
            check(after["nettop_gc_heap_bytes"] > 0 and after["nettop_memory_rss_bytes"] > 1e6, f"sizes: {after}")
            status, headers, text = serve.get()
            check_equal("OpenMetrics", (status, headers["Content-Type"], text.endswith("# EOF\n")), (200, "application/openmetrics-text; version=1.0.0; charset=utf-8", True))
            status, headers, older = serve.get(Accept="*/*")
            check_equal("the older form", (status, headers["Content-Type"], "# EOF" in older), (200, "text/plain; version=0.0.4; charset=utf-8", False))
            check(len(samples_of(older)) > 60, f"{len(samples_of(older))} samples")
            check_equal("HEAD", (serve.get(method="HEAD")[0], serve.get(method="HEAD")[2]), (200, ""))
            for path, method, is_answered in (("/", "GET", 404), ("/metrics?x=1", "GET", 200), ("/debug", "GET", 404), ("/metrics", "POST", 405), ("/metrics", "DELETE", 405)):
                check_equal(f"{method} {path}", serve.get(path, method)[0], is_answered)
            check_equal("under another name", serve.get(Host="example.org")[0], 403)
            checked = promtool(older)
            check(not checked or checked.returncode == 0, lambda: f"promtool: {checked.stdout}{checked.stderr}")
            check_equal("exit status", serve.stop(), 0)
        check_equal("left in it", work.leftovers(), [])
    return f"{expected}; {len(samples_of(text))} samples; promtool {'has no complaint' if checked else 'is not here'}"


def slowly(serve, count):
    """Connections that begin a request and never end it."""
    held = []
    for _ in range(count):
        connection = socket.create_connection((serve.host, serve.port), timeout=5)
        connection.sendall(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nX: ")
        held.append(connection)
    return held


def answer_to(serve, sent):
    """What comes back for bytes that are no request; b"" where it closes, or waits for more."""
    with socket.create_connection((serve.host, serve.port), timeout=0.3) as connection:
        try:
            connection.sendall(sent)
            return connection.recv(1 << 16)
        except (ConnectionResetError, BrokenPipeError, TimeoutError):
            return b""


@test
def strangers_do_no_harm(env):
    """What is no request, is too long, never ends, or ends the server, costs nobody else an answer for longer than a moment, and the process nothing; the server has no rights and no file open."""
    with Bare(env) as work:
        work.settle()
        with Serve(env, "-p", str(work.pid), "--source", "procfs") as serve:
            wait_until(lambda: serve.of(work.pid), STARTS_S, lambda: f"it tells of the process: {serve.stderr_text()}")
            server, = serve.server_pids()
            status = dict(line.split(":\t", 1) for line in open(f"/proc/{server}/status", encoding="ascii").read().splitlines() if ":\t" in line)
            check_equal("the server's rights", (status["Uid"].split()[0], int(status["CapPrm"], 16), int(status["CapEff"], 16), status["NoNewPrivs"]), ("65534", 0, 0, "1"))
            for sent in (b"\0" * 4096, b"GET /metrics HTTP/1.1\r\n" + b"A: b\r\n" * 100000, b"GET /" + b"x" * 1000000 + b" HTTP/1.1\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 100,
                         b"POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n", b"GET /metrics HTTP/9.9\r\n\r\n", b"GET /%00%ff HTTP/1.1\r\nHost: localhost\r\n\r\n"):
                said = answer_to(serve, sent)
                check(not said.startswith((b"HTTP/1.1 200", b"HTTP/1.0 200")), f"{sent[:40]}: {said[:80]}")
                check(serve.of(work.pid), f"nothing is told after {sent[:40]}")
            held = slowly(serve, CONNECTIONS // 2)
            check(serve.of(work.pid), "nothing is told beside those that are slow")
            for connection in held:
                connection.close()
            grown = proportional_bytes(serve.pid)
            check(grown < 64 << 20, f"{grown >> 20} MB")
            os.kill(server, signal.SIGKILL)
            wait_until(lambda: server not in serve.server_pids() and serve.server_pids(), STARTS_S, lambda: f"another server: {serve.stderr_text()}")
            check(serve.of(work.pid), "the next server tells nothing")
            check_equal("ends that are told", serve.samples()["nettop_server_ends_total", frozenset()], 1)
            check("it is started again" in serve.stderr_text(), serve.stderr_text())
            check_equal("exit status", serve.stop(), 0)
            check_equal("its server is gone", serve.server_pids(), [])
    return f"{grown >> 20} MB after all of them"


@long_test
def who_comes_later_is_there(env):
    """It waits for a name that nobody has yet, has the process when it comes, and loses it when that ends; an address beyond this machine is said to be open, a port that somebody has and a name are refused."""
    with Serve(env, "-p", "nt-late", "--source", "procfs", listen="0.0.0.0:0") as serve:
        wait_until(lambda: "nettop waits for it" in serve.stderr_text(), STARTS_S, lambda: f"it says so: {serve.stderr_text()}")
        check("there is no password and no encryption" in serve.stderr_text(), serve.stderr_text())
        check_equal("under any name, beyond loopback", serve.get(Host="example.org")[0], 200)
        check(not [labels for name, labels in serve.samples() if name == "nettop_process_info"], "there is nobody yet")
        with Bare(env, named="nt-late") as work:
            serve.wait_for(work.pid, lambda seen: "nettop_memory_rss_bytes" in seen, "it is there")
        wait_until(lambda: not serve.of(work.pid), STARTS_S, "it has gone")
        with Serve(env, "-p", "nt-late", listen=f"127.0.0.1:{serve.port}") as second:
            check_equal("the port is taken", second.wait(STARTS_S), 1)
            check("cannot listen on" in second.stderr_text(), second.stderr_text())
        with Serve(env, "-p", "nt-late", listen="localhost:1") as named:
            check_equal("no name", named.wait(STARTS_S), 2)
        check_equal("exit status", serve.stop(), 0)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def prometheus(env, target):
    """A real one with our own configuration, which reads each second in place of each 15. Gives what asks it: (query) -> its list of results."""
    config = (DEPLOY / "prometheus.yml").read_text(encoding="utf-8").replace("15s", "1s").replace("127.0.0.1:6388", target)
    (env.scratch / "prometheus.yml").write_text(config, encoding="utf-8")
    port = free_port()
    server = LineProcess(["prometheus", f"--config.file={env.scratch}/prometheus.yml", f"--storage.tsdb.path={env.scratch}/tsdb", f"--web.listen-address=127.0.0.1:{port}"],
                         stderr_path=env.scratch / "prometheus.err")

    def ask(query):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query?{urllib.parse.urlencode({'query': query})}", timeout=10) as answer:
                return json.load(answer)["data"]["result"]
        except urllib.error.HTTPError as error:
            raise Failure(f"{query}: {error.read().decode()}") from None
        except (urllib.error.URLError, ConnectionError):
            return []
    try:
        wait_until(lambda: ask("up == 1"), PROMETHEUS_S, lambda: f"Prometheus reads it: {server.stderr_text()[-1000:]}", step=0.5)
        yield ask
    finally:
        server.kill()


def queries_of_the_dashboard():
    """{title: its queries}, with the variables that Grafana would fill in."""
    dashboard = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))
    return {panel["title"]: [target["expr"].replace("$process", ".*").replace("$__rate_interval", "10s") for target in panel["targets"]] for panel in dashboard["panels"]}


@long_test
def prometheus_reads_it_and_each_query_of_the_dashboard_has_data(env):
    """A real Prometheus takes all of it, its counters are those of the program, and no panel of the dashboard is empty for a web service at work and a program that throws and waits."""
    env.need_commands("prometheus")
    with Shop(env) as shop, Bare(env) as work:
        work.settle()
        with Serve(env, "-p", f"{shop.pid},{work.pid}", "--with", "requests,samples,allocations,jit") as serve, prometheus(env, f"127.0.0.1:{serve.port}") as ask:
            def value(name):
                return next((float(result["value"][1]) for result in ask(f'{name}{{pid="{work.pid}"}}')), None)
            wait_until(lambda: value("nettop_exceptions_total") is not None and value("nettop_gc_gen2_total") is not None, PROMETHEUS_S, lambda: "the program is there", step=0.5)
            before = {name: value(name) for name in COUNTED}
            truth, _ = work.measure("throw 120", "locks 35", "gc 0", "gc 0", "gc 1", "gc 2", "alloc 200")
            expected = {name: of(truth) for name, of in COUNTED.items()}
            grown = {}

            def has_grown():
                grown.update({name: (value(name) or 0) - before[name] for name in COUNTED})
                return grown == expected
            wait_until(has_grown, PROMETHEUS_S, lambda: f"{expected}: {grown}", step=0.5)
            panels, empty = queries_of_the_dashboard(), []

            def none_is_empty():
                work.do("throw 5")
                work.do("locks 2")
                work.do("gc 0")
                empty[:] = [query for queries in panels.values() for query in queries if not ask(query)]
                return not empty
            wait_until(none_is_empty, PROMETHEUS_S, lambda: f"without data: {empty}; {sorted({name for name, _ in serve.samples()})}", step=0.5)
            series = int(ask('count({__name__=~"nettop_.*"})')[0]["value"][1])
            rest, = ask(f'sum by (pid) (nettop_exceptions_by_type_total{{pid="{work.pid}"}}) - on (pid) nettop_exceptions_total')
            check_equal("exceptions by type without all", float(rest["value"][1]), 0)
            for name in ("nettop_requests_by_route_total", "nettop_cpu_samples_by_method_total", "nettop_allocated_by_type_bytes_total"):
                wait_until(lambda name=name: ask(name), PROMETHEUS_S, lambda name=name: f"{name}: {serve.get()[2][-2000:]}", step=0.5)
            check_equal("exit status", serve.stop(), 0)
        check_equal("left in it", work.leftovers(), [])
    return f"{sum(map(len, panels.values()))} queries, {series} series of 2 processes"


OTLP_SCHEMA = "@opentelemetry/otlp-proto-exporter-base@0.29.2"  # the last that has the .proto files themselves; what is read here has not changed since
REQUEST = "opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest"


def otlp_reader(env):
    """What reads a request: protoc, by the public schema. (bytes) -> its text."""
    env.need_commands("protoc")
    folder = npm_package(env, OTLP_SCHEMA) / "@opentelemetry/otlp-proto-exporter-base/build/protos"

    def read(body):
        decoded = subprocess.run(["protoc", f"--decode={REQUEST}", f"-I{folder}", "opentelemetry/proto/collector/metrics/v1/metrics_service.proto"], input=body, capture_output=True, timeout=60, check=False)
        check(decoded.returncode == 0, lambda: f"protoc: {decoded.stderr.decode()}")
        return decoded.stdout.decode()
    return read


def blocks(text, name):
    """The parts of protoc's text that are called that, wherever they are."""
    for found in re.finditer(rf"^( *){name} \{{$(.*?)^\1\}}$", text, re.MULTILINE | re.DOTALL):
        yield found[2]


def metrics_of(text, pid):
    """{name: (unit, sort, value, start)} of a request as protoc writes it, for what has the labels of that process alone."""
    metrics = {}
    for metric in blocks(text, "metrics"):
        name, unit = ((re.search(rf'^ *{key}: "(.*)"$', metric, re.MULTILINE) or ("", ""))[1] for key in ("name", "unit"))
        sort = "sum" if "is_monotonic: true" in metric and "AGGREGATION_TEMPORALITY_CUMULATIVE" in metric else "gauge"
        for point in blocks(metric, "data_points"):
            if re.findall(r'key: "(.*)"', point) == ["process", "pid"] and f'"{pid}"' in point:
                value = re.search(r"as_(?:int|double): (\S+)", point)[1]
                start = re.search(r"start_time_unix_nano: (\d+)", point)
                metrics[name] = (unit, sort, float(value), int(start[1]) if start else None)
    return metrics


@long_test
def a_collector_gets_what_is_served(env):
    """By protoc and the public schema, what a collector is sent is what is served: the same figures with their units, counters that began when nettop came."""
    read = otlp_reader(env)
    with Bare(env) as work, Collector() as collector:
        work.settle()
        began_ns = time.time_ns()
        with Serve(env, "-p", str(work.pid), "-d", "0.5", "--otlp", collector.url) as serve:
            serve.wait_for(work.pid, is_whole, "what the runtime tells")
            work.do("throw 120")
            served = serve.wait_for(work.pid, lambda seen: seen["nettop_exceptions_total"] >= 120, "the exceptions")

            def told():
                return metrics_of(read(collector.taken[-1]), work.pid) if collector.taken else {}
            wait_until(lambda: told().get("nettop_exceptions", (0, 0, 0))[2] >= 120, STARTS_S, lambda: f"the collector has them: {serve.stderr_text()}; {told()}", step=0.5)
            sent = told()
            check_equal("asked", set(collector.asked[-1][1:]), {"/v1/metrics", "application/x-protobuf"})
            check_equal("exceptions", sent["nettop_exceptions"][:3], ("", "sum", served["nettop_exceptions_total"]))
            check(began_ns <= sent["nettop_exceptions"][3] <= time.time_ns(), f"counted since {sent['nettop_exceptions'][3]}, nettop came at {began_ns}")
            names = {name.removesuffix("_total") for name in served}
            check_equal("what is served, and not sent", names - sent.keys(), set())
            check_equal("units", {sent[name][0] for name in ("nettop_gc_pause_seconds", "nettop_memory_rss_bytes", "nettop_cpu_usage_ratio")}, {"s", "By", "1"})
            check_equal("sorts", (sent["nettop_gc_pause_seconds"][1], sent["nettop_memory_rss_bytes"][1]), ("sum", "gauge"))
            check_equal("exit status", serve.stop(), 0)
        check_equal("left in it", work.leftovers(), [])
    return f"{len(sent)} metrics of the process"


@long_test
def a_collector_that_takes_nothing(env):
    """It is asked again, later each time, and not sooner than it says; eight wait and what is older is dropped and counted; both ends of that are said; it may hang, refuse for good, or not be there."""
    with Bare(env) as work, Collector() as collector:
        work.settle()
        with Serve(env, "-p", str(work.pid), "--source", "procfs", "-d", "0.2", "--otlp", collector.url) as serve:
            def own(name):
                return serve.samples().get((name, frozenset()), 0)
            wait_until(lambda: own("nettop_otlp_sent_total") > 3, STARTS_S, lambda: f"it takes them: {serve.stderr_text()}", step=0.2)
            collector.says = 503, {"Retry-After": "2"}
            wait_until(lambda: own("nettop_otlp_dropped_total") > 3, STARTS_S, lambda: f"it drops: {serve.stderr_text()}", step=0.2)
            check_equal("so many wait", own("nettop_otlp_waiting"), 8)
            check("takes no metrics: HTTP status 503; nettop tries again" in serve.stderr_text(), serve.stderr_text())
            refused = [at for at, *_ in collector.asked[-8:]]
            check(refused[-1] - refused[-2] >= 1.9, f"it asked again after {refused[-1] - refused[-2]:.1f} s")
            collector.says = 200
            wait_until(lambda: "takes metrics again" in serve.stderr_text(), STARTS_S, lambda: f"it goes on: {serve.stderr_text()}", step=0.2)
            wait_until(lambda: own("nettop_otlp_waiting") <= 1, STARTS_S, lambda: "none waits", step=0.2)
            collector.says = 400
            before = own("nettop_otlp_dropped_total")
            wait_until(lambda: own("nettop_otlp_dropped_total") > before + 3, STARTS_S, lambda: "what is refused for good is dropped at once", step=0.2)
            check("HTTP status 400; nettop drops them" in serve.stderr_text(), serve.stderr_text())
            collector.says = None
            wait_until(lambda: own("nettop_otlp_waiting") == 8, STARTS_S, lambda: "it hangs, and they wait", step=0.2)
            check(serve.of(work.pid), "nothing is served while the collector hangs")
            began = time.monotonic()
            check_equal("exit status", serve.stop(), 0)
            took = time.monotonic() - began
            check(took < 5, f"its end took {took:.1f} s")
        with Serve(env, "-p", str(work.pid), "--source", "procfs", "-d", "0.2", "--otlp", f"http://127.0.0.1:{free_port()}/custom") as serve:
            wait_until(lambda: "/custom takes no metrics" in serve.stderr_text(), STARTS_S, lambda: f"nobody is there: {serve.stderr_text()}", step=0.2)
            check(serve.of(work.pid), "nothing is served without a collector")
        check_equal("left in it", work.leftovers(), [])
    return f"asked again after {refused[-1] - refused[-2]:.1f} s; ended in {took:.1f} s beside one that hangs"


def unit():
    return (DEPLOY / "nettop.service").read_text(encoding="utf-8")


@long_test
def the_unit_is_one_and_its_rights_are_enough(env):
    """systemd has no complaint about the unit; with the rights that it leaves, and none else, nettop tells all that it tells with root's."""
    env.need_commands("systemd-analyze", "setpriv")
    path = env.scratch / "nettop.service"
    path.write_text(unit().replace("/usr/local/bin/nettop", str(env.nettop)).replace("Documentation=man:nettop(1)\n", ""), encoding="utf-8")
    verified = subprocess.run(["systemd-analyze", "verify", str(path)], capture_output=True, text=True, timeout=60, check=False)
    check_equal("what systemd says", (verified.returncode, verified.stdout + verified.stderr), (0, ""))
    kept = ",".join(f"+{name.removeprefix('CAP_').lower()}" for name in re.search(r"^CapabilityBoundingSet=(.*)$", unit(), re.MULTILINE)[1].split())
    options = re.search(r"--listen \S+(.*)$", unit(), re.MULTILINE)[1].split()
    with Bare(env) as work:
        work.settle()
        with Serve(env, "-p", str(work.pid), *options) as all_rights, Serve(env, "-p", str(work.pid), *options, prefix=("setpriv", f"--bounding-set=-all,{kept}", "--no-new-privs")) as some:
            told = [set(serve.wait_for(work.pid, is_whole, "what the runtime tells")) for serve in (all_rights, some)]
            wait_until(lambda: set(some.of(work.pid)) == set(all_rights.of(work.pid)), STARTS_S, lambda: f"both tell the same: {set(some.of(work.pid)) ^ set(all_rights.of(work.pid))}; {some.stderr_text()}", step=0.3)
            check_equal("exit statuses", (all_rights.stop(), some.stop()), (0, 0))
        check_equal("left in it", work.leftovers(), [])
    return f"{len(told[1])} figures"


if __name__ == "__main__":
    main()
