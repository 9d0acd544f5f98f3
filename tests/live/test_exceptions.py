#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Exceptions one by one: where each was thrown, and what became of it, of a program that says so in their messages."""
from collections import Counter

from nt_live import *
from nt_live.nettop import source_of

DELIVERS_S = 20
TOLD_S = 20
ROUNDS = 25
PLACE = "Workload.Fates.Throw(string)"
# What becomes of each message of a round, on .NET 9 and later: `throw;` is no exception of its own there.
FATES = {"caught": ("caught", "CatchesPlainly"), "again": ("rethrown", "CatchesAgain"), "outer": ("caught", "CatchesAfterFinally"),
         "inner": ("caught", "CatchesInFinally"), "filtered": ("caught", "CatchesAfterFilter"), "swallowed": ("no catch", None),
         "replaced": ("no catch", None), "replacing": ("caught", "CatchesAnother")}
# There it is, and nobody says that a filter threw.
FATES_8 = FATES | {"again": None, "filtered": (None, None), "swallowed": (None, None)}


def short(method):
    """Workload.Fates.CatchesPlainly() -> CatchesPlainly"""
    return method.split("(")[0].rsplit(".", 1)[-1] if method else None


def fates_of(summary):
    return [row for row in summary["exceptions"]["last"] if row["type"] == "Workload.FateException"]


def watched(env, work, *options):
    """What is said of the fates when they are over; one more exception ends what is under way."""
    work.settle()
    with Nettop(env, work.pid, "--top", "1000", *options) as nettop:
        nettop.wait_for_sources("eventpipe", seconds=DELIVERS_S)
        nettop.wait_for(lambda line: line["exceptions"]["covered_ns"], TOLD_S, "exceptions are told")
        before = work.mark()
        work.do("throw 1")
        nettop.wait_for(lambda line: any(row["thrown_at"] for row in line["exceptions"]["last"]), TOLD_S, "a stack of the first one")
        work.do(f"fates {ROUNDS}")
        work.do("throw 1")
        truth = work.mark().since(before)
        nettop.wait_for(lambda line: any(row["type"] == "Workload.FateException" and row["thrown_at"] for row in line["exceptions"]["last"]),
                        TOLD_S, "the stacks of the others")
        return nettop.stop(), truth


def told_truly(env, work, fates, again):
    """`again`: how many exceptions `throw;` makes of one."""
    summary, truth = watched(env, work, "--catches")
    rows = fates_of(summary)
    check_equal("of each message", dict(Counter(row["message"] for row in rows)),
                {message: ROUNDS * (again if message == "again" else 1) for message in FATES})
    for row in rows:
        check_equal(f"where {row['message']} was thrown", row["thrown_at"], PLACE if row["message"] != "again" or again == 1 else row["thrown_at"])
        if fates[row["message"]]:
            check_equal(f"what became of {row['message']}, and where", (row["fate"], short(row["caught_at"])), fates[row["message"]])
    ends = Counter((row["fate"], short(row["caught_at"]), row["thrown_at"]) for row in rows if row["message"] == "again")
    expected = [("rethrown", "CatchesAgain", PLACE)] if again == 1 else [("caught", "ThrowsAgain", PLACE), ("caught", "CatchesAgain", ends and "Workload.Fates.ThrowsAgain()")]
    check_equal("what became of what was thrown on", dict(ends), {end: ROUNDS for end in expected})
    # The runtime counts what `throw;` throws on once more; from .NET 9 on its events do not.
    check_equal("the runtime's own count", truth["exception_count"], summary["exceptions"]["count"] + (2 - again) * ROUNDS)
    check_equal("losses", source_of(summary, "eventpipe")["lost"], 0)
    times = [row["time_ns"] for row in rows]
    check_equal("newest first", times, sorted(times, reverse=True))
    site = next(row for row in summary["exceptions"]["sites"] if row["site"] == PLACE)
    check_equal("thrown there", site["count"], ROUNDS * len(FATES))
    check_equal("type of most", site["type"], "Workload.FateException")
    return f"{len(rows)} exceptions in {len(FATES)} ways"


@test
def what_becomes_of_each(env):
    with Workload(env, mode="none", lttng=False) as work:
        return told_truly(env, work, FATES, again=1)


@test
def what_becomes_of_each_beside_lttng(env):
    """LTTng has the other events; the exceptions are told by the port as without."""
    with SessionDaemon(env), Workload(env) as work:
        return told_truly(env, work, FATES, again=1)


@long_test
def what_becomes_of_each_on_net9(env):
    with Workload(env, mode="none", lttng=False, program=env.selfcontained("net9.0")) as work:
        return told_truly(env, work, FATES, again=1)


@long_test
def what_becomes_of_each_on_net8(env):
    with Workload(env, mode="none", lttng=False, program=env.selfcontained("net8.0")) as work:
        return told_truly(env, work, FATES_8, again=2)


@test
def unasked_it_is_not_known(env):
    """Without the option they are listed with their stacks; nobody says who caught them, and the target does not pay for it."""
    with Workload(env, mode="none", lttng=False) as work:
        summary, _ = watched(env, work)
    rows = fates_of(summary)
    check_equal("exceptions", len(rows), ROUNDS * len(FATES))
    check_equal("what became of them", {(row["fate"], row["caught_at"]) for row in rows}, {(None, None)})
    check_equal("where they were thrown", {row["thrown_at"] for row in rows}, {PLACE})


def one_unhandled(summary):
    rows = [row for row in summary["exceptions"]["last"] if row["fate"] == "unhandled"]
    check_equal("unhandled", [(row["type"], row["message"], row["thrown_at"]) for row in rows], [("Workload.FateException", "unhandled", PLACE)])
    check_equal("of its message", sum(row["message"] == "unhandled" for row in summary["exceptions"]["last"]), 1)
    check_equal("what the program died of", (summary["target"]["cause"]["exception"], summary["target"]["cause"]["message"]), ("Workload.FateException", "unhandled"))
    return rows[0]


@test
def one_that_nobody_catches(env):
    """At once, without a telling of fates; and after others whose fates are told, of which it is the one that was not caught."""
    with Workload(env, mode="none", lttng=False) as work, Nettop(env, work.pid, "--top", "1000") as nettop:
        nettop.wait_for_sources("eventpipe", seconds=DELIVERS_S)
        work.settle()
        work.process.send_line("unhandled")
        nettop.read_to_end()
        row = one_unhandled(nettop.summary)
        types = {row["type"]: row for row in nettop.summary["exceptions"]["types"]}
        check_equal("by type", (types[row["type"]]["count"], types[row["type"]]["caught_pct"]), (1, None))
    with Workload(env, mode="none", lttng=False) as work:
        work.settle()
        with Nettop(env, work.pid, "--top", "1000", "--catches") as nettop:
            nettop.wait_for_sources("eventpipe", seconds=DELIVERS_S)
            nettop.wait_for(lambda line: line["exceptions"]["covered_ns"], TOLD_S, "exceptions are told")
            work.do("throw 1")
            nettop.wait_for(lambda line: any(row["fate"] for row in line["exceptions"]["last"]), TOLD_S, "what became of the first one")
            work.do(f"fates {ROUNDS}")
            work.do("throw 1")
            nettop.wait_for(lambda line: any(row["type"] == "Workload.FateException" and row["thrown_at"] for row in line["exceptions"]["last"]), TOLD_S, "the others")
            work.process.send_line("unhandled")
            nettop.read_to_end()
            one_unhandled(nettop.summary)
            types = {row["type"]: row for row in nettop.summary["exceptions"]["types"]}
            thrown, fates = types["Workload.FateException"], [row["fate"] for row in fates_of(nettop.summary)]
            check_equal("thrown", thrown["count"], ROUNDS * len(FATES) + 1)
            caught = sum(fate in ("caught", "rethrown") for fate in fates)
            check_equal("caught", caught, ROUNDS * sum(fate[0] != "no catch" for fate in FATES.values()))
            # Its own event is sent or is not.
            shares = [caught * 100 / (len(fates) - less) for less in (0, 1)]
            check(any(abs(thrown["caught_pct"] - share) < 0.1 for share in shares), f"share caught: {thrown['caught_pct']}, {caught} of {len(fates)}")
            return f"{thrown['caught_pct']:.1f} % of {len(fates)} caught"


if __name__ == "__main__":
    main()
