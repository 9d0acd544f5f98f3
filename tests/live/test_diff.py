#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop diff`: what a service takes more of after a change is told, and nothing else, by the engine of key =; what did not change is noise."""
import json
import re
import xml.etree.ElementTree

from nt_live import *
from nt_live.process import run
from nt_live.recorded import Recorded
from nt_live.workload import Deploying

RATE = ("-F", "499")
SECONDS = 11


def diff(env, *words, status=0):
    done = run([str(env.nettop), "diff", *map(str, words)])
    check_equal(f"exit status of {words} ({done.stderr})", done.returncode, status)
    return done.stdout if status == 0 else done.stderr


def record(env, work, name, seconds):
    """What the program says of that time, and the file."""
    path = env.scratch / name
    with Recorded(env, work.pid, path, *RATE, "--alloc") as recorded:
        recorded.wait_for_lines(2)
        work.do("mark")
        count = len(recorded.lines())
        recorded.wait_for_lines(count + seconds)
        told = work.do("mark")
        recorded.end()
    return path, told["discounted"] / (told["all"] - told["discounted"])


@long_test
def what_takes_more_is_told_and_nothing_else(env):
    with Deploying(env) as work:
        work.do("carts 1")
        before, by_others = record(env, work, "before", 3 * SECONDS)
        work.do("slower 6")
        after, by_others_now = record(env, work, "after", SECONDS)
    warm = ("--before-from", f"+{SECONDS}")  # what is compiled anew at a start takes less afterwards
    told = json.loads(diff(env, before, after, *warm, "--json"))
    rows = told["differences"]
    check(rows and "Work.Discount" in rows[0]["name"] and rows[0]["what"] == "CPU ms/s", f"what takes more is first: {rows}")
    change_pct = 100 * (by_others_now / by_others - 1)
    check(abs(rows[0]["change_pct"] - change_pct) < 4 * rows[0]["error_pct"], f"by {change_pct:.1f}%, as the program says: {rows[0]}")
    check_equal("types that came or went", [row["name"] for row in rows if row["what"] in ("bytes/s", "objects/s")], [])
    for sort in ("methods", "types allocated", "types thrown", "generations"):
        check(sort in told["compared"], f"what was compared: {told['compared']}")
    for side in ("before", "after"):
        check(told[side]["samples"] > 500 and told[side]["figures"]["gc"]["covered_ns"], f"{side}: {told[side]}")
    text = diff(env, before, after, *warm)
    check(re.search(r"^BEFORE .*before .* samples", text) and re.search(r"^AFTER .*after .* samples", text, re.M) and "Work.Discount" in text, text)
    check(re.search(r"GC +before .*\n GC +after", text), f"headlines of both: {text}")
    same = diff(env, before, before, *warm, "--before-to", f"+{2 * SECONDS}", "--from", f"+{2 * SECONDS}")
    check("Nothing changed beyond noise." in same, f"halves of the same: {same}")
    picture = env.scratch / "diff.svg"
    diff(env, before, after, *warm, "-f", "flamegraph", "-o", picture)
    boxes = [group for group in xml.etree.ElementTree.parse(picture).getroot().iter("{http://www.w3.org/2000/svg}g") if group.get("class") == "b"]
    found = {box.find("{*}title").text.split("\n")[0]: box for box in boxes}
    hotter = [box.find("{*}rect").get("fill") for name, box in found.items() if "Work.Discount" in name]
    check(hotter and all(fill in ("#e0503c", "#f08c78") for fill in hotter), f"colours of what takes more: {hotter}")
    title = next(box.find("{*}title").text for name, box in found.items() if "Work.Discount" in name)
    check(re.search(r"\d+ samples, [\d.]+ %, was [\d.]+ %", title), title)
    return f"{rows[0]['change_pct']:+.1f} % +- {rows[0]['error_pct']:.1f}, {change_pct:+.1f} % by the program"


@test
def what_cannot_be_compared(env):
    check("which recordings?" in diff(env, "a", status=2), "one alone")
    check("cannot read" in diff(env, "/none", "/none", status=2), "none at all")
    check("text, json or flamegraph" in diff(env, "a", "b", "-f", "svg", status=2), "no such format")


if __name__ == "__main__":
    main()
