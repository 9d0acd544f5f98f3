# SPDX-License-Identifier: GPL-2.0-only
"""The tables of doc/RESULTS.md."""
import dataclasses

BEGIN, END = "<!-- make bench: begin -->", "<!-- make bench: end -->"


def number(value):
    """Three significant digits, never an exponent."""
    digits = 3 - len(str(int(abs(value)))) if abs(value) >= 1 else 4
    return f"{value:.{max(digits, 0)}f}"


@dataclasses.dataclass(frozen=True)
class Row:
    """One comparison. `limit` is the most that value, or value : peer when there is a peer, may be; None = for information."""
    what: str
    value: float
    unit: str
    peer_name: str = ""
    peer: float = None
    limit: float = None
    note: str = ""

    @property
    def ratio(self):
        return self.value / self.peer if self.peer else None

    @property
    def holds(self):
        if self.limit is None:
            return None
        return (self.ratio if self.peer is not None else self.value) <= self.limit

    def cells(self):
        limit = "" if self.limit is None else f"<= {self.limit:.3g}{'' if self.peer is not None else ' ' + self.unit}"
        return [self.what, f"{number(self.value)} {self.unit}", f"{self.peer_name} {number(self.peer)} {self.unit}" if self.peer else "",
                f"{self.ratio:.3f}" if self.peer else "", limit, {None: "", True: "ok", False: "**not**"}[self.holds], self.note]


HEAD = ["what", "nettop", "peer", "ratio", "limit", "", "remarks"]


def table(rows):
    lines = [HEAD, ["---"] * len(HEAD)] + [row.cells() for row in rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def section(machine, method, rows, notes):
    """The text between the marks: everything that a run of the bench says."""
    parts = ["".join(f"{sentence}.  \n" for sentence in machine), method, table(rows), "".join(f"- {note}\n" for note in notes)]
    return "\n".join(part for part in parts if part)


def put(path, text):
    """Replaces what is between the marks; the rest of the file is written by people."""
    old = path.read_text(encoding="utf-8") if path.exists() else f"# Results\n\n{BEGIN}\n{END}\n"
    if BEGIN not in old or END not in old:
        old += f"\n{BEGIN}\n{END}\n"
    head, rest = old.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    path.write_text(f"{head}{BEGIN}\n\n{text}\n{END}{tail}", encoding="utf-8")
