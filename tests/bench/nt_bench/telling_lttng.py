# SPDX-License-Identifier: GPL-2.0-only
"""Each event of a program that writes 20 000 a second over LTTng: `nettop events`, which writes a line for each, against `babeltrace2 -o dummy`, which writes none, at the same session."""
import pathlib
import subprocess
import time

from nt_live import Failure, SessionDaemon, wait_until
from nt_live.live_session import Relay, check_lossless, live_session
from nt_live.workload import FakeRuntime

from . import paired
from .meter import NS_PER_S
from .program import Program
from .report import Row

EVENTS_PER_S = 20_000
STEP_S = 0.05
ATTACH_S, ATTACHED_S, DRAINED_S = 20, 3, 2.0  # the live timer is 0.1 s
EVENT = "AllocationSampled"
OWN, DUMMY = "nettop events", "babeltrace2 -o dummy"


def _write(work, seconds):
    """As many a second, in steps; returns how many."""
    step = int(EVENTS_PER_S * STEP_S)
    begin = time.monotonic()
    for number in range(int(seconds / STEP_S)):
        work.do(f"flood {step}")
        time.sleep(max(0.0, begin + (number + 1) * STEP_S - time.monotonic()))
    lag_s = time.monotonic() - begin - seconds
    if lag_s > seconds / 20:
        raise Failure(f"the program is {lag_s:.1f} s late: fewer than {EVENTS_PER_S} events a second")
    return step * int(seconds / STEP_S)


def _counted(file, name):
    """Events told, and counted as lost: as text and as JSON."""
    told = int(subprocess.run(["grep", "-c", name, file], stdout=subprocess.PIPE, check=False).stdout)
    lost = subprocess.run(["awk", "-F[ ,:]", "/^-- /{lost += $2} /\"lost\"/{for (i = 1; i < NF; i++) if ($i ~ /count/) lost += $(i + 1)} END{print lost + 0}", file], stdout=subprocess.PIPE, check=True).stdout
    return told, int(lost)


def _by_nettop(bench, work, url, seconds, *options):
    """(CPU seconds, events that are neither told nor counted as lost, lost, most memory)."""
    file = bench.env.scratch / "lttng.lines"
    argv = [bench.env.nettop, "events", "-p", work.pid, "-e", f"lttng/{EVENT}", "--session", url, "--max-target-cost", 100, *options]
    with open(file, "wb") as out, Program(argv, bench.home, terminal=False, stdout=out) as own:
        wait_until(lambda: "watching" in pathlib.Path(own.errors_path).read_text(encoding="utf-8"), ATTACH_S, "nettop watches")
        written = _write(work, seconds)
        own.run(own.age_s() + DRAINED_S)
        own.end()
    told, lost = _counted(file, EVENT)
    file.unlink()
    return own.cpu_ns / NS_PER_S, abs(written - told - lost), lost, own.peak_rss_bytes


def _by_babeltrace(bench, work, url, seconds):
    with Program(["babeltrace2", "--input-format=lttng-live", url, "-o", "dummy"], bench.home, terminal=False) as dummy:
        dummy.run(ATTACHED_S)
        _write(work, seconds)
        dummy.run(dummy.age_s() + DRAINED_S)
        dummy.end()
    return dummy.cpu_ns / NS_PER_S


def _round(bench, work, relay, seconds):
    """A relay lets in one viewer of a session at a time: one after the other."""
    with live_session(relay, work.pid, [EVENT, "GCStart"]) as session:
        url = relay.url(session)
        text = _by_nettop(bench, work, url, seconds)
        dummy_s = _by_babeltrace(bench, work, url, seconds)
        as_json = _by_nettop(bench, work, url, seconds, "--json")
        check_lossless(session)
    return text, as_json, dummy_s


def events(bench, notes):
    bench.env.need_commands("babeltrace2", "lttng")
    seconds, rounds = (60, 3) if bench.plan.cost_runs > 1 else (5, 1)
    pairs, as_json, uncounted, lost_all, memory = [], [], [], 0, 0
    with SessionDaemon(bench.env) as daemon, Relay(bench.env) as relay, FakeRuntime(bench.env) as work:
        daemon.wait_for_app(work.pid)
        for number in range(rounds):
            text, json, dummy_s = _round(bench, work, relay, seconds)
            pairs.append((text[0], dummy_s))
            as_json.append((json[0], dummy_s))
            uncounted += [text[1], json[1]]
            lost_all += text[2] + json[2]
            memory = max(memory, text[3])
            bench.say(f"round {number + 1}/{rounds}  {OWN} {text[0]:.2f} s, --json {json[0]:.2f} s, {DUMMY} {dummy_s:.2f} s")
    notes.append(f"Over LTTng: the stand-in runtime (tests/tools/fakeclr) writes {EVENTS_PER_S} `{EVENT}` a second for {seconds} s, for each reader anew; {lost_all} of {2 * rounds * seconds * EVENTS_PER_S} were counted as lost. "
                 "All read the same live session, one after the other, because a relay lets in one at a time. CPU time is from start to end, without LTTng's daemons.")
    own, peer = paired.middle(pairs)
    json_own, json_peer = paired.middle(as_json)
    what = f"{EVENTS_PER_S} events a second over LTTng for {seconds} s"
    return [Row("events over LTTng that are neither told nor counted as lost, of each round the most", max(uncounted), "", limit=0),
            Row(f"CPU of `{OWN}`, {what}", own, "s", f"`{DUMMY}`", peer, 1.5),
            Row(f"CPU of `{OWN} --json`, {what}", json_own, "s", f"`{DUMMY}`", json_peer),
            Row(f"most memory, `{OWN}` over LTTng", memory / (1 << 20), "MB")]
