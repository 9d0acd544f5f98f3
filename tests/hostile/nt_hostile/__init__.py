# SPDX-License-Identifier: GPL-2.0-only
"""What the tests of `tests/hostile` share: root's nettop beside a process of a user who means it harm.

    from nt_hostile import *

    @test
    def a_bomb_is_refused(env):
        with FakeRuntime(env, user=STRANGER) as target: ...

    if __name__ == "__main__":
        main()
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "live"))

from nt_live import *  # noqa: E402,F403
from nt_live import __all__ as _live  # noqa: E402

from .frozen_folder import FrozenFolder  # noqa: E402
from .peak import check_peak, confined, peak_of  # noqa: E402
from .pretender import PYTHON, Pretender  # noqa: E402
from .stranger import STRANGER, UID, as_stranger, folder_of_stranger, run_as_stranger  # noqa: E402
from .trap import Trap  # noqa: E402

__all__ = [*_live, "FrozenFolder", "PYTHON", "Pretender", "STRANGER", "Trap", "UID", "as_stranger", "check_peak", "confined", "folder_of_stranger", "peak_of",
           "run_as_stranger"]
