#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Run every given test program with a deadline; print what failed and one closing line.  usage: run-all.sh LABEL PROGRAM...
label=$1
shift
passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for program; do
	if timeout "${TEST_TIMEOUT:-120}" "$program" >"$log" 2>&1; then
		passed=$((passed + 1))
	else
		status=$?
		failed=$((failed + 1))
		echo "FAIL $label: $program (exit $status)"
		cat "$log"
	fi
done
echo "$label: $passed passed, $failed failed"
[ "$failed" -eq 0 ]
