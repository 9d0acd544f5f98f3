# SPDX-License-Identifier: GPL-2.0-only
"""The tables of doc/RESULTS.md."""
import dataclasses

from .paired import pooled


def number(value):
    """Three significant digits, never an exponent."""
    digits = 3 - len(str(int(abs(value)))) if abs(value) >= 1 else 4
    return f"{value:.{max(digits, 0)}f}"


@dataclasses.dataclass(frozen=True)
class Row:
    """
    One comparison. `limit` is the most that value, or value : peer when there is a peer, may be; None = for information.
    What is only known within bounds says so: whether it holds may then be not decided, and `holds` is None.
    """
    what: str
    value: float
    unit: str
    peer_name: str = ""
    peer: float = None
    limit: float = None
    note: str = ""
    interval: tuple = None  # in which the value lies, in 95 % of all cases
    excess: tuple = None    # likewise, by how much the value is above what its limit allows

    @property
    def ratio(self):
        return self.value / self.peer if self.peer else None

    @property
    def holds(self):
        if self.limit is None:
            return None
        if self.excess:
            return True if self.excess[1] <= 0 else False if self.excess[0] > 0 else None
        if self.peer is None:
            return self.value <= self.limit
        return self.value <= self.limit * self.peer

    def measured(self):
        """What nettop needs, what the peer needs, and their ratio, as text."""
        interval = f" ({number(self.interval[0])} to {number(self.interval[1])})" if self.interval else ""
        return [f"{number(self.value)} {self.unit}{interval}", f"{self.peer_name} {number(self.peer)} {self.unit}" if self.peer else "",
                f"{self.ratio:.3f}" if self.peer else ""]

    def limit_text(self):
        text = f"{self.limit:.3f}".rstrip("0").rstrip(".")
        return f"<= {text}{'' if self.peer is not None else ' ' + self.unit}"

    def sentence(self):
        return f"{self.what}: {', '.join(text for text in self.measured() if text)}; limit {self.limit_text()}"


def _of_two_runs(earlier, later):
    if not (earlier and earlier.interval and later.interval):
        return later
    interval, weights = pooled(earlier.interval, later.interval)
    changes = {"interval": interval, "value": sum(weight * row.value for weight, row in zip(weights, (earlier, later)))}
    if later.note:
        changes["note"] = f"two runs together; of the later one: {later.note.removeprefix('two runs together; of the later one: ')}"
    if later.excess:
        changes["excess"], weights = pooled(earlier.excess, later.excess)
    if later.peer is not None:
        changes["peer"] = sum(weight * row.peer for weight, row in zip(weights, (earlier, later)))
    return dataclasses.replace(later, **changes)


def of_two_runs(earlier, later):
    """The rows of both, where their intervals are known; else the later ones."""
    known = {(row.what, row.peer_name, row.limit): row for row in earlier}
    return [_of_two_runs(known.get((row.what, row.peer_name, row.limit)), row) for row in later]


HOLDS = {True: "yes", False: "**no**", None: "not decided"}


def _table(head, lines):
    return "".join(f"| {' | '.join(cells)} |\n" for cells in [head, ["---"] * len(head), *lines])


def _limits(rows):
    return _table(["what", "nettop", "peer", "ratio", "limit", "holds"],
                  [[row.what, *row.measured(), row.limit_text(), HOLDS[row.holds]] for row in rows if row.limit is not None])


def _others(rows):
    return _table(["what", "nettop", "peer", "ratio", "remarks"],
                  [[row.what, *row.measured(), row.note] for row in rows if row.limit is None])


def section(title, machine, method, rows, notes):
    """Everything that a run of the bench says: the limits first."""
    parts = [f"## {title}", "".join(f"{sentence}.  \n" for sentence in machine), method, "### Limits\n", _limits(rows),
             "### For information\n", _others(rows), "".join(f"- {note}\n" for note in notes)]
    return "\n".join(part for part in parts if part)
