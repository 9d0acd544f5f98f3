# SPDX-License-Identifier: GPL-2.0-only
"""
A file system of the stranger's own making (FUSE), with the files of a folder. It serves them until it is told to freeze: from then on whom the kernel lets look there waits, for as long as the stranger likes.

By default the kernel lets the stranger's own processes look, and nobody else, root neither: that is what fusermount gives to everybody. Where the host has user_allow_other, or who mounts is root, it lets all (doc/SECURITY.md).
"""
import ctypes
import os

from nt_live.process import Failure, LineProcess

from .stranger import UID

# Arguments: the folder whose files are shown, where, the stranger's uid, and more options of the mount. It is mounted by root, as fusermount does, and served by the stranger.
SERVER = """
import ctypes, os, stat, struct, sys, threading

source, place, owner = sys.argv[1], sys.argv[2], int(sys.argv[3])
libc = ctypes.CDLL(None, use_errno=True)
device = os.open("/dev/fuse", os.O_RDWR)
options = f"fd={device},rootmode=40000,user_id={owner},group_id={owner}{sys.argv[4]}"
if libc.mount(b"stranger", place.encode(), b"fuse", 6, options.encode()):
    sys.exit(os.strerror(ctypes.get_errno()))
os.setgroups([])
os.setgid(owner)
os.setuid(owner)
INIT, LOOKUP, FORGET, GETATTR, OPEN, READ, STATFS, OPENDIR, READDIR, ACCESS, BATCH_FORGET = 26, 1, 2, 3, 14, 15, 17, 27, 28, 34, 42
PLAIN = (18, 29, 25, ACCESS)  # release, releasedir, flush
frozen = None
asked = 0
nodes = {1: source}

def attributes(node):
    info = os.stat(nodes[node])
    times = int(info.st_mtime)
    return struct.pack("<QQQQQQIIIIIIIIII", node, info.st_size, info.st_blocks, times, times, times, 0, 0, 0, info.st_mode, info.st_nlink, owner, owner, 0, 4096, 0)

def node_of(path):
    for node, known in nodes.items():
        if known == path:
            return node
    nodes[len(nodes) + 1] = path
    return len(nodes)

def answer(opcode, node, body):
    # No attribute is kept: each look asks again.
    if opcode == INIT:
        return struct.pack("<IIIIHHIIHHI", 7, 31, 65536, 0, 12, 10, 65536, 1, 16, 0, 0) + bytes(28)
    if opcode == LOOKUP:
        path = os.path.join(nodes[node], os.fsdecode(body.rstrip(b"\\0")))
        os.stat(path)
        number = node_of(path)
        return struct.pack("<QQQQII", number, 0, 0, 0, 0, 0) + attributes(number)
    if opcode == GETATTR:
        return struct.pack("<QII", 0, 0, 0) + attributes(node)
    if opcode in (OPEN, OPENDIR):
        return struct.pack("<QII", node, 0, 0)
    if opcode == READ:
        _, offset, size = struct.unpack("<QQI", body[:20])
        with open(nodes[node], "rb") as file:
            return os.pread(file.fileno(), size, offset)
    if opcode == READDIR:
        _, offset, size = struct.unpack("<QQI", body[:20])
        text = b""
        for index, name in enumerate(sorted(os.listdir(nodes[node])), 1):
            name = os.fsencode(name)
            entry = struct.pack("<QQII", 1000 + index, index, len(name), 0) + name
            entry += bytes(-len(entry) % 8)
            if index > offset and len(text) + len(entry) <= size:
                text += entry
        return text
    if opcode == STATFS:
        return bytes(80)
    if opcode in PLAIN:
        return b""
    raise OSError(38, "not served")

def is_frozen(opcode, node, body):
    if frozen is None:
        return False
    path = os.fsdecode(body.rstrip(b"\\0")) if opcode == LOOKUP else nodes[node]
    return frozen in os.path.basename(path)

def serve():
    global asked
    while True:
        request = os.read(device, 1 << 17)
        length, opcode, unique, node = struct.unpack("<IIQQ", request[:24])
        if opcode in (FORGET, BATCH_FORGET):
            continue
        if is_frozen(opcode, node, request[40:length]):
            asked += 1
            continue
        try:
            error, text = 0, answer(opcode, node, request[40:])
        except OSError as failure:
            error, text = failure.errno or 5, b""
        os.write(device, struct.pack("<IiQ", 16 + len(text), -error, unique) + text)

threading.Thread(target=serve, daemon=True).start()
print("ready", flush=True)
for line in sys.stdin:
    word, _, name = line.strip().partition(" ")
    if word == "freeze":
        frozen = name
        print("frozen", flush=True)
    else:
        print(asked, flush=True)
"""


class FrozenFolder:
    """
    `with FrozenFolder(source, place) as folder: folder.freeze()`. Both are folders of the stranger's; the files of `source` are seen at `place`. `root_too`: root is let in, so that it can
    be made to wait, and then nothing ends the process that does, before the folder ends.
    """

    def __init__(self, source, place, root_too=False):
        self.place = place
        self.process = LineProcess(["python3", "-c", SERVER, str(source), str(place), str(UID), ",allow_other" if root_too else ""])
        answer = self.process.read_line(20)
        if answer != "ready":
            raise Failure(f"no file system of the stranger's: {answer} {self.process.stderr_text()[-500:]}")

    def _say(self, word):
        self.process.send_line(word)
        return self.process.read_line(20)

    def freeze(self, name=""):
        """From now on nobody who looks there gets an answer; `name`: who looks for, or at, files with that in their names."""
        if self._say(f"freeze {name}") != "frozen":
            raise Failure("the stranger's file system does not freeze")

    def waiting(self):
        """How often somebody has asked since then."""
        return int(self._say("asked"))

    def end(self):
        """Whoever waits gets an error then."""
        self.process.kill()  # nobody has the device open any more: the kernel ends every request
        ctypes.CDLL(None).umount2(os.fsencode(self.place), 2)  # by its name, which no command does without a look first

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
