# SPDX-License-Identifier: GPL-2.0-only
"""A small test runner: one line per test, one closing line `N passed, N failed`."""
import argparse
import fnmatch
import os
import sys
import time
import traceback

from .environment import Environment, Missing, enter_private_namespace
from .process import Failure, OutOfLimit, Unequal, adopt_orphans, descendants, end_descendants, wait_until

_tests, _long = [], []
ATTEMPTS = int(os.environ.get("NT_ATTEMPTS", "3"))  # of a test that misses a limit
LATER = os.environ.get("NT_LATER") if ATTEMPTS > 1 else None  # where who runs other files beside this one (lanes.py) wants to be told of a test that did not pass


def test(function):
    """Marks a test: a function that takes the Environment and raises when something is wrong."""
    _tests.append(function)
    return function


def long_test(function):
    """Marks a test that `make check` has no time for: `make check-long-live` runs it, and --only finds it."""
    _long.append(function)
    return function


def check(condition, text):
    """`text`: or who makes it, where that takes long."""
    if not condition:
        raise Failure(text() if callable(text) else text)


def check_equal(what, seen, expected):
    if seen != expected:
        raise Unequal(f"{what}: {seen}, expected {expected}")


def check_within(what, seen, expected, relative=0.0, absolute=0.0):
    """|seen - expected| must be at most the larger of the two tolerances. None (not known) is never right."""
    if seen is None:
        raise Failure(f"{what}: not known, expected {expected}")
    allowed = max(abs(expected) * relative, absolute)
    if abs(seen - expected) > allowed:
        ratio = f" (ratio {seen / expected:.4f})" if expected else ""
        raise OutOfLimit(f"{what}: {seen}, expected {expected} +- {allowed:g}{ratio}")


def check_limit(what, seen, limit):
    """A measured time or cost must not be over its limit."""
    if seen > limit:
        raise OutOfLimit(f"{what}: {seen:.3f}, the limit is {limit:.3f}")


def _run(function, env, verbose):
    """Runs a test, again if it missed a limit; what became of it."""
    for attempt in range(1, ATTEMPTS + 1):
        outcome = _try(function, env, verbose, last=attempt == ATTEMPTS)
        if outcome:
            return outcome
    return "failed"


def _try(function, env, verbose, last):
    """One attempt: what became of it, or None when it is worth another one."""
    start = time.monotonic()
    try:
        detail = function(env)
        # A session daemon that nettop has told to end takes a moment for it.
        wait_until(lambda: not descendants(), 5, lambda: f"the end of all processes; left over: {descendants()}")
        print(f"ok   {function.__name__} ({time.monotonic() - start:.1f} s){': ' + detail if detail else ''}", flush=True)
        return "passed"
    except Missing as missing:
        print(f"skip {function.__name__}: {missing}", flush=True)
        return "skipped"
    except Exception as error:  # a broken test must not hide the ones after it
        text = str(error) if isinstance(error, Failure) else f"{type(error).__name__}: {error}"
        missed = isinstance(error, OutOfLimit)
        again, later = missed and not last, LATER and not isinstance(error, Unequal) and (last or not missed)
        print(f"{'again' if again else 'later' if later else 'FAIL'} {function.__name__} ({time.monotonic() - start:.1f} s): {text}", flush=True)
        if verbose or not isinstance(error, Failure):
            traceback.print_exc()
        return None if again else _put_off(function, "limit" if missed else "failure") if later else "failed"
    finally:
        end_descendants()


def _put_off(function, why):
    with open(LATER, "a", encoding="utf-8") as file:
        file.write(f"{sys.argv[0]}\t{function.__name__}\t{why}\n")
    return "later"


def _chosen(pattern):
    if named := [t for t in _tests + _long if t.__name__ == pattern]:
        return named
    if pattern != "*":
        return [t for t in _tests + _long if pattern in t.__name__ or fnmatch.fnmatch(t.__name__, pattern)]
    if "NT_LONG" in os.environ:
        return _long
    if _long:
        print(f"note left to make check-long-live: {', '.join(t.__name__ for t in _long)}")
    return _tests


def main(without_root=False):
    """
    Runs the tests of the calling program in a namespace of their own; exits 1 when one failed. `without_root`: they can do without such a
    namespace, then they use the LTTng daemons of whoever runs them.
    """
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", metavar="PATTERN", default="*", help="only tests whose name contains or matches it")
    parser.add_argument("--verbose", action="store_true", help="a traceback for each failure")
    options = parser.parse_args()
    chosen = _chosen(options.only)
    counts = {"passed": 0, "failed": 0, "skipped": 0, "later": 0}
    try:
        enter_private_namespace()
    except Missing as missing:
        if without_root:
            print(f"note {missing}; the tests use this user's own daemons")
        else:
            print(f"skip all {len(chosen)}: {missing}")
            counts["skipped"], chosen = len(chosen), []
    adopt_orphans()
    env = Environment()
    try:
        for function in chosen:
            counts[_run(function, env, options.verbose)] += 1
    finally:
        end_descendants()
        env.close()
    skipped = f", {counts['skipped']} skipped" if counts["skipped"] else ""
    print(f"{counts['passed']} passed, {counts['failed']} failed{skipped}", flush=True)
    sys.exit(1 if counts["failed"] else 0)
