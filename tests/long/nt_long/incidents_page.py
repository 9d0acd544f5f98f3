#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""doc/INCIDENTS.md, to standard output: of the table of incidents, and of what tests/long/test_incident_screens.py saw last of each (tests/data/incidents)."""
import json
import pathlib
import re
import sys
import typing

REPO = pathlib.Path(__file__).resolve().parents[3]
PAGE, SEEN = REPO / "doc/INCIDENTS.md", REPO / "tests/data/incidents"
PARTS = {"before": "nettop was there", "after": "nettop came later", "key": "after the key"}

HEAD = """# Incidents

Fifteen things that go wrong in production (who takes the CPU is two), and where nettop shows them. The program is a web service at work, 36 requests a second (`tests/live/shop`); nettop is started as `nettop -p PID`, with
nothing set before, in a terminal of 80x24. `tests/long/test_incident_screens.py` makes each happen and keeps what was on the screen; `make doc/INCIDENTS.md` made this page of it.

Seconds are from the moment when it begins until the first screen says so, for a nettop that was there; and from its start, for one that came when it had begun. Keys are those that
lead from the first screen to the method, type, lock or peer. Where nothing was said, the page says that, and shows the screen that said nothing.
"""


class Sight(typing.NamedTuple):
    """A screen, and how long it took until it said what it should; None: it did not."""

    seconds: float | None
    screen: str


def keep(row, seen, date):
    """What was seen of an incident, {part: sight}, in place of what was seen before."""
    SEEN.mkdir(parents=True, exist_ok=True)
    parts = {part: {"seconds": sight.seconds, "screen": [line.rstrip() for line in sight.screen.rstrip("\n").replace(str(REPO), "/srv/nettop").split("\n")]} for part, sight in seen.items()}
    (SEEN / f"{row.name}.json").write_text(json.dumps({"date": date, **parts}, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def read(row):
    """The same, and when that was; None for both when nobody has looked yet."""
    path = SEEN / f"{row.name}.json"
    if not path.exists():
        return None, None
    found = json.loads(path.read_text(encoding="utf-8"))
    return {part: Sight(found[part]["seconds"], "\n".join(found[part]["screen"])) for part in PARTS if part in found}, found["date"]


def title(row):
    text = row.name.replace("_", " ")
    return (text[0].upper() + text[1:]).replace("Cpu", "CPU").replace("Loh", "LOH").replace(" gc ", " GC ").replace("Server gc", "Server GC")


def said(row, sight):
    """The line of the first screen that says it, as far as a table has room."""
    line = next((line for line in sight.screen.split("\n") if re.search(row.first, line)), "")
    return re.sub(r"\s{2,}", " ", line.strip().removeprefix("! ")).replace("|", "\\|")


def cell(seen, part):
    return "" if part not in seen else "no" if seen[part].seconds is None else f"{seen[part].seconds:.1f}"


def table_row(row):
    seen, _ = read(row)
    if not seen:
        return f"| {title(row)} | | | | | not tried yet |"
    unnamed = [PARTS[part] for part in PARTS if part in seen and seen[part].seconds is None]
    keys = f"`{row.key}`" if row.key else "none"
    return f"| {title(row)} | {cell(seen, 'before')} | {cell(seen, 'after')} | {keys} | {said(row, seen['before'])} | {'; '.join(unnamed)} |"


def screens(row, seen):
    for part in ("before", "key"):
        if part not in seen:
            continue
        what = "The first screen" if part == "before" else f"Key `{row.key}`"
        seconds = seen[part].seconds
        when = "does not say it" if seconds is None else f"{seconds:.1f} s {'after it began' if part == 'before' else 'later'}"
        yield f"{what}, {when}:\n\n```\n{seen[part].screen}\n```"


def section(row):
    seen, date = read(row)
    parts = [f"## {title(row)}", row.happened, f"**What to do.** {row.todo}", row.note, f"**Not named today.** {row.gap}" if row.gap else ""]
    parts += [*screens(row, seen), f"Seen on {date}."] if seen else ["Not tried yet."]
    return "\n\n".join(part for part in parts if part)


def page(incidents):
    table = ["| incident | there: s | later: s | keys | the first screen says | not named by nettop today |", "|---|---|---|---|---|---|", *map(table_row, incidents)]
    return "\n\n".join([HEAD.strip(), "\n".join(table), *map(section, incidents)]) + "\n"


if __name__ == "__main__":
    sys.path[:0] = [str(REPO / "tests/long"), str(REPO / "tests/live")]
    from nt_long.incidents import INCIDENTS

    sys.stdout.write(page(INCIDENTS))
