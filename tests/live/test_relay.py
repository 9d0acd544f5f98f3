#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""nettop --relay: three hosts, each with a network, a name and LTTng's daemons of its own, send to one relay; one nettop shows all three, and what was cut off and comes back is all there."""
import contextlib
import json
import os
import re
import signal
import subprocess

from nt_live import *
from nt_live.lttng import EVENTS, PROVIDER, LineProcess
from nt_live.process import OutOfLimit, run

END_S, LINE_S = 60, 0.5
QUIET_LINES = 6
LIVE_US = 200_000
CENTRE = "10.77.0.1"


def must(*argv):
    done = run([str(word) for word in argv])
    check(done.returncode == 0, f"{argv}: {done.stdout} {done.stderr}")
    return done.stdout


class Host:
    """Namespaces of its own: network, name, mounts (with LTTng's folders). Whoever is in them is ended with them."""

    def __init__(self, env, name):
        self.env, self.name = env, name
        home = env.scratch / f"home-{name}"
        home.mkdir(exist_ok=True)
        self.variables = os.environ | {"LTTNG_HOME": str(home)}
        setup = f"hostname {name} && mount -t tmpfs tmpfs /run/lttng && mount -t tmpfs -o mode=1777 tmpfs /dev/shm && ip link set lo up && echo there && exec sleep 1000"
        self.holder = LineProcess(["unshare", "--net", "--uts", "--mount", "sh", "-c", setup], self.variables, env.scratch / f"{name}.err")
        check(self.holder.read_line(END_S) == "there", f"no namespaces: {self.holder.stderr_text()}")

    def within(self, *argv):
        return ["nsenter", "-t", str(self.holder.pid), "--net", "--uts", "--mount", "--", *map(str, argv)]

    def do(self, *argv):
        done = run(self.within(*argv), self.variables)
        check(done.returncode == 0, f"{self.name}: {argv}: {done.stdout} {done.stderr}")
        return done.stdout

    def start(self, *argv, what):
        return LineProcess(self.within(*argv), self.variables, self.env.scratch / f"{self.name}-{what}.err")


class Program:
    """The stand-in runtime on a host."""

    def __init__(self, host, env):
        self.process = host.start(env.fakeclr, what="program")
        check("ready" in (self.process.read_line(END_S) or ""), "the program has not begun")

    def do(self, command):
        self.process.send_line(command)
        answer = json.loads(self.process.read_line(END_S))
        check("error" not in answer, f"{command}: {answer}")


class Relayed:
    """nettop --relay: per host its newest line, and sums."""

    def __init__(self, env, centre, *options):
        self.process = centre.start(env.nettop, "--relay", f"net://{CENTRE}", "--json", "-d", "0.5", "--check-replay", *options, what="nettop")
        self.lines, self.summaries = [], {}

    def read(self, seconds=END_S):
        line = self.process.read_line(seconds)
        if line is None:
            return False
        parsed = json.loads(line)
        if parsed["type"] == "process_summary":
            self.summaries[parsed["host"]] = parsed
        else:
            self.lines.append(parsed)
        return True

    def counted(self, host):
        return sum((line["gc"]["gen0_count"] or 0) for line in self.lines if line["host"] == host and "gc" in line)

    def is_quiet(self, host):
        """For longer than anything is on its way."""
        newest = [line["gc"]["gen0_count"] for line in self.lines if line["host"] == host and "gc" in line][-QUIET_LINES:]
        return len(newest) == QUIET_LINES and not any(newest)

    def wait_for(self, condition, what):
        def step():
            # As long as no program has told anything there is no line.
            with contextlib.suppress(OutOfLimit):
                check(self.read(LINE_S), f"nettop has ended: {self.process.stderr_text()}")
            return condition()
        wait_until(step, END_S, lambda: f"{what}; it says {self.process.stderr_text()}, last {[(line['host'], line['pid'], line.get('gc', {}).get('gen0_count')) for line in self.lines[-6:]]}", step=0)

    def stop(self):
        self.process.signal(signal.SIGINT)
        while self.read():
            pass
        check_equal("exit status", self.process.wait(END_S), 0)
        check("replay_equal: true" in self.process.stderr_text(), self.process.stderr_text())


@contextlib.contextmanager
def three_hosts(env):
    env.need_commands("ip", "nsenter", "unshare", "lttng", "lttng-relayd", "lttng-sessiond", "babeltrace2")
    with contextlib.ExitStack() as stack:
        def keep(process):
            stack.callback(process.kill)
            return process
        centre = Host(env, "centre")
        keep(centre.holder)
        centre.do("ip", "link", "add", "br0", "type", "bridge")
        centre.do("ip", "addr", "add", f"{CENTRE}/24", "dev", "br0")
        centre.do("ip", "link", "set", "br0", "up")
        keep(centre.start("lttng-relayd", f"--control-port=tcp://{CENTRE}:5342", f"--data-port=tcp://{CENTRE}:5343", f"--live-port=tcp://{CENTRE}:5344",
                          f"--output={env.scratch / 'relay'}", what="relay"))
        hosts = []
        for number, name in enumerate(("alpha", "beta", "gamma"), 2):
            host = Host(env, name)
            keep(host.holder)
            must("ip", "link", "add", f"to-{name}", "netns", centre.holder.pid, "type", "veth", "peer", "name", "eth0", "netns", host.holder.pid)
            centre.do("ip", "link", "set", f"to-{name}", "master", "br0", "up")
            host.do("ip", "addr", "add", f"10.77.0.{number}/24", "dev", "eth0")
            host.do("ip", "link", "set", "eth0", "up")
            keep(host.start("lttng-sessiond", "--no-kernel", what="sessiond"))
            wait_until(lambda host=host: run(host.within("lttng", "list"), host.variables).returncode == 0, END_S, f"the session daemon of {name}")
            host.program = Program(host, env)
            keep(host.program.process)
            wait_until(lambda host=host: f"{PROVIDER}:" in host.do("lttng", "list", "-u"), END_S, f"the program of {name} registers")
            host.do("lttng", "create", "shop", f"--live={LIVE_US}", f"--set-url=net://{CENTRE}")
            host.do("lttng", "enable-channel", "-u", "runtime")
            for context in ("vpid", "vtid", "procname", "pid_ns"):
                host.do("lttng", "add-context", "-u", "-c", "runtime", "-t", context)
            host.do("lttng", "enable-event", "-u", "-c", "runtime", ",".join(f"{PROVIDER}:{event}" for event in EVENTS))
            host.do("lttng", "start")
            hosts.append(host)
        yield centre, hosts


def ended_in(env, host):
    """Collections that the relay has of a host, by babeltrace2's word; what LTTng discarded, too."""
    folder = next((env.scratch / "relay").glob(f"{host.name}/*"))
    done = run(["babeltrace2", str(folder)])
    check("discarded" not in done.stderr, done.stderr)
    return len(re.findall(rf"{PROVIDER}:GCEnd", done.stdout))


@long_test
def three_hosts_are_one_list_and_what_was_cut_off_comes_back(env):
    with three_hosts(env) as (centre, hosts):
        nettop = Relayed(env, centre)
        try:
            # A program is known by its first event.
            def all_there():
                for host in hosts:
                    host.program.do("gc 0")
                return {line["host"] for line in nettop.lines} == {host.name for host in hosts}
            nettop.wait_for(all_there, "all three hosts")
            nettop.wait_for(lambda: all(nettop.is_quiet(host.name) for host in hosts), "nothing is on its way any more")
            before = {host.name: (nettop.counted(host.name), ended_in(env, host)) for host in hosts}
            beta = hosts[1]
            centre.do("ip", "link", "set", "to-beta", "down")
            for host in hosts:
                for _ in range(5):
                    host.program.do("gc 0")
            nettop.wait_for(lambda: all(nettop.counted(host.name) >= before[host.name][0] + 5 for host in (hosts[0], hosts[2])), "the others go on")
            centre.do("ip", "link", "set", "to-beta", "up")
            nettop.wait_for(lambda: nettop.counted("beta") >= before["beta"][0] + 5, "what was cut off")
            nettop.wait_for(lambda: all(nettop.is_quiet(host.name) for host in hosts), "nothing is on its way any more")
            nettop.stop()
            names = {line["host"]: (line["name"], line["session"], line["cpu_pct"] if "cpu_pct" in line else None) for line in nettop.lines}
            check_equal("names and sessions", set(names.values()), {(names["alpha"][0], "shop", None)})
            for host in hosts:
                theirs = ended_in(env, host)
                ours = nettop.summaries[host.name]
                # What came before nettop did, or while it compared clocks, is not its.
                check(ours["gc"]["gen0_count"] == nettop.counted(host.name), f"{host.name}: {ours['gc']['gen0_count']} in the summary, {nettop.counted(host.name)} in lines")
                check_equal(f"collections of {host.name} since", nettop.counted(host.name) - before[host.name][0], theirs - before[host.name][1])
                check(abs(ours["clock_offset_s"]) < 2, f"{host.name}: clock {ours['clock_offset_s']} s ahead, though it is the same")
        finally:
            nettop.process.kill()
    return f"clocks {[round(ours['clock_offset_s'], 3) for ours in nettop.summaries.values()]}"


if __name__ == "__main__":
    main()
