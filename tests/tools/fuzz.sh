#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: fuzz.sh BUILD_DIR SECONDS NAME...
# Look for inputs that break a decoder, SECONDS each; the result goes into doc/RESULTS.md. Exit 1 when one was found: it lies in BUILD_DIR/finds/NAME/.
set -uo pipefail

readonly build=$1 seconds=$2
shift 2
failed=0
rows=

for name; do
	mkdir -p "$build/finds/$name" "$build/corpus/$name"
	echo "== $name"
	log=$build/$name.log
	timeout $((seconds + 120)) "$build/fuzz_$name" -max_total_time="$seconds" -artifact_prefix="$build/finds/$name/" -print_final_stats=1 \
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
	printf '## Fuzzing\n\n`make fuzz FUZZ_SECONDS=%s` (libFuzzer with ASan and UBSan, %s s for each decoder), %s.\n\n' "$seconds" "$seconds" "$(date +%F)"
	printf '| decoder | inputs tried | found |\n|---|---|---|\n%s' "$rows"
} | python3 tests/tools/results.py fuzz
exit $failed
