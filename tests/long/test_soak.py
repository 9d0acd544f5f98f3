#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop for a long time at a target that always does the same, also on a screen that keeps what it showed, at ones that compile without end, and at one that writes events without end: its
memory and its descriptors must not grow.

    SOAK_MINUTES=120 tests/long/test_soak.py
"""
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time

from nt_long import TESTS  # makes the modules below known  # noqa: F401
from nt_live import Nettop, SessionDaemon, Workload, check, check_equal, main, proportional_bytes, test, wait_until
from nt_live.workload import Telling
from nt_long.feeder import Feeder
from nt_pty import Terminal, clock_of, write_interval

MINUTES = float(os.environ.get("SOAK_MINUTES", "13"))
THE_SAME = ("compute 60", "alloc 20", "throw 20", "locks 3", "pool 200", "gc 0")
GROWTH_BYTES = 2 << 20  # of the mean, from the second to the last quarter: pages that were not touched before
SETTLED_S = 300         # beside a target that compiles: from here on it is flat
SLOPE_MB_H = 10.0       # of the least of each two minutes: memory rises and falls by 3 MB, as code is forgotten a table at a time
PERIOD_S = 120
LOOK_S = 5              # between two looks at the memory: the kernel walks all pages for one
DELIVER_S = 60
FULL_S = 16 * 60        # a screen's past is a quarter of an hour: from here on it is flat
SCREEN_BYTES, PAST_BYTES = 24 << 20, 32 << 20
A_SERVERS = ("compute 150", "alloc 5", "throw 1", "jit-dynamic 2", "locks 2", "pool 50", "gc 0", "idle 200")
SCREENS = "123456789ciR"
SETTLED_LOOKS = 3
PAUSED = re.compile(r"PAUSED \d\d:\d\d:\d\d")


def mean(values):
    return sum(values) / len(values)


def slope_per_hour(times, values):
    """Of the straight line with the least squares."""
    t, v = mean(times), mean(values)
    spread = sum((at - t) ** 2 for at in times)
    return 3600 * sum((at - t) * (value - v) for at, value in zip(times, values)) / spread


def floors(seen):
    """(time, Pss) of the least of each period: what is never given back."""
    periods = {}
    for at, pss, _ in seen:
        periods.setdefault(int((at - seen[0][0]) // PERIOD_S), []).append((at, pss))
    whole = [periods[number] for number in sorted(periods)[:-1]] or list(periods.values())
    return [min(looks, key=lambda look: look[1]) for looks in whole]


def watch(nettop):
    """(time, bytes of nettop, its keeper and its helpers without LTTng's daemons, descriptors), every some seconds."""
    seen, until = [], time.monotonic() + 60 * MINUTES
    while time.monotonic() < until:
        nettop.wait_for(lambda line: True, DELIVER_S, "an interval")
        nettop.intervals.clear()
        if not seen or time.monotonic() >= seen[-1][0] + LOOK_S:
            pid = nettop.process.pid
            seen.append((time.monotonic(), proportional_bytes(pid), len(os.listdir(f"/proc/{pid}/fd"))))
    return seen


def judge(seen, settled):
    """`settled`: the part that must be flat. Its first third against its last."""
    third = len(settled) // 3
    check(third > 1, f"only {len(seen)} looks")
    early, late = settled[:third], settled[-third:]
    growth = mean([pss for _, pss, _ in late]) - mean([pss for _, pss, _ in early])
    low = floors(settled)
    slope = slope_per_hour(*zip(*low)) / 1e6 if len(low) > 2 else None
    told = f"{slope:+.1f} MB/h when settled, limit {SLOPE_MB_H:g}" if slope is not None else "too short for a slope"
    open_early, open_late = (min(count for *_, count in part) for part in (early, late))  # an image that is being read is one more, for a moment
    text = (f"{MINUTES:g} minutes, {len(seen)} looks: Pss {late[-1][1] / 1e6:.1f} MB, at most {max(pss for _, pss, _ in seen) / 1e6:.1f} MB, "
            f"{told}; at least {open_early} descriptors, then {open_late}")
    check(growth <= GROWTH_BYTES and (slope is None or slope <= SLOPE_MB_H) and open_late <= open_early, text)
    return text


@test
def memory_and_descriptors_do_not_grow(env):
    with SessionDaemon(env), Workload(env, mode="N") as work, Nettop(env, work.pid, interval_s=1) as nettop:
        nettop.wait_for_sources("perf", "lttng", seconds=DELIVER_S)
        with Feeder(work, THE_SAME) as feeder:
            seen = watch(nettop)
            feeder.stop()
        nettop.stop(DELIVER_S)
    return judge(seen, seen[len(seen) // 4:])


def left_by(pids):
    """Files of these processes in the folders for temporary ones."""
    folders = {"/tmp", tempfile.gettempdir()}
    return sorted(f"{folder}/{name}" for folder in folders for name in os.listdir(folder) if set(re.findall(r"\d+", name)) & {str(pid) for pid in pids})


def compile_without_end(env, per_second):
    """Dynamic methods that are called, dropped and collected. Nothing is left of nettop in /tmp."""
    with Workload(env) as work:
        before = left_by((work.pid,))
        with Nettop(env, work.pid, interval_s=1) as nettop:
            nettop.wait_for_sources("perf", "map", seconds=DELIVER_S)
            work.do(f"compile-on {per_second}")
            seen = watch(nettop)
            daemons = proportional_bytes(nettop.process.pid, daemons=True)
            nettop.stop(DELIVER_S)
        wait_until(lambda: left_by((work.pid, nettop.process.pid)) == before, DELIVER_S,
                   lambda: f"nothing is left: {left_by((work.pid, nettop.process.pid))}, before {before}")
    settled = [look for look in seen if look[0] >= seen[0][0] + min(SETTLED_S, 30 * MINUTES)]
    return f"{judge(seen, settled)}; LTTng's daemons {daemons / 1e6:.1f} MB"


@test
def compiling_66_a_second(env):
    return compile_without_end(env, 66)


@test
def compiling_1000_a_second(env):
    return compile_without_end(env, 1000)


def resident_bytes(pid):
    """Without the ring of the kernel's that lies in memory while waits are looked at: its pages are counted twice, for it is mapped twice."""
    total, is_ring = 0, False
    with open(f"/proc/{pid}/smaps", encoding="utf-8") as maps:
        for line in maps:
            if re.match(r"[0-9a-f]+-", line):
                is_ring = line.rstrip().endswith("anon_inode:bpf-map")
            elif line.startswith("Rss:") and not is_ring:
                total += int(line.split()[1]) << 10
    return total


def goes_back_to(terminal, then):
    """To the interval that was shown at this time of day."""
    terminal.keys("Space")
    terminal.wait_for(PAUSED)
    while clock_of(terminal.screen()) > then:
        shown = clock_of(terminal.screen())
        terminal.keys("{")
        terminal.wait_for(lambda screen: clock_of(screen) < shown, f"a minute before {shown}")
    while clock_of(terminal.screen()) < then:
        shown = terminal.screen().split(" PAUSED")[0]  # several of the first intervals are of one second
        terminal.keys("]")
        terminal.wait_for(lambda screen: screen.split(" PAUSED")[0] != shown, f"an interval after {shown}")
    check_equal("the interval that is shown", clock_of(terminal.screen()), then)


def writes_again(terminal, folder, then, name):
    goes_back_to(terminal, then)
    written = write_interval(terminal, folder, name)
    terminal.keys("Space")
    terminal.wait_for("LIVE", "live again")
    return written


@test
def a_screen_and_its_past(env):
    """All screens in turn, at a target that works as a server does: what is kept of them is bounded, and is after ten and fourteen minutes what it was."""
    minutes = [at for at in (10, 14) if at < MINUTES - 1] or [MINUTES / 2]
    folder = pathlib.Path(tempfile.mkdtemp(dir=env.scratch))
    seen, most, again = [], 0, {}
    with SessionDaemon(env), Workload(env, mode="N") as work, Terminal(env, 120, 40) as terminal, Feeder(work, A_SERVERS) as feeder:
        terminal.run("cd", folder)
        terminal.start_nettop(work.pid, delay_s=None)
        terminal.wait_for(re.compile(r"lttng ●.*LIVE"), "LTTng delivers", DELIVER_S)
        began, pid = time.monotonic(), terminal.nettop_pid()
        while time.monotonic() < began + 60 * MINUTES:
            terminal.keys(SCREENS[len(seen) % len(SCREENS)])
            time.sleep(LOOK_S)
            seen.append((time.monotonic(), proportional_bytes(pid), len(os.listdir(f"/proc/{pid}/fd"))))
            most = max(most, resident_bytes(pid))
            if len(seen) == SETTLED_LOOKS:  # the first intervals are shorter than a second
                terminal.keys("Space")
                terminal.wait_for(PAUSED)
                then, began = clock_of(terminal.screen()), time.monotonic()
                written = write_interval(terminal, folder, "then.json")
                terminal.keys("Space")
            elif minutes and time.monotonic() >= began + 60 * minutes[0]:
                minute = minutes.pop(0)
                again[minute] = writes_again(terminal, folder, then, f"after{minute:g}.json")
        feeder.stop()
        terminal.keys("q")
        terminal.wait_for_shell()
    for minute, bytes_then in again.items():
        check(bytes_then == written, f"the interval of {then} is {minute:g} minutes later what it was: {folder}")
    check(most <= SCREEN_BYTES + PAST_BYTES, f"resident: at most {most / 1e6:.1f} MB")
    told = f"{len(written)} bytes the same after {', '.join(f'{minute:g}' for minute in again)} minutes; resident at most {most / 1e6:.1f} MB"
    full = [look for look in seen if look[0] >= began + FULL_S]
    return f"{told}; {judge(seen, full)}" if MINUTES * 60 > 1.5 * FULL_S else f"{told}; too short to be flat: SOAK_MINUTES={1.5 * FULL_S / 60:g}"


def private_bytes(pid):
    """RssAnon of it and its keeper: what it has taken for itself."""
    pids = [pid]
    for known in pids:
        with open(f"/proc/{known}/task/{known}/children", encoding="ascii") as children:
            pids += map(int, children.read().split())
    total = 0
    for known in pids:
        with open(f"/proc/{known}/status", encoding="utf-8") as status:
            total += sum(int(line.split()[1]) << 10 for line in status if line.startswith("RssAnon"))
    return total


@test
def events_20000_a_second(env):
    """`nettop events` passes each on, or counts it as lost."""
    rate, seconds = 10_000, int(60 * MINUTES)  # two events an order
    with Telling(env) as work, open(env.scratch / "events.err", "w+", encoding="utf-8") as err:
        events = subprocess.Popen([env.nettop, "events", "-p", str(work.pid), "-e", "Shop-Told:-1:5", "--max-target-cost", "100"], stdout=subprocess.PIPE, stderr=err)
        counter = subprocess.Popen(["awk", '/^-- /{lost+=$2; next}{told++} END{print told+0, lost+0}'], stdin=events.stdout, stdout=subprocess.PIPE, text=True)
        events.stdout.close()
        said = env.scratch / "events.err"
        wait_until(lambda: "watching" in said.read_text(encoding="utf-8"), DELIVER_S, "nettop watches")
        writer = threading.Thread(target=work.do, args=(f"rate {rate} {seconds}", seconds + DELIVER_S))
        writer.start()
        seen = []
        while writer.is_alive():
            seen.append((time.monotonic(), private_bytes(events.pid), len(os.listdir(f"/proc/{events.pid}/fd"))))
            writer.join(LOOK_S)
        events.send_signal(signal.SIGINT)
        check_equal("exit status of nettop events", events.wait(DELIVER_S), 0)
        told, lost = map(int, counter.communicate(timeout=DELIVER_S)[0].split())
    check_equal("events that were told, and those that were counted as lost", told + lost, 2 * rate * seconds)
    return f"{judge(seen, seen[len(seen) // 4:])} (RssAnon); {told} events told, {lost} counted as lost"


if __name__ == "__main__":
    main()
