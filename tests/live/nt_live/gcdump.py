# SPDX-License-Identifier: GPL-2.0-only
"""A .gcdump file, as the form of such files is (src/decode/heap/gcdump_read.h): which objects there are, and what refers to what. It believes what it reads. And what dotnet-gcdump says of it."""
import re
import struct
import subprocess

from nt_live import check, check_equal
from nt_live.heap_cores import as_clrmd_writes


class Gcdump:
    """Nodes by their numbers: `types[node]` the name of its type, `addresses[node]`, `edges[node]` the numbers of what it refers to."""

    def __init__(self, data):
        self.data, self.at = data, 0
        self._text()  # !FastSerialization.1
        self._begin_object()  # GCHeapDump
        self._begin_object()  # Graphs.MemoryGraph
        self._take("q")  # bytes
        self.root = self._take("i")
        names, sizes = [], []
        for _ in range(self._take("i")):
            names.append(self._text())
            sizes.append(self._take("i"))
            self._text()  # module
        self._take(f"{self._take('i')}i")  # where each node is
        self.types, self.edges = [], []
        end = self._take("i") + self.at
        while self.at < end:
            word = self._number()
            self.types.append(names[word >> 1])
            if word & 1:
                self._number()  # its size, which is another one than its type's
            self.edges.append([len(self.edges) + self._number() for _ in range(self._number())])
        self.addresses = self._take(f"{self._take('i')}q")

    def _take(self, form):
        values = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return values[0] if len(form) == 1 else values

    def _text(self):
        length = self._take("i")
        if length < 0:
            return None
        self.at += length
        return self.data[self.at - length:self.at].decode()

    def _begin_object(self):
        self.at += 3 + 8  # tags, versions
        self._text()
        self.at += 1

    def _number(self):
        byte = self.data[self.at]
        value = byte & 0x7f
        value -= (value & 0x40) << 1
        self.at += 1
        while byte & 0x80:
            byte = self.data[self.at]
            value = value << 7 | byte & 0x7f
            self.at += 1
        return value

    def reached(self):
        """What the root leads to: nodes."""
        reached, open_nodes = {self.root}, [self.root]
        while open_nodes:
            further = [to for to in self.edges[open_nodes.pop()] if to not in reached]
            reached.update(further)
            open_nodes += further
        return reached

    def kept_by(self, root):
        """What a root, "[handles]", leads to: addresses."""
        return [self.addresses[to] for node, name in enumerate(self.types) if name == root for to in self.edges[node]]


def as_gcdump_reports(tool, path):
    """(bytes, nodes, {type: objects}) by dotnet-gcdump report. It tells large arrays from small ones, and roots as if they were types."""
    done = subprocess.run([tool, "report", str(path)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=True)
    bytes_of, nodes = (int(re.search(rf"^ *([\d,]+)  GC Heap {what}$", done.stdout, re.M)[1].replace(",", "")) for what in ("bytes", "objects"))
    types = {}
    for count, name in re.findall(r"^ *[\d,]+ +([\d,]+)  (.+?)(?:  \[[^\]]*\])?$", done.stdout, re.M):
        name = re.sub(r" \(Bytes > .*\)$", "", name)
        if not (name.startswith("[") and name.endswith("]")) and name != "UNDEFINED":
            name = as_clrmd_writes(name)
            types[name] = types.get(name, 0) + int(count.replace(",", ""))
    return bytes_of, nodes, types


def check_as_reported(tool, path, said):
    bytes_of, nodes, theirs = as_gcdump_reports(tool, path)
    ours = {}
    for row in said["types"]:
        name = as_clrmd_writes(row["type"])
        ours[name] = ours.get(name, 0) + row["count"]
    check_equal("types whose objects are not as many", {name: (ours.get(name), theirs.get(name)) for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)}, {})
    check_equal("bytes", said["bytes"], bytes_of)
    check(said["object_count"] < nodes <= said["object_count"] + 1000, f"{nodes} nodes, {said['object_count']} objects")
