#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Texts that are null where the runtime hands them to LTTng, which it measures without looking: the target lives whoever watches it."""
from nt_live import *
from nt_live import eventpipe
from nt_live.live_session import Relay, live_session
from nt_live.lttng import command
from nt_live.nettop import source_of, state_of

EXCEPTIONS, ERROR = 0x8000, 2  # keyword and level of EventPipe
SILENT = 20
PROVIDER = "DotNETRuntime"
# As nettop recommended it once.
WITH_EXCEPTIONS = {"LTTngConfig": "Microsoft-Windows-DotNETRuntime:8100001C011:5"}


def let_through(env, mode, **how):
    """A workload whose LTTng filter, if it has one, lets exceptions through."""
    return Workload(env, mode=mode, dotnet=WITH_EXCEPTIONS if mode == "N" else {}, **how)


def survives(work):
    """It throws what ends it over LTTng, and goes on."""
    check_equal("exceptions caught", work.do(f"throw-silent {SILENT}")["caught"], SILENT)
    work.mark()


def who_brings(summary, subject):
    return [source["name"] for source in summary["sources"] if subject in (source["owns"] or "").split()]


def nettop_alone(env, mode, **how):
    with SessionDaemon(env) as daemon, let_through(env, mode, **how) as work:
        daemon.wait_for_app(work.pid)
        work.settle()
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for(lambda line: state_of(line, "lttng") == "delivering" and line["exceptions"]["count"] is not None, 20, "LTTng delivers, exceptions are known")
            survives(work)
            work.do("throw 7")
            summary = nettop.stop()
        check_equal("exceptions", summary["exceptions"]["count"], SILENT + 7)
        check_equal("exceptions lost", source_of(summary, "eventpipe")["lost"], 0)
        check_equal("who brings exceptions", who_brings(summary, "exc"), ["eventpipe"])
        check_equal("who brings compilations", who_brings(summary, "jit"), ["lttng"])
        silent = {row["type"]: row["message"] for row in summary["exceptions"]["types"] if row["message"] is None}
        check_equal("types without a message", sorted(silent), ["System.Exception", "Workload.SilentException"])
        check_equal("catch blocks, of which nobody tells", summary["exceptions"]["caught_count"], None)


def everybody_at_once(env, mode, **how):
    """A session of somebody's with all of the runtime's events, an EventPipe session that opens LTTng's way for exceptions, and nettop."""
    with SessionDaemon(env) as daemon, let_through(env, mode, **how) as work:
        daemon.wait_for_app(work.pid)
        session = Session(env, f"all-{mode}", buffers=("4M", 8)).enable(f"{PROVIDER}:*").start()
        opener = eventpipe.Session(work.pid, [(eventpipe.RUNTIME, EXCEPTIONS, ERROR)], old=True)
        survives(work)
        for command in (*EVERYTHING, "reuse 4 1"):  # methods without a type, types without a module, and their end
            work.do(command)
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for(lambda line: line["exceptions"]["count"] is not None, 20, "exceptions are known")
            survives(work)
            summary = nettop.stop()
        opener.stop()
        work.do("gc 0")
        session.stop_counting_losses()
        seen = session.counts(PROVIDER)
        check_equal("exceptions over LTTng", [name for name in seen if name.startswith("ExceptionThrown")], [])
        check(seen["GCEnd_V1"] > 0 and seen["GCHeapStats_V2"] > 0, f"nothing else came over LTTng: {seen}")
        check_equal("exceptions in nettop", summary["exceptions"]["count"], SILENT)
        return f"{sum(seen.values())} events of {len(seen)} kinds over LTTng"


@test
def nettop_in_mode_n(env):
    nettop_alone(env, "N")


@long_test
def nettop_in_mode_f(env):
    nettop_alone(env, "F")


@long_test
def everybody_in_mode_none(env):
    return everybody_at_once(env, "none")


@long_test
def everybody_in_mode_n(env):
    return everybody_at_once(env, "N")


@test
def everybody_in_mode_all(env):
    return everybody_at_once(env, "all")


def add_runtime(framework):
    def alone(env):
        nettop_alone(env, "N", program=env.selfcontained(framework))
        nettop_alone(env, "F", program=env.selfcontained(framework))

    def everybody(env):
        return everybody_at_once(env, "all", program=env.selfcontained(framework))

    for function in (alone, everybody):
        function.__name__ = f"{framework.replace('.', '_')}_{function.__name__}"
        long_test(function)


for name in ("net8.0", "net9.0"):
    add_runtime(name)


@test
def genuine_library_leaves_exceptions_unknown(env):
    """Somebody's session has the event enabled: to ask EventPipe for exceptions would end the target."""
    with SessionDaemon(env) as daemon, Workload(env, mode="none", libraries=env.genuine_dir) as work:
        daemon.wait_for_app(work.pid)
        session = Session(env, "genuine").enable(f"{PROVIDER}:ExceptionThrown*").start()
        with Nettop(env, work.pid) as nettop:
            nettop.wait_for_sources("eventpipe")
            survives(work)
            work.do("gc 0")
            nettop.wait_for(lambda line: (line["gc"]["gen0_count"] or 0) > 0, 20, "EventPipe tells of collections")
            summary = nettop.stop()
        session.stop()
        check_equal("exceptions", summary["exceptions"]["count"], None)
        reason = summary["exceptions"]["reason"]
        check("LTTng session could" in reason, f"the reason: {reason}")
        with Nettop(env, work.pid, "--exceptions") as nettop:
            nettop.wait_for(lambda line: line["exceptions"]["count"] is not None, 20, "exceptions are known when somebody insists")
            survives(work)
            check_equal("exceptions with --exceptions", nettop.stop()["exceptions"]["count"], SILENT)
        return reason


def told_of_a_session(env, work, url, condition, what):
    """Reason and fix of the source LTTng of a nettop that reads this session."""
    with Nettop(env, work.pid, "--source", "lttng", "--session", url) as nettop:
        nettop.wait_for_sources("lttng")
        work.do("gc 1")
        lttng = source_of(nettop.wait_for(condition, 20, what), "lttng")
        nettop.stop()
        return lttng["reason"], lttng["fix"]


def has_collection(line):
    return (line["gc"]["gen1_count"] or 0) > 0


@test
def a_session_that_could_end_the_target_is_told(env):
    """What a session enables is in its metadata, before the first event; the genuine library passes it on, the bridge does not."""
    rule, nothing = "Exception*", (None, None)
    with SessionDaemon(env) as daemon, Relay(env) as relay:
        with Workload(env, mode="all", libraries=env.genuine_dir) as work:
            daemon.wait_for_app(work.pid)
            with live_session(relay, work.pid, ["GC*"]) as name:
                check_equal("a session without exceptions", told_of_a_session(env, work, relay.url(name), has_collection, "a collection"), nothing)
            with live_session(relay, work.pid, [rule]) as name:
                reason, fix = told_of_a_session(env, work, relay.url(name), lambda line: source_of(line, "lttng")["reason"], "a reason")
                for part in (name, "ExceptionThrown", f"process {work.pid}", "SIGSEGV"):
                    check(part in reason, f"{part} is not in the reason: {reason}")
                command("sh", "-c", fix.split(" (")[0].replace("CHANNEL", "runtime").replace("RULE", f"{PROVIDER}:{rule}"))
                survives(work)
        with Workload(env, mode="all") as work:
            daemon.wait_for_app(work.pid)
            with live_session(relay, work.pid, ["GC*", rule]) as name:
                check_equal("a session with them, under the bridge", told_of_a_session(env, work, relay.url(name), has_collection, "a collection"), nothing)
                survives(work)
        return reason


if __name__ == "__main__":
    main()
