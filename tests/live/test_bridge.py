#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""The bridge (src/ust0) against the genuine lttng-ust 2.12: what it delivers must be the same, and where it cannot serve it must not be noticed."""
import os
import re
import subprocess

from nt_live import *
from nt_live.lttng import command
from nt_live.old_abi import OLD, OldProvider, descriptions_are_equal, exit_dotnet_often, exit_often, hide, sentinel_is_switched

EXPORTED = {
    "liblttng-ust.so.0": "lttng_probe_register lttng_probe_unregister",
    "liblttng-ust-tracepoint.so.0": """tracepoint_register_lib tp_rcu_read_lock_bp tp_rcu_read_unlock_bp tp_rcu_dereference_sym_bp tp_get_destructors_state
        tp_disable_destructors __tracepoints__disable_destructors lttng_ust_urcu_synchronize_rcu""",
}
ROUNDS = 300


def libraries_of(pid):
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
        return {line.split()[-1] for line in maps if "liblttng-ust" in line}


def on_one_cpu(pid):
    """One CPU has one buffer: the order of events is theirs."""
    for task in os.listdir(f"/proc/{pid}/task"):
        os.sched_setaffinity(int(task), {min(os.sched_getaffinity(0))})


def first_difference(ours, theirs):
    at = next((i for i, pair in enumerate(zip(ours, theirs)) if pair[0] != pair[1]), min(len(ours), len(theirs)))
    return f"{len(ours)} and {len(theirs)} lines; line {at}:\n  bridge:  {ours[at:at + 1]}\n  genuine: {theirs[at:at + 1]}"


def record_old_provider(env, daemon, libraries):
    """Two sessions at once, one of them with filters and a context: (events of one, events of the other, descriptions, list of events)."""
    label = "bridge" if libraries == env.bridge_dir else "genuine"
    with OldProvider(env, libraries) as program:
        daemon.wait_for_app(program.pid)
        on_one_cpu(program.pid)
        listed = re.findall(rf"{OLD}:\S+ \(loglevel: [^)]*\)", command("lttng", "list", "-u"))
        everything = Session(env, f"all-{label}").enable(f"{OLD}:*").start()
        chosen = Session(env, f"some-{label}").add_context("procname")
        chosen.enable(f"{OLD}:integers", "unseen > 100 && s8 != 7").enable(f"{OLD}:lists", 'unseen_text == "round 1*" && sequence_hex[0] != 3')
        chosen.enable(f"{OLD}:arguments", "b < 20.5 || $ctx.procname == \"nobody\"").enable(f"{OLD}:pair_b").start()
        program.do(f"go {ROUNDS}")
        for session in (chosen, everything):
            session.stop()
        check_equal(f"{label}: exit status", program.quit(), 0)
    return everything.events(OLD), chosen.events(OLD), everything.described(OLD), sorted(listed)


@long_test
def old_program_records_the_same_bytes(env):
    with SessionDaemon(env) as daemon:
        bridge = record_old_provider(env, daemon, env.bridge_dir)
        genuine = record_old_provider(env, daemon, env.genuine_dir)
    kinds = 8
    check_equal("kinds of events", len(bridge[2]), kinds)
    check_equal("events", len(bridge[0]), kinds * ROUNDS)
    check(0 < len(bridge[1]) < 4 * ROUNDS, f"{len(bridge[1])} events pass the filters")
    for what, ours, theirs in zip(("events", "filtered events"), bridge, genuine):
        check(ours == theirs, f"{what}: {first_difference(ours, theirs)}")
    check_equal("descriptions", bridge[2], genuine[2])
    check_equal("lttng list -u", bridge[3], genuine[3])
    return f"{len(bridge[0])} and {len(bridge[1])} events"


@long_test
def dotnet_describes_its_events_the_same(env):
    return f"{descriptions_are_equal(env)} events"


@test
def sentinel_alone_in_mode_none(env):
    return sentinel_is_switched(env, "none")


@long_test
def sentinel_alone_in_mode_n(env):
    return sentinel_is_switched(env, "N")


@test
def genuine_library_first_is_used(env):
    with SessionDaemon(env) as daemon, Workload(env, mode="N", libraries=f"{env.genuine_dir}:{env.bridge_dir}") as work:
        daemon.wait_for_app(work.pid)
        loaded = libraries_of(work.pid)
        check(any(path.startswith(str(env.genuine_dir)) for path in loaded), f"not loaded: {loaded}")
        check(not any(path.startswith(str(env.bridge_dir)) for path in loaded), f"the bridge is loaded, too: {loaded}")
        session = Session(env, "genuine").enable("DotNETRuntime:GC*").start()
        work.do("gc 2")
        check(session.stop().counts("DotNETRuntime")["GCEnd_V1"] > 0, "no event")


@test
def exits_with_threads_still_emitting(env):
    return exit_often(env, 20)


@long_test
def dotnet_exits_with_threads_still_emitting(env):
    return exit_dotnet_often(env, 5)


@test
def without_lttng_nobody_notices(env):
    """None of its libraries, or one of them: as where LTTng is absent, or has a soname of the future."""
    for hidden in (["liblttng-ust.so.1"], ["liblttng-ust-common.so.1", "liblttng-ust-tracepoint.so.1", "liblttng-ust.so.1"]):
        for debug in ("0", "1"):
            with OldProvider(env, env.bridge_dir, {"NETTOP_UST0_DEBUG": debug}, under=hide(*hidden)) as program:
                program.do("go 10")
                check_equal("exit status", program.quit(), 0)
                said = program.stderr_text()
            check(("no tracing" in said) if debug == "1" else not said, f"without {hidden}, debug {debug}: {said!r}")
        with Workload(env, mode="N", under=hide(*hidden)) as work:
            work.do("gc 1")
            check_equal("exit status", work.quit(), 0)
            check_equal("stderr", work.process.stderr_text(), "")


def build_future_lttng(env):
    """A program with the bridge in its global scope, and a plugin that brings a library of a future soname with LTTng's function in it."""
    env.need_commands("gcc")

    def build(target, source, *flags):
        subprocess.run(["gcc", "-x", "c", "-o", env.scratch / target, "-", "-x", "none", *flags], input=source, text=True, check=True)

    build("liblttng-ust-common.so.2", """
        #include <unistd.h>
        void lttng_ust_urcu_synchronize_rcu(void) { write(1, "waited\\n", 7); }
        """, "-shared", "-fPIC", "-Wl,-soname,liblttng-ust-common.so.2")
    build("plugin.so", "void lttng_ust_urcu_synchronize_rcu(void); void work(void) { lttng_ust_urcu_synchronize_rcu(); }",
          "-shared", "-fPIC", "-Wl,--no-as-needed", env.scratch / "liblttng-ust-common.so.2", "-Wl,-rpath,$ORIGIN")
    build("host", """
        #include <dlfcn.h>
        int main(int argc, char **argv)
        {
            void *bridge = dlopen("liblttng-ust-tracepoint.so.0", RTLD_NOW | RTLD_GLOBAL);
            void *plugin = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : 0;
            void (*work)(void) = plugin ? (void (*)(void))dlsym(plugin, "work") : 0;
            if (bridge && work)
                work();
            return !(bridge && work);
        }
        """, "-ldl")
    return [str(env.scratch / "host"), str(env.scratch / "plugin.so")]


@test
def lttng_of_a_future_soname_keeps_its_grace_periods(env):
    """The bridge has a function of LTTng's name (src/ust0/grace.h), which must lead on to the caller's own library."""
    words = hide("liblttng-ust-common.so.1", "liblttng-ust-tracepoint.so.1", "liblttng-ust.so.1") + build_future_lttng(env)
    done = subprocess.run(words, env=os.environ | {"LD_LIBRARY_PATH": str(env.bridge_dir)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=20, check=False)
    check_equal("status, stdout and stderr", (done.returncode, done.stdout, done.stderr), (0, "waited\n", ""))


@test
def lttng_loaded_before_the_bridge(env):
    """Grace periods are not announced then: the one call site without a predecessor stays silent, all others work."""
    with SessionDaemon(env) as daemon, OldProvider(env, env.bridge_dir, {"LD_PRELOAD": "liblttng-ust.so.1"}) as program:
        daemon.wait_for_app(program.pid)
        session = Session(env, "preloaded").enable(f"{OLD}:*").start()
        program.do("go 50")
        seen = session.stop().counts(OLD)
        check_equal("exit status", program.quit(), 0)
    check_equal("events of each kind", sorted(seen.values()), [50] * 7)


@test
def only_what_must_be_is_exported(env):
    """tracepoint_unregister_lib and ltt_probe_register would make LTTng think that its old libraries are loaded."""
    for library, names in EXPORTED.items():
        text = command("nm", "-D", "--defined-only", str(env.bridge_dir / library))
        check_equal(library, sorted(line.split()[-1] for line in text.splitlines()), sorted(names.split()))
        needed = subprocess.run(["readelf", "-d", env.bridge_dir / library], stdout=subprocess.PIPE, text=True, check=True).stdout
        check("liblttng" not in "".join(re.findall(r"NEEDED.*", needed)), f"{library} needs LTTng to load")
        check("NODELETE" in needed, f"{library} can be unloaded")


if __name__ == "__main__":
    main()
