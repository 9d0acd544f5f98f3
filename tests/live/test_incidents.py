#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Programs with something wrong, as people write them (tests/live/incidents), and what nettop says of them."""
import re

from nt_live import HOG_NAME, FullScreen, Incident, Nettop, Workload, check, check_equal, check_within, cpu_quota, hogs_beside, long_test, main, memory_group, test

ANNOUNCED_S = 40
GROWN_S = 400  # two minutes are judged of a process that is older than a minute
QUIET_INTERVALS = 8
QUOTA_PCT = 6
NEAR = 0.94  # of a memory limit
HOGS = 9
OPEN_NS = 500 * 10**6


def finding_of(line, kind):
    return next((finding for finding in line["findings"] if finding["kind"] == kind), None)


def watch(env, what, condition, expected, program=None, seconds=ANNOUNCED_S):
    """Begin when nettop hears the runtime; the first interval that fulfils the condition, and the summary."""
    with Incident(env, what, program=program) as incident, Nettop(env, incident.pid, interval_s=1) as nettop:
        nettop.wait_for_sources("eventpipe")
        incident.begin()
        line = nettop.wait_for(condition, seconds, expected)
        return line, nettop.stop(60)


def pool_starves(env, program=None):
    line, summary = watch(env, "result", lambda line: finding_of(line, "pool_starvation"), "pool starvation", program)
    pool = line["threadpool"]
    check(pool["adjust_reason"] == "cooperative blocking" and pool["starved_count"] == 0, f"the pool calls it something else: {pool}")
    check(pool["queue_count"] and summary["threadpool"]["completed_count"], f"items are not counted: {pool}, {summary['threadpool']}")
    decided = [row for row in summary["threadpool"]["adjustments"] if row["reason"] == "cooperative blocking"]
    check(decided and decided[0]["goal_count"] > decided[-1]["goal_count"] and pool["adjustments"], f"what the pool decided: {summary['threadpool']}")
    text = finding_of(line, "pool_starvation")["text"]
    check(re.search(r"not running|\d+ of \d+ workers in Task\S* at ", text), text)


def is_a_deadlock(env, program=None):
    line, _ = watch(env, "deadlock", lambda line: finding_of(line, "deadlock"), "a deadlock", program)
    check(re.search(r"^Deadlock: t\d+ (orders|stock) waits( at \S+)? for t\d+ (orders|stock), which waits( at \S+)? for t\d+ (orders|stock), for ", line["findings"][0]["text"]),
          f"it does not say who waits for whom: {line['findings'][0]['text']}")
    return line["findings"][0]["text"]


@test
def sync_over_async_starves(env):
    pool_starves(env)


@test
def blocking_calls_starve(env):
    watch(env, "sleep", lambda line: finding_of(line, "pool_starvation"), "pool starvation")


@test
def two_locks_taken_the_other_way_round_are_a_deadlock(env):
    return is_a_deadlock(env)


@long_test
def a_deadlock_and_starvation_on_net8(env):
    program = env.selfcontained("net8.0", "incidents")
    pool_starves(env, program)
    return is_a_deadlock(env, program)


@long_test
def a_deadlock_and_starvation_on_net9(env):
    program = env.selfcontained("net9.0", "incidents")
    pool_starves(env, program)
    return is_a_deadlock(env, program)


def rate_a_minute(text):
    """What it says of the slope: a number, of bytes in MiB."""
    return float(re.search(r" ([\d.]+)M? a minute", text).group(1))


def grows(env, what, kind, key, a_minute):
    """From its start on: the one finding, on the screen that shows who it is, with the slope that the program has."""
    line, _ = watch(env, what, lambda line: finding_of(line, kind), f"{kind} of {what}", seconds=GROWN_S)
    check(line["target"]["uptime_ns"] > 180 * 10**9, f"the process is too young to say so: {line['target']}")
    check_equal("findings", [finding["kind"] for finding in line["findings"]], [kind])
    finding = finding_of(line, kind)
    check_equal("its screen", finding["screen"], key)
    if a_minute:
        check_within("its slope", rate_a_minute(finding["text"]), a_minute, relative=0.2)
    return finding["text"]


@long_test
def a_heap_that_only_grows(env):
    return grows(env, "grow", "heap_growth", "5", None)


@long_test
def a_static_that_leaks(env):
    return grows(env, "leak-static", "heap_growth", "5", 60e6 / 2**20)


@long_test
def threads_that_never_end(env):
    text = grows(env, "threads", "thread_growth", "4", 60)
    check(re.search(r"; \d+ of them (wait in|are called feed)", text), f"it does not say who they are: {text}")
    return text


@long_test
def files_that_are_never_closed(env):
    return grows(env, "descriptors", "descriptor_growth", "i", 180)


@test
def large_objects_that_nobody_keeps(env):
    """They are all that it allocates: as much is dropped as the runtime counts allocated bytes, and the finding names who allocates them."""
    with Incident(env, "churn") as incident, Nettop(env, incident.pid, interval_s=1) as nettop:
        nettop.wait_for_sources("eventpipe")
        incident.begin()
        begun = len(nettop.intervals) + 1
        nettop.wait_for(lambda line: finding_of(line, "loh_churn") and len(nettop.intervals) > begun + QUIET_INTERVALS, ANNOUNCED_S, "large objects are dropped")
        lines = nettop.intervals[begun:]
        nettop.stop(60)
    freed = sum(line["gc"]["loh_freed_bytes"] for line in lines)
    check_within("bytes of large objects freed", freed, sum(line["gc"]["alloc_bytes"] for line in lines), relative=0.15)
    finding = finding_of(lines[-1], "loh_churn")
    check(re.search(r"^LOH churn: \S+ collections of gen2/s for large objects .*, which free \S+/s of them; by Incidents\.", finding["text"]), finding["text"])
    return f"{finding['text']}; {freed / 1e6 / len(lines):.0f} MB/s freed"


def does_not_starve(env, what):
    lines = []
    watch(env, what, lambda line: lines.append(line) or len(lines) >= QUIET_INTERVALS, "intervals")
    check_equal(f"pool starvation of the program {what}", [f["text"] for line in lines for f in line["findings"] if f["kind"] == "pool_starvation"], [])


@long_test
def little_work_is_no_starvation(env):
    does_not_starve(env, "light")


@long_test
def much_work_is_no_starvation(env):
    does_not_starve(env, "compute")


def check_it_lacks_a_cpu(env, hinder, who, intervals, judge=lambda line, kept: None):
    """A program without anything wrong, which gets less of a CPU than it wants: that is what nettop says, who has it, and not that pauses and compilations are long."""
    with Incident(env, "modest") as incident, Nettop(env, incident.pid, interval_s=1) as nettop:
        nettop.wait_for_sources("eventpipe")
        incident.begin()
        nettop.wait_for(lambda line: line["jit"]["method_count"], ANNOUNCED_S, "its work")
        start = len(nettop.intervals)
        with hinder(incident.pid) as kept:
            line = nettop.wait_for(lambda line: who in (finding_of(line, "cpu_wait") or {"text": ""})["text"], ANNOUNCED_S, f"that it waits for a CPU: {who}")
            judge(line, kept)
            found = len(nettop.intervals)
            nettop.wait_for(lambda _: len(nettop.intervals) >= found + intervals, ANNOUNCED_S, "intervals")
            wrong = [f["text"] for line in nettop.intervals[start:] for f in line["findings"] if f["kind"] in ("gc_storm", "jit_storm")]
            check_equal("what is called long", wrong, [])
            check(line["cpu"]["waited_ns"] > line["cpu"]["time_ns"], f"the time that it waited: {line['cpu']}")
            nettop.stop(60)
        return finding_of(line, "cpu_wait")["text"]


def check_quota(line, counted):
    host = line["host"]
    check_equal("the quota", host["quota_pct"], float(QUOTA_PCT))
    check(0 < host["throttled_count"] <= host["period_count"] and host["throttled_ns"] > 0, f"periods: {host}")
    check(host["throttled_count"] <= counted("nr_throttled"), f"throttled more often than the kernel says, {counted('nr_throttled')}: {host}")


@test
def a_quota_of_a_cgroup_is_no_storm(env):
    return check_it_lacks_a_cpu(env, lambda pid: cpu_quota(pid, QUOTA_PCT), "the CPU quota of its cgroup", 3, check_quota)


@test
def a_memory_limit_that_is_nearly_reached(env):
    """A program that does nothing: only its cgroup's limit has come down to what it has."""
    with memory_group() as group, Incident(env, "light", under=group.under) as incident, Nettop(env, incident.pid, interval_s=1) as nettop:
        nettop.wait_for_sources("procfs")
        before = nettop.wait_for(lambda line: line["host"]["busy_pct"] is not None, ANNOUNCED_S, "what it knows of the machine")
        check_equal("a finding before there is a limit", finding_of(before, "memory_limit"), None)
        limit = group.limit(int(group.used_bytes() / NEAR))
        line = nettop.wait_for(lambda line: finding_of(line, "memory_limit"), ANNOUNCED_S, "that little memory is left")
        check_equal("the limit", line["host"]["memory_limit_bytes"], limit)
        check_within("what it has", line["host"]["memory_used_bytes"], group.used_bytes(), relative=0.05)
        check_equal("killed", line["host"]["oom_kill_count"], 0)
        nettop.stop(60)
    return finding_of(line, "memory_limit")["text"]


@test
def a_pause_counts_as_it_passes(env):
    """Of a collection that is not over: in the figures that the screen shows, and in the finding."""
    with Incident(env, "pause") as incident, Nettop(env, incident.pid, interval_s=0.25) as nettop:
        nettop.wait_for_sources("eventpipe")
        incident.begin()
        check_equal("it says", incident.process.read_line(ANNOUNCED_S), "collecting")
        # A line of nettop's that is here before the program's next one was written while its threads stood.
        line = nettop.wait_for(lambda line: (line["gc"]["pause_max_ns"] or 0) > OPEN_NS and line["gc"]["pause_pct"] > 99, ANNOUNCED_S, "a pause that passes")
        check(not incident.process.has_line(), "the pause was over before nettop told of it")
        told_ns = line["gc"]["pause_max_ns"]
        later = nettop.wait_for(lambda line: (line["gc"]["pause_max_ns"] or 0) > told_ns, ANNOUNCED_S, "that it lasts longer")
        nettop.wait_for(lambda line: finding_of(line, "gc_storm"), ANNOUNCED_S, "the finding")
        check_equal("then", incident.process.read_line(ANNOUNCED_S), "collected")
        nettop.stop(60)
    return f"{told_ns / 1e9:.1f} s, then {later['gc']['pause_max_ns'] / 1e9:.1f} s"


@test
def a_deadlock_before_nettop_is_not_called_absent(env):
    """Who waits since before nettop came is unknown: the screen does not say that nobody waits."""
    with Workload(env, mode="none", lttng=False) as work:
        work.do("deadlock")
        with FullScreen(env, work.pid) as screen:
            screen.wait_for(lambda output: b"LIVE" in output, ANNOUNCED_S, "the screen")
            screen.type("7")
            screen.wait_for(lambda output: b"thread has begun to wait for a lock since nettop came" in output and b"Earlier waits are not known" in output,
                            ANNOUNCED_S, "what is not known of locks")
            check(b"No thread had to wait" not in screen.output, "it says that nobody waits")


@test
def threads_of_sessions_are_one_row(env):
    with Incident(env, "light") as incident, FullScreen(env, incident.pid) as screen:
        incident.begin()
        screen.wait_for(lambda output: b"LIVE" in output, ANNOUNCED_S, "the screen")
        screen.type("4")
        screen.wait_for(lambda output: re.search(rb"[2-9] \.NET EventPipe", output), ANNOUNCED_S, "the row of all threads of sessions")


def check_neighbours(line, _):
    host = line["host"]
    check_equal("its neighbours", (host["other_name"], host["other_count"] >= 1), (HOG_NAME, True))
    check(host["others_pct"] >= host["other_pct"] / 2 > 0, f"what they use: {host}")


@long_test
def others_on_its_cpu_are_named(env):
    return check_it_lacks_a_cpu(env, lambda pid: hogs_beside(pid, HOGS), f"the busiest {HOG_NAME}", 3, check_neighbours)


@long_test
def others_on_its_cpu_are_no_storm(env):
    return check_it_lacks_a_cpu(env, lambda pid: hogs_beside(pid, HOGS), "noisy neighbours", 30)


@long_test
def a_quota_for_long_is_no_storm(env):
    return check_it_lacks_a_cpu(env, lambda pid: cpu_quota(pid, QUOTA_PCT), "the CPU quota of its cgroup", 30)


if __name__ == "__main__":
    main()
