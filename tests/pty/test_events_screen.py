#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Screen 9 in a real terminal, at a program that tells of its work: what is asked of it and when, what is shown, how one moves in it."""
import os
import re
import signal
import threading
import time

from nt_pty import *
from nt_live import SessionDaemon, Workload, long_test
from nt_live.workload import Telling

ORDER = re.compile(r"^.\d\d:\d\d:\d\d\.\d{3} +(\d+) Shop-Told/OrderTaken +number=(\d+) customer=\"Ann \\x1b\[31m ", re.M)
# What has been chosen and brought nothing yet; events above the default level do not come, which is said.
LEVEL_4 = r"^ WHICH %s   Shop-Told up to level 4; NAME:-1:5 has Verbose ones, too +0$"


def is_asked(work):
    """Is anybody listening to its EventSource, by the program's own word?"""
    return bool(work.do("asked")["asked"])


def choose(terminal, words):
    terminal.keys("e")
    terminal.wait_for("Events, 2 to 5 us each: ", "the price is said before")
    terminal.keys("C-u")
    terminal.type(words)
    terminal.keys("Enter")


def numbers(screen):
    return [int(match[2]) for match in ORDER.finditer(screen)]


@test
def asked_for_only_while_it_is_open(env):
    with Telling(env) as work, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(work.pid)
        terminal.wait_for(re.compile(r"\bperf\b"), "nettop watches", 30)
        terminal.keys("9")
        terminal.wait_for("what nettop has anyway", "nothing is chosen at first")
        wait_until(lambda: work.do("collect 1") and "eventpipe/gc-start" in terminal.screen(), 30, "a collection, as nettop has it")
        check(re.search(r"eventpipe/gc-start +number=\d+ generation=1", terminal.screen()), f"no fields:\n{terminal.show()}")
        check(not is_asked(work), "it is asked for events before any is chosen")
        choose(terminal, "Shop-Told")
        terminal.wait_for("Asked for while this screen is open", "it is said again")
        terminal.wait_for(re.compile(LEVEL_4 % "Shop-Told", re.M), "it is there, and has brought nothing", 30)
        check(is_asked(work), "nobody listens")
        work.do("orders 3")
        terminal.wait_for(lambda screen: numbers(screen) == [0, 1, 2], "each order", 30)
        check_equal("thread", {int(match[1]) for match in ORDER.finditer(terminal.screen())}, {work.pid})
        terminal.keys("1")
        terminal.wait_for("no longer asked for events")
        wait_until(lambda: not is_asked(work), 30, "its session has ended")
        terminal.keys("9")
        wait_until(lambda: is_asked(work), 30, "asked for again")
        choose(terminal, "")
        terminal.wait_for("what nettop has anyway")
        wait_until(lambda: not is_asked(work), 30, "its session has ended")
        choose(terminal, "Shop-Told")
        wait_until(lambda: is_asked(work), 30, "asked for once more")
        terminal.keys("q")
        terminal.wait_for_shell()
        wait_until(lambda: work.do("orders 1") and not is_asked(work), 30, "it has ended with nettop")


@test
def wrong_words_are_told_and_nothing_is_asked_for(env):
    with Telling(env) as work, Terminal(env, 200, 40) as terminal:
        terminal.start_nettop(work.pid)
        terminal.wait_for(re.compile(r"\bperf\b"), "nettop watches", 30)
        terminal.keys("9")
        terminal.wait_for("what nettop has anyway")
        for words, answer in (("clr/NoSuchEvent", "the runtime has no event of this name"), ("clr/GCBulkNode", "nettop heap"), ("*/Taken", "named whole")):
            choose(terminal, words)
            terminal.wait_for(answer)
            check("what nettop has anyway" in terminal.screen(), f"something else is shown:\n{terminal.show()}")


@test
def it_follows_until_somebody_scrolls_up(env):
    with Telling(env) as work, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(work.pid, "--event-source", "Shop-Told", "--event-name", "Order*")
        terminal.wait_for(re.compile(r"\bperf\b"), "nettop watches", 30)
        terminal.keys("9")
        terminal.wait_for(re.compile(LEVEL_4 % r"Shop-Told/Order\*", re.M), "what the options chose", 30)
        work.do("orders 100")
        terminal.wait_for(lambda screen: numbers(screen)[-1:] == [99], "the newest is the last", 30)
        check_equal("position", position(terminal.screen())[1:], (100, 100))
        terminal.keys("PageUp")
        terminal.wait_for(lambda screen: numbers(screen) and numbers(screen)[-1] < 99, "scrolled up")
        standing = numbers(terminal.screen())
        work.do("orders 7")
        terminal.wait_for(lambda screen: position(screen) and position(screen)[2] == 107, "more came", 30)
        check_equal("rows on the screen", numbers(terminal.screen()), standing)
        terminal.keys("End")
        terminal.wait_for(lambda screen: numbers(screen)[-1:] == [6], "the newest again")
        work.do("orders 9")
        terminal.wait_for(lambda screen: numbers(screen)[-1:] == [8], "it follows", 30)
        terminal.keys("PageUp")
        terminal.wait_for(lambda screen: numbers(screen)[-1:] != [8], "scrolled up")
        terminal.keys("F")
        terminal.wait_for(lambda screen: numbers(screen)[-1:] == [8], "F goes to the newest, too")


@test
def fields_filter_rates_and_the_whole_of_one(env):
    with Telling(env) as work, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(work.pid, "--event-source", "Shop-Told")
        terminal.keys("9")
        terminal.wait_for(re.compile(LEVEL_4 % "Shop-Told", re.M), "nettop watches", 30)
        work.do("orders 20")
        terminal.wait_for(lambda screen: numbers(screen)[-1:] == [19], "orders", 30)
        terminal.keys("/")
        terminal.type("number>=17 paid=false")
        terminal.keys("Enter")
        terminal.wait_for(lambda screen: numbers(screen) == [17, 19], "those that are so")
        terminal.keys("k", "Enter")
        terminal.wait_for(lambda screen: "DETAIL OF ONE ROW" in screen and re.search(r'^  FIELDS +number = 17\n +customer = "Ann \\x1b\[31m "17""\n +price = 25.5\n', screen, re.M), "each field of it")
        check(f"thread {work.pid}" in terminal.screen(), f"no thread:\n{terminal.show()}")
        terminal.keys("Escape", "Escape")
        terminal.wait_for(lambda screen: len(numbers(screen)) == 20, "all again")
        terminal.keys("v")
        terminal.wait_for(re.compile(r"^ +\d+\.\d +20 +1\.\d+K \S+ +Shop-Told/OrderTaken", re.M), "how many there were", 30)


@test
def the_whole_of_one_has_its_call_stack(env):
    """By the runtime's own word of where the event was written; without the word `stacks` it says how to ask."""
    with Telling(env) as work, Terminal(env, 120, 60) as terminal:
        terminal.start_nettop(work.pid, "--event-source", "Shop-Told")
        terminal.keys("9")
        terminal.wait_for(re.compile(LEVEL_4 % "Shop-Told", re.M), "nettop watches", 30)
        work.do("where 3")
        terminal.wait_for("number=4711", "it has come", 30)
        terminal.keys("Enter")
        terminal.wait_for(re.compile(r"^  STACK +not asked for\n  FIX +e, and the word stacks", re.M), "how to ask")
        terminal.keys("Escape")
        choose(terminal, "Shop-Told stacks")
        terminal.wait_for(re.compile(LEVEL_4 % "Shop-Told stacks", re.M), "asked for anew", 30)
        truth = work.do("where 3")["stack"]
        terminal.wait_for("number=4711", "it has come", 30)
        terminal.keys("Enter")

        def frames(screen):
            return [name for name in re.findall(r"([\w.]+)\(.*?\)? *$", screen.partition("  STACK")[2], re.M) if name.startswith("Telling.Program.")]

        terminal.wait_for(lambda screen: frames(screen) == [name for name in truth if name.startswith("Telling.Program.")], f"{truth}", 30)


@test
def a_category_of_the_log_at_a_lower_level(env):
    with Telling(env) as work, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(work.pid)
        terminal.keys("9")
        terminal.wait_for("what nettop has anyway", "nettop watches", 30)
        choose(terminal, "log:Shop.Checkout=Debug")
        terminal.wait_for(re.compile(r"^ WHICH log:Shop.Checkout=Debug +0$", re.M), "it is there", 30)
        work.do("log 2")
        terminal.wait_for(lambda screen: re.findall(r"log (\w+) +(Shop\.\w+: .*?) *$", screen, re.M) ==
                          [(level, f"Shop.Checkout: order {i} {words}") for i in range(2) for level, words in (("info", "is paid"), ("debug", "was looked at"))],
                          "of that category all, of no other any", 30)


@test
def suspended_nettop_keeps_no_session(env):
    with Telling(env) as work, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(work.pid, "--event-source", "Shop-Told")
        terminal.keys("9")
        terminal.wait_for(re.compile(LEVEL_4 % "Shop-Told", re.M), "nettop watches", 30)
        work.do("orders 2")
        terminal.wait_for(lambda screen: numbers(screen) == [0, 1], "orders", 30)
        terminal.keys("C-z")
        terminal.wait_for_shell()
        wait_until(lambda: work.do("orders 1") and not is_asked(work), 30, "its session has ended")
        terminal.type("fg\n")
        terminal.wait_for(re.compile(r"LOST +nettop did not read"), "what happened meanwhile is not known, and that is said", 30)
        work.do("orders 1")
        terminal.wait_for(lambda screen: numbers(screen) == [0, 1, 0], "it goes on", 30)


@test
def the_program_ends_and_is_killed(env):
    for end in ("quit", "kill"):
        with Telling(env) as work, Terminal(env, 120, 40) as terminal:
            terminal.start_nettop(work.pid, "--event-source", "Shop-Told")
            terminal.keys("9")
            terminal.wait_for(re.compile(LEVEL_4 % "Shop-Told", re.M), "nettop watches", 30)
            work.do("orders 4")
            terminal.wait_for(lambda screen: numbers(screen) == [0, 1, 2, 3], "orders", 30)
            if end == "quit":
                check_equal("exit status", work.quit(30), 0)
            else:
                os.kill(work.pid, signal.SIGKILL)
            terminal.wait_for("ENDED", "it has ended", 30)
            check_equal("orders after its end", numbers(terminal.screen()), [0, 1, 2, 3])
            terminal.keys("q")
            terminal.wait_for_shell()


@test
def those_over_lttng(env):
    """A session of their own, as long as the screen is open; what would end the process is left out, which is said."""
    with SessionDaemon(env) as daemon, Workload(env, mode="all") as work, Terminal(env, 160, 40) as terminal:
        daemon.wait_for_app(work.pid)
        terminal.start_nettop(work.pid)
        terminal.wait_for(re.compile(r"\blttng ●"), "LTTng delivers", 30)
        before = len(sessions())
        terminal.keys("9")
        terminal.wait_for("what nettop has anyway")
        for words, answer in (("lttng/ExceptionThrown", "null"), ("lttng/GC* clr/GC*", "not both at once"), ("lttng/GCStart stacks", "no call stacks"), ("lttng/NoSuch*", "no event of this name")):
            choose(terminal, words)
            terminal.wait_for(answer)
            check_equal(f"sessions after {words}", len(sessions()), before)
        choose(terminal, "lttng/GC*")
        terminal.wait_for(re.compile(r"^ WHICH lttng/GC\*   left out over LTTng: GC", re.M), "what is left out", 30)
        terminal.wait_for(lambda screen: len(sessions()) == before + 1 and "asked for" not in screen.partition("WHICH")[2].partition("\n")[0], "its session is there", 30)
        wait_until(lambda: work.do("gc 0 2") and re.search(r"lttng/GCStart +Count=\d+ Depth=0 Reason=1", terminal.screen()), 30, lambda: f"a collection with its fields\n{terminal.show()}")
        terminal.keys("1")
        wait_until(lambda: len(sessions()) == before, 30, "it has ended with the screen")
        terminal.keys("9")
        wait_until(lambda: len(sessions()) == before + 1, 30, "there is one again")
        choose(terminal, "")
        wait_until(lambda: len(sessions()) == before, 30, "it has ended with the choice")
        choose(terminal, "lttng/GCEnd")
        wait_until(lambda: len(sessions()) == before + 1, 30, "there is one once more")
        terminal.keys("q")
        terminal.wait_for_shell()
        wait_until(lambda: not sessions(), 30, "none is left")
        work.do("gc 0")


def cpu_s(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
        return sum(map(int, stat.read().rsplit(") ", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")


def anonymous_bytes(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"RssAnon:\s+(\d+) kB", status.read())[1]) << 10


@long_test
def a_flood_of_a_minute(env):
    """20 000 events a second: all are counted, keys are answered meanwhile, and neither CPU time nor memory grow with them."""
    rate, seconds, answers = 10_000, 60, []  # two events an order
    with Telling(env) as work, Terminal(env, 120, 40) as terminal:
        terminal.start_nettop(work.pid, "--event-source", "Shop-Told:-1:5", "--max-target-cost", "100")
        terminal.keys("9")
        terminal.wait_for(re.compile(r"^ WHICH Shop-Told:-1:5 +0$", re.M), "nettop watches", 30)
        nettop = terminal.nettop_pid()
        writer = threading.Thread(target=work.do, args=(f"rate {rate} {seconds}", seconds + 60))
        writer.start()
        terminal.wait_for(re.compile(r"[\d.]+k, [\d.]+k not shown"), "the flood", 30)
        began, used, memory = time.monotonic(), cpu_s(nettop), []
        while writer.is_alive():
            pressed = time.monotonic()
            terminal.keys("v")
            terminal.wait_for(re.compile(r"^ +/s. +COUNT", re.M), "the rates", 10)
            terminal.keys("v")
            terminal.wait_for(re.compile(r"^ +TIME +TID EVENT", re.M), "the events again", 10)
            answers.append(time.monotonic() - pressed)
            memory.append(anonymous_bytes(nettop))
            writer.join(1)
        own = 100 * (cpu_s(nettop) - used) / (time.monotonic() - began)
        terminal.keys("v")
        terminal.wait_for(lambda screen: all(re.search(rf"^ .* 600k .* Shop-Told/{name}", screen, re.M) for name in ("OrderTaken", "OrderLine")) or " lost" in screen, "all are counted", 30)
        lost = re.search(r"\S+ lost", terminal.screen())
    first, last = max(memory[len(memory) // 3:len(memory) * 2 // 3]), max(memory[len(memory) * 2 // 3:])
    check_limit("the slowest answer to two keys, s", max(answers), 2)
    check_limit("MB that it has more at the end", (last - first) / (1 << 20), 4)
    return f"{own:.1f} % of a CPU, {last >> 20} MB, {lost[0] if lost else 'none lost'}, the slowest answer to two keys {max(answers):.2f} s"


if __name__ == "__main__":
    main()
