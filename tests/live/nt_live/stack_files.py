# SPDX-License-Identifier: GPL-2.0-only
"""
What is in files of call stacks, as readers see them that are not ours: protoc with pprof's own schema, an XML and a JSON parser, speedscope's importer. Each
reader gives {thread: {frame: samples}}, where a frame has the samples of all stacks that it is in, and the thread's own total stands under ALL.
"""
import ast
import collections
import json
import pathlib
import re
import xml.etree.ElementTree

from .environment import REPO, Missing
from .process import Failure, run

ALL = ""
SVG = "{http://www.w3.org/2000/svg}"


class Totals(dict):
    """{thread: Counter of frames}. The name of a thread is `NAME/TID`."""

    def add(self, thread, frames, samples):
        counter = self.setdefault(thread, collections.Counter())
        counter[ALL] += samples
        for frame in set(frames):
            counter[frame] += samples

    def samples(self):
        return sum(counter[ALL] for counter in self.values())


def folded(path):
    totals = Totals()
    for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
        stack, samples = line.rsplit(" ", 1)
        thread, *frames = stack.split(";")
        totals.add(thread, [re.sub(r"_\[[jk]\]$", "", frame) for frame in frames], int(samples))
    return totals


def flamegraph(path):
    """By the boxes: each says which box called it, and lies below that, in its width."""
    totals, boxes = Totals(), []
    for group in (g for g in xml.etree.ElementTree.parse(path).getroot().iter(SVG + "g") if g.get("class") == "b"):
        rect = group.find(SVG + "rect")
        x, width = (float(rect.get(name).removesuffix("%")) for name in ("x", "width"))
        caller = boxes[int(group.get("data-up"))] if boxes else None
        box = {"label": group.find(SVG + "title").text.split("\n")[0], "caller": caller, "self": int(group.get("data-count")),
               "y": int(rect.get("y")), "x": x, "end": x + width}
        boxes.append(box)
        if caller is not None:
            caller["self"] -= box["self"]
            below = box["y"] - caller["y"] == (0 if group.get("data-folded") is not None else int(rect.get("height")) + 1)
            if not below or x < caller["x"] - 0.01 or box["end"] > caller["end"] + 0.01:
                raise Failure(f"{path}: {box['label']} is not below what called it")
    for box in boxes[1:]:
        frames, at = [], box
        while at["caller"] is not boxes[0]:
            frames.append(at["label"])
            at = at["caller"]
        totals.add(at["label"], frames, box["self"])
    return totals


def speedscope(path, period_ns):
    """By its schema: https://www.speedscope.app/file-format-schema.json."""
    document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    names = [frame["name"] for frame in document["shared"]["frames"]]
    totals = Totals()
    for profile in document["profiles"]:
        if profile["type"] != "sampled" or profile["unit"] != "nanoseconds" or sum(profile["weights"]) != profile["endValue"]:
            raise Failure(f"{path}: profile {profile['name']} is not as it should be")
        for stack, weight in zip(profile["samples"], profile["weights"], strict=True):
            totals.add(profile["name"], [names[frame] for frame in stack], weight // period_ns)
    return totals


def pprof_program(path):
    """What pprof calls the profile: the file of the first mapping."""
    message = _decoded(path)
    return message["string_table"][int(message["mapping"][0]["filename"][0])]


def pprof(path):
    message = _decoded(path)
    texts = message["string_table"]
    functions = {int(f["id"][0]): texts[int(f["name"][0])] for f in message["function"]}
    locations = {int(l["id"][0]): functions[int(l["line"][0]["function_id"][0])] for l in message["location"]}
    totals = Totals()
    for sample in message["sample"]:
        labels = {texts[int(label["key"][0])]: label for label in sample["label"]}
        name = texts[int(labels["thread"]["str"][0])] if "thread" in labels else ""
        totals.add(f"{name}/{labels['tid']['num'][0]}", [locations[int(l)] for l in sample["location_id"]], int(sample["value"][0]))
    return totals


def _decoded(path):
    """The text that protoc makes of it: {field: [values]}, messages likewise."""
    schema = REPO / "tests/data/pprof/profile.proto"
    result = run(["sh", "-c", 'protoc -I"$1" --decode=perftools.profiles.Profile "$2" <"$3"', "sh", str(schema.parent), schema.name, str(path)])
    if result.returncode:
        raise Failure(f"{path}: {result.stderr}")
    stack = [collections.defaultdict(list)]
    for line in result.stdout.splitlines():
        line = line.strip()
        if line.endswith("{"):
            stack.append(collections.defaultdict(list))
            stack[-2][line.split()[0]].append(stack[-1])
        elif line == "}":
            stack.pop()
        else:
            field, value = line.split(": ", 1)
            stack[-1][field].append(ast.literal_eval("b" + value).decode() if value.startswith('"') else value)
    return stack[0]


def perf_script(path):
    """As stackcollapse-perf.pl reads it, but for the threads: their name and number are kept."""
    totals = Totals()
    for record in pathlib.Path(path).read_text(encoding="utf-8").split("\n\n"):
        if not record:
            continue
        head, *lines = record.split("\n")
        match = re.fullmatch(r"(\S.+?)\s+(\d+)/(\d+)\s+\d+\.\d+:\s+\d+ cpu-clock: ?", head)
        frames = [re.fullmatch(r"\s*\w+\s(.+) \(\S*\)", line) for line in lines]
        if not match or not all(frames):
            raise Failure(f"{path}: not as perf writes it: {record}")
        name = "" if match[1] == f":{match[3]}" else match[1]
        totals.add(f"{name}/{match[3]}", [frame[1] for frame in frames], 1)
    return totals


def reader_of(format_name, period_ns):
    """The function that reads a file of this format."""
    return {"folded": folded, "flamegraph": flamegraph, "speedscope": lambda path: speedscope(path, period_ns), "pprof": pprof,
            "perf-script": perf_script}[format_name]


FORMATS = ("folded", "flamegraph", "speedscope", "pprof", "perf-script")


def npm_package(env, *packages):
    """node_modules with these packages, from npm."""
    env.need_commands("node", "npm")
    folder = env.scratch / "npm"
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text("{}", encoding="utf-8")
    result = run(["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), *packages])
    if result.returncode:
        raise Missing(f"npm does not bring {' '.join(packages)}: {result.stderr.strip().splitlines()[-1:]}")
    return folder / "node_modules"
