#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""`nettop heap --core`: what refers to what in a core dump, what keeps objects alive, whose static fields there are; by ClrMD's word, the runtime's own, and that of dotnet-gcdump."""
import collections
import json
import subprocess

from nt_live import check, check_equal, main, test
from nt_live.environment import REPO, run_script
from nt_live.gcdump import Gcdump, check_as_reported
from nt_live.heap_cores import ALONE, Asked, as_clrmd_writes, core_of, heap_of_core, whole_paths
from nt_live.process import run
from nt_live.shop import Shop
from nt_live.workload import Holding

STACKS = "stacks of threads (~, words that look like references)"
# An object of each, and the root that a path to it begins at.
KEPT = {"Holding.ByField": "static Holding.Store<Holding.ByField>.s_kept", "Holding.ByThread": "fields of threads ([ThreadStatic])", "Holding.ByHandle": "handles",
        "Holding.ByKey": "static Holding.Warehouse.s_orders", "Holding.ByStack": STACKS, "Holding.ByNobody": STACKS}


def graph_of(env, core):
    path = env.scratch / "core.gcdump"
    heap_of_core(env, core, "-o", str(path))
    graph = Gcdump(path.read_bytes())
    path.unlink()
    return graph


class Theirs:
    """What ClrMD says of it (tests/tools/clrmd/References.cs)."""

    def __init__(self, core):
        reader = run_script(REPO / "tests/tools/nuget-program.sh", "clrmd")
        done = subprocess.run(["dotnet", reader, str(core), "references"], stdout=subprocess.PIPE, text=True, timeout=120, check=True)
        self.edges, self.kept = collections.Counter(), collections.defaultdict(list)
        for kind, rest in (line.split(" ", 1) for line in done.stdout.splitlines()):
            if kind == "edges":
                count, names = rest.split(" ", 1)
                self.edges[tuple(as_clrmd_writes(name) for name in names.split("\t"))] += int(count)
            else:
                self.kept[kind].append(int(rest))


def edges_of(graph):
    """By types."""
    edges = collections.Counter()
    for node, name in enumerate(graph.types):
        if not name.startswith("["):
            edges.update((as_clrmd_writes(name), as_clrmd_writes(graph.types[to])) for to in graph.edges[node])
    return edges


# Static fields lie in such arrays. What they refer to is not held by the array, but by the field.
ARRAYS = "System.Object[]"


def check_references(env, core):
    graph, theirs = graph_of(env, core), Theirs(core)
    ours = edges_of(graph)
    check_equal("references of types that are not equal", {pair: (ours[pair], theirs.edges[pair]) for pair in ours.keys() | theirs.edges.keys()
                                                           if ours[pair] != theirs.edges[pair] and pair[0] != ARRAYS}, {})
    check_equal("references", sum(ours.values()), sum(theirs.edges.values()))
    check_equal("objects that handles keep", sorted(graph.kept_by("[handles]")), sorted(theirs.kept["handle"]))
    check_equal("objects that wait for their finalizer", sorted(graph.kept_by("[waits for its finalizer]")), sorted(theirs.kept["finalizer"]))
    check(len(theirs.kept["handle"]) > 5 and theirs.kept["stack"], f"too little: {theirs.kept}")
    stacks = set(graph.kept_by(f"[{STACKS}]"))
    check_equal("objects of frames that no root leads to", set(theirs.kept["stack"]) - {graph.addresses[node] for node in graph.reached()}, set())
    return f"{sum(ours.values())} references between {len(ours)} pairs of types, {len(theirs.kept['handle'])} handles, {len(set(theirs.kept['stack']))} on stacks, {len(stacks)} that only a stack may hold"


@test
def references_are_as_clrmd_says(env):
    """Of a full dump and one with heap, of both collectors: how many there are, between which types; and what keeps them alive."""
    texts = []
    for server, kind in (("0", "full"), ("1", "heap")):
        with Holding(env, variables={"DOTNET_gcServer": server, "DOTNET_GCHeapCount": "2"}) as work:
            work.do("keep")
            work.do("thread maker 3000000", 100)
            core = core_of(env, work.pid, kind)
            texts.append(f"{'server' if server == '1' else 'workstation'}, {kind}: {check_references(env, core)}")
            core.unlink()
    return "; ".join(texts)


@test
def a_web_server_is_as_clrmd_says(env):
    """A shop with customers (ASP.NET Core), in the middle of requests."""
    with Shop(env) as work:
        core = core_of(env, work.pid)
        said = check_references(env, core)
        core.unlink()
        return said


@test
def what_keeps_an_object_is_told(env):
    """One object of each sort of root."""
    with Holding(env) as work:
        work.do("keep")
        core = core_of(env, work.pid)
        for name, root in KEPT.items():
            (paths,) = json.loads(heap_of_core(env, core, "--json", "--paths", name).stdout)["paths"]
            check_equal(f"objects of {name}", (paths["count"], paths["lost"]), (1, 0))
            check_equal(f"what keeps {name}", [path[-1] for path, _ in whole_paths(paths["steps"])], [root])
        (paths,) = json.loads(heap_of_core(env, core, "--json", "--paths", "Holding.ByFinalizer").stdout)["paths"]
        roots = {path[-1] for path, _ in whole_paths(paths["steps"])}
        check("waits for its finalizer" in roots, f"nobody waits for a finalizer: {roots}")
        text = heap_of_core(env, core, "--held")
        check("what is held so may be garbage" in text.stderr and "Holding.Warehouse.s_orders" in text.stdout, f"nothing said: {text.stdout} {text.stderr}")
        core.unlink()


def fields_of(said):
    return {f"{field['class']}.{field['field']}": field for field in said["statics"]}


@test
def static_fields_are_as_the_runtime_says(env):
    """The same fields as the runtime told of while it went on, with what they hold, as ClrMD says, too. Those of generic types the runtime does not tell of."""
    with Holding(env) as work:
        done = run([str(env.nettop), "heap", "--yes", "-p", str(work.pid), "--json", "--held"])
        live = json.loads(done.stdout)
        core = core_of(env, work.pid)
        said = json.loads(heap_of_core(env, core, "--json", "--held").stdout)
        check_equal("why there are no references", said["no_references"], None)
        check_equal("static fields are missing", said["statics_partial"], False)
        before, now = fields_of(live), fields_of(said)
        check_equal("fields that the core does not have", sorted(name for name in before if name not in now), [])
        check_equal("types of their objects that differ", [name for name in before if before[name]["type"] != now[name]["type"] and name.startswith("Holding.")], [])
        more = [name for name in now if name not in before]
        check("System.Buffers.ArrayPool<char>.s_shared" in more, f"no field of a generic type among {more}")
        asked = Asked(env, core)
        for name, of in ALONE.items():
            field = now[name]
            check_equal(f"type of {name}", field["type"], of)
            theirs = [int(held.split(":")[0]) for held in asked.ask(f"held {as_clrmd_writes(of)}").split()]
            check(before[name]["held_bytes"] in theirs, f"the runtime does not say as ClrMD does what {name} holds: {before[name]}, {theirs}")
            check_equal(f"what {name} holds", (field["held_bytes"], field["held_count"]), (before[name]["held_bytes"], before[name]["held_count"]))
        asked.end()
        core.unlink()
        return f"{len(before)} fields as the runtime says, {len(more)} more"


@test
def dotnet_gcdump_reads_what_is_made_of_a_core(env):
    """Types, objects and bytes as in the table; what fields hold by the file is what they hold by the core."""
    tool = run_script(REPO / "tests/tools/dotnet-tool.sh", "dotnet-gcdump")
    path = env.scratch / "of-a-core.gcdump"
    with Holding(env) as work:
        core = core_of(env, work.pid, "heap")
        heap_of_core(env, core, "-o", str(path))
        said = json.loads(heap_of_core(env, core, "--json", "--held").stdout)
        core.unlink()
        check_as_reported(tool, path, said)
        of_file = json.loads(run([str(env.nettop), "heap", str(path), "--json"]).stdout)
        path.unlink()
        theirs, ours = fields_of(of_file), fields_of(said)
        check_equal("what fields hold by the file", {name: theirs[name]["held_bytes"] for name in ALONE}, {name: ours[name]["held_bytes"] for name in ALONE})


if __name__ == "__main__":
    main()
