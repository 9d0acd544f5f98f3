#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop heap`: all objects of a process by type, by the program's own word and by ClrMD's, and what becomes of a process whose heap nobody reads to its end."""
import json
import os
import pathlib
import re
import signal
import subprocess

from nt_live import Failure, OutOfLimit, check, check_equal, check_limit, long_test, main, test, wait_until
from nt_live.environment import REPO, run_script
from nt_live.eventpipe import sessions_of
from nt_live.gcdump import check_as_reported
from nt_live.heap_cores import ALONE, Asked, as_clrmd_writes, core_of, heap_of_core, whole_paths
from nt_live.memory_limit import memory_group
from nt_live.process import LineProcess, run
from nt_live.pseudo_terminal import open_terminal, take_terminal
from nt_live.workload import Holding

ORDERS, BYTES_OF_ARRAY, END_S = 10_000, 24, 30
# What the program says that it has, by the name that people give to it.
HAS = {"Holding.Order": ORDERS, "Holding.Item": 3 * ORDERS, "Holding.Item[]": ORDERS, "Holding.Customer": ORDERS, "Holding.Box<int>": 1000, "int[,]": 10,
       "Holding.Point[]": 10, "int[][]": 10}
STATICS = {"Holding.Warehouse.s_orders": "System.Collections.Generic.List<Holding.Order>",
           "Holding.Warehouse.s_byName": "System.Collections.Generic.Dictionary<string, Holding.Order>",
           "Holding.Archive.s_orders": "System.Collections.Generic.List<Holding.Order>", "Holding.Archive.Shelf.s_first": "Holding.Order"}
SMALL_MB = 400  # of small objects: the process stands still for a while


def heap(env, pid, *options, status=0):
    done = subprocess.run([str(env.nettop), "heap", "--yes", "-p", str(pid), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    check_equal(f"exit status of nettop heap ({done.stderr[-500:]})", done.returncode, status)
    return done


def types_of(said):
    return {row["type"]: row for row in said["types"]}


@test
def objects_are_as_many_as_the_program_made(env):
    with Holding(env) as work:
        said = json.loads(heap(env, work.pid, "--json").stdout)
        types = types_of(said)
        check(not said["partial"] and said["came_pct"] == 100, f"not all came: {said['came_pct']}")
        for name, count in HAS.items():
            check(name in types, f"no {name} among {[name for name in types if 'Holding' in name]}")
            check_equal(f"objects of {name}", types[name]["count"], count)
        check_equal("bytes of int[,]", types["int[,]"]["bytes"], 10 * (10 * 20 * 4 + 40))
        check(types["byte[]"]["count"] >= 20 and types["byte[]"]["bytes"] >= 10 * (200_000 + BYTES_OF_ARRAY), f"large and pinned arrays: {types['byte[]']}")
        check_equal("objects", said["object_count"], sum(row["count"] for row in said["types"]))
        check_equal("bytes", said["bytes"], sum(row["bytes"] for row in said["types"]))
        check(said["pause_ns"] > 0, "it stood still for no time")
        fields = {f"{field['class']}.{field['field']}": field["type"] for field in said["statics"]}
        for name, of in STATICS.items():
            check_equal(f"type of the static field {name}", fields.get(name), of)
        check_equal("what the program has afterwards", work.do("grow 1")["orders"], ORDERS + 1)


@test
def what_grew_is_first(env):
    with Holding(env) as work:
        before = env.scratch / "before.json"
        heap(env, work.pid, "--json", "-o", str(before))
        work.do("grow 500")
        said = json.loads(heap(env, work.pid, "--json", "--compare", str(before)).stdout)
        grew = {row["type"]: row["count"] - row["count_before"] for row in said["changes"]}
        for name, count in {"Holding.Order": 500, "Holding.Item": 1500, "Holding.Customer": 500, "Holding.Box<int>": 0}.items():
            check_equal(f"more of {name}", grew[name], count)
        text = heap(env, work.pid, "--compare", str(before), "--rows", "8").stdout
        check(re.search(r"^ +\+\S+ +\S+ +\+1\.50k +31\.5k  Holding\.Item$", text, re.M), f"no row of the items that came:\n{text}")
        check("static Holding.Warehouse.s_orders: System.Collections.Generic.List<Holding.Order>" in text, f"no static field that may hold them:\n{text}")


def as_clrmd_says(env, core):
    reader = run_script(REPO / "tests/tools/nuget-program.sh", "clrmd")
    done = subprocess.run(["dotnet", reader, str(core)], stdout=subprocess.PIPE, text=True, timeout=120, check=True)
    return {name: (int(count), int(size)) for count, size, name in (line.split(" ", 2) for line in done.stdout.splitlines())}


def check_as_clrmd_says(env, work, said):
    """Each type by its name: objects and bytes."""
    core = core_of(env, work.pid)
    theirs = {as_clrmd_writes(name): counts for name, counts in as_clrmd_says(env, core).items()}
    core.unlink()
    ours = {as_clrmd_writes(row["type"]): (row["count"], row["bytes"]) for row in said["types"]}
    other = {name: (ours.get(name), theirs.get(name)) for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)}
    # The session's own end makes some objects of the runtime's, after the look.
    later = [name for name, (mine, yours) in other.items() if yours and (not mine or yours > mine)]
    check(len(later) <= 16, f"types of which ClrMD has more: {later}")
    check_equal("types of which we have more", sorted(set(other) - set(later)), [])
    check_equal("types of the program that are not equal", [name for name in other if name.startswith("Holding.")], [])
    return f"{len(ours)} types, {said['object_count']} objects, equal to ClrMD's but {len(other)} types of the runtime's of which there are more later"


@test
def as_clrmd_says_of_a_core(env):
    with Holding(env) as work:
        said = json.loads(heap(env, work.pid, "--json").stdout)
        return check_as_clrmd_says(env, work, said)


def check_core_is_as_clrmd_says(env, core):
    """Each type, all objects and bytes of it: the two read the same file."""
    said = json.loads(heap_of_core(env, core, "--json").stdout)
    theirs, ours = {}, {}
    for name, counts in as_clrmd_says(env, core).items():
        theirs[as_clrmd_writes(name)] = tuple(map(sum, zip(counts, theirs.get(as_clrmd_writes(name), (0, 0)), strict=True)))
    for row in said["types"]:
        ours[as_clrmd_writes(row["type"])] = tuple(map(sum, zip((row["count"], row["bytes"]), ours.get(as_clrmd_writes(row["type"]), (0, 0)), strict=True)))
    check(not said["partial"] and said["came_pct"] == 100, f"not all was read: {said['came_pct']}")
    check_equal("types that are not equal", {name: (ours.get(name), theirs.get(name)) for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)}, {})
    return f"{len(ours)} types, {said['object_count']} objects, {said['bytes']} bytes"


@test
def a_core_is_as_clrmd_says(env):
    """Full dumps and those with heap, of both collectors; of the last objects of each thread, and of what nobody holds any more, too: before and after collections."""
    texts = []
    for server in "0", "1":
        with Holding(env, variables={"DOTNET_gcServer": server, "DOTNET_GCHeapCount": "2"}) as work:
            for steps, kind in (("thread maker 3000000",), "full"), (("collect", "grow 20000", "collect", "thread second 200000000"), "heap"):
                for step in steps:
                    work.do(step, 100)
                core = core_of(env, work.pid, kind)
                texts.append(f"{'server' if server == '1' else 'workstation'}, {kind}: {check_core_is_as_clrmd_says(env, core)}")
                core.unlink()
    return "; ".join(texts)


@test
def a_core_without_what_it_takes_says_so(env):
    """A small dump; one of a collector without regions."""
    with Holding(env) as work:
        core = core_of(env, work.pid, "normal")
        check("does not have the memory of the heap" in heap_of_core(env, core, status=3).stderr, "another reason of a small dump")
        core.unlink()
        core = core_of(env, work.pid, "full")
        text = heap_of_core(env, core)
        check("Holding.Order" in text.stdout and "what no collection has taken away yet" in text.stderr, f"no table: {text.stdout} {text.stderr}")
        core.unlink()
    with Holding(env, variables={"DOTNET_GCName": "libclrgc.so"}) as work:
        core = core_of(env, work.pid)
        check("no regions" in heap_of_core(env, core, status=3).stderr, "another reason of segments")
        core.unlink()


@test
def who_holds_as_clrmd_says_of_a_core(env):
    """What static fields alone hold; and each path to objects of a type: in ClrMD's heap there are at least as many objects at its end."""
    with Holding(env) as work:
        said = json.loads(heap(env, work.pid, "--json", "--paths", "Item").stdout)
        core = core_of(env, work.pid)
        check_equal("why there are no references", said["no_references"], None)
        asked = Asked(env, core)
        fields = {f"{field['class']}.{field['field']}": field for field in said["statics"]}
        for name, of in ALONE.items():
            field, theirs = fields[name], asked.ask(f"held {as_clrmd_writes(of)}").split()
            check_equal(f"type of {name}", field["type"], of)
            check(f"{field['held_bytes']}:{field['held_count']}" in theirs, f"{name} holds {field['held_bytes']} bytes of {field['held_count']} objects, and not any of {theirs}")
        check_equal("objects that s_first holds, as a list has its only one", fields["Holding.Archive.Shelf.s_first"]["held_count"], 0)
        (paths,) = said["paths"]
        check_equal("items", (paths["type"], paths["count"], paths["lost"], paths["left_out"]), ("Holding.Item", 3 * ORDERS, 0, 0))
        whole = whole_paths(paths["steps"])
        check_equal("items at the end of all paths", sum(count for _, count in whole), 3 * ORDERS)
        check_equal("fields at their begin", {path[-1] for path, _ in whole},
                    {"static Holding.Warehouse.s_orders", "static Holding.Warehouse.s_byName", "static Holding.Archive.Shelf.s_first"})
        for path, count in whole:
            steps = [as_clrmd_writes(name) for name in ["Holding.Item", *path[:-1]]]
            theirs = int(asked.ask("path " + "|".join(steps)))
            print(f"{count} of {theirs}: {' < '.join(steps)}")
            check(count <= theirs, f"only {theirs} in place of {count}: {steps}")
        asked.end()
        core.unlink()


def of_file(env, path, *options):
    done = subprocess.run([str(env.nettop), "heap", str(path), "--json", *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    check_equal(f"exit status of nettop heap FILE ({done.stderr[-500:]})", done.returncode, 0)
    return json.loads(done.stdout)


@test
def dotnet_gcdump_reads_what_nettop_writes(env):
    tool = run_script(REPO / "tests/tools/dotnet-tool.sh", "dotnet-gcdump")
    path = env.scratch / "own.gcdump"
    with Holding(env) as work:
        heap(env, work.pid, "-o", str(path))
        work.do("grow 500")
        after = json.loads(heap(env, work.pid, "--json", "--compare", str(path)).stdout)
    said = of_file(env, path, "--paths", "Item")
    check_as_reported(tool, path, said)
    check_equal("the process", (said["pid"], said["name"]), (after["pid"], "holding"))
    check(0 < after["time_unix_ns"] - said["time_unix_ns"] < END_S * 10**9, f"when: {said['time_unix_ns']}, {after['time_unix_ns']}")
    for name, count in HAS.items():
        check_equal(f"objects of {name}", types_of(said)[name]["count"], count)
    grew = {row["type"]: row["count"] - row["count_before"] for row in after["changes"]}
    check_equal("items more than in the file", grew["Holding.Item"], 1500)
    fields = {f"{field['class']}.{field['field']}": field for field in said["statics"]}
    check_equal("objects that s_orders holds by the file", fields["Holding.Warehouse.s_orders"]["held_count"], 54_002)
    check_equal("items with a path", said["paths"][0]["count"] - said["paths"][0]["lost"], 3 * ORDERS)


@test
def nettop_reads_what_dotnet_gcdump_writes(env):
    tool = run_script(REPO / "tests/tools/dotnet-tool.sh", "dotnet-gcdump")
    path = env.scratch / "theirs.gcdump"
    with Holding(env) as work:
        done = subprocess.run([tool, "collect", "-p", str(work.pid), "-o", str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
        check_equal(f"exit status of dotnet-gcdump collect ({done.stdout[-500:]})", done.returncode, 0)
    said = of_file(env, path, "--paths", "Holding.Item")
    check_as_reported(tool, path, said)
    for name in ("Holding.Order", "Holding.Item", "Holding.Customer", "Holding.Box<int>"):
        check_equal(f"objects of {name}", types_of(said)[name]["count"], HAS[name])
    check_equal("classes of static fields, which that tool does not know", {field["class"] for field in said["statics"] if field["field"] in ("s_orders", "s_byName")}, {None})
    check_equal("items with a path", (said["paths"][0]["count"], said["paths"][0]["lost"]), (3 * ORDERS, 0))
    check("static s_orders" in [step["by"] for step in said["paths"][0]["steps"]], f"no path from the field: {said['paths']}")


@test
def a_type_that_is_not_there_is_said(env):
    with Holding(env) as work:
        done = heap(env, work.pid, "--paths", "Nobody.Knows", status=2)
        check("no object of a type called Nobody.Knows" in done.stderr, f"no reason: {done.stderr}")
        check("Holding.Order" in done.stdout and "would be garbage without" in done.stdout, f"the rest was not told:\n{done.stdout}")


@test
def nothing_is_done_where_nobody_can_be_asked(env):
    with Holding(env) as work:
        done = subprocess.run([str(env.nettop), "heap", "-p", str(work.pid)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=30, check=False)
        check_equal("exit status", done.returncode, 2)
        check("--yes" in done.stderr and "stands still" in done.stderr, f"neither price nor what to do: {done.stderr}")
        check_equal("what was written", done.stdout, "")


def answered(env, pid, answer):
    """What nettop says to a person who answers so, and its exit status."""
    master, slave = open_terminal(24, 80)
    child = subprocess.Popen([str(env.nettop), "heap", "-p", str(pid)], stdin=slave, stdout=slave, stderr=slave, preexec_fn=take_terminal)
    os.close(slave)
    text, sent = "", False

    def ended():
        nonlocal text, sent
        try:
            text += os.read(master, 65536).decode("utf-8", "replace")
        except (BlockingIOError, OSError):
            pass
        if not sent and "[y/N]" in text:
            os.write(master, answer)
            sent = True
        return child.poll() is not None

    try:
        wait_until(ended, END_S, lambda: f"nettop ends after the answer:\n{text}")
        ended()
    finally:
        if child.poll() is None:
            child.kill()
        os.close(master)
    return text, child.returncode


@test
def a_person_is_asked_first(env):
    with Holding(env) as work:
        text, status = answered(env, work.pid, b"n\n")
        check_equal("exit status after a no", status, 1)
        check("Holding.Order" not in text, f"it was done all the same:\n{text}")
        text, status = answered(env, work.pid, b"\x03")
        check_equal("exit status after Ctrl-C", status, 1)
        text, status = answered(env, work.pid, b"y\n")
        check_equal(f"exit status after a yes ({text})", status, 0)
        check("Holding.Order" in text and "It stood still for" in text, f"no types:\n{text}")


def has_session(pid):
    """Has it a session? The collection is asked for next."""
    return any(task.joinpath("comm").read_text(encoding="utf-8").startswith(".NET EventPipe") for task in pathlib.Path(f"/proc/{pid}/task").iterdir())


def until_it_is_asked(env, work):
    """nettop that looks at a heap of some size; on return a session is there, and the collection is about to be asked for. The program is told to do something, which it does when it goes on."""
    child = LineProcess([str(env.nettop), "heap", "--yes", "-p", str(work.pid)], os.environ.copy(), env.scratch / "heap.err")
    wait_until(lambda: not child.alive() or has_session(work.pid), END_S, "nettop has a session with it", step=0.001)
    work.process.send_line("grow 1")
    return child


def goes_on_after(env, end):
    with Holding(env) as work:
        work.do(f"fill {SMALL_MB}", 120)
        orders = work.do("grow 1")["orders"]
        child = until_it_is_asked(env, work)
        end(child)
        check_equal("orders of the process that goes on", work._answer(END_S)["orders"], orders + 1)
        if child.alive():
            child.kill()
        # Types are named to the next who asks, and to them all: no session is left.
        said = json.loads(heap(env, work.pid, "--json").stdout)
        check_equal("orders by the next look", types_of(said)["Holding.Order"]["count"], ORDERS + 2 + SMALL_MB * 5000)
        check_equal("exit status of the program", work.quit(END_S), 0)


@test
def a_process_goes_on_when_nettop_is_killed(env):
    goes_on_after(env, lambda child: child.signal(signal.SIGKILL))


@test
def a_process_goes_on_when_nettop_hangs(env):
    goes_on_after(env, lambda child: child.signal(signal.SIGSTOP))


@test
def a_process_goes_on_when_nettop_is_interrupted(env):
    goes_on_after(env, lambda child: child.signal(signal.SIGINT))


@test
def little_memory_is_left_to_the_process(env):
    with memory_group() as group:
        with Holding(env, under=group.under) as work:
            group.limit(group.used_bytes() + (40 << 20))
            done = heap(env, work.pid, status=1)
            check("too little memory" in done.stderr and "cgroup" in done.stderr, f"another reason: {done.stderr}")
            check_equal("what the program has afterwards", work.do("grow 1")["orders"], ORDERS + 1)


def watched_heap(env, work, *options):
    """What nettop says, on which its own memory at most (MB), and that of the process more than before (MB), at its peak."""
    before = rss(work.pid)
    pathlib.Path(f"/proc/{work.pid}/clear_refs").write_text("5", encoding="ascii")  # the peak is that of what comes
    done = subprocess.run(["/usr/bin/env", "time", "-f", "%M", str(env.nettop), "heap", "--yes", "--json", "-p", str(work.pid), *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=400, check=True)
    return json.loads(done.stdout), done.stderr, int(done.stderr.strip().splitlines()[-1]) / 1024, (rss(work.pid, "HWM") - before) / 2**20


def heap_of(env, megabytes):
    """Small objects: each type as ClrMD says; pause, memory of the process, our own."""
    with Holding(env) as work:
        work.do(f"fill {megabytes}", 300)
        work.do("collect", 100)
        begin, end = work.do("collect", 100)["paused_ns"], work.do("collect", 100)["paused_ns"]
        said, _, ours_mb, more_mb = watched_heap(env, work)
        after = work.do("grow 0")["paused_ns"]
        collection_s, paused_s, objects = (end - begin) / 1e9, (after - end) / 1e9, said["object_count"]
        text = (f"{objects / 1e6:.1f} M objects, {said['bytes'] / 2**20:.0f} MB; a forced collection {collection_s:.2f} s, with the look {paused_s:.2f} s by the runtime, {said['pause_ns'] / 1e9:.2f} s by "
                f"nettop, {said['took_ns'] / 1e9:.2f} s in all; came {said['came_pct'] or 0:.0f} %, nettop {ours_mb:.0f} MB, the process {more_mb:.0f} MB more; ")
        print(text)
        check_limit("our own memory, MB", ours_mb, 64)
        check_limit("memory of the process, MB more", more_mb, 260)
        # The runtime's own figure leaves the look out, for which the process stands still as well.
        check_limit("pause, s", max(paused_s, said["pause_ns"] / 1e9), 1.1 * collection_s + 0.2e-6 * objects)
        if said["partial"]:
            raise OutOfLimit(f"only {said['came_pct'] or 0:.0f} % came")
        check_equal("orders", types_of(said)["Holding.Order"]["count"], ORDERS + megabytes * 5000)
        return text + check_as_clrmd_says(env, work, said)


@long_test
def a_heap_of_100_mb(env):
    return heap_of(env, 121)


@long_test
def a_heap_of_a_gigabyte(env):
    return heap_of(env, 1210)


@long_test
def references_take_what_was_said(env):
    """Of a larger heap there are paths, or the reason why not, and nettop takes no more than it says before."""
    with Holding(env) as work:
        texts = []
        for megabytes, limit_mb in ((100, 400), (300, 1024), (700, 1024)):
            work.do(f"fill {megabytes}", 300)
            said, price, ours_mb, more_mb = watched_heap(env, work, "--paths", "Item")
            check("nettop itself up to" in price, f"no price: {price}")
            check_limit(f"our own memory at {megabytes} MB more, MB", ours_mb, limit_mb + 64)
            check_limit(f"memory of the process at {megabytes} MB more, MB", more_mb, 520)
            check(said["no_references"] or said["paths"][0]["count"] == types_of(said)["Holding.Item"]["count"], f"neither paths nor a reason: {said['paths']}")
            texts.append(f"{said['object_count'] / 1e6:.1f} M objects: {said['no_references'] or 'paths'}, nettop {ours_mb:.0f} MB, the process {more_mb:.0f} MB more, {said['took_ns'] / 1e9:.1f} s")
        check("paths" in texts[0], f"none of 100 MB: {texts[0]}")
        return "; ".join(texts)


def rss(pid, what="RSS"):
    return int(re.search(rf"^Vm{what}:\s+(\d+) kB", pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii"), re.M)[1]) << 10


@test
def ctrl_z_stops_it_when_the_process_goes_on(env):
    """While it is read the process waits for nettop: that is over before nettop stands still, and what it has read is written when it is continued."""
    with Holding(env) as work:
        work.do("fill 200", 60)
        child = LineProcess([str(env.nettop), "heap", "--yes", "-p", str(work.pid)], os.environ.copy(), env.scratch / "heap.err")
        wait_until(lambda: sessions_of(work.pid) or not child.alive(), 30, "the heap is being read")
        child.signal(signal.SIGTSTP)
        wait_until(lambda: "\nState:\tT" in pathlib.Path(f"/proc/{child.pid}/status").read_text(encoding="ascii"), 30, "nettop stands still")
        check("Ctrl-Z: as soon as" in child.stderr_text(), child.stderr_text())
        wait_until(lambda: sessions_of(work.pid) == 0, 30, "its sessions have ended")
        work.do("fill 1", 30)
        child.signal(signal.SIGCONT)
        lines = []
        while (line := child.read_line(30)) is not None:
            lines.append(line)
        check_equal(f"exit status ({child.stderr_text()[-400:]})", child.wait(30), 0)
    check(any("Byte[]" in line or "byte[]" in line for line in lines), f"report: {lines[:8]}")


if __name__ == "__main__":
    main()
