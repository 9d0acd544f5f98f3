#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: fuzz.sh BUILD_DIR LIMIT NAME...    LIMIT: -runs=N or -max_total_time=SECONDS, for each decoder
# Look for inputs that break a decoder; the result goes into doc/RESULTS.md. Exit 1 when one was found: it lies in BUILD_DIR/finds/NAME/.
set -uo pipefail

readonly build=$1 limit=$2
shift 2
failed=0
rows=

for name; do
	mkdir -p "$build/finds/$name" "$build/corpus/$name"
	echo "== $name"
	log=$build/$name.log
	timeout 7200 "$build/fuzz_$name" "$limit" -artifact_prefix="$build/finds/$name/" -print_final_stats=1 \
		-verbosity=0 "$build/corpus/$name" "tests/data/corpus/$name" >"$log" 2>&1
	status=$?
	tail -n 3 "$log"
	runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	found=nothing
	if [ "$status" -ne 0 ]; then
		failed=1
		found="exit $status, see the log"
	fi
	rows+="| $name | ${runs:-?} | $found |"$'\n'
done

{
	printf '## Fuzzing\n\n`make fuzz` (libFuzzer with ASan and UBSan, `%s` for each decoder), %s.\n\n' "$limit" "$(date +%F)"
	printf '| decoder | inputs tried | found |\n|---|---|---|\n%s' "$rows"
} | python3 tests/tools/results.py fuzz
exit $failed
