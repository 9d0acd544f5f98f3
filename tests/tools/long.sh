#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: long.sh LOG_DIR GOAL SUITE=COMMAND...
#
# One part of `make check-long`, or a goal like it: its suites as check.sh runs them. Prints their output indented and, as the last line, their sum; puts the result
# into doc/RESULTS.md. Exit 1 when anything failed.
set -uo pipefail

readonly logs=$1 goal=$2
shift 2
mkdir -p "$logs"
readonly name=${goal#check-long-}
readonly log=$logs/$name.all

tests/tools/check.sh "$logs/$name" "$@" | tee "$log" | sed -u '$!s/^/  /'
status=${PIPESTATUS[0]}

{
	printf '## Long tests: %s\n\n' "$name"
	printf '`make %s`, %s, in %d s: **%s**\n\n' "$goal" "$(date +%F)" "$SECONDS" "$(tail -n 1 "$log")"
	printf '```\n'
	# What the tests say besides that they passed; where this folder lies is nobody else's business.
	grep -E '^(SEED=|FAIL |skip |== .*: [0-9]+ s|ok .*\): |([a-z]+: )?[0-9]+ passed)' "$log" | awk '$0 != last { print } { last = $0 }' | sed "\$d; s|${DEPS_DIR:-build/deps}/|build/deps/|g; s|$PWD/||g"
	printf '```\n'
} | python3 tests/tools/results.py "$goal"
exit "$status"
