#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop report`: what is wrong with a program is in it, in every format; and it is there whole or not at all."""
import contextlib
import html.parser
import json
import os
import re
import signal
import subprocess

from nt_live import Bare, Incident, OutOfLimit, check, check_equal, main, test, wait_until
from nt_live.eventpipe import sessions_of
from nt_live.process import run
from nt_live.saying import Saying

WATCHED_S, ENDS_S, ATTACHED_S = 12, 60, 30
FORMATS = ("text", "markdown", "html", "json")
SECRET = "hunter2"
SECTIONS = ("Findings", "Tiles", "Memory", "Threads", "Sources", "Settings", "Loss")
TILES = ("CPU", "THR", "GC", "ALLOC", "JIT", "POOL", "EXC", "LOCK", "REQ", "HOST")


class Report(Saying):
    """A `nettop report` that runs, into a file."""

    def __init__(self, env, pid, *options, path=None):
        self.path = path or env.scratch / f"report{len(list(env.scratch.glob('report*')))}"
        self.path.touch()
        super().__init__(env.nettop, "report", "-p", str(pid), "-o", self.path, *options)

    def finish(self, status=0):
        """What is in the file, and what was said."""
        said = self.said(WATCHED_S + ENDS_S, status)
        return self.path.read_text(encoding="utf-8"), said


def section(text, name):
    """What stands under a heading of a report as text."""
    check(f"\n{name}\n" in text, f"no {name}: {text}")
    return text.split(f"\n{name}\n", 1)[1].split("\n\n")[0]


class Page(html.parser.HTMLParser):
    """The elements of a page: headings, boxes of the flame graph; what is open at the end, and what it would load."""

    def __init__(self, text):
        super().__init__()
        self.open, self.headings, self.boxes, self.loads = [], [], 0, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.loads += [value for name, value in attrs if name in ("src", "href", "data", "action")]
        self.boxes += ("class", "b") in attrs
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        check_equal(f"what ends at {self.getpos()}", tag, self.open.pop())

    def handle_data(self, data):
        if self.open[-1:] == ["h2"]:
            self.headings.append(data)


def check_page(text):
    page = Page(text)
    check_equal("what is open at its end, and what it loads", (page.open, page.loads), ([], []))
    check(set(SECTIONS) < set(page.headings), f"headings: {page.headings}")
    check(page.boxes > 3, f"{page.boxes} boxes in the flame graph")
    check_equal("flame graphs", (text.count("<svg "), page.headings.count("CPU samples by call stack")), (1, 1))


def check_starvation(text, name, pid):
    if "pool_starvation" not in text["text"]:
        raise OutOfLimit(f"no pool starvation in {WATCHED_S} s: {section(text['text'], 'Findings')}")
    shown = text["text"]
    check(shown.startswith(f"nettop report: {name} ({pid})\n"), f"its title: {shown[:200]}")
    check(re.search(r"^[! ] Pool.*\n    pool_starvation since \d{4}-\S+, for [\d.]+\w+\S*: \S+, threshold \S+, (counted|sampled); key 4$", shown, re.M | re.I),
          f"what the finding rests on: {section(shown, 'Findings')}")
    places = [shown.index(f"\n{heading}\n") for heading in SECTIONS]
    check_equal("the order of the parts", places, sorted(places))
    labels = [line[1:6].strip() for line in section(shown, "Tiles").splitlines()]
    check_equal("tiles", labels, list(TILES))
    check(re.search(r"^4 Threads: threads, the first 10 of \d+, since attach$", shown, re.M), f"no table of threads: {shown}")
    waiting = shown.split("\nThreads\n", 1)[1]
    check(re.search(r"^ x\d+  waits: task", waiting, re.M) and "> " in waiting, f"what the workers wait for: {waiting}")
    return section(shown, "Findings").splitlines()[0]


@test
def what_is_wrong_is_in_each_format(env):
    """Of the same time, by three that watch at once."""
    variables = {"DOTNET_ConnectionStrings__Shop": f"Password={SECRET}", "DOTNET_TieredPGO": "0"}
    with Incident(env, "result", variables=variables) as incident, contextlib.ExitStack() as stack:
        incident.begin()
        before = set(env.scratch.glob("report*"))  # of a first attempt
        reports = [stack.enter_context(Report(env, incident.pid, "-d", str(WATCHED_S), "-f", name)) for name in FORMATS]
        written = {name: report.finish()[0] for name, report in zip(FORMATS, reports)}
        check_equal("what lies beside the files", [path.name for path in set(env.scratch.glob("report*")) - before - {report.path for report in reports}], [])
        found = check_starvation(written, "incidents", incident.pid)
    check(SECRET not in "".join(written.values()), "a password of the program's configuration")
    check("DOTNET_TieredPGO=0" in written["text"] and "DOTNET_ConnectionStrings__Shop=(not shown)" in written["text"], section(written["text"], "Settings"))
    headings = [line for line in written["markdown"].splitlines() if line.startswith("#")]
    check(headings[0].startswith("# nettop report: `incidents` (") and [f"## {name}" in headings for name in SECTIONS] == [True] * len(SECTIONS),
          f"headings: {headings}")
    check_equal("fences", written["markdown"].count("\n```") % 2, 0)
    check_page(written["html"])
    summary = json.loads(written["json"])
    check_equal("the type of the line", summary["type"], "summary")
    kinds = {name: "pool_starvation" in written[name] for name in ("markdown", "html", "json")}
    if not all(kinds.values()):
        raise OutOfLimit(f"the finding is not in all of them: {kinds}")
    return found


@test
def a_process_that_ends_has_a_report(env):
    with Bare(env) as work, Report(env, work.pid, "-d", "600") as report:
        wait_until(lambda: sessions_of(work.pid) > 0, ATTACHED_S, "that it watches")
        os.kill(work.pid, signal.SIGKILL)
        text, said = report.finish(status=4)
    check("\n! Target ended: killed by SIGKILL" in text, text[:500])
    check("ended: killed by SIGKILL; the report is of what was seen until then" in said, said)


@test
def ctrl_c_ends_it_with_a_report(env):
    with Bare(env) as work, Report(env, work.pid, "-d", "600") as report:
        wait_until(lambda: sessions_of(work.pid) > 0, ATTACHED_S, "that it watches")
        report.process.send_signal(signal.SIGINT)
        text, said = report.finish()
        check_equal("what it leaves", work.leftovers(), [])
    check_equal("what it says", said, "")
    check(text.startswith("nettop report: ") and "\nLoss\n" in text, text)


@test
def a_full_disk_is_one_error_and_what_was_there_stays(env):
    env.need_commands("mount", "umount")
    folder = env.scratch / "small"
    folder.mkdir()
    with Bare(env) as work:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8K", "tmpfs", folder], check=True)
        try:
            path = folder / "report.txt"
            path.write_text("old", encoding="utf-8")
            with Report(env, work.pid, "-d", "1", "--rows", "1000", path=path) as report:
                text, said = report.finish(status=1)
            check_equal("what was there", text, "old")
            check_equal("what it says", said, f"nettop: cannot write {path}: No space left on device\n")
            check_equal("what lies there", [entry.name for entry in folder.iterdir()], ["report.txt"])
        finally:
            subprocess.run(["umount", folder], check=True)


@test
def what_cannot_be_is_said_at_once(env):
    with Bare(env) as work:
        cases = (
            (("-p", str(work.pid), "-o", f"{env.scratch}/none/report"), 1, "cannot write "),
            (("-p", str(work.pid), "-f", "pdf"), 2, "--format 'pdf' is not known; use text, markdown, html or json"),
            (("-p", "4194304"), 1, "4194304"),
            ((), 2, "which process?"),
        )
        for options, status, expected in cases:
            done = run([str(env.nettop), "report", *options])
            check_equal(f"exit status of {options} ({done.stderr})", done.returncode, status)
            check_equal(f"lines of {options}: {done.stderr}", [done.stderr.count("\n"), expected in done.stderr, done.stdout], [1, True, ""])
        check(sessions_of(work.pid) <= 0, "it has watched")


if __name__ == "__main__":
    main()
