# SPDX-License-Identifier: GPL-2.0-only
"""What becomes of samples: names, and reasons where there is none."""
import dataclasses
import subprocess

from nt_live import Failure, Nettop, NettopRun, WebServer, Workload

from .contenders import RATE
from .load import STEADY, working
from .report import Row

FIRST_S = 5
DEADLINE_S = 60
MANAGED = ("jit", "r2r", "stub")
NATIVE = ("native", "runtime", "kernel")
CLASSES = ("named", "stub", "bounded", "reason", "lost")
UNNAMED_METHODS, UNNAMED_NATIVE, MUTE = 1, 2, 0  # greatest shares, %


@dataclasses.dataclass(frozen=True)
class Target:
    """A program of the tests, how it is started, and what it works on."""
    name: str
    dll: object       # environment -> path
    start: object     # environment -> context, with do()
    work: tuple
    first_work: str   # for FIRST_S


TARGETS = (
    Target("workload", lambda env: env.workload_dll, lambda env: Workload(env, mode="none", perf_map=False, lttng=False), STEADY, f"compute {FIRST_S * 1000}"),
    Target("ASP.NET Core", lambda env: env.web_dll, WebServer, ("mixed 500",), f"mixed {FIRST_S * 1000}"),
)


def class_of(row):
    """Of a row of methods."""
    return row["naming"] if row["naming"] in CLASSES else "reason"


def _share(part, whole):
    return 100 * part / whole if whole else 0.0


def _lost(summary):
    return sum(source.get("lost") or 0 for source in summary["sources"] if source["name"] == "perf")


def _rows(title, summary):
    """Of the samples of a whole run."""
    samples = {name: 0 for name in CLASSES} | {"lost": _lost(summary)}
    by_kind = {}
    for row in summary["methods"]:
        samples[class_of(row)] += row["self_samples"]
        known, all_of_kind = by_kind.get(row["kind"], (0, 0))
        by_kind[row["kind"]] = (known + (0 if class_of(row) == "reason" else row["self_samples"]), all_of_kind + row["self_samples"])
    whole = sum(samples.values())
    mute = sum(row["self_samples"] for row in summary["methods"] if class_of(row) == "reason" and not row["reason"])
    if not whole:
        raise Failure(f"{title}: nettop saw no samples")

    def unknown(kinds):
        known, all_of_them = (sum(by_kind.get(kind, (0, 0))[i] for kind in kinds) for i in (0, 1))
        return _share(all_of_them - known, all_of_them)

    return [
        *(Row(f"{title}: samples {name}", _share(count, whole), "%", note=f"{count} samples") for name, count in samples.items()),
        Row(f"{title}: of managed samples, without the method's name", unknown(MANAGED), "%", limit=UNNAMED_METHODS),
        Row(f"{title}: of native samples, without a symbol or exact bounds", unknown(NATIVE), "%", limit=UNNAMED_NATIVE),
        Row(f"{title}: of all samples, with neither a name nor a reason", _share(mute, whole), "%", limit=MUTE),
    ]


def _reasons(summary):
    """The most frequent ones: `reason 12, …`."""
    counts = {}
    for row in summary["methods"]:
        if class_of(row) == "reason":
            counts[row["reason"]] = counts.get(row["reason"], 0) + row["self_samples"]
    return ", ".join(f"{reason} {count}" for reason, count in sorted(counts.items(), key=lambda item: -item[1])[:5])


def _first_seconds(bench, target):
    """Summary of nettop, which is there before the program."""
    with NettopRun(bench.env, "dotnet", target.dll(bench.env), options=RATE, interval_s=1) as nettop:
        nettop.answer(lambda answer: answer.get("ready"))
        nettop.send(target.first_work)
        nettop.send("quit")
        if nettop.read_to_end(DEADLINE_S) != 0:
            raise Failure(f"nettop run: {nettop.process.stderr_text()[-800:]}")
        return nettop.summary


def _steady(bench, target):
    """Summary of a nettop that comes when the program has long been at work."""
    with target.start(bench.env) as program, working(program, target.work):
        subprocess.run(["sleep", str(bench.plan.warm_up_s)], check=True)
        with Nettop(bench.env, program.pid, *RATE, interval_s=1) as nettop:
            for _ in range(int(bench.plan.whole_s)):
                nettop.wait_for(lambda line: True, DEADLINE_S, "an interval")
            return nettop.stop()


def names(bench, notes):
    rows = []
    for target in TARGETS:
        for phase, look in ((f"first {FIRST_S} s", _first_seconds), ("steady", _steady)):
            title = f"{target.name}, {phase}"
            summary = look(bench, target)
            rows += _rows(title, summary)
            notes.append(f"Without a name, {title}: {_reasons(summary) or 'nothing'}.")
            bench.say(f"{title}: " + ", ".join(f"{row.what.split(': ')[1]} {row.value:.2f} %" for row in rows if row.what.startswith(title)))
    return rows
