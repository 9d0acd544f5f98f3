# SPDX-License-Identifier: GPL-2.0-only
"""An LTTng session of any events, made with LTTng's own commands, and what its trace says."""
import collections
import re

from .lttng import command
from .process import Failure


class Session:
    """`enable` what is wanted, start(), stop(): then the trace can be read."""

    def __init__(self, env, name):
        self.name = name
        self.folder = env.scratch / f"session-{name}"
        command("lttng", "create", name, "-o", str(self.folder))
        command("lttng", "enable-channel", "-s", name, "-u", "--subbuf-size=1M", "--num-subbuf=8", "all")

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
        text = command("lttng", "stop", self.name)
        command("lttng", "destroy", self.name)
        if "discarded" in text or "lost" in text:
            raise Failure(f"session {self.name} has losses: {text.strip()}")
        return self

    def events(self, provider):
        """The events as babeltrace2 writes them, without time and CPU, in order."""
        text = command("babeltrace2", "--no-delta", str(self.folder), seconds=60)
        return [re.sub(r"\{ cpu_id = \d+ \}, ", "", line[line.index(f" {provider}:") + 1:])
                for line in text.splitlines() if f" {provider}:" in line]

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

