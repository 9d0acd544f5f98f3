# SPDX-License-Identifier: GPL-2.0-only
"""An LTTng session of any events, made with LTTng's own commands, and what its trace says."""
import collections
import re
import subprocess

from .lttng import command
from .process import Failure


# LTTng's consumer daemon takes a counter that steps back for one that has wrapped around here, and adds as much. The counters of two packets that are
# closed at once can be seen in the wrong order.
WRAP = 1 << 63


class Session:
    """`enable` what is wanted, start(), stop(): then the trace can be read."""

    def __init__(self, env, name, buffers=("1M", 8)):
        """`buffers`: size and number of the sub-buffers of each CPU."""
        self.name = name
        self.folder = env.scratch / f"session-{name}"
        command("lttng", "create", name, "-o", str(self.folder))
        command("lttng", "enable-channel", "-s", name, "-u", f"--subbuf-size={buffers[0]}", f"--num-subbuf={buffers[1]}", "all")

    def enable(self, events, only_if=None):
        filters = ["--filter", only_if] if only_if else []
        command("lttng", "enable-event", "-s", self.name, "-u", "-c", "all", events, *filters)
        return self

    def add_context(self, *types):
        command("lttng", "add-context", "-s", self.name, "-u", "-c", "all", *(word for kind in types for word in ("-t", kind)))
        return self

    def start(self):
        command("lttng", "start", self.name)
        return self

    def stop(self):
        if self.stop_counting_losses():
            raise Failure(f"session {self.name} has losses")
        return self

    def stop_counting_losses(self):
        """How many events LTTng says it had no room for."""
        command("lttng", "stop", self.name)
        losses = re.findall(r"Discarded events: (\d+)", command("lttng", "list", self.name))
        command("lttng", "destroy", self.name)
        return sum(int(number) % WRAP for number in losses)

    def events(self, provider):
        """The events as babeltrace2 writes them, without time and CPU, in order."""
        done = subprocess.run(["babeltrace2", "--no-delta", str(self.folder)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              errors="replace", timeout=120, check=False)
        if done.returncode != 0:
            raise Failure(f"babeltrace2: exit {done.returncode}: {done.stderr.strip()[-500:]}")
        return [re.sub(r"\{ cpu_id = \d+ \}, ", "", line[line.index(f" {provider}:") + 1:])
                for line in done.stdout.splitlines() if f" {provider}:" in line]

    def counts(self, provider):
        """Events by name."""
        return collections.Counter(line.split(":")[1] for line in self.events(provider))

    def described(self, provider):
        """{event: how the trace's metadata describes it}, without the numbers that LTTng gives it."""
        text = command("babeltrace2", "-o", "ctf-metadata", str(next(self.folder.rglob("metadata")).parent))
        found = {}
        for block in re.findall(r"^event \{\n.*?^\};$", text, re.M | re.S):
            name = re.search(r'name = "([^"]*)"', block)[1]
            if name.split(":")[0].startswith(provider):
                found[name] = re.sub(r"^\s*(id|stream_id) = \d+;\n", "", block, flags=re.M)
        return found

