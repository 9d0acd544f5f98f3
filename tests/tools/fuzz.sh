#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only
# usage: fuzz.sh MARK BUILD_DIR RUNS SECONDS NAME...    whichever comes first ends a decoder's turn; RUNS -1 = SECONDS do
# Look for inputs that break a decoder, that it looks at for more than 2 s, or for which it takes more than 512 MB; the result goes into doc/RESULTS.md at MARK (-: nowhere). Exit 1 when
# one was found: it lies in BUILD_DIR/finds/NAME/. Of the same SEED the same inputs come.
set -uo pipefail

readonly mark=$1 build=$2 runs=$3 seconds=$4 seed=${SEED:-$RANDOM}
shift 4
failed=0
rows=

# As long as the real thing.
max_length() {
	awk -v name="$1" '$1 == name { print $2; found = 1 } END { if (!found) print 65536 }' tests/fuzz/limits
}

echo "SEED=$seed"
for name; do
	mkdir -p "$build/finds/$name" "$build/corpus/$name"
	echo "== $name"
	log=$build/$name.log
	options=(-runs="$runs" -max_total_time="$seconds" -seed="$seed" -timeout=2 -rss_limit_mb=512 -max_len="$(max_length "$name")")
	[ -f "tests/fuzz/$name.dict" ] && options+=(-dict="tests/fuzz/$name.dict")
	timeout $((seconds + 120)) "$build/fuzz_$name" "${options[@]}" -artifact_prefix="$build/finds/$name/" -print_final_stats=1 \
		"$build/corpus/$name" "tests/data/corpus/$name" >"$log" 2>&1
	status=$?
	tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
	found=nothing
	if [ "$status" -ne 0 ]; then
		failed=1
		found="exit $status, see the log"
		grep -E -m 3 'ERROR|SUMMARY|ALARM' "$log"
	fi
	echo "${tried:-?} inputs, ${edges:-?} edges, found $found"
	rows+="| $name | ${tried:-?} | ${edges:-?} | $found |"$'\n'
done

[ "$mark" = - ] && exit $failed
{
	printf '## Fuzzing%s\n\n`make %s` (libFuzzer with ASan and UBSan, %s and %s s at most for each decoder; an input may take 2 s and 512 MB), %s, SEED=%s.\n\n' \
		"$([ "$mark" = fuzz-long ] && echo ': long')" "$mark" "$([ "$runs" -lt 0 ] && echo 'no limit of inputs' || echo "$runs inputs")" "$seconds" "$(date +%F)" "$seed"
	printf '| decoder | inputs tried | edges covered | found |\n|---|---|---|---|\n%s' "$rows"
} | python3 tests/tools/results.py "$mark"
exit $failed
