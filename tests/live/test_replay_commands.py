#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Each command that looks at a process, from a recording of it: what it says is what the process would have been said to be, whole and in parts."""
import collections
import json
import os
import re
import subprocess

from nt_live import *
from nt_live.eventpipe import sessions_of
from nt_live.nettop import WORK
from nt_live.process import run
from nt_live.recorded import END_S, Recorded

SECOND_NS = 10**9
HEADER_BYTES = 32


def recorded_once(env, _kept={}):
    """One recording for all tests of this file, and its lines: half of the work is done before its middle, half behind it."""
    if not _kept:
        path = env.scratch / "commands.nettop"
        with Bare(env) as work:
            work.settle()
            with NettopJit(env, options=("-p", work.pid)) as live, Recorded(env, work.pid, path, "--waits", *MANY_SAMPLES, "--max-target-cost", "100") as recording:
                wait_until(lambda: sessions_of(work.pid) >= 2, END_S, "both have a session")
                halves = []
                for _ in range(2):
                    for command in WORK:
                        work.do(command)
                    work.do("compute 500")
                    halves.append(len(recording.lines()) + 2)  # one is open, and what is told late is in the next
                    recording.wait_for_lines(halves[-1])
                recording.end()
                live.interrupt()
                check_equal("exit status of nettop jit", live.read_to_end(), 0)
                lines = [json.loads(line) for line in recording.lines()]
        _kept.update(path=path, half=halves[0], intervals=lines[:-1], summary=lines[-1], pid=work.pid, jit=live.report)
    return _kept


def of(kept, command, *options, status=0):
    """What it writes, or why it does not."""
    done = subprocess.run([kept["env"].nettop, command, "--replay", kept["path"], *options], capture_output=True, text=True, timeout=END_S, check=False)
    check_equal(f"exit status of {command} {' '.join(map(str, options))}, which says {done.stderr}", done.returncode, status)
    cut = kept["path"].name.startswith("cut")
    check_equal(f"does {command} say that it was not ended: {done.stderr}", "was not ended" in done.stderr, cut and not status)
    return done.stdout if status == 0 else done.stderr


def folded(text):
    """Stacks and how often each is there."""
    stacks = collections.Counter()
    for line in text.splitlines():
        stack, count = line.rsplit(" ", 1)
        stacks[stack] += int(count)
    return stacks


def middle(kept):
    """As --from and --to have it: where an interval ends."""
    return f"+{(kept['intervals'][kept['half']]['t0_ns'] - kept['intervals'][0]['t0_ns']) / SECOND_NS:.9f}"


@test
def what_was_compiled(env):
    kept = recorded_once(env) | {"env": env}
    report = json.loads(of(kept, "jit", "--json"))
    jit = kept["summary"]["jit"]
    check_equal("methods, IL bytes and time", [report["total"][key] for key in ("method_count", "il_bytes", "time_ns")], [jit[key] for key in ("method_count", "il_bytes", "time_ns")])
    check_equal("whether it is complete", report["complete"], True)
    check(report["total"]["method_count"] >= 60, f"60 dynamic methods were compiled, and it says {report['total']}")
    at = middle(kept)
    before, after = (json.loads(of(kept, "jit", "--json", side, at))["total"]["method_count"] for side in ("--to", "--from"))
    check_equal("methods before and behind the middle", before + after, report["total"]["method_count"])
    check(before >= 30 and after >= 30, f"{before} and {after}: 30 dynamic methods are of each half")
    old = env.scratch / "whole.json"
    old.write_text(json.dumps(report), encoding="utf-8")
    compared = json.loads(of(kept, "jit", "--json", "--compare", old))
    check_equal("of itself: what differs in the totals", {key: line["difference"] for key, line in compared["total"].items() if line["difference"]}, {})
    check("more than 0" in of(kept, "jit", "--fail-above", "methods=0", status=1), "a limit holds of a recording, too")
    return f"{before} + {after} methods"


def sizes(report):
    """How often each method was compiled, from and to how many bytes, and why."""
    return {line["name"]: [line[key] for key in ("count", "il_bytes", "native_bytes", "tier", "trigger")] for line in report["methods"]}


@test
def the_table_is_that_of_the_process(env):
    """nettop jit was there beside whoever recorded."""
    kept = recorded_once(env) | {"env": env}
    behind = json.loads(of(kept, "jit", "--json", "--from", middle(kept)))
    ours, live = sizes(behind), sizes(kept["jit"])
    check(ours and set(ours) <= set(live), f"methods that the live table has not: {sorted(set(ours) - set(live))[:5]}")
    same = [name for name in ours if ours[name][0] == live[name][0]]
    check_equal("methods that were compiled as often, and differ", [(name, ours[name], live[name]) for name in same if ours[name] != live[name]], [])
    check(2 * len(same) > len(ours), f"only {len(same)} of {len(ours)} methods were compiled as often")
    return f"{len(same)} of {len(ours)} methods, equal"


@test
def threads_as_they_were(env):
    kept = recorded_once(env) | {"env": env}
    looked = json.loads(of(kept, "threads", "--json"))
    early = json.loads(of(kept, "threads", "--json", "--to", middle(kept)))
    check(early["time_unix_ns"] < looked["time_unix_ns"], f"{early['time_unix_ns']} and {looked['time_unix_ns']}: the earlier one is not earlier")
    names = [thread["name"] for group in looked["groups"] for thread in group["threads"]]
    check("compute" in names and ".NET Finalizer" in names, f"the threads that there were: {names}")
    check(any(group["frames"] for group in looked["groups"]), f"no thread has a stack: {looked['groups']}")


@test
def where_cpu_time_went(env):
    kept = recorded_once(env) | {"env": env}
    whole = folded(of(kept, "stacks"))
    check_equal("samples", sum(whole.values()), kept["summary"]["cpu"]["samples"])
    at = middle(kept)
    parts = [folded(of(kept, "stacks", side, at)) for side in ("--to", "--from")]
    check_equal("samples before and behind the middle", sum(sum(part.values()) for part in parts), sum(whole.values()))
    behind = sum(line["cpu"]["samples"] for line in kept["intervals"][kept["half"]:])
    check_equal("samples behind the middle, as the lines have them", sum(parts[1].values()), behind)
    named = [stack for stack in parts[1] if "Compute" in stack]
    check(named, f"what ran behind the middle has the names that were told before it: {list(parts[1])[:5]}")
    pauses, outside = (sum(folded(of(kept, "stacks", "--during", side)).values()) for side in ("gc-pauses", "outside"))
    check(0 < pauses + outside <= sum(whole.values()), f"{pauses} samples in pauses and {outside} outside of {sum(whole.values())}")
    for form in ("flamegraph", "speedscope", "pprof", "perf-script"):
        path = env.scratch / f"stacks.{form}"
        of(kept, "stacks", "-f", form, "-o", path)
        check(path.stat().st_size > 1000, f"{form}: {path.stat().st_size} bytes")
    waits = folded(of(kept, "stacks", "--off-cpu"))
    check(any("Wait" in stack or "Monitor" in stack or "futex" in stack for stack in waits), f"where threads waited: {list(waits)[:5]}")
    return f"{sum(whole.values())} samples, {pauses} in pauses; {len(waits)} stacks of waits"


@test
def a_report_of_it(env):
    kept = recorded_once(env) | {"env": env}
    check_equal("JSON is the summary", json.loads(of(kept, "report", "-f", "json")), kept["summary"])
    for form, word in (("text", "Compute"), ("markdown", "Compute"), ("html", "<svg")):
        check(word in of(kept, "report", "-f", form), f"{form}: no {word}")
    part = json.loads(of(kept, "report", "-f", "json", "--from", middle(kept)))
    check_equal("when the part begins", part["t0_ns"], kept["intervals"][kept["half"]]["t0_ns"])
    lines = kept["intervals"][kept["half"]:]
    check_equal("exceptions of the part", part["exceptions"]["count"], sum(line["exceptions"]["count"] for line in lines))
    collected = [sum(of_all["gc"][f"gen{n}_count"] for of_all in some for n in range(3)) for some in ([part], lines)]
    check_equal("collections of the part", collected[0], collected[1])
    check(collected[0] >= 2, f"two collections were asked for behind the middle, and {collected[0]} are told")
    return f"{part['exceptions']['count']} exceptions, {collected[0]} collections behind the middle"


@test
def a_part_of_the_lines(env):
    kept = recorded_once(env) | {"env": env}
    whole = run([str(env.nettop), "replay", str(kept["path"]), "--json"]).stdout.splitlines()
    for options, wanted in ((("--from", "+1", "--to", "+3"), whole[1:3]), (("--to", "+1"), whole[:1]), (("--from", middle(kept)), whole[kept["half"]:-1])):
        done = run([str(env.nettop), "replay", str(kept["path"]), "--json", *options])
        check_equal(f"lines of {options}, which says {done.stderr}", done.stdout.splitlines(), wanted)


@test
def the_same_bytes_wherever_it_is(env):
    """Zone, language, terminal, and where the file lies; and as sentences, which settings may ask for."""
    kept = recorded_once(env) | {"env": env}
    moved = env.scratch / "elsewhere" / "x"
    moved.parent.mkdir(exist_ok=True)
    moved.write_bytes(kept["path"].read_bytes())
    commands = (("replay", kept["path"], "--json"), ("stacks", "--replay", kept["path"]), ("jit", "--json", "--replay", kept["path"]), ("report", "-f", "json", "--replay", kept["path"]))
    here = [subprocess.run([env.nettop, *command], capture_output=True, timeout=END_S, check=True).stdout for command in commands]
    variables = {"PATH": os.environ["PATH"], "TZ": "Asia/Kathmandu", "LANG": "tr_TR.UTF-8", "LC_ALL": "C", "TERM": "dumb", "COLUMNS": "10", "HOME": "/nonexistent"}
    for command, wanted in zip(commands, here):
        words = [moved if word == kept["path"] else word for word in command]
        there = subprocess.run([env.nettop, *words], capture_output=True, timeout=END_S, check=True, env=variables, cwd="/").stdout
        check(there == wanted and wanted, f"nettop {command[0]} writes something else in another zone and language")
    spoken = run([str(env.nettop), "replay", str(kept["path"]), "--plain"]).stdout
    check(re.search(r"^At \d\d:\d\d:\d\d\nWatching: ", spoken), f"as sentences: {spoken[:300]}")


@test
def what_a_recording_cannot_answer(env):
    kept = recorded_once(env) | {"env": env}
    for options, text in ((("--duration", "3"), "--duration is of a process"), (("--pid", "1"), "--pid is of a process"), (("1",), "'1' is a process, and --replay a recording"),
                          (("--from", "yesterday"), "is no time"), (("--from", "+3", "--to", "+2"), "has no time"), (("--from", "+10000"), "ends before --from")):
        check(text in of(kept, "stacks", *options, status=2), f"{options}: it does not say that {text}")
    done = run([str(env.nettop), "stacks", "-p", str(kept["pid"]), "--from", "+1"])
    check("are a part of a recording" in done.stderr and done.returncode == 2, done.stderr)
    cut = env.scratch / "cut.nettop"
    cut.write_bytes(kept["path"].read_bytes()[:-100])
    report = json.loads(of(kept | {"path": cut}, "jit", "--json"))
    check_equal("of one that breaks off: whether it is complete", report["complete"], False)
    empty = env.scratch / "empty.nettop"
    empty.write_bytes(kept["path"].read_bytes()[:HEADER_BYTES])
    for command, *options in (("stacks", "-o", str(env.scratch / "none.folded")), ("jit", "--fail-above", "methods=0"), ("report",), ("threads",)):
        done = run([str(env.nettop), command, "--replay", str(empty), *options])
        check(done.returncode == 1 and "has nothing in it" in done.stderr and not done.stdout, f"{command} of one that was only begun: {done.returncode}, {done.stderr}")
    damaged, whole = env.scratch / "damaged.nettop", kept["path"].read_bytes()
    place = len(whole) * 4 // 5  # behind the first frame
    damaged.write_bytes(whole[:place] + b"nonsense" + whole[place + 8:])
    for command in ("stacks", "jit", "report", "threads"):
        done = run([str(env.nettop), command, "--replay", str(damaged)])
        check(done.returncode == 1 and "is damaged at byte" in done.stderr and len(done.stdout) > 100, f"{command} of one that is damaged: {done.stderr}, and writes {done.stdout[:200]}")


if __name__ == "__main__":
    main()
