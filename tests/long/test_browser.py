#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Flame graphs in a real browser: as wide as the window, what is folded opens, search and zoom work, and no script complains."""
import shutil
import subprocess

from nt_long import TESTS
from nt_live import Bare, check, check_equal, check_within, main, test
from nt_live.stack_files import ALL, folded
from nt_long.browser import Browser

WIDE, NARROW, HEIGHT = 1300, 420, 900
CALLS = 40        # of the method below which the workload computes
METHOD = "Deep"   # in its name
LEAST_PX = 6      # that a box must have to be pointed at

# Each box that is seen: where it is, and what is written in it.
BOXES = """[...document.querySelectorAll("g.b")].filter(g => g.style.display !== "none").map(g => {
    const at = g.querySelector("rect").getBoundingClientRect(), text = g.querySelector("text");
    return { x: at.x, y: at.y, width: at.width, height: at.height, caption: text.textContent, end: text.getBoundingClientRect().right,
             label: g.querySelector("title").textContent.split("\\n")[0], fill: getComputedStyle(g.querySelector("rect")).fill };
})"""


class Graph:
    """A flame graph in the browser."""

    def __init__(self, browser, path):
        self.browser = browser
        browser.open(path.as_uri())

    def boxes(self):
        return self.browser.evaluate(BOXES)

    def box(self, what, wanted):
        found = max(filter(wanted, self.boxes()), key=lambda box: box["width"], default=None)
        check(found and found["width"] >= LEAST_PX, f"no box is seen that is {what}: {[box['caption'] for box in self.boxes()][:20]}")
        return found

    def click(self, box):
        self.browser.evaluate(f"window.scrollTo(0, {max(0, box['y'] - HEIGHT / 2)})")
        y = box["y"] - self.browser.evaluate("window.scrollY")
        self.browser.click(box["x"] + box["width"] / 2, y + box["height"] / 2)

    def check_fills(self, width):
        """All of the window and no more, and every caption within its box."""
        everything = self.box("that of all", lambda box: box["label"] == "all")
        check_within(f"width of everything in a window of {width}", everything["width"], width, absolute=0.5)
        check_within("its left end", everything["x"], 0, absolute=0.5)
        check_equal("what can be scrolled sideways", self.browser.evaluate("document.documentElement.scrollWidth - window.innerWidth"), 0)
        out = [box for box in self.boxes() if (box["caption"] and box["end"] > box["x"] + box["width"]) or box["x"] + box["width"] > width + 0.5]
        check_equal("captions that go beyond their boxes", [(box["caption"], box["end"], box["x"] + box["width"]) for box in out], [])

    def check_silent(self):
        check_equal("what the page complains about", self.browser.errors, [])


def stacks_of(env, work):
    """Files of a second in which the workload computes below itself, of the same kind: a flame graph, and what is in it as text."""
    paths = {form: env.scratch / f"deep.{name}" for form, name in (("flamegraph", "svg"), ("folded", "folded"))}
    running = [subprocess.Popen([env.nettop, "stacks", "-p", str(work.pid), "-f", form, "-F", "999", "-d", "2", "-o", path], stderr=subprocess.PIPE, text=True)
               for form, path in paths.items()]
    while any(one.poll() is None for one in running):
        work.do(f"deep {CALLS} 300")
    for one in running:
        _, said = one.communicate()
        check_equal(f"exit status ({said.strip()})", one.returncode, 0)
    return paths


def check_folding(graph):
    at_first = graph.boxes()
    run = graph.box("folded", lambda box: box["caption"].startswith("[+") and METHOD in box["label"])
    graph.click(run)
    opened = graph.boxes()
    check(len(opened) >= len(at_first) + CALLS - 5, f"a click on {run['caption']} shows {len(opened)} boxes, {len(at_first)} were seen before")
    check(run["caption"] not in [box["caption"] for box in opened], "it says that it is folded still")
    graph.click(graph.box("the one that was folded", lambda box: box["label"] == run["label"] and box["y"] == run["y"]))
    check_within("width of a box that was zoomed", graph.box("the same", lambda box: box["label"] == run["label"] and box["y"] == run["y"])["width"], WIDE, absolute=0.5)
    graph.browser.evaluate("window.scrollTo(0, 0)")
    graph.browser.press("Escape")
    check_equal("captions after Esc", [box["caption"] for box in graph.boxes()], [box["caption"] for box in at_first])
    return run["caption"]


def check_search(graph, share):
    """Its share is that of the samples below such a method, and its boxes are marked."""
    browser = graph.browser
    browser.words = METHOD
    browser.press("/", "/")
    browser.wait_for("document.getElementById('matched').textContent !== ''")
    check_equal("kinds of dialogs", [kind for kind, _ in browser.dialogs], ["prompt"])
    said = browser.evaluate("document.getElementById('matched').textContent")
    check(said.startswith(f"'{METHOD}': ") and said.endswith(" %"), f"a search says: {said}")
    check_within("share of what is found, %", float(said.split()[-2]), 100 * share, absolute=5)  # two runs of nettop
    fills = {METHOD in box["label"]: box["fill"] for box in graph.boxes() if box["label"] != "all"}
    check(fills[True] != fills[False], f"what is found looks like the rest: {fills}")
    browser.press("Escape")
    check_equal("what is found after Esc", browser.evaluate("document.getElementById('matched').textContent"), "")
    return said


@test
def a_flame_graph_works_in_a_browser(env):
    with Browser(env, WIDE, HEIGHT) as browser, Bare(env) as work:
        paths = stacks_of(env, work)
        totals = folded(paths["folded"])
        below = sum(max([count for frame, count in frames.items() if METHOD in frame], default=0) for frames in totals.values())
        graph = Graph(browser, paths["flamegraph"])
        graph.check_fills(WIDE)
        wide = graph.boxes()
        browser.resize(NARROW, HEIGHT)
        graph.check_fills(NARROW)
        check(sum(len(box["caption"]) for box in graph.boxes()) < sum(len(box["caption"]) for box in wide), "captions are not cut for the narrow window")
        browser.resize(WIDE, HEIGHT)
        check_equal("captions when it is wide again", [box["caption"] for box in graph.boxes()], [box["caption"] for box in wide])
        everything = graph.box("that of all", lambda box: box["label"] == "all")
        browser.point(everything["width"] / 2, everything["y"] + everything["height"] / 2)
        check("samples" in browser.evaluate("document.getElementById('details').textContent"), "the pointer shows no details")
        run, found = check_folding(graph), check_search(graph, below / sum(frames[ALL] for frames in totals.values()))
        graph.check_silent()
        return f"{browser.call('Browser.getVersion')['product']}, {len(wide)} boxes, {run!r} opens, {found}"


@test
def names_stay_names_in_a_browser(env):
    """Those of a program that would be more: nothing of them runs, and nothing is amiss with the page."""
    path = env.scratch / "hostile.svg"
    shutil.copyfile(TESTS / "data/stacks/hostile.flamegraph", path)
    with Browser(env, WIDE, HEIGHT) as browser:
        graph = Graph(browser, path)
        graph.check_fills(WIDE)
        check_equal("dialogs", browser.dialogs, [])
        check_equal("scripts", browser.evaluate("document.getElementsByTagName('script').length"), 1)
        check(any("<script>" in box["label"] for box in graph.boxes()), f"the name is not shown: {[box['label'] for box in graph.boxes()]}")
        graph.check_silent()


if __name__ == "__main__":
    main()
