#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: run-all.sh LABEL PROGRAM...
#
# Run every given test program with a deadline, as many at a time as there are processors (JOBS); print what failed, each whole, and one closing line.
set -uo pipefail

readonly label=$1
shift
logs=$(mktemp -d)
readonly logs
trap 'rm -rf "$logs"' EXIT

# One program: its words stay only when it failed.
run_one() {
	local -r program=$1 log=$LOGS/$$
	local status
	timeout "${TEST_TIMEOUT:-120}" "$program" >"$log" 2>&1
	status=$?
	[ "$status" -eq 0 ] && { rm "$log"; return; }
	{ echo "FAIL $LABEL: $program (exit $status)"; cat "$log"; } >"$log.failed"
	rm "$log"
}
export -f run_one
export LOGS=$logs LABEL=$label

printf '%s\0' "$@" | xargs -0 -r -n 1 -P "${JOBS:-$(nproc)}" bash -c 'run_one "$1"' run_one

failed=0
for log in "$logs"/*.failed; do
	[ -f "$log" ] || continue
	failed=$((failed + 1))
	cat "$log"
done
echo "$label: $(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
