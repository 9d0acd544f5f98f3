#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Files of counters, against those that dotnet-counters (NuGet) writes of the same process: the same lines, the same names, units, tags and values."""
import collections
import csv
import datetime
import difflib
import json
import os

from nt_live import *
from nt_live.environment import REPO, run_script
from nt_live.eventpipe import sessions_of
from nt_live.process import LineProcess

WATCHED_S = 6
WAIT_S = 60
# What a program of the tests does while both or each of them watch: the values are then known.
WORK = ("orders 5 gift", "orders 2 plain", "durations 0.1 0.2 0.4")
# The runtime's own counters, and all others: nettop asks for nothing else.
OUR_SESSIONS = 2
# dotnet-counters calls a counter without a name for people nothing, and gives the mean of no values as 0: see counter_lines.h.
UNNAMED = "checkout-time"

Value = collections.namedtuple("Value", "at provider name tags type value")


class Watcher:
    """A program that writes the counters of a process to a file, while it is in a `with`."""

    def __init__(self, env, name, argv, stdout=None):
        self.path = env.scratch / name
        self._err = env.scratch / f"{name}.err"
        self._process = LineProcess(argv, os.environ | {"DOTNET_CLI_TELEMETRY_OPTOUT": "1", "DOTNET_CLI_UI_LANGUAGE": "en", "LC_ALL": "C.UTF-8"}, self._err)
        self._stdout = stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()

    def wait(self):
        lines = []
        while (line := self._process.read_line(WAIT_S)) is not None:
            lines.append(line)
        status = self._process.wait(WAIT_S)
        check_equal(f"exit status of what wrote {self.path.name}; {self._process.stderr_text()[-300:]}", status, 0)
        if self._stdout:
            self.path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def theirs(env, pid, form, counters):
    tool = run_script(REPO / "tests/tools/dotnet-tool.sh", "dotnet-counters")
    return Watcher(env, f"theirs.{form}", [tool, "collect", "-p", str(pid), "--format", form, "-o", str(env.scratch / f"theirs.{form}"), "--counters", counters,
                                          "--refresh-interval", "1", "--duration", f"00:00:{WATCHED_S:02}"])


def ours(env, pid, form, counters):
    return Watcher(env, f"ours.{form}", [str(env.nettop), "-p", str(pid), "--source", "eventpipe", "-b", "--format", f"counters-{form}", "--counters", counters,
                                        "--duration", str(WATCHED_S)], stdout=True)


def read_csv(path):
    """The first line, and the values. A field has commas only where dotnet-counters' reader would be lost, too."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        head, *rows = csv.reader(file)
    values = []
    for at, provider, name, kind, value in rows:
        plain, _, tags = name.partition("[")
        values.append(Value(datetime.datetime.strptime(at, "%m/%d/%Y %H:%M:%S"), provider, plain, tags.rstrip("]"), kind, float(value)))
    return head, values


def read_json(path):
    """What stands around the values, and these."""
    with open(path, encoding="utf-8-sig") as file:
        whole = json.load(file)
    events = whole.pop("Events")
    check_equal("members of a value", {tuple(event) for event in events}, {("timestamp", "provider", "name", "tags", "counterType", "meterTags", "instrumentTags", "value")})
    for event in events:
        datetime.datetime.fromisoformat(event["timestamp"][:26] + event["timestamp"][27:])  # a digit less than .NET writes
    return whole, [Value(event["timestamp"], event["provider"], event["name"], event["tags"], event["counterType"], event["value"]) for event in events]


def shapes(values, providers):
    return {(v.provider, v.name, v.tags, v.type) for v in values if v.provider in providers}


def named(their_shapes):
    """What dotnet-counters wrote, with the name that it has not."""
    return {(provider, UNNAMED + name if name.startswith(" (") else name, tags, kind) for provider, name, tags, kind in their_shapes}


def total(values, provider, name, tags):
    return sum(v.value for v in values if (v.provider, v.name, v.tags) == (provider, name, tags))


def alike(ours, theirs, providers):
    """
    Of each counter, how many values stand in both files one after the other; all but the first and the last, which may be one's own, do. When each of the two wrote a
    value is its own word, and may lie on two sides of a second's end.
    """
    def by_name(values):
        found = {}
        for value in values:
            if value.provider in providers and not value.name.endswith(" (ms)"):
                found.setdefault((value.provider, value.name), []).append(value.value)
        return found
    left, right, both = by_name(ours), by_name(theirs), {}
    for name in left:
        most = difflib.SequenceMatcher(None, left[name], right[name], autojunk=False).find_longest_match().size
        both[name] = most if most >= min(len(left[name]), len(right[name])) - 2 else 0
    return both


@test
def the_same_values_as_dotnet_counters_at_the_same_time(env):
    """EventCounters go to all who ask: of the seconds that both have watched each line of one is in the other's file."""
    providers = ("System.Runtime", "Shop-Orders")
    with WebServer(env) as web:
        web.do("orders 1 first")  # its EventSource is there
        with theirs(env, web.pid, "csv", ",".join(f"EventCounters\\{name}" for name in providers)) as other, ours(env, web.pid, "csv", "Shop.Orders,Shop-Orders") as own:
            wait_until(lambda: web.do("counted")["orders"] and sessions_of(web.pid) > OUR_SESSIONS, WAIT_S, lambda: "both have asked for the counters")
            for command in WORK:
                web.do(command)
            other.wait()
            own.wait()
        their_head, their_values = read_csv(other.path)
        our_head, our_values = read_csv(own.path)
    check_equal("first line", our_head, their_head)
    check_equal("counters", shapes(our_values, providers), named(shapes(their_values, providers)))
    both = alike(our_values, their_values, providers)
    check(min(both.values()) >= 2, f"values that follow each other in both files, of each counter: {both}")
    check_equal("orders", total(our_values, "Shop-Orders", "Orders Taken (Count / 1 sec)", ""), 7)
    mean = [v.value for v in our_values if v.name == f"{UNNAMED} (ms)"]
    check_equal("means of nothing", [value for value in mean if not value], [])
    check_equal("the mean", [value for value in mean if value], [value for value in {v.value for v in their_values if v.name == " (ms)"} if value])
    return f"{sum(both.values())} values"


def compare_meters(env, *forms):
    """Meters have one session in a process, so one watches after the other, and the program does the same each time."""
    providers = ("Shop.Orders", "Microsoft.AspNetCore.Hosting", "Shop-Orders")
    with WebServer(env) as web:
        files = []
        web.do("requests 3")
        for form in forms:
            for start, counters in ((theirs, ",".join(providers)), (ours, "Shop.Orders,Shop-Orders")):
                wait_until(lambda: sessions_of(web.pid) == 0, WAIT_S, lambda: "the one before has ended")
                with start(env, web.pid, form, counters) as watcher:
                    wait_until(lambda: web.do("counted")["orders"], WAIT_S, lambda: "it has asked for the Meters")
                    for command in ("requests 3", *WORK):
                        web.do(command)
                    watcher.wait()
                files.append(watcher.path)
        (their_head, their_values), (our_head, our_values) = (read_json(path) for path in files[:2])
        check_equal("around the values", list(our_head), list(their_head))
        check_equal("process", our_head["TargetProcess"], their_head["TargetProcess"])
        meters = [(our_values, their_values)]
        if len(files) > 2:
            meters.append(tuple(read_csv(path)[1] for path in files[:1:-1]))
    for our_values, their_values in meters:
        def without_kestrels(values):
            """EventCounters of the server are of the same name as its Meter; dotnet-counters was asked for the Meter."""
            return {shape for shape in shapes(values, providers) if shape[0] != "Microsoft.AspNetCore.Hosting" or shape[1].startswith("http.")}
        check_equal("counters", without_kestrels(our_values), named(without_kestrels(their_values)))
        separator = ";" if isinstance(our_values[0].at, datetime.datetime) else ","
        for values, whose in ((our_values, "ours"), (their_values, "theirs")):
            check_equal(f"{whose}: gifts", total(values, "Shop.Orders", "orders ({order} / 1 sec)", "kind=gift"), 5)
            check_equal(f"{whose}: plain", total(values, "Shop.Orders", "orders ({order} / 1 sec)", "kind=plain"), 2)
            quantiles = {v.tags: v.value for v in values if v.name == "checkout.duration (s)"}
            check_equal(f"{whose}: quantiles", quantiles, {f"pay=card{separator}Percentile={p}": value for p, value in
                                                           ((50, 0.199951171875), (95, 0.39990234375), (99, 0.39990234375))})
    return f"{len(shapes(meters[0][0], providers))} counters"


@test
def the_same_meters_as_dotnet_counters(env):
    """As JSON."""
    return compare_meters(env, "json")


@long_test
def the_same_meters_in_both_formats(env):
    """As CSV, too."""
    return compare_meters(env, "json", "csv")


if __name__ == "__main__":
    main()
