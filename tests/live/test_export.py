#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop export`: what was recorded of a real process as files of other tools, beside what nettop itself says of the same recording."""
import collections
import json
import re
import subprocess

from nt_live import *
from nt_live.environment import REPO
from nt_live.export_files import READERS, flamescope_offsets, rows
from nt_live.process import run
from nt_live.recorded import Recorded
from nt_live.stack_files import npm_package

PERIOD_NS = 10**9 // MANY_HZ
SHOP = REPO / "tests/data/export"  # tests/unit/output/test_export.c: the program's own output
TIER = re.compile(r" \[[a-z0-9]+\]$")
PART_NS = 20_000_000


def by_method(leaves):
    """Samples of each method, all of its tiers together."""
    methods = collections.Counter()
    for leaf, samples in leaves.items():
        methods[TIER.sub("", leaf)] += samples
    return methods


def export(env, recording, ending):
    path = env.scratch / f"exported.{ending}"
    path.unlink(missing_ok=True)
    done = run([str(env.nettop), "export", str(recording), "-o", str(path)])
    check_equal(f"exit status of {ending}, which says {done.stderr}", done.returncode, 0)
    check_equal("lines that it says", done.stderr.count("\n"), 1)
    return path


def check_samples(ending, leaves, methods):
    """A slice of speedscope's Chrome reader ends a ns early; else each sample is where nettop counts it."""
    seen = by_method(leaves)
    for name in methods.keys() | seen.keys():
        check_within(f"{ending}: samples of {name}", seen[name], methods[name], absolute=0.01)


def check_heat(path, recorded_lines):
    """FlameScope's heat map: the samples of each interval are at the times of it. What was told late is counted by nettop in the interval in which it came."""
    offsets = [round(offset * 1e9) for offset in flamescope_offsets(path)]
    check_equal("times, in order", offsets, sorted(offsets))
    for line in recorded_lines:
        within = sum(line["t0_ns"] <= offset < line["t1_ns"] for offset in offsets)
        check_within(f"samples in [{line['t0_ns']}, {line['t1_ns']})", within, line["cpu"]["samples"] or 0, absolute=3)
    return len({offset // PART_NS for offset in offsets})


def check_breaks_off(env, recording, lines):
    """Of a recording whose writer was killed all whole frames are there, and that it is not all is said."""
    recording.write_bytes(recording.read_bytes()[:recording.stat().st_size * 6 // 10])
    path = env.scratch / "exported.perf-script"
    done = run([str(env.nettop), "export", str(recording), "-o", str(path)])
    check_equal(f"exit status of what breaks off ({done.stderr})", done.returncode, 0)
    check("the recording was not ended: it goes up to " in done.stderr, done.stderr)
    replayed = subprocess.run([str(env.nettop), "replay", str(recording), "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.splitlines()
    samples, leaves = sum(json.loads(line)["cpu"]["samples"] or 0 for line in replayed), READERS["perf-script"](path, PERIOD_NS)[0]
    check(0 < len(replayed) < len(lines), f"{len(replayed)} of {len(lines)} lines are left")
    check(sum(leaves.values()) >= samples, f"{sum(leaves.values())} samples in the file, {samples} in the intervals that replay writes")


@test
def what_is_written_is_what_was_recorded(env):
    recording = env.scratch / "recording"
    with Bare(env) as work, Recorded(env, work.pid, recording, *MANY_SAMPLES, "--prefer", "eventpipe") as recorded:
        work.settle()
        recorded.wait_for_lines(2)
        for command in ("compute 300", "gc 0 3", "gc 2", "jit-dynamic 30", "throw 40", "locks 20", "compute 300"):
            work.do(command)
        count = len(recorded.lines())
        recorded.wait_for_lines(count + 2)
        recorded.end()
        *intervals, summary = map(json.loads, recorded.lines())
    methods = collections.Counter()
    for row in summary["methods"]:
        methods[row["name"]] += row["cpu_self"] or 0
    wanted = {"collection": sum(summary["gc"][f"gen{g}_count"] for g in range(3)), "exception": summary["exceptions"]["count"], "compilation": summary["jit"]["method_count"],
              "wait for a lock": summary["contention"]["count"]}
    check(wanted["collection"] >= 4 and wanted["exception"] >= 40 and wanted["compilation"] >= 30 and wanted["wait for a lock"] >= 20, f"what happened: {wanted}")
    for ending, reader in READERS.items():
        path = export(env, recording, ending)
        leaves, events = reader(path, PERIOD_NS)
        check_samples(ending, leaves, methods)
        for kind, number in wanted.items() if events is not None else ():
            if kind == "exception" and ending.startswith("speedscope"):
                continue  # of one moment
            check_equal(f"{ending}: {kind}s", events[kind], number)
    parts = check_heat(env.scratch / "exported.perf-script", intervals)
    table = rows(export(env, recording, "csv"))
    check_equal("rows of CSV", len(table), len(intervals))
    for row, line in zip(table, intervals, strict=True):
        for key in ("gc.gen0_count", "cpu.samples", "gc.pause_ns", "exceptions.count", "memory.rss_bytes"):
            section, member = key.split(".")
            said = line[section][member]
            check_equal(f"{key} of {row['time']}", row[key], "" if said is None else str(said))
    check_breaks_off(env, recording, recorded.lines())
    return f"{sum(methods.values())} samples in {parts} parts of 20 ms, {dict(wanted)}"


@test
def what_cannot_be_exported(env):
    some = env.scratch / "some"
    some.write_bytes(bytes(100))
    for words, status, text in (((), 2, "which recording? nettop export FILE -o OUT"), ((str(some),), 2, "into which file?"),
                                ((str(some), "-o", str(env.scratch / "x.svg")), 2, "says no format"),
                                ((str(some), "-o", str(env.scratch / "x.csv")), 1, "some"),
                                ((str(some), "-o", "/no/where.csv"), 1, "cannot write /no/where.csv"),
                                ((str(some), "-o", "x.csv", "-f", "svg"), 2, "use one of speedscope, chrome, firefox, perf-script")):
        done = run([str(env.nettop), "export", *words])
        check_equal(f"exit status of {words} ({done.stderr})", done.returncode, status)
        check(text in done.stderr and not done.stdout, f"{words}: {done.stderr!r}")


@long_test
def readers_of_others_read_them(env):
    """speedscope's importers of all three forms of JSON, and of perf script."""
    package = npm_package(env, "speedscope@1.20.0") / "speedscope"
    paths = [str(SHOP / f"shop.{ending}") for ending in READERS]
    result = run(["node", str(REPO / "tests/tools/speedscope_totals.js"), str(package), *paths])
    check_equal(f"exit status ({result.stderr})", result.returncode, 0)
    own, chrome, firefox, script = (json.loads(line)["profiles"] for line in result.stdout.splitlines())
    walk = "Shop.Tree.Walk(Node) [tier1]"
    threads = {"shop/4711": 50, ".NET TP Worker/4715": 40}
    check_equal("its own form: ms of each thread", {p["name"]: p["total"] / 1e6 for p in own if "/" in p["name"]}, threads)
    check_equal("its own form: markers", sum("/" not in p["name"] for p in own), 7)
    check_equal("Trace Event Format: ms of each thread", {p["name"].split(", ")[1].split(" (")[0]: round(p["total"] / 1e3, 3) for p in chrome}, threads)
    check_equal("ms below a method there", round(sum(p["frames"][walk] for p in chrome) / 1e3, 3), 80)
    check_equal("Firefox: ms of the main thread", [round(p["total"], 6) for p in firefox], [50])
    check_equal("ms below a method there", round(firefox[0]["frames"][walk], 6), 40)
    # It knows no duration of a thread's last sample, and takes what lies between two for the first.
    check_equal("perf script: threads", len(script), 3)


@long_test
def firefox_reads_its_own(env):
    """The command line of profiler.firefox.com, which has its code: threads, samples by function, markers."""
    tool = npm_package(env, "@firefox-devtools/profiler-cli@0.10.0") / "@firefox-devtools/profiler-cli/dist/profiler-cli.js"
    def ask(*words):
        done = run(["node", str(tool), *words], {"HOME": str(env.scratch)})
        check_equal(f"exit status of {words} ({done.stderr})", done.returncode, 0)
        return done.stdout
    try:
        ask("load", str(SHOP / "shop.firefox.json"))
        threads = ask("thread", "list")
        for line in (r"GeckoMain +shop +4711", r"\.NET TP Worker/4715 +shop +4711"):
            check(re.search(line, threads), threads)
        markers = ask("profile", "markers", "--limit", "50")
        for text in ("GET /cart 200", "gen1 blocking, gen0 budget (#7)", "Shop.NoSuchItem"):
            check(text in markers, f"{text} in {markers}")
        return threads
    finally:
        ask("stop", "--all")


if __name__ == "__main__":
    main()
