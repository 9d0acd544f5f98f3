#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""
A program dies: what nettop says of it. What it died of is what its runtime has printed last. Nothing is made up: of a program that no exception ended none is named, and that none
was thrown is said of none whose last events were not sent.
"""
import re
import signal

from nt_live import Failure, FullScreen, Incident, Nettop, OutOfLimit, check, check_equal, long_test, main, test

def crash(env, what, kill=0, program=None, waits_s=0, prefix=()):
    """The cause of its end by the summary, the summary, what the runtime printed, and what nettop printed. waits_s: its perf map is wanted, and may be switched on so late."""
    with Incident(env, what, program=program) as incident, Nettop(env, incident.pid, prefix=prefix) as nettop:
        nettop.wait_for_sources("eventpipe")
        if waits_s:
            nettop.wait_for(lambda line: any(source["name"] == "map" and source["state"] == "delivering" for source in line["sources"]), waits_s + 20, "a perf map")
        if kill:
            incident.process.signal(kill)
        else:
            incident.begin()
        nettop.read_to_end()
        incident.process.wait(20)
        if not nettop.summary:
            raise Failure(f"no summary: {nettop.process.stderr_text()[-800:]}")
        return nettop.summary["target"].get("cause"), nettop.summary, incident.process.stderr_text(), nettop.process.stderr_text()


def printed(text):
    """Type, message and stack lines as the runtime has printed them."""
    head = re.search(r"Unhandled exception\. ([\w.+`]+)(?:: (.*?))?(?=\n   at |\n ---> )", text, re.S)
    lines = text[head.end():].strip("\n").split("\n")
    return head[1], head[2] or None, [line.strip() for line in lines]


def check_cause(env, what):
    cause, summary, err, told = crash(env, what)
    check_equal(f"{what}: the cause", (cause["exception"], cause["message"], cause["stack"]), printed(err))
    check_equal(f"{what}: signal, exit code, reason", (cause["signal"], cause["exit_code"], cause["reason"]), (signal.SIGABRT, None, None))
    check(cause["exception"] in told and (cause["message"] or "")[:100] in told, f"{what}: not on standard error: {told[-500:]}")
    return summary


def check_count_unknown(summary, thrown):
    """Nobody knows them all; of those that were thrown one may have been told before the end came."""
    exceptions = summary["exceptions"]
    check(exceptions["count"] is None or 0 < exceptions["count"] <= thrown, f"exceptions counted: {exceptions['count']} of {thrown}")
    check("last events" in (exceptions["reason"] or ""), f"no reason: {exceptions['reason']}")


@test
def an_unhandled_exception_is_named(env):
    check_count_unknown(check_cause(env, "crash"), 1)


@test
def no_exception_is_named_where_none_was(env):
    cause, summary, _, _ = crash(env, "exit", kill=signal.SIGKILL)
    check_equal("cause of kill -9", (cause["signal"], cause["exception"], cause["message"], cause["stack"]), (signal.SIGKILL, None, None, None))
    check(cause["reason"], "no reason")
    check_count_unknown(summary, 0)


@long_test
def wherever_it_was_thrown(env):
    for what in ("crash-thread", "crash-pool", "crash-long", "crash-silent"):
        check_cause(env, what)


@long_test
def a_text_that_is_cut_says_so(env):
    cause, _, err, _ = crash(env, "crash-longer")
    name, message, _ = printed(err)
    check_equal("type", cause["exception"], name)
    check("Incidents.Main" in (cause["stack"] or [""])[-1], f"the stack is not where it was thrown: {cause['stack']}")
    check(message.startswith(cause["message"]) and len(cause["message"]) > 1000 and cause["reason"], f"cut otherwise: {len(cause['message'])} {cause['reason']}")


LEDGER = "the ledger is broken"


@test
def what_fail_fast_was_told(env):
    """Its message, and no exception: also where one was caught and written to the log before."""
    for what in ("failfast", "crash-logged"):
        cause, _, _, told = crash(env, what)
        check_equal(f"cause of {what}", (cause["signal"], cause["exception"], cause["message"], cause["failed_fast"]), (signal.SIGABRT, None, LEDGER, True))
        check("Environment.FailFast" in cause["stack"][0], f"{what}: not where it was: {cause['stack']}")
        check(f"Environment.FailFast: {LEDGER}" in told, f"{what}: not on standard error: {told[-500:]}")


def check_fail_fast_without_words(env, program=None):
    """Without a message none is named; one that is long is cut, and that is said."""
    cause, _, _, _ = crash(env, "failfast-silent", program=program)
    check_equal("message", (cause["exception"], cause["message"], cause["failed_fast"]), (None, None, True))
    check("FailFast" in cause["reason"] and "not known" in cause["reason"], f"reason: {cause['reason']}")
    cause, _, _, _ = crash(env, "failfast-long", program=program)
    check(cause["message"].startswith("xxxx") and len(cause["message"]) > 1000 and cause["reason"], f"cut otherwise: {len(cause['message'])} {cause['reason']}")


def repeated(text):
    """How often the runtime says that frames were repeated, and which methods."""
    found = re.search(r"Stack overflow\.\n(?:   at .*\n)*Repeat(?:ed)? (\d+) times:\n-+\n((?:   at .*\n)+)-+\n", text)
    if not found:
        raise Failure(f"the runtime has not said what was repeated: {text[-800:]}")
    return int(found[1]), re.findall(r"at ([\w.]+)\(", found[2])


@long_test
def a_fail_fast_without_words(env):
    check_fail_fast_without_words(env)


def check_overflow(env, what, program=None, waits_s=0):
    """The methods and their number by the runtime's own words, which come from the same stack."""
    cause, _, err, told = crash(env, what, program=program, waits_s=waits_s)
    times, methods = repeated(err)
    check_equal(f"{what}: no exception", (cause["signal"], cause["exception"], cause["message"], cause["failed_fast"], cause["reason"]),
                (signal.SIGABRT, None, None, False, None))
    sentence, frames = cause["stack_overflow"], cause["frame_count"]
    said = re.fullmatch(r"Stack overflow in (.*), at least (\d+) frames", sentence)
    check(said and int(said[2]) == frames, f"{what}: {sentence}")
    # It was compiled some ms before the process was dead, and died before anybody could read its name: that is said by its address, and is so once in ten times.
    if re.search(r"\[0x[0-9a-f]+\]", said[1]):
        raise OutOfLimit(f"{what}: {sentence}")
    check_equal(f"{what}: methods", sorted(re.findall(r"([\w.]+)\(", said[1])), sorted(methods))
    # What was begun when the stack was full counts with the one, and not with the other.
    check(abs(frames - times * len(methods)) <= 2 * len(methods), f"{what}: {frames} frames, the runtime says {times} times {methods}")
    check(re.fullmatch(r"at least \d+ times:", cause["stack"][0]) and len(cause["stack"]) > len(methods), f"{what}: not folded: {cause['stack']}")
    check(sentence in told, f"{what}: not on standard error: {told[-500:]}")
    return cause


@test
def a_stack_overflow_is_called_that(env):
    """Also one of three methods that call each other, on a thread with a small stack."""
    cause = check_overflow(env, "overflow", waits_s=1)
    check("Incidents.Main(" in cause["stack"][-1], f"the outermost: {cause['stack']}")
    check_overflow(env, "overflow-three")


@long_test
def frames_that_nobody_counts(env):
    """A method without a frame pointer: where it happened is said, and no number."""
    cause, _, err, _ = crash(env, "overflow-lean")
    check("Stack overflow." in err, f"the runtime says otherwise: {err[-500:]}")
    check_equal("cause", (cause["stack_overflow"], cause["frame_count"]), ("Stack overflow in Incidents.Lean(int)", None))


def of_an_older_runtime(env, framework, waits_s):
    """What it prints is not all left: type and message are the same, the stack is where it was thrown."""
    program = env.selfcontained(framework, "incidents")
    for what in ("crash", "crash-thread", "crash-pool"):
        cause, _, err, _ = crash(env, what, program=program, waits_s=waits_s)
        name, message, lines = printed(err)
        check(cause["exception"] in (name, None) and cause["message"] == message, f"{what}: {cause}, printed: {err}")
        check(cause["exception"] or cause["reason"], f"{what}: no type, no reason: {cause}")
        check(what == "crash" or any("Incidents.Ship" in line for line in cause["stack"]), f"{what}: not where it was thrown: {cause['stack']}, printed: {lines}")
    for what in ("crash-logged", "failfast"):
        cause, _, _, told = crash(env, what, program=program, waits_s=waits_s)
        check_equal(f"cause of {what}", (cause["exception"], cause["message"], cause["failed_fast"]), (None, LEDGER, True))
        check(f"Environment.FailFast: {LEDGER}" in told, f"{what}: not on standard error: {told[-500:]}")
        check(any("Incidents.Main(" in line or "Environment.FailFast(" in line for line in cause["stack"]), f"{what}: not where it was: {cause['stack']}")
    check_fail_fast_without_words(env, program)
    check_overflow(env, "overflow", program=program, waits_s=waits_s)


@long_test
def of_net8(env):
    of_an_older_runtime(env, "net8.0", 4)


@long_test
def of_net9(env):
    of_an_older_runtime(env, "net9.0", 4)


@long_test
def an_exit_has_no_cause(env):
    cause, summary, _, _ = crash(env, "exit")
    check_equal("cause", {key: value for key, value in cause.items() if value is not None}, {"exit_code": 3, "failed_fast": False})
    check_equal("exceptions", summary["exceptions"]["count"], 0)


@long_test
def without_the_rights_it_says_so(env):
    rights = ("setpriv", "--bounding-set=-bpf,-sys_admin")
    cause, summary, _, _ = crash(env, "crash", prefix=rights)
    check_equal("cause", (cause["signal"], cause["exception"], cause["message"], cause["stack"]), (signal.SIGABRT, None, None, None))
    check("CAP_BPF" in cause["reason"], f"it does not say why: {cause['reason']}")
    check_count_unknown(summary, 1)


@test
def it_is_in_the_list_of_a_program_that_has_ended(env):
    with Incident(env, "crash") as incident, FullScreen(env, incident.pid, columns=120) as screen:
        screen.wait_for(lambda output: b"LIVE" in output, 20, "nettop shows the program")
        incident.begin()
        screen.wait_for(lambda output: b"ENDED" in output and b"at Incidents.Main" in output, 20, "the cause")
        check(b"unhandled" not in screen.output, "the word is there already")
        screen.type("6vv")
        screen.wait_for(lambda output: b"unhandled" in output, 20, "the last exceptions, and what became of that one")


@long_test
def it_stands_on_the_screen(env):
    with Incident(env, "crash") as incident, FullScreen(env, incident.pid) as screen:
        screen.wait_for(lambda output: b"LIVE" in output, 20, "nettop shows the program")
        incident.begin()
        screen.wait_for(lambda output: b"ENDED" in output and b"at Incidents.Main" in output and b"4711" in output, 20, "the cause")
    with Incident(env, "overflow") as incident, FullScreen(env, incident.pid) as screen:
        screen.wait_for(lambda output: b"LIVE" in output, 20, "nettop shows the program")
        incident.begin()
        screen.wait_for(lambda output: b"ENDED" in output and b"Stack overflow in Incidents.Deep(int), at least" in output, 20, "the stack overflow")


if __name__ == "__main__":
    main()
