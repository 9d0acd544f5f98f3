# SPDX-License-Identifier: GPL-2.0-only
"""tests/live/shop: a web service at work in which something can go wrong, its customers, and its payment provider."""
import contextlib

from .process import wait_until
from .workload import Workload, settings_as_variables


class World(Workload):
    """What is around the shop, in a process of its own."""

    def __init__(self, env):
        self.mode = "none"
        self._start(env, ["dotnet", env.shop_dll, "world"], settings_as_variables({}), "world.err")


class Shop(Workload):
    """It is open and has customers. Started as most programs are."""

    def __init__(self, env, under=(), dotnet=None):
        """`under`: a command that runs it. `dotnet`: DOTNET_ settings."""
        env.need_commands("dotnet")
        self.mode = "none"
        self.world = World(env)
        try:
            self._start(env, [*under, "dotnet", env.shop_dll, "serve", self.world.hello["payments"]], settings_as_variables(dotnet or {}))
            self.world.do(f"open {self.hello['url']}")
        except BaseException:
            self.world.close()
            raise

    def close(self):
        super().close()
        self.world.close()

    def answered(self):
        """Requests that customers had an answer to."""
        return self.world.do("count")["answered"]

    def wait_answered(self, count, seconds):
        """Until so many more are."""
        start = self.answered()
        wait_until(lambda: self.answered() >= start + count, seconds, lambda: f"{count} more requests answered; {self.world.do('count')}", step=0.2)

    def begin(self, name, *commands):
        """A mistake of the shop's (README.md beside it), unless it is None; and what is said to the world besides."""
        if name:
            self.do(f"begin {name}")
        for command in commands:
            self.world.do(command)

    @contextlib.contextmanager
    def incident(self, name, *commands):
        """For as long as the block runs. Some end with the process only."""
        self.begin(name, *commands)
        yield
