#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Names of generated code that are read in the runtime's memory, held against the runtime's own word, its perf map."""
import collections
import os
import pathlib
import re
import shutil
import subprocess

from nt_live import MANY_HZ, MANY_SAMPLES, Bare, Incident, Nettop, OutOfLimit, Workload, check, check_equal, long_test, main, test, wait_until
from nt_live.environment import REPO, run_script
from nt_live.nettop import source_of

READ_S = 60
NAMES = 2000
REUSED_COUNT, REUSED_MS = 4, 1500
RARE_SHARE = 0.005  # of all samples
LEAST_SHARE, MOST_SHARE = 0.6, 1.1  # of the samples that a method should have; up to its first look its name is not known
STUB = ("stub ", "stub<")  # of .NET 10, of .NET 9


def perf_map(pid):
    """{(start, size): {name ...}}: of code that was freed there are several names for one place."""
    named = {}
    for line in pathlib.Path(f"/tmp/perf-{pid}.map").read_text().splitlines():
        start, size, name = line.split(" ", 2)
        if not name.startswith(STUB):
            named.setdefault((int(start, 16), int(size, 16)), set()).add(as_read(name))
    return named


def as_read(name):
    """Of types in signatures the perf map says the assembly, as the metadata refer to it; of dynamic methods it cannot name those of the
    signature that are no primitive ones, and says of some an assembly that has no metadata."""
    name = re.sub(r"\[[^\[\] ]+\](?=[\w<])", "", name)
    return re.sub(r"^\S.* \[[^\]]*\] (dynamicClass::[^(]+)\(.*\)(?=\[\w+\]$)", r"\1", name)


def without_arguments(name):
    """The perf map does not tell instances of a generic method apart."""
    return re.sub(r"(::[^(\[]+)\[[^(]*\](?=\()", r"\1", name)


def read_names(env, pid):
    """tests/tools/contract_dump: [(start, size, name)], and whether all heaps were read to their end."""
    tool = env.nettop.parent / "tests/tools/contract_dump"
    lines = subprocess.run([tool, str(pid), "methods"], check=True, capture_output=True, text=True, timeout=READ_S).stdout.splitlines()
    methods = [line.split(" ", 4)[1:] for line in lines if line.startswith("method ")]
    return [(int(start, 16), int(size, 16), as_read(name)) for start, size, _, name in methods], "methods whole" in lines


def all_code_has_the_name(env, instance="::Start[Workload.", **how):
    """Types, instances of them, methods, tiers, begins and sizes; and what the perf map does not tell: instances of methods."""
    with Workload(env, lttng=False, **how) as work:
        for command in ("generics 20", "jit-dynamic 20", "jit-lambda 10", "async 10", "throw 5", "locks 2"):
            work.do(command)
        before = perf_map(work.pid)  # the runtime goes on compiling in the background
        methods, whole = read_names(env, work.pid)
        said = perf_map(work.pid)
        check(whole, "not all heaps were read to their end")
        places = {(start, size) for start, size, _ in methods}
        check_equal("code that the perf map has and the memory does not", sorted(place for place in before if place not in places and
                    not any("dynamicClass" in name for name in before[place])), [])
        wrong = [(hex(start), name, said.get((start, size))) for start, size, name in methods
                 if without_arguments(name) not in said.get((start, size), ())]
        check_equal("names that are not the perf map's", wrong, [])
        instances = {name for _, _, name in methods if without_arguments(name) != name}
        check(any(instance in name for name in instances), f"no instance of a method is told: {sorted(instances)[:3]}")
        return f"{len(methods)} methods, {len(instances)} instances of generic methods"


@test
def all_code_has_the_name_of_the_perf_map(env):
    return all_code_has_the_name(env)


@long_test
def and_under_server_gc(env):
    return all_code_has_the_name(env, server_gc=True)


@long_test
def and_in_a_single_file(env):
    root = os.path.dirname(os.path.realpath(shutil.which("dotnet")))
    return all_code_has_the_name(env, program=run_script(REPO / "tests/long/precompiled.sh", "single"), variables={"DOTNET_ROOT": root})


@long_test
def and_in_a_composite_image(env):
    """With a runtime of its own. What starts its async methods is in the image; what is compiled is what they go on by."""
    return all_code_has_the_name(env, "::AwaitUnsafeOnCompleted[", program=run_script(REPO / "tests/long/precompiled.sh", "composite"))


@long_test
def and_of_dotnet_9(env):
    return all_code_has_the_name(env, program=env.selfcontained("net9.0"))


def come_and_go(env, **how):
    with Workload(env, lttng=False, **how) as work:
        work.do("compile-on 2000")
        seen = []

        def enough():
            seen.extend(method for method in read_names(env, work.pid)[0] if "dynamicClass" in method[2])
            return len(seen) > NAMES

        wait_until(enough, READ_S, f"{NAMES} dynamic methods were named")
        said = perf_map(work.pid)
        wrong = [(hex(start), size, name) for start, size, name in seen if name not in said.get((start, size), ())]
        check_equal("names of dynamic methods that their code never had", wrong, [])
        return f"{len(seen)} names of dynamic methods"


@test
def dynamic_methods_that_come_and_go_have_no_wrong_name(env):
    """Memory of methods that are gone is used again, at once: a name that is read is one that this code had, or there is none."""
    return come_and_go(env)


@long_test
def nor_have_those_of_dotnet_9(env):
    return come_and_go(env, program=env.selfcontained("net9.0"))


def reused(summary):
    """{method: samples} of those that the workload's command makes, one after the other."""
    samples = collections.Counter()
    for row in summary["methods"]:
        found = re.search(r"(?:^|\.)(reused_[1-9]\d*)\(long\)$", row["name"])
        if found:
            samples[found.group(1)] += row["self_samples"]
    return samples


def each_has_the_samples_of_its_own_time(env, wanted, perf_map=False, sources=("runtime",), **how):
    """Methods that lived one after the other, in memory that is used again: of none more than it ran, of those of these numbers nearly all."""
    expected = REUSED_MS * MANY_HZ / 1000
    with Workload(env, mode="none", lttng=False, perf_map=perf_map, **how) as work:
        work.settle()
        with Nettop(env, work.pid, *MANY_SAMPLES) as nettop:
            nettop.wait_for_sources("perf", *sources)
            work.do(f"reuse {REUSED_COUNT} {REUSED_MS}")
            summary = nettop.stop()
        check_equal("there is a perf map in /tmp", pathlib.Path(f"/tmp/perf-{work.pid}.map").exists(), perf_map)
    samples = reused(summary)
    for name, count in samples.items():
        check(count <= MOST_SHARE * expected, f"{name}: {count} samples of {expected:.0f}: {samples}")
    for number in wanted:
        if samples[f"reused_{number}"] < LEAST_SHARE * expected:
            raise OutOfLimit(f"reused_{number}: {samples[f'reused_{number}']} samples of {expected:.0f}: {samples}")
    reasons = summary["naming"]["reasons"]
    if perf_map:
        return f"{dict(samples)} of {expected:.0f} each"
    check_equal("samples that lack a perf map", {key: count for key, count in reasons.items() if key.startswith("perf_map") or key == "no_line"}, {})
    rest = sum(count for key, count in reasons.items() if key not in ("code_that_may_be_freed", "code_without_name"))
    check(rest <= RARE_SHARE * summary["cpu"]["samples"], f"a stub or a thunk here and there is no method's, but so many: {reasons}")
    return f"{dict(samples)} of {expected:.0f} each"


@test
def dynamic_methods_have_their_names_by_memory_alone(env):
    """Of those of an assembly that was emitted (the odd ones) the memory has the code, and not the names."""
    return each_has_the_samples_of_its_own_time(env, range(2, REUSED_COUNT + 1, 2), dotnet={"EnableDiagnostics": "0"})


@long_test
def dynamic_methods_of_dotnet_9_have_their_names_by_memory_alone(env):
    """Of its threads nothing is described, so the source of the runtime's data says that it is absent, and answers what code is called."""
    return each_has_the_samples_of_its_own_time(env, range(2, REUSED_COUNT + 1, 2), sources=(), program=env.selfcontained("net9.0"),
                                                dotnet={"EnableDiagnostics": "0"})


@long_test
def nothing_is_written_for_the_names_of_9(env):
    return each_has_the_samples_of_its_own_time(env, range(2, REUSED_COUNT + 1), sources=(), program=env.selfcontained("net9.0"))


@test
def nothing_is_written_for_the_names_of_10(env):
    """With its port, too, there is no perf map; the events and the runtime's list name what the memory does not."""
    return each_has_the_samples_of_its_own_time(env, range(2, REUSED_COUNT + 1))


@test
def lines_of_a_perf_map_name_only_their_own_code(env):
    """Lines are never removed, so at an address there are those of all that was there."""
    return each_has_the_samples_of_its_own_time(env, range(1, REUSED_COUNT + 1), perf_map=True, dotnet={"EnableDiagnostics": "0"})


def libc_code(pid):
    """[(start, size)] of what libc has mapped to be executed."""
    code = []
    for line in pathlib.Path(f"/proc/{pid}/maps").read_text().splitlines():
        span, rights, *_, path = line.split()
        if path.rsplit("/", 1)[-1].startswith("libc.so") and "x" in rights:
            start, end = (int(number, 16) for number in span.split("-"))
            code.append((start, end - start))
    return code


def self_samples(summary, wanted):
    return sum(row["self_samples"] for row in summary["methods"] if re.search(wanted, row["name"]))


@test
def lies_in_a_perf_map_name_nothing(env):
    """Written by hand behind the runtime's own lines: one in the middle of each method that is about to run, one where nothing that was compiled lies."""
    lie = "{:x} {:x} void [lies] Lies.{}::Tell()[OptimizedTier1]\n"
    with Workload(env, mode="none", lttng=False, dotnet={"EnableDiagnostics": "0"}) as work:
        work.do("compute 500")
        work.do("malloc 100000")
        work.settle()
        spin = [place for place, names in perf_map(work.pid).items() if any("Workload.Compute::Spin" in name for name in names)]
        check(spin and libc_code(work.pid), "no line of Spin, or no libc")
        with open(f"/tmp/perf-{work.pid}.map", "a", encoding="ascii") as file:
            file.writelines([lie.format(start + 4, size - 8, "Within") for start, size in spin])
            file.writelines([lie.format(start, size, "Nowhere") for start, size in libc_code(work.pid)])
        with Nettop(env, work.pid, *MANY_SAMPLES) as nettop:
            nettop.wait_for_sources("perf", "map", "runtime")
            work.do("compute 1500")
            work.do("malloc 20000000")
            summary = nettop.stop()
    lies, truth, libc = (self_samples(summary, wanted) for wanted in (r"^Lies\.", r"^Workload\.Compute\.Spin\(", r"malloc|free"))
    names = [(row["name"], row["self_samples"]) for row in summary["methods"][:8]]
    check_equal(f"samples in lies, of {names}", lies, 0)
    check(truth >= LEAST_SHARE * 1500 * MANY_HZ / 1000, f"Spin has {truth} samples: {names}")
    check(libc > 0, f"nothing of libc is named: {names}")
    return f"Spin {truth}, libc {libc}"


@test
def a_perf_map_for_whoever_wants_one(env):
    with Bare(env) as work:
        work.spin()
        with Nettop(env, work.pid, "--map") as nettop:
            nettop.wait_for(lambda line: "switched on by nettop" in (source_of(line, "map")["reason"] or ""), READ_S, "the map is on")
            check(work.writes_map(), "the target writes no map")
            nettop.stop()
        check_equal("left behind", work.leftovers(), [])


def spinning(line):
    """{name: samples} of the method that all threads are in."""
    return {row["name"]: row["total_samples"] for row in line["methods"] if ".Spin<" in row["name"]}


def watch_instances(env, variables, *options):
    with Incident(env, "instances", variables=variables) as work:
        work.begin()
        with Nettop(env, work.pid, *MANY_SAMPLES, *options, interval_s=0.5) as nettop:
            nettop.wait_for(lambda line: len(spinning(line)) >= 3, READ_S, "three instances of Spin have samples")
            summary = nettop.stop()
        return summary, pathlib.Path(f"/tmp/perf-{work.pid}.map").exists()


@test
def without_a_port_and_without_a_file(env):
    """Nobody may ask such a target for anything, and it has no perf map: its memory says it all, and tells instances of a generic method apart."""
    summary, _ = watch_instances(env, {"DOTNET_EnableDiagnostics": "0"})
    names = spinning(summary)
    check_equal("instances", sorted(names), [f"Incidents.Spin<{kind}>({kind})" for kind in ("__Canon", "double", "int")])
    check_equal("reasons", {key: count for key, count in summary["naming"]["reasons"].items() if key.startswith("perf_map") or key == "code_without_name"}, {})
    return f"{names}"


@test
def a_perf_map_does_not_hide_them(env):
    """What it calls Spin<T0> is told apart by the target's memory."""
    summary, written = watch_instances(env, {"DOTNET_PerfMapEnabled": "3"})
    check(written, "there is no perf map")
    check_equal("instances", sorted(spinning(summary)), [f"Incidents.Spin<{kind}>({kind})" for kind in ("__Canon", "double", "int")])


@test
def nothing_is_changed_and_all_has_its_name(env):
    """With --readonly no perf map is switched on."""
    summary, written = watch_instances(env, {}, "--readonly")
    check(not written, "there is a perf map in /tmp")
    check_equal("instances", sorted(spinning(summary)), [f"Incidents.Spin<{kind}>({kind})" for kind in ("__Canon", "double", "int")])


if __name__ == "__main__":
    main()
